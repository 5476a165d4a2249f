import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';

/** Which notes are listed; filters combine with AND. Days are of when a note was issued or, until it is signed, asked for. */
export interface FiltroDeNotas {
  readonly situacao?: SituacaoNfcom | undefined;
  readonly clienteId?: number | undefined;
  readonly de?: Data | undefined;
  readonly ate?: Data | undefined;
}

export interface NotaDaLista {
  readonly id: number;
  readonly faturaId: number;
  readonly clienteId: number;
  readonly clienteNome: string;
  readonly situacao: SituacaoNfcom;
  readonly finalidade: 'normal' | 'substituicao' | 'ajuste';
  readonly ambiente: AmbienteNfcom;
  readonly serie: number | null;
  readonly numero: number | null;
  readonly valor: Centavos;
  /** When it was issued or, until it is signed, asked for; null of one that another system left so. */
  readonly em: Date | null;
  readonly motivoCodigo: string | null;
  readonly motivo: string | null;
}

export interface PaginaDeNotas {
  readonly itens: readonly NotaDaLista[];
  /** The place of the next page; null where there is none. */
  readonly proxima: string | null;
}

/** What became of the notes of a day. */
export interface NotasDoDia {
  readonly porSituacao: Readonly<Record<SituacaoNfcom, number>>;
  readonly rejeicoes: readonly {
    readonly codigo: string | null;
    readonly motivo: string | null;
    readonly quantas: number;
  }[];
}

/** A note with all that has become of it. */
export interface NotaInteira extends NotaDaLista {
  readonly chave: string | null;
  readonly protocolo: string | null;
  readonly pedidaEm: Date | null;
  readonly emitidaEm: Date | null;
  readonly autorizadaEm: Date | null;
  readonly canceladaEm: Date | null;
  readonly emContingencia: boolean;
  /** The note that this one corrects or adjusts. */
  readonly deOutra: number | null;
  /** The notes that correct or adjust this one. */
  readonly porOutras: readonly { readonly id: number; readonly finalidade: string; readonly situacao: SituacaoNfcom }[];
  /** What the worker has to do next, and when; null when nothing. */
  readonly etapa: string | null;
  readonly proximaEm: Date | null;
  /** Why it was refused here, before anything was sent. */
  readonly recusas: readonly { readonly codigo: string; readonly mensagem: string }[];
  readonly temXml: boolean;
  readonly tentativas: readonly TentativaDaNota[];
  readonly cancelamentos: readonly CancelamentoDaNota[];
}

/** What was asked of the authority once, and what it said. */
interface TentativaDaNota {
  readonly operacao: 'envio' | 'consulta' | 'cancelamento';
  readonly codigo: string | null;
  readonly erro: string | null;
  readonly em: Date;
}

interface CancelamentoDaNota {
  readonly estado: 'pendente' | 'registrado' | 'recusado';
  readonly justificativa: string;
  readonly codigo: string | null;
  readonly motivo: string | null;
  readonly pedidoEm: Date;
}

/** A note in the file of a month: one that was authorised in it, or one of before that was cancelled or replaced in it. */
export interface NotaDoMes {
  readonly id: number;
  readonly faturaId: number;
  /** Null of a note that another system issued. */
  readonly contratoId: number | null;
  readonly clienteId: number;
  readonly clienteNome: string;
  readonly clienteDocumento: string | null;
  readonly situacao: SituacaoNfcom;
  readonly finalidade: string;
  readonly ambiente: AmbienteNfcom;
  readonly serie: number | null;
  readonly numero: number | null;
  readonly chave: string | null;
  readonly protocolo: string | null;
  readonly valor: Centavos;
  readonly emitidaEm: Date | null;
  readonly autorizadaEm: Date;
  readonly canceladaEm: Date | null;
  /** The authorised document, byte for byte; null where another system left none, or its time is over. */
  readonly xml: Buffer | null;
  /** The event by which it was cancelled in this month, with its registration (procEventoNFCom); null where there is none. */
  readonly cancelamento: Buffer | null;
  /** What of it happened in this month. */
  readonly noMes: { readonly autorizada: boolean; readonly cancelada: boolean };
}
