import { negaAcesso } from '../grupos.regras.ts';
import { VAZIO } from '../radius/conteudo.regras.ts';
import type { Conteudo } from '../radius/conteudo.regras.ts';
import type { EstadoNaRede, UsoDeCoa } from '../rede.types.ts';

export interface EntradaDaAlteracao {
  /** What the NAS changes of a session that is up. */
  readonly coa: UsoDeCoa;
  readonly estado: EstadoNaRede;
  /** Of the contract's plan. */
  readonly grupoDoPlano: string;
  /** The first group of the login on that NAS, before and after the request. */
  readonly antes: string | null;
  readonly depois: string | null;
  /** What those groups hold, by name in lower case. */
  readonly conteudos: ReadonlyMap<string, Conteudo>;
  /** Names of what the login is answered by itself, beside its groups. */
  readonly doLogin: readonly string[];
  /** Whether an attribute can be changed while a session is up, and be written by us. */
  readonly mutavel: (atributo: string, valor: string) => boolean;
}

/**
 * The group whose attributes a session is to get while it stays up; null where it has to be ended instead.
 *
 * A CoA sets attributes and takes none away: what the session has been given, and its new group does not name, would stay. So it is
 * released by a CoA only where the plan's group answers each attribute that the block did, such as the name of another list. A block may
 * leave what the plan gave.
 */
export function alterarPara(entrada: EntradaDaAlteracao): string | null {
  const { coa, estado, grupoDoPlano, antes, depois, conteudos, doLogin, mutavel } = entrada;
  const negado = antes !== null && negaAcesso({ groupname: antes });
  if (coa === 'nao' || estado === 'retirado' || depois === null) return null;
  if (coa === 'velocidade' && (estado !== 'liberado' || negado)) return null;
  // Of a group that is not ours to give, or one block for another, nobody knows what it would leave behind.
  const nosso =
    estado === 'liberado'
      ? igual(depois, grupoDoPlano)
      : negaAcesso({ groupname: depois }) && !(negado && antes !== depois);
  if (!nosso) return null;

  const de = (grupo: string | null): Conteudo => conteudos.get((grupo ?? '').toLowerCase()) ?? VAZIO;
  const { check, reply } = de(depois);
  if (reply.length === 0 || check.some(({ attribute }) => attribute !== 'NAS-IP-Address')) return null;
  const nomes = reply.map(({ attribute }) => attribute);
  if (!reply.every(({ attribute, value }) => mutavel(attribute, value) && !doLogin.includes(attribute))) return null;
  const cobre = de(antes).reply.every(({ attribute }) => nomes.includes(attribute));
  return estado === 'bloqueado' || cobre ? depois : null;
}

const igual = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
