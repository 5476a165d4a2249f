import type { Write } from '../escrita.ts';
import { gruposDosPlanos, lerRedes } from './aplicacao/redes.ts';
import { createFilaQueries } from './fila.queries.ts';
import { grupoDoPlano } from './grupos.regras.ts';
import { createConteudoQueries } from './radius/conteudo.queries.ts';
import { createGruposQueries } from './radius/grupos.queries.ts';

/** What of a plan the network is told. */
export interface PlanoNaRede {
  readonly id: number;
  readonly grupo_radius: string | null;
  readonly download_mbps: number;
  readonly upload_mbps: number;
}

/**
 * Has the group of a plan that was changed say the new at once to who logs in; the caller holds its lock. Nothing is said where the group
 * is the operator's, or the provider sends no attributes of plans.
 *
 * @returns whether logins and sessions have to be told, by `planos.acompanhar`.
 */
export async function planoMudou(w: Write, antes: PlanoNaRede, depois: PlanoNaRede): Promise<boolean> {
  const dito = gruposDosPlanos((await lerRedes(w, [])).nossa.atributos, [depois]);
  const mudaGrupo = grupoDoPlano(antes) !== grupoDoPlano(depois);
  const mudaVelocidade = antes.download_mbps !== depois.download_mbps || antes.upload_mbps !== depois.upload_mbps;
  if (!mudaGrupo && (dito.length === 0 || !mudaVelocidade)) return false;
  await createConteudoQueries(w).definir(dito);
  return true;
}

/**
 * Leads the logins of contracts, which still hold them, out of a group that was their plan's until now into the one that is. One that another
 * provider has, too, stays where it is: it would be moved for that one's subscriber (see `planejarGrupos`).
 */
export async function mudarDeGrupo(
  w: Write,
  contratos: readonly { readonly id: number; readonly login: string | null }[],
  de: string,
  para: string,
): Promise<void> {
  const comLogin = contratos.filter(({ login }) => login !== null && login !== '');
  if (comLogin.length === 0) return;
  const ids = comLogin.map(({ id }) => id);
  const outros = await createFilaQueries(w.tenant.db).outrosDonos(w.provedorId, ids);
  const deOutros = new Set(outros.map(({ contrato_id }) => contrato_id));
  const logins = comLogin.flatMap(({ id, login }) => (deOutros.has(id) ? [] : (login ?? [])));
  await createGruposQueries(w).mudarDeGrupo(logins, de, para);
}
