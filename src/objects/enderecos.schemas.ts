import { textOrNull } from '../kit/fields/fields.ts';
import { closed } from '../platform/schema-type.ts';

export const enderecoSchema = closed('Endereco', {
  cep: { ...textOrNull, description: 'CEP, 8 dígitos.', examples: ['37130001'], mask: 'hidden' },
  logradouro: { ...textOrNull, mask: 'hidden' },
  numero: { ...textOrNull, mask: 'hidden' },
  complemento: { ...textOrNull, mask: 'hidden' },
  bairro: { ...textOrNull, mask: 'none' },
  cidade: { ...textOrNull, mask: 'none' },
  uf: { ...textOrNull, examples: ['MG'], mask: 'none' },
});

export const exemploEndereco = {
  cep: '37130001',
  logradouro: 'Rua das Acácias',
  numero: '120',
  complemento: null,
  bairro: 'Centro',
  cidade: 'Alfenas',
  uf: 'MG',
};
