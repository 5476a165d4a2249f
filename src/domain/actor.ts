import type { Author } from '../platform/mysql/writes.ts';

declare const made: unique symbol;

/** No object but those that are made below is one. */
interface Made {
  readonly [made]: true;
}

interface DeFora {
  /** Address the request came from. */
  readonly ip: string;
}

type Quem =
  /** A program of the provider's, by its API key. */
  | ({ readonly tipo: 'chave'; readonly id: number; readonly nome: string } & DeFora)
  /** Staff, at the panel. */
  | ({ readonly tipo: 'usuario'; readonly id: number; readonly nome: string } & DeFora)
  /** A client of the provider's, in its app; who that is, the audit log says by the id alone. */
  | ({ readonly tipo: 'assinante'; readonly id: number } & DeFora)
  /** A bank, which tells of what was paid. */
  | ({ readonly tipo: 'receptor'; readonly id: number; readonly nome: string } & DeFora)
  /** Whoever follows the link of an invite: nobody but the link says who. */
  | ({ readonly tipo: 'pre_cadastro' } & DeFora)
  /** Whoever is at the panel's door and has not said who he is, or not rightly. */
  | ({ readonly tipo: 'visitante' } & DeFora)
  /** A job, by its name in the queue. */
  | { readonly tipo: 'tarefa'; readonly nome: string }
  /** An operator at the terminal. */
  | { readonly tipo: 'terminal' };

/**
 * Who does something. Whoever begins a write says so with its first argument, and made it where it was known who asked: at a surface, at
 * the terminal, in a job. A service passes on what it was given; see docs/adr/0021.
 */
export type Actor = Made & Quem;

/** An actor of one kind. */
export type ActorDe<Tipo extends Actor['tipo']> = Extract<Actor, { readonly tipo: Tipo }>;

interface ComNome {
  readonly id: number;
  readonly nome: string;
}

const fazer = <Tipo extends Actor['tipo']>(quem: Extract<Quem, { readonly tipo: Tipo }>): ActorDe<Tipo> =>
  quem as ActorDe<Tipo>;

export const atorDaChave = ({ id, nome }: ComNome, ip: string): ActorDe<'chave'> =>
  fazer<'chave'>({ tipo: 'chave', id, nome, ip });

export const atorDoUsuario = ({ id, nome }: ComNome, ip: string): ActorDe<'usuario'> =>
  fazer<'usuario'>({ tipo: 'usuario', id, nome, ip });

export const atorDoAssinante = ({ id }: { readonly id: number }, ip: string): ActorDe<'assinante'> =>
  fazer<'assinante'>({ tipo: 'assinante', id, ip });

export const atorDoReceptor = ({ id, nome }: ComNome, ip: string): ActorDe<'receptor'> =>
  fazer<'receptor'>({ tipo: 'receptor', id, nome, ip });

export const atorDoPreCadastro = (ip: string): ActorDe<'pre_cadastro'> =>
  fazer<'pre_cadastro'>({ tipo: 'pre_cadastro', ip });

export const atorDoVisitante = (ip: string): ActorDe<'visitante'> => fazer<'visitante'>({ tipo: 'visitante', ip });

export const atorDaTarefa = (nome: string): ActorDe<'tarefa'> => fazer<'tarefa'>({ tipo: 'tarefa', nome });

export const TERMINAL = fazer<'terminal'>({ tipo: 'terminal' });

/** How the audit log names an actor. Its texts are older than the kinds, and stay as they are. */
export function autoria(actor: Actor): Author {
  const nada = { kind: actor.tipo, id: null, job: null, chaveId: null, usuarioId: null, clienteId: null, ip: null };
  switch (actor.tipo) {
    case 'chave':
      return { ...nada, name: actor.nome, id: actor.id, chaveId: actor.id, ip: actor.ip };
    case 'usuario':
      return { ...nada, name: actor.nome, id: actor.id, usuarioId: actor.id, ip: actor.ip };
    case 'assinante':
      return { ...nada, name: 'App', id: actor.id, clienteId: actor.id, ip: actor.ip };
    case 'receptor':
      return { ...nada, name: `PIX: ${actor.nome}`, id: actor.id, ip: actor.ip };
    case 'pre_cadastro':
      return { ...nada, name: 'pré-cadastro', ip: actor.ip };
    case 'visitante':
      return { ...nada, name: 'visitante', ip: actor.ip };
    case 'tarefa':
      return { ...nada, name: 'tarefa', job: actor.nome };
    case 'terminal':
      break;
  }
  // A kind that is in no line above does not compile.
  const { tipo }: ActorDe<'terminal'> = actor;
  return { ...nada, kind: tipo, name: 'linha de comando' };
}
