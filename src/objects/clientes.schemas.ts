import { SITUACOES_DE_CLIENTE } from '../domain/clientes/clientes.types.ts';
import { dateOrNull, id, instant, textOrNull } from '../kit/fields/fields.ts';
import { closed } from '../platform/schema-type.ts';
import { contratoSchema, exemploContrato } from './contratos.schemas.ts';
import { enderecoSchema } from './enderecos.schemas.ts';

export const clienteSchema = closed('Cliente', {
  id: { ...id, person: true },
  nome: { type: 'string', mask: 'name' },
  nome_fantasia: { ...textOrNull, mask: 'name' },
  tipo: { type: 'string', enum: ['pf', 'pj'] },
  cpf_cnpj: {
    type: 'string',
    description: 'CPF (11 dígitos) ou CNPJ (14 posições, que podem ter letras).',
    examples: ['52998224725'],
    mask: 'document',
  },
  email: { ...textOrNull, mask: 'email' },
  telefones: { type: 'array', items: { type: 'string', mask: 'phone' }, examples: [['35999990001']] },
  situacao: { type: 'string', enum: SITUACOES_DE_CLIENTE },
  data_nascimento: { ...dateOrNull, mask: 'hidden' },
  criado_em: instant,
  endereco: enderecoSchema,
  contratos: { type: 'array', items: contratoSchema },
});

export const exemploCliente = {
  id: 7,
  nome: 'Maria da Silva',
  nome_fantasia: null,
  tipo: 'pf',
  cpf_cnpj: '52998224725',
  email: 'maria@example.com',
  telefones: ['35999990001'],
  situacao: 'ativo',
  data_nascimento: '1988-04-12',
  criado_em: '2024-02-01T12:00:00.000Z',
  endereco: exemploContrato.endereco_instalacao,
  contratos: [exemploContrato],
};
