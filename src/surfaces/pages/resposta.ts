import type { Readable } from 'node:stream';
import type { Pagina } from './documento.ts';

/** Which page was asked for. */
export interface Endereco {
  readonly pagina: string;
  /** What stands behind the page's name. */
  readonly token: string;
  /** Whether what is asked for is only its state. */
  readonly consulta: boolean;
}

/** What a page's address answers with. */
export type Resposta = RespostaDePagina | RespostaDeArquivo;

export interface RespostaDePagina {
  readonly status: number;
  /** Null: nothing is shown, the headers say where to go on. */
  readonly pagina: Pagina | null;
  readonly cabecalhos?: Readonly<Record<string, string>>;
}

interface RespostaDeArquivo {
  readonly status: number;
  readonly tipo: string;
  readonly corpo: Buffer | Readable | null;
  readonly cabecalhos?: Readonly<Record<string, string>>;
}
