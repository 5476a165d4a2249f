import { SITUACOES_DE_CLIENTE } from '../../../domain/clientes/clientes.types.ts';
import { filtrosDeClientes } from '../../../objects/clientes.consulta.ts';
import { spokenText } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { cursorNaConsulta } from '../rota.ts';

export const consultaDeClientes = {
  type: 'object',
  additionalProperties: false,
  properties: { ...filtrosDeClientes, ...cursorNaConsulta },
} as const;

const parte = (maxLength: number, exemplo: string) =>
  ({ type: ['string', 'null'], maxLength, examples: [exemplo] }) as const;

const campos = {
  nome: {
    ...spokenText,
    minLength: 2,
    maxLength: 160,
    description: 'Nome da pessoa, ou razão social.',
    examples: ['Maria da Silva'],
  },
  cpf_cnpj: {
    type: 'string',
    format: 'cpf_cnpj',
    description: 'CPF ou CNPJ, que pode ter letras; com ou sem pontuação. Os dígitos verificadores são conferidos.',
    examples: ['529.982.247-25'],
  },
  tipo: {
    type: 'string',
    enum: ['pf', 'pj'],
    description: 'Segue do documento; se vier, tem de concordar.',
    examples: ['pf'],
  },
  nome_fantasia: {
    type: ['string', 'null'],
    maxLength: 160,
    description: 'Só de pessoa jurídica.',
    examples: [null],
  },
  email: { type: ['string', 'null'], maxLength: 254, description: 'E-mail.', examples: ['maria@example.com'] },
  telefones: {
    type: 'array',
    items: { type: 'string' },
    description: 'Até 5, de 10 a 13 dígitos, com DDD; os repetidos contam uma vez.',
    examples: [['35999990001']],
  },
  data_nascimento: {
    type: ['string', 'null'],
    format: 'date',
    description: 'Só de pessoa física; nem no futuro, nem antes de 1900.',
    examples: ['1988-04-12'],
  },
  endereco: {
    ...closed(
      null,
      {
        cep: parte(9, '37130001'),
        logradouro: parte(160, 'Rua das Acácias'),
        numero: parte(20, '120'),
        complemento: parte(80, 'Casa 2'),
        bairro: parte(80, 'Centro'),
        cidade: parte(80, 'Alfenas'),
        uf: parte(2, 'MG'),
      },
      { optional: ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'] },
    ),
    description: 'O que falta dele não se conhece, ou fica como está.',
    examples: [{ cep: '37130001', cidade: 'Alfenas', uf: 'MG' }],
  },
} as const;

export const corpoDeCadastro = closed(
  'NovoCliente',
  {
    ...campos,
    situacao: {
      type: 'string',
      enum: ['ativo', 'inativo', 'observacao', 'pre_cadastro'],
      description: 'Sem ela, ativo.',
      examples: ['ativo'],
    },
  },
  { optional: ['tipo', 'nome_fantasia', 'email', 'telefones', 'data_nascimento', 'endereco', 'situacao'] },
);

export const corpoDeMudanca = {
  title: 'MudancaDeCliente',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...campos,
    situacao: {
      type: 'string',
      enum: SITUACOES_DE_CLIENTE,
      description:
        'ativo, inativo, observacao ou pre_cadastro; de cancelado só se volta a ativo. As outras são recusadas.',
      examples: ['observacao'],
    },
  },
} as const;

export const consultaDeCancelamento = {
  type: 'object',
  additionalProperties: false,
  properties: {
    motivo: {
      ...spokenText,
      minLength: 1,
      maxLength: 500,
      description: 'Texto livre, que fica no histórico dos contratos.',
      examples: ['Mudou de cidade.'],
    },
    faturas_futuras: {
      type: 'string',
      enum: ['manter', 'cancelar'],
      default: 'manter',
      description: 'O que se faz das faturas abertas que vencem depois de hoje.',
      examples: ['cancelar'],
    },
  },
} as const;
