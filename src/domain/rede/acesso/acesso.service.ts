import type { Db } from '../../../platform/mysql/database.ts';
import { Recusa } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { encerrarSessoesDe } from '../pedir.ts';
import { createAcessoQueries, garantirRetirado, travar } from './acesso.queries.ts';
import { createDonosQueries } from './donos.queries.ts';
import type { DonoDoLogin } from './donos.queries.ts';
import { loginsComRealm, simples } from './acesso.regras.ts';

/** A contract with its login of before. */
interface ComLogin {
  readonly id: number;
  readonly login: string | null;
}

interface Donos {
  /** A contract whose own login it may be. */
  readonly menos?: number | null;
  /** That contract's login, which FreeRADIUS knows. */
  readonly atual?: string | null;
}

/** Waits for whoever asks for one of these logins, of whatever provider, and keeps others waiting until the transaction ends. */
export async function travarLogins(db: Db, logins: readonly string[]): Promise<void> {
  if (logins.length > 0) await travar(db, logins);
}

/**
 * Takes a login for a contract that is about to be written: whoever else asks for it, at this provider or another, waits until the
 * transaction ends.
 *
 * @throws Recusa `login_em_uso`, with a free one in its suggestion, where a contract that is not over for good holds it, or where
 *   FreeRADIUS has it and no contract does: who serves several providers may not have brought all of them here.
 */
export async function reservarLogin(
  w: Write,
  provedor: Provedor,
  login: string,
  { menos = null, atual = null }: Donos = {},
): Promise<void> {
  await travarLogins(w.tenant.db, [login]);
  const donos = createDonosQueries(w.tenant.db);
  const [dono] = await donos.donos([login], menos);
  if (dono !== undefined) await recusarLogin(w, provedor, login, dono);
  const seu = atual !== null && simples(atual) === simples(login);
  if (!seu && (await donos.noRadius([login])).length > 0) await recusarLogin(w, provedor, login, null);
}

/**
 * Sees to it that a login's password is its contract's alone to be changed; from before that was refused, another provider may have it, too.
 *
 * @throws Recusa `login_em_uso`, with a free one in its suggestion
 */
export async function exigirExclusivo(w: Write, provedor: Provedor, id: number, login: string): Promise<void> {
  await travarLogins(w.tenant.db, [login]);
  const donos = await createDonosQueries(w.tenant.db).donos([login], id);
  const alheio = donos.find(({ provedor_id }) => provedor_id !== w.provedorId);
  if (alheio !== undefined) await recusarLogin(w, provedor, login, alheio);
}

/** `dono`: null where nobody knows whose it is. */
async function recusarLogin(w: Write, provedor: Provedor, login: string, dono: DonoDoLogin | null): Promise<never> {
  const livre = await primeiroLivre(w, loginsComRealm(login, provedor));
  throw new Recusa('login_em_uso', {
    campo: 'login',
    ...(dono === null ? { dito: 'FreeRADIUS já tem este login, que não é de contrato deste provedor' } : {}),
    // Which of another provider's contracts it is, is that provider's to know.
    ...(dono?.provedor_id === w.provedorId ? { registroId: dono.id } : {}),
    ...(livre === null ? {} : { sugestao: `use ${livre}` }),
  });
}

/** Takes the first of some logins that nobody holds, as `reservarLogin` does. @throws Recusa where all are taken */
export async function reservarUmDe(w: Write, logins: readonly string[]): Promise<string> {
  await travarLogins(w.tenant.db, logins);
  const livre = await primeiroLivre(w, logins);
  if (livre === null) throw new Recusa('login_em_uso', { campo: 'login', sugestao: 'informe um login' });
  return livre;
}

async function primeiroLivre(w: Write, logins: readonly string[]): Promise<string | null> {
  const queries = createDonosQueries(w.tenant.db);
  const deDonos = (await queries.donos(logins, null)).map(({ login }) => login);
  const tomados = new Set([...deDonos, ...(await queries.noRadius(logins))].map(simples));
  for (const login of logins) {
    // What is the same to the database may be another to us, as ß and ss.
    if (tomados.has(simples(login)) || (await queries.donos([login], null)).length > 0) continue;
    if ((await queries.noRadius([login])).length === 0) return login;
  }
  return null;
}

/**
 * Logins that several contracts are about to have, of an import: locks all of them in the order of all.
 *
 * @returns those that a contract holds already, as `simples` writes them.
 */
export async function reservarLogins(w: Write, logins: readonly string[]): Promise<ReadonlySet<string>> {
  await travarLogins(w.tenant.db, logins);
  return loginsEmUso(w.tenant.db, logins);
}

/** Of some logins, those that a contract of whatever provider holds by now, as `simples` writes them. */
export async function loginsEmUso(db: Db, logins: readonly string[]): Promise<ReadonlySet<string>> {
  if (logins.length === 0) return new Set();
  return new Set((await createDonosQueries(db).donos(logins, null)).map(({ login }) => simples(login)));
}

/**
 * Writes logins that `reservarLogin` took, with their passwords. Until the network is asked for it, none gets in: each stands in the
 * group of those who are refused, from its first row on. What FreeRADIUS still knew of a name that no contract holds goes.
 */
export async function escreverAcessos(
  w: Write,
  acessos: readonly { readonly login: string; readonly senha: string | null }[],
): Promise<void> {
  if (acessos.length === 0) return;
  const queries = createAcessoQueries(w);
  await garantirRetirado(w);
  await queries.apagar(acessos.map(({ login }) => login));
  await queries.inserir(acessos.map(({ login, senha }) => ({ username: login, senha })));
}

/** A login with its password, of a contract that the caller holds the lock of. */
export interface AcessoImportado {
  readonly login: string;
  readonly tipoConexao: string;
  /** Null where it is not known: what FreeRADIUS has stays. An IPoE line of which it has nothing needs none. */
  readonly senha: string | null;
  /** Whether nobody must get in by it until the network was asked for it: its contract is not active. */
  readonly recusar: boolean;
}

/** Writes passwords that came from another system, in place of those that the logins had; what else FreeRADIUS has of them stays. */
export async function gravarAcessos(w: Write, acessos: readonly AcessoImportado[]): Promise<void> {
  const comSenha = acessos.flatMap(({ login, senha }) => (senha === null ? [] : [{ username: login, senha }]));
  const recusados = acessos.filter(({ recusar }) => recusar).map(({ login }) => login);
  const queries = createAcessoQueries(w);
  if (recusados.length > 0) {
    await garantirRetirado(w);
    await queries.recusar(recusados);
  }
  if (comSenha.length > 0) await queries.trocarSenhas(comSenha);
  const semSenha = acessos.filter(({ senha, tipoConexao }) => senha === null && tipoConexao === 'ipoe');
  await queries.abrirSemSenha(semSenha.map(({ login }) => login));
}

/**
 * Replaces the password of a login; null: it needs none. Sessions that are up stay up. A contract that came by an import is in no group
 * before it is handed to the network, and FreeRADIUS accepts whom it knows a password of: whoever must not get in is refused, until the
 * network says what holds.
 */
export async function trocarSenha(
  w: Write,
  login: string,
  senha: string | null,
  { recusar }: { readonly recusar: boolean },
): Promise<void> {
  if (recusar) {
    await garantirRetirado(w);
    await createAcessoQueries(w).recusar([login]);
  }
  await createAcessoQueries(w).trocarSenhas([{ username: login, senha }]);
}

/**
 * Gives a contract's login another name: whatever FreeRADIUS knows of it goes with it, and the sessions of the name of before end. The
 * caller has taken the new name, and the contract's row still has the old one. `pedidoId` is the request by which the network follows.
 */
export async function renomearAcesso(
  w: Write,
  { id, login }: ComLogin,
  novo: string,
  { pedidoId, agora }: { pedidoId: number | undefined; agora: Date },
): Promise<void> {
  if (login === null || login === '') return;
  const queries = createAcessoQueries(w);
  // Only its writing changes: FreeRADIUS takes both for one.
  const mesmo = simples(login) === simples(novo);
  if (!mesmo) {
    await queries.apagar([novo]);
    await queries.copiar(login, novo);
    if (!(await createDonosQueries(w.tenant.db).compartilhados(w.provedorId, [id])).has(id))
      await queries.apagar([login]);
  }
  await encerrarSessoesDe(w, [id], agora, pedidoId === undefined ? null : new Map([[id, pedidoId]]));
}

/**
 * Gives up the logins of contracts that are over for good: what FreeRADIUS knows of them goes, unless another contract has the name,
 * and their sessions end. To be called before the contracts' rows lose their logins. Resolves to how many rows of FreeRADIUS's went.
 */
export async function largarAcessos(w: Write, contratos: readonly ComLogin[], agora: Date): Promise<number> {
  const comLogin = contratos.filter(({ login }) => login !== null && login !== '');
  if (comLogin.length === 0) return 0;
  const ids = comLogin.map(({ id }) => id);
  const queries = createAcessoQueries(w);
  const compartilhados = await createDonosQueries(w.tenant.db).compartilhados(w.provedorId, ids);
  const foram = await queries.apagar(
    comLogin.filter(({ id }) => !compartilhados.has(id)).flatMap(({ login }) => login ?? []),
  );
  await encerrarSessoesDe(w, ids, agora);
  return foram;
}
