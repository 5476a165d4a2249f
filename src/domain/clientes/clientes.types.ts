import { columns } from '../../platform/mysql/columns.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import { DO_ENDERECO } from '../enderecos/enderecos.types.ts';
import type { Endereco, EnderecoRow } from '../enderecos/enderecos.types.ts';

export const SITUACOES_DE_CLIENTE = [
  'ativo',
  'bloqueado',
  'cancelado',
  'inativo',
  'observacao',
  'pre_cadastro',
] as const;
export type SituacaoCliente = (typeof SITUACOES_DE_CLIENTE)[number];

/** What the clients' own table holds of one. */
interface ClienteProprioRow extends EnderecoRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  tipo: 'pf' | 'pj';
  cpf_cnpj: string;
  email: string | null;
  situacao: SituacaoCliente;
  data_nascimento: string | null;
  codigo_externo: string | null;
  criado_em: string;
  atualizado_em: string;
  apagado_em: string | null;
}

export const COLUNAS_DO_CLIENTE = columns<ClienteProprioRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  tipo: true,
  cpf_cnpj: true,
  email: true,
  situacao: true,
  data_nascimento: true,
  codigo_externo: true,
  criado_em: true,
  atualizado_em: true,
  apagado_em: true,
  ...DO_ENDERECO,
});

export interface TelefonesRow {
  /** In the order they were registered, between commas. */
  telefones: string | null;
}

export interface ClienteRow extends ClienteProprioRow, TelefonesRow {}

export interface Cliente {
  readonly id: number;
  readonly nome: string;
  readonly nomeFantasia: string | null;
  readonly tipo: 'pf' | 'pj';
  readonly cpfCnpj: string;
  readonly email: string | null;
  /** Digits with area code, in the order they were registered. */
  readonly telefones: readonly string[];
  readonly situacao: SituacaoCliente;
  /** Calendar date. */
  readonly dataNascimento: string | null;
  /** Its name in another system, as `ixc:123`. */
  readonly codigoExterno: string | null;
  readonly criadoEm: Date;
  /** Which version of the registration this is: phones included, contracts not. */
  readonly atualizadoEm: Date;
  /** When its data were erased at the person's wish. */
  readonly apagadoEm: Date | null;
  readonly endereco: Endereco;
  readonly contratos: readonly Contrato[];
}

/** Filters combine with AND. */
export interface FiltroClientes {
  /** As `normalizarCpfCnpj` gives it. */
  readonly cpfCnpj?: string | undefined;
  /** Last eight digits of the phone. */
  readonly ultimosOito?: string | undefined;
  /** Beside the last eight digits: the phone is one of these. */
  readonly telefones?: readonly string[] | undefined;
  readonly situacao?: SituacaoCliente | undefined;
  /** Its name in another system. */
  readonly codigoExterno?: string | undefined;
  /** Of one of its contracts. */
  readonly login?: string | undefined;
  /** Those whose answer changed since, the connection's state aside; see leituras.ts. */
  readonly atualizadoDesde?: Date | undefined;
}

/** Whether a filter looks for one person, by an index of its own, and not for a list. */
export const buscaUmaPessoa = ({ cpfCnpj, ultimosOito, codigoExterno, login }: FiltroClientes): boolean =>
  [cpfCnpj, ultimosOito, codigoExterno, login].some((dito) => dito !== undefined);
