import type { Canal, TipoDeAtendimento } from '../protocolos/protocolos.types.ts';

/** A contact as everybody sees it. */
export interface Atendimento {
  /** Null of tickets and unblocks that are older than protocols. */
  readonly protocolo: string | null;
  readonly tipo: TipoDeAtendimento;
  readonly canal: Canal | null;
  readonly clienteId: number | null;
  readonly contratoId: number | null;
  /** The ticket that was opened; null of other contacts. */
  readonly chamadoId: number | null;
  readonly assunto: string;
  readonly resumo: string | null;
  /** Name of the key or of the member of staff. */
  readonly autor: string | null;
  readonly abertoEm: Date;
}

/** A contact that somebody notes. */
export interface NovoAtendimento {
  readonly clienteId: number | null;
  readonly contratoId: number | null;
  readonly canal: Canal;
  readonly assunto: string;
  readonly resumo: string | null;
}
