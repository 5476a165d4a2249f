import type { Actor } from '../actor.ts';
import { isRuleWithin } from '../../platform/ip.ts';
import { faltaEm } from '../erros.ts';
import { PERMISSOES_DO_PAINEL, PERMISSOES_PARA_DAR } from '../usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../usuarios/permissoes.regras.ts';
import { SEM_RESTRICAO } from './chaves.types.ts';
import type { AjustesDaChave, Chave, Permissao, Restricao } from './chaves.types.ts';

/** What whoever asks may do at the panel; null of who is no user of it, such as the operator at the terminal: he may all. */
export type Poderes = readonly PermissaoPainel[] | null;

/** What of the panel's permissions somebody lacks to give one to a key. */
const queFaltam = (poderes: readonly PermissaoPainel[], permissao: Permissao): readonly PermissaoPainel[] =>
  PERMISSOES_PARA_DAR[permissao].filter((precisa) => !poderes.includes(precisa));

/** Whether whoever may do these at the panel may give a permission to a key. */
export const podeDar = (poderes: readonly PermissaoPainel[], permissao: Permissao): boolean =>
  queFaltam(poderes, permissao).length === 0;

/**
 * Nobody gives to a key what he may not do himself. `campo`: the field of the form by which he would.
 *
 * @throws CamposInvalidos of that field
 */
export function exigirPoderDeDar(
  actor: Actor,
  poderes: Poderes,
  permissoes: readonly Permissao[],
  campo = 'permissoes',
): void {
  if (poderes === null) {
    if (actor.tipo === 'usuario') throw new Error('de um usuário é preciso dizer o que ele pode');
    return;
  }
  const ditas = permissoes.flatMap((permissao) => {
    const descricoes = queFaltam(poderes, permissao).map((nome) => PERMISSOES_DO_PAINEL[nome].descricao);
    return descricoes.length === 0 ? [] : [`${permissao} (${descricoes.join('; ')})`];
  });
  if (ditas.length === 0) return;
  faltaEm(campo, `só quem também pode é que dá: ${ditas.join(', ')}`);
}

/** Whether a key has a permission that it can have. */
export const chavePode = ({ permissoes, restricoes }: Chave, permissao: Permissao): boolean =>
  permissoes.includes(permissao) && (restricoes.length === 0 || !SEM_RESTRICAO.includes(permissao));

/** @throws CamposInvalidos of `permissoes` where a key that is kept from something would have what only others may */
export function exigirQueCaibam(permissoes: readonly Permissao[], restricoes: readonly Restricao[]): void {
  const demais = restricoes.length === 0 ? [] : permissoes.filter((permissao) => SEM_RESTRICAO.includes(permissao));
  if (demais.length > 0) faltaEm('permissoes', `uma chave com restrições não tem ${demais.join(', ')}`);
}

type Alcance = Pick<AjustesDaChave, 'ipsPermitidos' | 'limitePorMinuto' | 'expiraEm'>;

/** The first setting by which a key could be used from more places, more often or for longer than before; null where there is none. */
export function alargado(antes: Alcance, depois: Partial<Alcance>): 'ips' | 'limite' | 'expira' | null {
  const { ipsPermitidos: ips, limitePorMinuto: limite, expiraEm: expira } = depois;
  const { ipsPermitidos: deAntes, expiraEm: fim } = antes;
  if (ips !== undefined && deAntes !== null && (ips === null || !ips.every((um) => isRuleWithin(um, deAntes))))
    return 'ips';
  if (limite !== undefined && limite > antes.limitePorMinuto) return 'limite';
  if (expira !== undefined && fim !== null && (expira === null || expira > fim)) return 'expira';
  return null;
}
