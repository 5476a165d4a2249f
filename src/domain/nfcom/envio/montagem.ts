import type { Provedor } from '../../provedores/provedores.types.ts';
import { FALHA_INTERNA } from './desfecho.regras.ts';
import type { Alvo } from './envio.types.ts';
import { createEstado, travarNotas } from './estado.ts';
import { createPreparo } from './preparo.ts';
import type { Impedimento, PreparoDeps } from './preparo.ts';

export interface MontagemDeps extends PreparoDeps {
  /** Told of a provider whose notes could not be read, built or written. */
  readonly aoFalhar: (alvo: Alvo, error: unknown) => void;
}

/** How often a note is tried of which nobody knows whether the fault is its own. */
const TENTATIVAS = 3;
const CODIGO = 'falha_na_montagem';
const MOTIVO = 'o programa não conseguiu montar esta nota; confira o cadastro, o contrato e a fatura, e emita de novo';

/**
 * Builds notes, as `createPreparo` does. When that throws, they are built one by one: the one that throws is rejected, and the others go on.
 * Where all of them throw, it may be the program's fault or the machine's, and they are tried again before they are rejected.
 */
export function createMontagem(deps: MontagemDeps) {
  const { write, relogio, autor, aoFalhar } = deps;
  const preparar = createPreparo(deps);

  async function rejeitar(provedorId: number, ids: readonly number[], semDuvida: boolean): Promise<void> {
    await write(autor, provedorId, async (w) => {
      const estado = createEstado(w, relogio.agora());
      for (const nota of (await travarNotas(w, ids)).values()) {
        if (nota.etapa !== 'montar') continue;
        const vezes = nota.tentativas + 1;
        if (semDuvida || vezes >= TENTATIVAS) {
          await estado.rejeitada(nota, CODIGO, MOTIVO, [{ codigo: CODIGO, mensagem: MOTIVO }]);
        } else await estado.mudar(nota, { tentativas: vezes });
      }
    });
  }

  return async function montar(alvo: Alvo, provedor: Provedor, ids: readonly number[]): Promise<Impedimento> {
    try {
      return await preparar(provedor, ids);
    } catch (error) {
      aoFalhar(alvo, error);
    }
    const falharam: number[] = [];
    for (const id of ids) {
      try {
        const impedimento = ids.length === 1 ? FALHA : await preparar(provedor, [id]);
        if (impedimento === FALHA) falharam.push(id);
        else if (impedimento !== null) return impedimento;
      } catch {
        falharam.push(id);
      }
    }
    const todas = falharam.length === ids.length;
    await rejeitar(provedor.id, falharam, !todas);
    return todas ? FALHA : null;
  };
}

const FALHA = {
  codigo: FALHA_INTERNA,
  motivo: 'o programa não conseguiu montar notas; a próxima tentativa vem em seguida',
} as const;
