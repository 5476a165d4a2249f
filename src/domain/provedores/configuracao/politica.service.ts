import type { Actor } from '../../actor.ts';
import { exigido, lerCampos } from '../../campos/campos.ts';
import { inteiro, simOuNao } from '../../campos/leitores.ts';
import type { DaVersao } from '../../campos/versao.ts';
import type { WriteFor } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { gravarPolitica } from './configuracao.queries.ts';

/** Minutes after which a session that nobody uses is over. */
export const OCIOSO_MINUTOS = { menor: 15, maior: 720 } as const;

const FORMA = {
  exigir_fator: exigido(simOuNao),
  ocioso_minutos: exigido(inteiro(OCIOSO_MINUTOS.menor, OCIOSO_MINUTOS.maior)),
};

/** What a provider asks of the sessions of its people: a second factor of everybody, and for how long they may lie idle. */
export function createPoliticaService({ write }: { readonly write: WriteFor }) {
  return {
    /** Holds for the sessions that are open, too. @returns the names of what changed. @throws CamposInvalidos, or Recusa `versao_divergente` */
    async alterar(actor: Actor, provedorId: number, dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const { exigir_fator, ocioso_minutos } = lerCampos(FORMA, dados);
      return write(actor, provedorId, async (w) => {
        const campos = await gravarPolitica(w, { exigir_fator: exigir_fator ? 1 : 0, ocioso_minutos }, versao);
        if (campos.length === 0) return campos;
        w.touch(PROVEDOR_TAG);
        w.emit('provedor.configurado', provedorId, { campos });
        return campos;
      });
    },
  };
}

export type PoliticaService = ReturnType<typeof createPoliticaService>;
