import { criarProgresso } from '../job/progresso.ts';
import type { Sessao } from '../sessao.ts';

interface Andamento {
  mostrar(feitas: number, total: number): void;
  /** A line that stays. */
  dizer(linha: string): void;
  /** It is over, all of it or as far as it has come. */
  encerrar(inteiro: boolean): void;
}

/** The bar of one thing that a command does or waits for. */
export function criarAndamento(sessao: Sessao, nome: string, rotulo: string): Andamento {
  const comeco = performance.now();
  const progresso = criarProgresso(sessao.tela);
  let linhas = 0;
  const quadro = (
    emCurso: readonly { readonly rotulo: string; readonly feitas: number; readonly total: number }[],
  ) => ({
    nome,
    total: 1,
    prontas: emCurso.length === 0 ? 1 : 0,
    falhas: 0,
    emCurso,
    linhas,
    decorridoMs: performance.now() - comeco,
  });
  return {
    mostrar(feitas, total) {
      linhas = feitas;
      progresso.mostrar(quadro([{ rotulo, feitas, total: Math.max(total, feitas) }]));
    },
    dizer: (linha) => progresso.dizer(linha),
    encerrar(inteiro) {
      if (inteiro) progresso.mostrar(quadro([]));
      progresso.encerrar();
    },
  };
}
