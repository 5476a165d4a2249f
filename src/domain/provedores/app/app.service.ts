import type { Db } from '../../../platform/mysql/database.ts';
import type { Actor } from '../../actor.ts';
import { lerCampos } from '../../campos/campos.ts';
import type { WriteFor } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { CAMPOS_DO_APP } from './app.campos.ts';
import { gravarOrigens, lerOrigens } from './app.queries.ts';

export type ConfiguracaoDoAppService = ReturnType<typeof createConfiguracaoDoAppService>;

/** What is set of a provider's app: the origins of its own web app, whose pages may call `/v1` (`app-api.md`, section 1). */
export function createConfiguracaoDoAppService({ db, write }: { readonly db: Db; readonly write: WriteFor }) {
  return {
    /** Origins that a provider lists; none when there is no such provider. */
    origens: async (provedorId: number): Promise<readonly string[]> => lerOrigens(db, { id: provedorId }),

    /** The same by the host of the panel, in lower case and without port. */
    origensPorHost: async (host: string): Promise<readonly string[]> => lerOrigens(db, { panel_host: host }),

    /** Lists these origins and no others. @returns whether that is a change. @throws CamposInvalidos of `origens` */
    async configurar(actor: Actor, provedorId: number, dados: unknown): Promise<boolean> {
      const { origens } = lerCampos(CAMPOS_DO_APP, dados);
      return write(actor, provedorId, async (w) => {
        const mudou = await gravarOrigens(w, origens);
        if (!mudou) return false;
        w.touch(PROVEDOR_TAG);
        w.emit('provedor.configurado', provedorId, { campos: ['app_origens'] });
        return true;
      });
    },
  };
}
