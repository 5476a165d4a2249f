import { SITUACOES_DE_CLIENTE } from '../../../domain/clientes/clientes.types.ts';
import { contratoSchema, exemploContrato } from '../contratos/contratos.schemas.ts';
import { dateOrNull, id, instant, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { enderecoSchema, atualizadoDesdeNaConsulta, paginacaoNaConsulta } from '../esquemas.ts';

export const clienteSchema = closed('Cliente', {
  id,
  nome: { type: 'string' },
  nome_fantasia: textOrNull,
  tipo: { type: 'string', enum: ['pf', 'pj'] },
  cpf_cnpj: {
    type: 'string',
    description: 'CPF (11 dígitos) ou CNPJ (14 posições, que podem ter letras).',
    examples: ['52998224725'],
  },
  email: textOrNull,
  telefones: { type: 'array', items: { type: 'string' }, examples: [['35999990001']] },
  situacao: { type: 'string', enum: SITUACOES_DE_CLIENTE },
  data_nascimento: dateOrNull,
  criado_em: instant,
  endereco: enderecoSchema,
  contratos: { type: 'array', items: contratoSchema },
});

export const consultaDeClientes = {
  type: 'object',
  additionalProperties: false,
  properties: {
    cpf_cnpj: {
      type: 'string',
      format: 'cpf_cnpj',
      description: 'CPF (11 dígitos) ou CNPJ (14 posições), com ou sem pontuação.',
      examples: ['529.982.247-25'],
    },
    telefone: {
      type: 'string',
      format: 'telefone',
      description: 'Telefone com DDD; a comparação é feita pelos últimos 8 dígitos.',
      examples: ['35999990001'],
    },
    situacao: { type: 'string', enum: SITUACOES_DE_CLIENTE, description: 'Situação do cliente.', examples: ['ativo'] },
    ...atualizadoDesdeNaConsulta,
    ...paginacaoNaConsulta,
  },
} as const;

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
