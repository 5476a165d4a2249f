import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { DO_ENDERECO } from '../../enderecos/enderecos.types.ts';
import type { EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';

/** What stands where a name or a text was that may not be missing. */
export const NOME_REMOVIDO = 'Titular removido';
export const TEXTO_REMOVIDO = 'Texto removido';
/** No document at all: nobody is found by it. */
export const DOCUMENTO_REMOVIDO = '';

export interface TitularRow extends EnderecoRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  cpf_cnpj: string;
  email: string | null;
  data_nascimento: string | null;
  codigo_externo: string | null;
  situacao: string;
  apagado_em: string | null;
  guardado_ate: string | null;
}

export const COLUNAS_DO_TITULAR = columns<TitularRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  cpf_cnpj: true,
  email: true,
  data_nascimento: true,
  codigo_externo: true,
  situacao: true,
  apagado_em: true,
  guardado_ate: true,
  ...DO_ENDERECO,
});

export interface ContratoDoTitularRow extends EnderecoRow {
  id: number;
  situacao: SituacaoContrato;
  login: string | null;
  mac: string | null;
  ip: string | null;
  ipv6_prefixo: string | null;
  motivo: string | null;
  codigo_externo: string | null;
  ativado_em: string | null;
  cancelado_em: string | null;
}

export const COLUNAS_DO_CONTRATO_DO_TITULAR = columns<ContratoDoTitularRow>('contratos', {
  id: true,
  situacao: true,
  login: true,
  mac: true,
  ip: true,
  ipv6_prefixo: true,
  motivo: true,
  codigo_externo: true,
  ativado_em: true,
  cancelado_em: true,
  ...DO_ENDERECO,
});

/** A person's registration with its locks, and the day on which the law's times are judged. */
export interface Caso {
  readonly w: Write;
  readonly titular: TitularRow;
  readonly contratos: readonly ContratoDoTitularRow[];
  readonly agora: Date;
  /** The provider's local date. */
  readonly hoje: Data;
  /** The local date of an instant of the database. */
  readonly diaDe: (instante: string) => Data;
  /** When the first erasure was, which is now if this is it. */
  readonly desde: string;
}

/** What the law has kept, for now. */
export interface Guardado {
  readonly dado: string;
  /** The last day on which any of it is kept. */
  readonly ate: Data;
  /** The last day of the first of it that goes. */
  readonly primeiro: Data;
  /** The law, in Portuguese. */
  readonly porque: string;
}

/** What became of some data. */
export interface Feito {
  /** By name; nothing of what was not there. */
  readonly apagados: readonly string[];
  readonly guardados: readonly Guardado[];
}

/** Data that are erased together. */
export interface Parte {
  /** Whose data they are. */
  readonly tabelas: readonly string[];
  readonly apagar: (caso: Caso) => Promise<Feito>;
}

/** What an erasure came to. */
export interface Apagamento {
  readonly id: number;
  readonly apagados: readonly string[];
  readonly guardados: readonly Omit<Guardado, 'primeiro'>[];
  /** Other registrations of the same tax id, which are as they were. */
  readonly outrosCadastros: readonly number[];
}
