import type { Chave, Permissao } from '../domain/chaves/chaves.types.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import type { PermissaoPainel } from '../domain/usuarios/permissoes.regras.ts';

/** What is known of everybody who calls `/v1`. */
interface Caller {
  readonly provedor: Provedor;
  readonly ip: string;
  /** A name that is unique among the provider's callers and reveals nothing of the credential. */
  readonly reader: string;
  /** When the request came. */
  readonly at: Date;
}

/** A program of the provider's. */
interface KeyCaller extends Caller {
  readonly kind: 'chave';
  readonly chave: Chave;
}

/** Somebody without a credential, on a route that asks for none. */
interface Visitor extends Caller {
  readonly kind: 'visitante';
}

/** Who calls `/v1` (`app-api.md`, section 2). */
export type AppSession = KeyCaller | Visitor;

/** Who may call a route, by the kind of credential; a kind that is not named may not. */
export interface Who {
  /** The scope that a key needs. */
  readonly chave?: Permissao;
  /** What staff has to be able to do at the panel. */
  readonly equipe?: PermissaoPainel;
  /** Whether subscribers may, for what is theirs. */
  readonly cliente?: true;
}

/** A kind of credential that is added here is asked for by the compiler. */
export function callerMay(session: AppSession, who: Who): boolean {
  if (session.kind === 'visitante') return false;
  return who.chave !== undefined && session.chave.permissoes.includes(who.chave);
}
