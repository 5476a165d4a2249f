import { normalizarCpfCnpj } from '../brazil/pessoa/cpf-cnpj.ts';
import { formasDoTelefone, normalizarTelefone, ultimosOito } from '../brazil/pessoa/telefone.ts';
import { SITUACOES_DE_CLIENTE } from '../domain/clientes/clientes.types.ts';
import type { FiltroClientes } from '../domain/clientes/clientes.types.ts';
import type { TypeOf } from '../platform/schema-type.ts';
import { atualizadoDesdeNaConsulta, instanteDe } from './consulta.ts';

const telefoneExato = {
  type: 'string',
  enum: ['sim', 'nao'],
  description:
    'sim: o telefone tem de ser o mesmo, com o DDD; o 55 e o nono dígito do celular podem faltar. Oito dígitos se repetem entre DDDs.',
  examples: ['sim'],
} as const;

/** Query parameters that narrow a list of clients. */
export const filtrosDeClientes = {
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
  telefone_exato: telefoneExato,
  situacao: { type: 'string', enum: SITUACOES_DE_CLIENTE, description: 'Situação do cliente.', examples: ['ativo'] },
  ...atualizadoDesdeNaConsulta,
} as const;

type Filtros = { readonly [Nome in keyof typeof filtrosDeClientes]?: TypeOf<(typeof filtrosDeClientes)[Nome]> };

/** The filter that a checked query says. */
export function filtroDeClientes(query: Filtros): FiltroClientes {
  const telefone = normalizarTelefone(query.telefone ?? '');
  return {
    cpfCnpj: normalizarCpfCnpj(query.cpf_cnpj ?? '') ?? undefined,
    ultimosOito: telefone === null ? undefined : ultimosOito(telefone),
    telefones: telefone === null || query.telefone_exato !== 'sim' ? undefined : formasDoTelefone(telefone),
    situacao: query.situacao,
    atualizadoDesde: instanteDe(query.atualizado_desde),
  };
}
