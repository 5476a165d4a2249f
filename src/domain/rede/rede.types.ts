/**
 * What became of a request: carried out (for all NASes, or on the provider's own where others have the login too), overtaken by a
 * later one, or without effect because there is no login, or no NAS to tell the provider's sessions by.
 */
export type ResultadoDoPedido = 'aplicado' | 'aplicado_por_nas' | 'superado' | 'sem_login' | 'sem_nas';

/** A NAS of a provider. */
export interface Nas {
  readonly endereco: string;
  /** UDP port at which it takes Disconnect-Requests. */
  readonly portaCoa: number;
  readonly nome: string | null;
  /** Whether FreeRADIUS's table `nas` has its secret: by its own address, not by a network that it is in. */
  readonly temSegredo: boolean;
}

export interface NovoNas {
  readonly endereco: string;
  readonly portaCoa: number;
  readonly nome: string | null;
  /** Shared with the NAS; goes into the table `nas`, and nowhere else. */
  readonly segredo: string;
}

/** How the end of a session stands; all but `pendente` are final. */
export type EstadoDaDesconexao =
  | 'pendente'
  /** The NAS ended it. */
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
