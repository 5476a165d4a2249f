import type { Author } from '../platform/mysql/writes.ts';

declare const made: unique symbol;

/** No object but those that are made below is one. */
interface Made {
  readonly [made]: true;
}

/** The request in which somebody acts. */
export interface Procedencia {
  /** Address it came from. */
  readonly ip: string;
  /** Its id, as its answer and the log say it: what it does is found by it, in the audit log and in what webhooks are sent. */
  readonly requestId: string;
}

type Quem =
  /** A program of the provider's, by its API key. */
  | ({ readonly tipo: 'chave'; readonly id: number; readonly nome: string } & Procedencia)
  /** Staff, at the panel. */
  | ({ readonly tipo: 'usuario'; readonly id: number; readonly nome: string } & Procedencia)
  /** A client of the provider's, in its app; who that is, the audit log says by the id alone. */
  | ({ readonly tipo: 'assinante'; readonly id: number } & Procedencia)
  /** A bank, which tells of what was paid. */
  | ({ readonly tipo: 'receptor'; readonly id: number; readonly nome: string } & Procedencia)
  /** Whoever follows the link of an invite: nobody but the link says who. */
  | ({ readonly tipo: 'pre_cadastro' } & Procedencia)
  /** Whoever is at the panel's door and has not said who he is, or not rightly. */
  | ({ readonly tipo: 'visitante' } & Procedencia)
  /** A job, by its name in the queue; where it does what somebody asked for, with the request in which he did. */
  | { readonly tipo: 'tarefa'; readonly nome: string; readonly requestId: string | null }
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

export const atorDaChave = ({ id, nome }: ComNome, { ip, requestId }: Procedencia): ActorDe<'chave'> =>
  fazer<'chave'>({ tipo: 'chave', id, nome, ip, requestId });

export const atorDoUsuario = ({ id, nome }: ComNome, { ip, requestId }: Procedencia): ActorDe<'usuario'> =>
  fazer<'usuario'>({ tipo: 'usuario', id, nome, ip, requestId });

export const atorDoAssinante = (
  { id }: { readonly id: number },
  { ip, requestId }: Procedencia,
): ActorDe<'assinante'> => fazer<'assinante'>({ tipo: 'assinante', id, ip, requestId });

export const atorDoReceptor = ({ id, nome }: ComNome, { ip, requestId }: Procedencia): ActorDe<'receptor'> =>
  fazer<'receptor'>({ tipo: 'receptor', id, nome, ip, requestId });

export const atorDoPreCadastro = ({ ip, requestId }: Procedencia): ActorDe<'pre_cadastro'> =>
  fazer<'pre_cadastro'>({ tipo: 'pre_cadastro', ip, requestId });

export const atorDoVisitante = ({ ip, requestId }: Procedencia): ActorDe<'visitante'> =>
  fazer<'visitante'>({ tipo: 'visitante', ip, requestId });

export const atorDaTarefa = (nome: string, requestId: string | null = null): ActorDe<'tarefa'> =>
  fazer<'tarefa'>({ tipo: 'tarefa', nome, requestId });

/** A job while it does what was asked for in a request; anybody else is who he was. */
export const aPedidoDe = (actor: Actor, requestId: string | null): Actor =>
  actor.tipo === 'tarefa' ? atorDaTarefa(actor.nome, requestId) : actor;

export const TERMINAL = fazer<'terminal'>({ tipo: 'terminal' });

/** How the audit log names an actor. Its texts are older than the kinds, and stay as they are. */
export function autoria(actor: Actor): Author {
  const ip = 'ip' in actor ? actor.ip : null;
  const requestId = 'requestId' in actor ? actor.requestId : null;
  const nada = {
    kind: actor.tipo,
    id: null,
    job: null,
    chaveId: null,
    usuarioId: null,
    clienteId: null,
    ip,
    requestId,
  };
  switch (actor.tipo) {
    case 'chave':
      return { ...nada, name: actor.nome, id: actor.id, chaveId: actor.id };
    case 'usuario':
      return { ...nada, name: actor.nome, id: actor.id, usuarioId: actor.id };
    case 'assinante':
      return { ...nada, name: 'App', id: actor.id, clienteId: actor.id };
    case 'receptor':
      return { ...nada, name: `PIX: ${actor.nome}`, id: actor.id };
    case 'pre_cadastro':
      return { ...nada, name: 'pré-cadastro' };
    case 'visitante':
      return { ...nada, name: 'visitante' };
    case 'tarefa':
      return { ...nada, name: 'tarefa', job: actor.nome };
    case 'terminal':
      break;
  }
  // A kind that is in no line above does not compile.
  const { tipo }: ActorDe<'terminal'> = actor;
  return { ...nada, kind: tipo, name: 'linha de comando' };
}
