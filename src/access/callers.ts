import type { Procedencia } from '../domain/actor.ts';
import type { SessaoDoApp } from '../domain/acessos/sessoes/sessoes.types.ts';
import type { Chave, Permissao } from '../domain/chaves/chaves.types.ts';
import { chavePode } from '../domain/chaves/poder.regras.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import type { PermissaoPainel } from '../domain/usuarios/permissoes.regras.ts';
import type { Rights } from '../kit/rights/rights.ts';

/** What is known of everybody who calls `/v1`. */
interface Caller extends Procedencia {
  readonly provedor: Provedor;
  /** A name that is unique among the provider's callers and reveals nothing of the credential. */
  readonly reader: string;
  readonly rights: Rights;
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

interface InSession<Kind extends SessaoDoApp['quem']['tipo']> extends Caller, SessaoDoApp {
  readonly kind: Kind;
  readonly quem: Extract<SessaoDoApp['quem'], { readonly tipo: Kind }>;
}

/** Who calls `/v1`: `cliente` is a subscriber and `equipe` one of the staff, in a session of the app. */
export type AppSession = KeyCaller | Visitor | InSession<'cliente'> | InSession<'equipe'>;

/** Who may call a route, by the kind of credential; a kind that is not named may not. */
export interface Who {
  /** The scope that a key needs. */
  readonly chave?: Permissao;
  /** What staff has to be able to do at the panel; true where all of it may. */
  readonly equipe?: PermissaoPainel | true;
  /** Whether subscribers may, for what is theirs. */
  readonly cliente?: true;
  /** Whether subscribers change their registration by it, which their provider may forbid. */
  readonly editaCadastro?: true;
  /** Whether it is open even to those in whose way something stands; see `barOf`. */
  readonly always?: true;
}

/** What somebody in a session has to do before anything else; null where there is nothing. */
export function barOf(session: AppSession, { always }: Who): 'troca_de_senha_exigida' | 'segundo_fator_ausente' | null {
  if (always === true) return null;
  if (session.kind === 'cliente' && session.quem.trocarSenha) return 'troca_de_senha_exigida';
  return session.kind === 'equipe' && session.quem.faltaFator ? 'segundo_fator_ausente' : null;
}

/** Whether it is the provider alone that keeps a subscriber from a route. */
export const proibeEditar = ({ provedor }: Caller, { editaCadastro }: Who): boolean =>
  editaCadastro === true && !provedor.appEditaCadastro;

/** A kind of credential that is added here is asked for by the compiler. */
export function callerMay(session: AppSession, who: Who): boolean {
  if (barOf(session, who) !== null) return false;
  switch (session.kind) {
    case 'visitante':
      return false;
    case 'cliente':
      return who.cliente === true && !proibeEditar(session, who);
    case 'equipe':
      return who.equipe === true || (who.equipe !== undefined && session.quem.permissoes.includes(who.equipe));
    case 'chave':
      break;
  }
  return who.chave !== undefined && chavePode(session.chave, who.chave);
}
