/** A session of a line, at most so old. */
export interface SessaoDaLinha {
  readonly inicio: Date | null;
  /** Null while it is open; of one that went silent, its last sign of life. */
  readonly fim: Date | null;
  readonly estado: 'aberta' | 'encerrada' | 'sem_resposta';
  /** RFC 2866 name in lower snake case, such as `lost_carrier`; null while it is open, or where none was told. */
  readonly causa: string | null;
  /** Ended in a way that the subscriber felt. */
  readonly queda: boolean;
  readonly duracaoSegundos: number;
  readonly nas: string;
  readonly ip: string | null;
  readonly mac: string | null;
  /** Bytes that the subscriber received and sent; null where the NAS does not tell. */
  readonly download: number | null;
  readonly upload: number | null;
}

export interface QuedasDoDia {
  /** Local, `YYYY-MM-DD`. */
  readonly dia: string;
  readonly quedas: number;
  /** How often by cause; of sessions that ended then, a burst of them counted one by one. */
  readonly causas: readonly { readonly causa: string; readonly vezes: number }[];
}

interface TrafegoDoDia {
  readonly dia: string;
  /** Bytes. */
  readonly download: number;
  readonly upload: number;
}

/** What is known of a line beside its state. */
export interface HistoricoDaLinha {
  /** Active at any moment of the last 7 days, the newest first. */
  readonly sessoes: readonly SessaoDaLinha[];
  /** The newest of those of the 30 days; null where there is none. */
  readonly ultima: SessaoDaLinha | null;
  /** 30 local days, today included, the oldest first. */
  readonly quedas: readonly QuedasDoDia[];
  /** The same days; null where no session told its bytes. */
  readonly trafego: readonly TrafegoDoDia[] | null;
  /** There are more sessions than are looked at: what is told of older days lacks those. */
  readonly incompleto: boolean;
}
