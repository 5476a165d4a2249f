import type { Write } from '../escrita.ts';

/** What asks for e-mails. Direct ones, whose sender waits for what becomes of them, are not in the queue. */
export const ORIGENS_DE_CORREIO = ['regua', 'segunda_via', 'seguranca'] as const;
export type OrigemDeCorreio = (typeof ORIGENS_DE_CORREIO)[number];

/** An e-mail that is to be sent. */
export interface PedidoDeCorreio {
  /** Tells it from others of its origin: the same is asked for once. Printable ASCII. */
  readonly chave: string;
  /** Whom it is about; null where that is somebody of the staff. */
  readonly clienteId: number | null;
  readonly para: string;
  readonly assunto: string;
  readonly texto: string;
  /** From when on it is of no use any more. */
  readonly expiraEm: Date;
}

/** What became of one. */
export interface CorreioFeito {
  readonly id: number;
  /** `dispensada`: what it says was no longer so when its turn came. */
  readonly estado: 'entregue' | 'esgotada' | 'dispensada';
}

type Transacao = Pick<Write, 'provedorId' | 'from' | 'update'>;

/** Who asked for e-mails, as the queue needs to know it. */
export interface QuemPediu {
  /** Whether they wait for the morning where their turn comes at night. */
  readonly soDeDia: boolean;
  /** Of some that are about to be sent, those that nobody needs any more. */
  readonly dispensadas?: (w: Transacao, ids: readonly number[]) => Promise<readonly number[]>;
  /** Hears what became of some, in the transaction that notes it. */
  readonly soube?: (w: Transacao, feitos: readonly CorreioFeito[], agora: Date) => Promise<void>;
}

export type QuemPediuDeTodos = Readonly<Record<OrigemDeCorreio, QuemPediu>>;
