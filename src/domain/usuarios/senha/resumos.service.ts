import { parseOptions } from '@node-rs/argon2';
import type { PedidoDeResumo } from '../../../../workers/threads/senhas/contract.ts';
import type { Threads } from '../../../platform/threads/threads.ts';
import { Recusa } from '../../erros.ts';
import { normalizarSenha } from './senha.regras.ts';

/** argon2id, which the package takes when nothing is said. */
const CUSTO = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Each takes 19 MiB and a processor, of which a thread of low priority gets what requests leave. */
export const AO_MESMO_TEMPO = 2;
const NA_FILA = 64;

/**
 * No password's, and no secret: salt and digest were made up. Whoever has no password is compared with it, at the cost of all others, so
 * that the time of an answer does not tell that he has none.
 */
const DE_NINGUEM = `$argon2id$v=19$m=${CUSTO.memoryCost},t=${CUSTO.timeCost},p=${CUSTO.parallelism}$c2FsdG8gZGUgbmluZ3VlbQ$MnlSu2HAnhkZ5gxVQVBR5F3hQ9KScz7qLs+wMXbLrXY`;

export type Resumos = ReturnType<typeof createResumos>;

/** Hashes of passwords; one a process, because it holds how many are calculated at a time. */
export function createResumos({ threads }: { readonly threads: Pick<Threads, 'run'> }) {
  const calcular = async <Resultado>(pedido: PedidoDeResumo): Promise<Resultado> => threads.run('senhas', pedido);
  let correndo = 0;
  const fila: (() => void)[] = [];

  async function naVez<T>(trabalho: () => Promise<T>): Promise<T> {
    if (correndo >= AO_MESMO_TEMPO) {
      if (fila.length >= NA_FILA) throw new Recusa('ocupado');
      // Whoever ends hands its place on, so nobody comes between.
      await new Promise<void>((vez) => void fila.push(vez));
    } else correndo += 1;
    try {
      return await trabalho();
    } finally {
      const proximo = fila.shift();
      if (proximo === undefined) correndo -= 1;
      else proximo();
    }
  }

  return {
    /** @throws Recusa `ocupado` */
    fazer: async (senha: string): Promise<string> =>
      naVez(async () => calcular<string>({ senha: normalizarSenha(senha), custo: CUSTO })),

    /** Whether a password is the one; null is compared with nobody's, in the same time. @throws Recusa `ocupado` */
    async confere(resumo: string | null, senha: string): Promise<boolean> {
      const igual = await naVez(async () =>
        calcular<boolean>({ resumo: resumo ?? DE_NINGUEM, senha: normalizarSenha(senha) }),
      );
      return igual && resumo !== null;
    },

    /** Whether a hash was made at a lower cost than is asked for now. */
    estaAtrasado(resumo: string): boolean {
      const { memoryCost, timeCost } = parseOptions(resumo);
      return memoryCost < CUSTO.memoryCost || timeCost < CUSTO.timeCost;
    },
  };
}
