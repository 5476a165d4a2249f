import type { Actor } from '../actor.ts';
import { emMudanca } from '../erros.ts';
import type { WriteFor } from '../escrita.ts';
import type { ProvedoresService } from '../provedores/provedores.service.ts';
import { TAGS_DE_TUDO } from '../tags.ts';

export type EsquecimentoService = ReturnType<typeof createEsquecimentoService>;

export interface EsquecimentoDeps {
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'listar' | 'exigirPorId'>;
}

/** Has every process forget what it keeps, for whoever wrote rows that nobody told of: a restored backup, triggers taken away. */
export function createEsquecimentoService({ write, provedores }: EsquecimentoDeps) {
  async function esquecerUm(actor: Actor, provedorId: number): Promise<void> {
    const tags = { tags: TAGS_DE_TUDO, failClosed: true };
    await write(actor, provedorId, async (w) => w.emit('cache.esquecido', null), tags);
  }

  return {
    /**
     * Once this resolves, no process answers, or admits a key, by what it had kept of a provider, or of any. Resolves to how many. Rejects
     * while Redis is away.
     *
     * @throws EntradaInvalida when there is no such provider.
     */
    async esquecer(actor: Actor, provedorId?: number): Promise<number> {
      if (provedorId !== undefined) {
        await provedores.exigirPorId(provedorId);
        await esquecerUm(actor, provedorId);
        return 1;
      }
      const todos = await provedores.listar();
      let esquecidos = 0;
      for (const { id } of todos) {
        try {
          await esquecerUm(actor, id);
          esquecidos += 1;
        } catch (error) {
          // Of one that moves nothing is written here, and whoever moves it has it forgotten.
          if (!emMudanca(error)) throw error;
        }
      }
      return esquecidos;
    },
  };
}
