import { textOrNull } from '../kit/fields/fields.ts';
import { closed } from '../platform/schema-type.ts';

export const enderecoSchema = closed('Endereco', {
  cep: { ...textOrNull, description: 'CEP, 8 dígitos.', examples: ['37130001'] },
  logradouro: textOrNull,
  numero: textOrNull,
  complemento: textOrNull,
  bairro: textOrNull,
  cidade: textOrNull,
  uf: { ...textOrNull, examples: ['MG'] },
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
