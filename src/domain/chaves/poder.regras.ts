import type { Actor } from '../actor.ts';
import { faltaEm } from '../erros.ts';
import { PERMISSAO_DA_CHAVE, PERMISSOES_DO_PAINEL } from '../usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../usuarios/permissoes.regras.ts';
import type { Permissao } from './chaves.types.ts';

/** What whoever asks may do at the panel; null of who is no user of it, such as the operator at the terminal: he may all. */
export type Poderes = readonly PermissaoPainel[] | null;

/**
 * Nobody gives to a key what he may not do himself.
 *
 * @throws CamposInvalidos of `permissoes`
 */
export function exigirPoderDeDar(actor: Actor, poderes: Poderes, permissoes: readonly Permissao[]): void {
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
  faltaEm('permissoes', `só quem também pode é que dá: ${ditas.join(', ')}`);
}
