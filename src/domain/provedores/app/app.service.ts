import type { Db } from '../../../platform/mysql/database.ts';
import type { Actor } from '../../actor.ts';
import { lerAlteracao } from '../../campos/campos.ts';
import type { DaVersao } from '../../campos/versao.ts';
import type { WriteFor } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { camposDoApp } from './app.campos.ts';
import { gravarDoApp, lerDoApp } from './app.queries.ts';
import type { DoApp } from './app.types.ts';

export type ConfiguracaoDoAppService = ReturnType<typeof createConfiguracaoDoAppService>;

export interface ConfiguracaoDoAppDeps {
  readonly db: Db;
  readonly write: WriteFor;
  /** Outside of it, apps that are being developed call from `http://localhost` and names below it. */
  readonly emProducao: boolean;
}

/**
 * What is set of a provider's app: the origins of its own web app, whose pages may call `/v1`, and whether
 * subscribers change their own registration there.
 */
export function createConfiguracaoDoAppService({ db, write, emProducao }: ConfiguracaoDoAppDeps) {
  const formas = camposDoApp(!emProducao);
  return {
    /** All of it; null when there is no such provider. */
    buscar: async (provedorId: number): Promise<DoApp | null> => lerDoApp(db, { id: provedorId }),

    /** Origins that a provider lists, by the host of its panel in lower case and without port; none when there is no such provider. */
    origensPorHost: async (host: string): Promise<readonly string[]> =>
      (await lerDoApp(db, { panel_host: host }))?.origens ?? [],

    /**
     * Sets what is given: `origens`, which then are these and no others, and `edita_cadastro`.
     *
     * @returns whether that is a change
     * @throws CamposInvalidos, or Recusa `versao_divergente` where what was read is no longer so
     */
    async configurar(actor: Actor, provedorId: number, dados: unknown, { versao }: DaVersao = {}): Promise<boolean> {
      const { origens, edita_cadastro: editaCadastro } = lerAlteracao(formas, dados);
      return write(actor, provedorId, async (w) => {
        const campos = await gravarDoApp(w, { origens, editaCadastro }, versao);
        if (campos.length === 0) return false;
        w.touch(PROVEDOR_TAG);
        w.emit('provedor.configurado', provedorId, { campos });
        return true;
      });
    },
  };
}
