import type { Readable } from 'node:stream';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns } from '../../platform/mysql/columns.ts';
import type { FormatoDoExtrato } from '../../../workers/threads/extrato/contract.ts';
import type { ByteRange } from '../../platform/storage/object-store.ts';

export { FORMATOS } from '../../../workers/threads/extrato/contract.ts';

/** Grows when a column goes or changes its meaning; a new column leaves it alone. */
export const VERSAO_DO_ESQUEMA = 1;

export const TABELAS = ['clientes', 'contratos', 'faturas', 'chamados', 'planos', 'quedas', 'nfcom'] as const;
export type TabelaExtraida = (typeof TABELAS)[number];

export const MANIFESTO = 'manifesto.json';

export const SITUACOES_DE_EXTRATO = ['gerando', 'pronto', 'falhou', 'removido'] as const;
type SituacaoExtrato = (typeof SITUACOES_DE_EXTRATO)[number];

export interface ArquivoDoExtrato {
  readonly nome: string;
  readonly formato: FormatoDoExtrato | 'json';
  /** Null of the manifest. */
  readonly linhas: number | null;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What `manifesto.json` says. */
export interface Manifesto {
  readonly provedor_id: number;
  readonly dia: Data;
  readonly versao_do_esquema: number;
  /** All that was committed before it is in the files. */
  readonly consistente_em: string;
  readonly arquivos: readonly ArquivoDoExtrato[];
}

export interface ExtratoRow {
  id: number;
  dia: Data;
  situacao: SituacaoExtrato;
  tentativa: number | null;
  consistente_em: string | null;
  arquivos: string | ArquivoDoExtrato[] | null;
}

export const COLUNAS_DO_EXTRATO = columns<ExtratoRow>('extratos', {
  id: true,
  dia: true,
  situacao: true,
  tentativa: true,
  consistente_em: true,
  arquivos: true,
});

export interface Extrato {
  readonly id: number;
  readonly dia: Data;
  readonly situacao: SituacaoExtrato;
  /** Null until it is done. */
  readonly consistenteEm: Date | null;
  /** None until it is done, and once its time is over. */
  readonly arquivos: readonly ArquivoDoExtrato[];
}

/** A file that can be read, from any byte of it. */
export interface ArquivoAberto extends ArquivoDoExtrato {
  abrir(range: ByteRange): Promise<Readable>;
}
