import { emMudanca } from './erros.ts';

/**
 * Does pieces of work of which none waits for another: what fails is kept, with whose it was, until `terminar` throws all of it as one
 * error, of one line.
 */
export function createTentativas() {
  const falhas: unknown[] = [];
  const linhas: string[] = [];
  return {
    /** Resolves to `senao` where it fails. */
    async tentar<T>(quem: string, fazer: () => Promise<T>, senao: T): Promise<T> {
      try {
        return await fazer();
      } catch (error) {
        falhas.push(error);
        linhas.push(`${quem}: ${error instanceof Error ? error.message : String(error)}`);
        return senao;
      }
    },
    /** @throws AggregateError where something failed */
    terminar(): void {
      if (falhas.length > 0) throw new AggregateError(falhas, [...new Set(linhas)].join('; '));
    },
  };
}

interface Limites {
  /** Batches that a provider has in one run, at most. */
  readonly lotes: number;
  readonly signal: AbortSignal;
}

/**
 * Gives each provider that has work a batch in turn, until none has more. What fails for one is tried again by the next run,
 * and does not keep the others waiting; the first failure is thrown in the end. One that moves to another cell is passed over.
 */
export async function porProvedor(
  listar: () => Promise<number[]>,
  fazerLote: (provedorId: number) => Promise<{ mais: boolean }>,
  { lotes, signal }: Limites,
): Promise<void> {
  let falha: { readonly error: unknown } | undefined;
  let restam = await listar();
  for (let lote = 0; lote < lotes && restam.length > 0; lote++) {
    const comMais: number[] = [];
    for (const provedorId of restam) {
      if (signal.aborted) return;
      try {
        if ((await fazerLote(provedorId)).mais) comMais.push(provedorId);
      } catch (error) {
        if (!emMudanca(error)) falha ??= { error };
      }
    }
    restam = comMais;
  }
  if (falha !== undefined) throw falha.error;
}

/** Does what a job was queued for, unless its provider moves to another cell: then it is queued there, or here again if it stays. */
export async function seDaqui<T>(fazer: () => Promise<T>): Promise<T | { readonly desfecho: 'em_mudanca' }> {
  try {
    return await fazer();
  } catch (error) {
    if (emMudanca(error)) return { desfecho: 'em_mudanca' };
    throw error;
  }
}
