import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import type { ChamadoDito, NotaDita } from '../../eventos/contexto.types.ts';
import type { Fatura } from '../../faturas/faturas.types.ts';
import type { NomeDePush } from '../tipos.regras.ts';
import type { Recurso } from './recurso.regras.ts';

/**
 * Who is told: a client, by his tax id; whoever has an access; somebody of the staff, or all who may do what its kind
 * asks for; whom a notice covers. `menosSessao`: on his other devices than that of a session.
 */
export type Para =
  | { readonly cliente: number }
  | { readonly acesso: number; readonly menosSessao?: number }
  | { readonly usuario: number; readonly menosSessao?: number }
  | { readonly equipe: true }
  | { readonly aviso: number };

/** What somebody is to be told. Amounts and dates, never a document or a whole name. */
export interface Aviso {
  readonly tipo: NomeDePush;
  readonly para: Para;
  readonly recurso: Recurso;
  readonly titulo: string;
  readonly texto: string;
  /** Whether it replaces no other of the same thing. */
  readonly unico?: true;
}

/** What events do not say themselves, read when they are told. */
export interface ContextoDePush {
  /** Of the provider. */
  readonly fuso: string;
  /** Whether its collection ladder goes, which reminds by itself. */
  readonly temRegua: boolean;
  readonly faturas: ReadonlyMap<number, Fatura>;
  readonly chamados: ReadonlyMap<number, ChamadoDito>;
  /** Fiscal notes of which an event of a version before does not say what they are. */
  readonly notas: ReadonlyMap<number, NotaDita>;
  /** Notices of the network, in the words of who opened them. */
  readonly avisos: ReadonlyMap<number, { readonly titulo: string; readonly texto: string }>;
}

interface Evento<Dados> {
  readonly recursoId: number;
  readonly dados: Dados;
}

/** What is to be told of an event of some name. */
export type Traducao<Dados> = (evento: Evento<Dados>, contexto: ContextoDePush) => readonly Aviso[];
export type Traducoes = { readonly [Nome in keyof DadosDosEventos]?: Traducao<DadosDosEventos[Nome]> };
