import type { Write } from '../escrita.ts';
import { gruposDosPlanos, lerRedes } from './aplicacao/redes.ts';
import { grupoDoPlano } from './grupos.regras.ts';
import { pedirRedeDeTodos } from './pedir.ts';
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
 * Has the network follow a plan that was changed; the caller holds its lock. Its group says the new at once to who logs in; sessions that
 * are up are changed where the NAS can, and none is ended for it, however many there are. Nothing is asked where the group is the
 * operator's, or the provider sends no attributes of plans.
 */
export async function planoMudou(w: Write, antes: PlanoNaRede, depois: PlanoNaRede, agora: Date): Promise<void> {
  const [deGrupo, paraGrupo] = [grupoDoPlano(antes), grupoDoPlano(depois)];
  const { nossa } = await lerRedes(w, []);
  const dito = gruposDosPlanos(nossa.atributos, [depois]);
  const mudaGrupo = deGrupo !== paraGrupo;
  const mudaVelocidade = antes.download_mbps !== depois.download_mbps || antes.upload_mbps !== depois.upload_mbps;
  if (!mudaGrupo && (dito.length === 0 || !mudaVelocidade)) return;
  await createConteudoQueries(w).definir(dito);
  if (mudaGrupo) await createGruposQueries(w).mudarGrupoDoPlano(depois.id, deGrupo, paraGrupo);
  await pedirRedeDeTodos(w, { planoId: depois.id, situacoes: ['ativo'] }, agora, 'alterar');
}
