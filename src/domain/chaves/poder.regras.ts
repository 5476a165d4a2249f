import type { Actor } from '../actor.ts';
import { isRuleWithin } from '../../platform/ip.ts';
import { faltaEm } from '../erros.ts';
import { PERMISSAO_DA_CHAVE, PERMISSOES_DO_PAINEL } from '../usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../usuarios/permissoes.regras.ts';
import type { AjustesDaChave, Permissao } from './chaves.types.ts';

/** What whoever asks may do at the panel; null of who is no user of it, such as the operator at the terminal: he may all. */
export type Poderes = readonly PermissaoPainel[] | null;

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
  const faltam = permissoes.filter((permissao) => !poderes.includes(PERMISSAO_DA_CHAVE[permissao]));
  if (faltam.length === 0) return;
  const ditas = faltam.map((permissao) => {
    const { descricao } = PERMISSOES_DO_PAINEL[PERMISSAO_DA_CHAVE[permissao]];
    return `${permissao} (${descricao})`;
  });
  faltaEm(campo, `só quem também pode é que dá: ${ditas.join(', ')}`);
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
