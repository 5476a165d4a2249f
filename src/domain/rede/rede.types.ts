/** What a contract's state asks of the network: the plan's rights, what is left to the blocked, or nothing at all. */
export type EstadoNaRede = 'liberado' | 'bloqueado' | 'retirado';

/**
 * How a line is blocked: refused; given what an operator wrote for the group `bloqueado`, which is a refusal where nobody wrote anything; or
 * let in with an address of a pool, or on an address list, so that the NAS can leave open the way to the payment page and the bank.
 */
export type TipoDeBloqueio = 'grupo' | 'recusa' | 'pool' | 'lista';

export interface Bloqueio {
  readonly tipo: TipoDeBloqueio;
  /** Of the pool or the list; null of the others. */
  readonly nome: string | null;
}

/** What of a session a NAS changes while it is up: nothing, its speed, or what blocks and releases it, too. */
export type UsoDeCoa = 'nao' | 'velocidade' | 'tudo';

/** How they stand in `provedores_nas.coa`. */
export const USOS_DE_COA: readonly UsoDeCoa[] = ['nao', 'velocidade', 'tudo'];

/** A row of `radcheck`, `radreply` or the groups' tables, without whose it is. */
export interface Item {
  readonly attribute: string;
  readonly op: string;
  readonly value: string;
}

/**
 * What became of a request: carried out (for all NASes, or on the provider's own where others have the login too), overtaken by a
 * later one, or without effect because there is no login, or no NAS to tell the provider's sessions by.
 */
export type ResultadoDoPedido = 'aplicado' | 'aplicado_por_nas' | 'superado' | 'sem_login' | 'sem_nas';

/**
 * What becomes of the open sessions of whom a request is for: they follow what was moved, by CoA where the NAS can; are ended in any case,
 * since what they have been given is not known any more; stay as they are where nothing had to be moved; or are changed where the NAS can, and
 * else hear of it when they come back.
 */
export type SessoesDoPedido = 'seguir' | 'encerrar' | 'se_mudar' | 'alterar';

/** A NAS of a provider. */
export interface Nas {
  readonly endereco: string;
  /** UDP port at which it takes CoA- and Disconnect-Requests. */
  readonly portaCoa: number;
  readonly coa: UsoDeCoa;
  /** How it blocks; null: as the provider does. */
  readonly bloqueio: Bloqueio | null;
  readonly nome: string | null;
  /** The text at which the name of a port ends in its NAS-Port-Id; `*`: the whole of it; null: its ports are not told apart. */
  readonly portaAte: string | null;
  /** Whether FreeRADIUS's table `nas` has its secret: by its own address, not by a network that it is in. */
  readonly temSegredo: boolean;
}

export interface NovoNas {
  readonly endereco: string;
  /** What is not said stays as it is: at first 3799. */
  readonly portaCoa?: number;
  readonly nome: string | null;
  /** What is not said stays as it is: at first `nao`. */
  readonly coa?: UsoDeCoa;
  /** Null: as the provider does. What is not said stays as it is. */
  readonly bloqueio?: Bloqueio | null;
  /** Shared with the NAS; goes into the table `nas`, and nowhere else. Of one that has its own already it may be left as it is. */
  readonly segredo?: string;
  /** See {@link Nas}; null: ports are not told apart. What is not said stays as it is. */
  readonly portaAte?: string | null;
  /** The POP where it stands; null: nowhere that is known. What is not said stays as it is. */
  readonly popId?: number | null;
}

/** How the change or the end of a session stands; all but `pendente` are final. */
export type EstadoDaDesconexao =
  | 'pendente'
  /** The NAS changed or ended it. */
  | 'aceita'
  /** It had ended by itself, or the NAS knows of none. */
  | 'encerrada'
  /** The NAS refused; see its Error-Cause. */
  | 'recusada'
  /** The NAS did not answer any of the tries, or could not be asked. */
  | 'sem_resposta'
  /** FreeRADIUS's table `nas` does not know the NAS. */
  | 'sem_segredo'
  /** The NAS is not the provider's any more. */
  | 'sem_nas'
  /** A later request ends the contract's sessions. */
  | 'superada';

/** What an operator should hear of. Ids only: whose it is stands in the tables. */
export interface AvisoDeRede {
  readonly provedorId: number;
  readonly estado: EstadoDaDesconexao | ResultadoDoPedido;
  /** How many. */
  readonly total: number;
  /** One of them, to begin with: of `rede_pedidos` or `rede_desconexoes`. */
  readonly exemplo: number;
  /** Error-Cause of a refusal. */
  readonly causa?: number | null;
}
