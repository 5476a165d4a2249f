import type { Bytes } from '../../trafego/trafego.service.ts';
import type { Pop } from '../pops/pops.types.ts';
import type { UsoDeCoa } from '../rede.types.ts';

/** A server as the overview has it. */
export interface Servidor {
  readonly endereco: string;
  readonly nome: string | null;
  readonly pop: Pick<Pop, 'id' | 'nome' | 'cidade' | 'uf'> | null;
  readonly portaCoa: number;
  readonly coa: UsoDeCoa;
  /** See `Nas`. */
  readonly portaAte: string | null;
  /** `silencioso`: it has been heard of once, and not for two of the longest intervals of an interim update. `sem_noticia`: never. */
  readonly estado: 'ativo' | 'silencioso' | 'sem_noticia';
  /** Lines with an open session. */
  readonly online: number;
  /** Lines whose newest session was there, and is over. */
  readonly offline: number;
  /** Lines whose last drop was there, within the last hour; one that dropped often counts once. */
  readonly quedas1h: number;
  /** When anything of an open session there was heard of, by our clock. */
  readonly ultimaNoticia: Date | null;
  /** Bits a second, as the average since `desde`; null where no session there tells its bytes. */
  readonly trafego: (Bytes & { readonly desde: Date }) | null;
  readonly avisosAbertos: number;
}

/** A server, of which nothing was counted. */
export interface ServidorCadastrado {
  readonly endereco: string;
  readonly nome: string | null;
  readonly popId: number | null;
}

interface TotaisDaRede {
  readonly online: number;
  readonly offline: number;
  readonly quedas1h: number;
  readonly avisosAbertos: number;
  /** Bytes since the local midnight, as far as servers tell them. */
  readonly trafegoHoje: Bytes;
}

export interface Panorama {
  readonly em: Date;
  /** When the lines of the servers were counted, which may be before where they are many. */
  readonly contadasEm: Date;
  readonly servidores: readonly Servidor[];
  readonly totais: TotaisDaRede;
}

export type Periodo = '24h' | '7d' | '31d';

/** One hour (of 24 h or 7 days) or one local day (of 31 days). */
export interface PontoDaRede extends Bytes {
  readonly inicio: Date;
  readonly quedas: number;
  /** Of a day, the highest of its hours; null where nothing was measured. */
  readonly online: number | null;
}

export interface SerieDaRede {
  readonly periodo: Periodo;
  readonly passo: 'hora' | 'dia';
  /** All of the period, the oldest first, also those of which nothing is known. */
  readonly pontos: readonly PontoDaRede[];
  /** Drops by server, the worst first. */
  readonly porServidor: readonly { readonly nas: string; readonly quedas: number }[];
}

export interface FiltroDeOnline {
  readonly nas?: string | undefined;
  readonly planoId?: number | undefined;
  readonly cidade?: string | undefined;
  /** Only contracts with higher ids. */
  readonly depoisDe?: number | undefined;
}

export interface LinhaOnline {
  readonly contratoId: number;
  readonly clienteId: number;
  readonly cliente: string;
  readonly login: string | null;
  readonly planoId: number;
  readonly plano: string;
  readonly cidade: string | null;
  readonly bairro: string | null;
  readonly nas: string | null;
  readonly desde: Date | null;
}

/** A line, and how often it dropped. */
export interface LinhaQueCai {
  readonly contratoId: number;
  readonly clienteId: number;
  readonly cliente: string;
  readonly plano: string;
  readonly login: string | null;
  readonly cidade: string | null;
  /** Where its newest session was. */
  readonly nas: string | null;
  readonly quedas: number;
}
