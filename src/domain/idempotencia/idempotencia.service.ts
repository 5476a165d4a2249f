import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import type { Actor } from '../actor.ts';
import { emMudanca } from '../erros.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { guardaDe } from './guarda.ts';
import type { GuardaDeps, Repetivel, RespostaGuardada } from './guarda.ts';

/**
 * Gives the answer kept under a key, or makes it and keeps it in the transaction of its effect: both are there, or neither.
 *
 * @throws Recusa `requisicao_em_andamento` while another transaction holds the key, `chave_idempotencia_reutilizada` when the key was
 * used for another request.
 */
export async function umaVezSo(
  w: TenantWriter,
  deps: GuardaDeps,
  repetivel: Repetivel,
  fazer: () => Promise<RespostaGuardada>,
): Promise<RespostaGuardada> {
  const guarda = guardaDe(w, deps, repetivel);
  const guardada = await guarda.tomar();
  if (guardada !== null) return guardada;
  const resposta = await fazer();
  await guarda.responder(resposta);
  return resposta;
}

/**
 * The same for what writes by itself, in transactions of its own: the key is taken before, and the answer kept after. A process that
 * dies between leaves the key taken; after two minutes the request is carried out again.
 *
 * @throws Recusa as `umaVezSo` does, and whatever `fazer` throws: then the key is free again.
 */
export function createPedidosUnicos({ write, ...deps }: GuardaDeps & { readonly write: WriteFor }) {
  return async (
    actor: Actor,
    provedorId: number,
    repetivel: Repetivel,
    fazer: () => Promise<RespostaGuardada>,
  ): Promise<RespostaGuardada> => {
    /** Where the provider has begun to move meanwhile it is as after a death: what became of the request stays its answer. */
    const anotar = async (fazerNota: (w: Write) => Promise<void>): Promise<void> =>
      write(actor, provedorId, fazerNota).catch((error: unknown) => {
        if (!emMudanca(error)) throw error;
      });
    const { guardada, tomadaEm } = await write(actor, provedorId, async (w) => {
      const guarda = guardaDe(w, deps, repetivel);
      return { guardada: await guarda.tomar(), tomadaEm: guarda.tomadaEm };
    });
    if (guardada !== null) return guardada;
    const resposta = await fazer().catch(async (error: unknown) => {
      await anotar(async (w) => guardaDe(w, deps, repetivel).largar(tomadaEm));
      throw error;
    });
    await anotar(async (w) => guardaDe(w, deps, repetivel).responder(resposta, tomadaEm));
    return resposta;
  };
}
