import type { Bytes } from '../../trafego/trafego.service.ts';
import type { AvisoComAlvos } from '../avisos/avisos.types.ts';

/**
 * `silencioso`: there were sessions, and none is heard of any more, or the server ended all of them itself (Accounting-Off) and none began
 * since. `sem_dados`: there never was a session.
 */
export const ESTADOS_DE_SERVIDOR = ['ativo', 'silencioso', 'sem_dados'] as const;
export type EstadoDeServidor = (typeof ESTADOS_DE_SERVIDOR)[number];

/** A server as programs are told of it. */
export interface ServidorVisto {
  readonly endereco: string;
  readonly nome: string | null;
  readonly pop: { readonly id: number; readonly nome: string } | null;
  readonly estado: EstadoDeServidor;
  /** Lines with an open session. */
  readonly online: number;
  /** Lines whose newest session was there, open or not. */
  readonly contratos: number;
  /** Lines whose last drop was there, within the last hour. */
  readonly quedas1h: number;
  /** Drops since the local midnight. */
  readonly quedasHoje: number;
  /** When anything of an open session there was heard of, by our clock. */
  readonly ultimaNoticia: Date | null;
  readonly portaCoa: number;
  /** Since the local midnight. */
  readonly trafegoHoje: Bytes;
}

/** All servers by name, those without a name last, and when they were counted. */
export interface ServidoresVistos {
  readonly em: Date;
  readonly servidores: readonly ServidorVisto[];
}

export interface VisaoDaRede {
  readonly em: Date;
  readonly contratos: { readonly ativos: number; readonly bloqueados: number; readonly pendentes: number };
  /** Of active and blocked contracts. */
  readonly conexoes: { readonly online: number; readonly offline: number; readonly desconhecidas: number };
  readonly quedas: { readonly ultimaHora: number; readonly hoje: number; readonly seteDias: number };
  readonly servidores: { readonly total: number; readonly ativos: number; readonly silenciosos: number };
  readonly trafegoHoje: Bytes;
  /** Open ones, those to come included. */
  readonly avisos: readonly AvisoComAlvos[];
}

/** A place of the network, or a server. */
export interface No {
  /** `provedor`, `pop:3` or `nas:10.0.0.1`. */
  readonly id: string;
  readonly especie: 'provedor' | 'pop' | 'servidor';
  readonly nome: string | null;
  /** Of a place: `ativo` where any of its servers is, else `silencioso` where any of them is. */
  readonly estado: EstadoDeServidor;
  readonly online: number;
  readonly contratos: number;
  readonly cidade: string | null;
  readonly uf: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A tree: the provider, its POPs, their servers. Servers without a POP hang on the provider. */
export interface Topologia {
  readonly em: Date;
  readonly nos: readonly No[];
  /** By the nodes' ids, from the one nearer to the provider. */
  readonly ligacoes: readonly { readonly de: string; readonly para: string }[];
}
