import { setTimeout as sleep } from 'node:timers/promises';
import type { Acao, Importacao } from '../../domain/importacoes/importacoes.types.ts';
import { criarProgresso } from '../job/progresso.ts';
import { INTERROMPIDO } from '../sessao.ts';
import type { Filas, Servicos, Sessao } from '../sessao.ts';

interface Espera {
  readonly id: number;
  readonly provedor: number;
  readonly acao: Acao;
  readonly filas: Filas;
  readonly servicos: Servicos;
  readonly sessao: Sessao;
  readonly signal: AbortSignal;
}

const OLHAR_A_CADA_MS = 200;
const SEM_WORKER_MS = 3000;

/** Waits until an action is over, as its own row says, whatever becomes of the queue; null where the person waits no longer. */
export async function esperarPor(espera: Espera): Promise<Importacao | null> {
  const { id, provedor, acao, filas, servicos, sessao, signal } = espera;
  const comeco = performance.now();
  const progresso = criarProgresso(sessao.tela);
  let avisado = false;
  for (;;) {
    const vista = await servicos.importacoes.exigir(provedor, id);
    const feitas = feitasDe(vista, acao);
    if (!avisado && feitas === 0 && performance.now() - comeco > SEM_WORKER_MS) {
      avisado = true;
      if ((await filas.monitor.workers('noite')) === 0) {
        progresso.dizer('Nenhum worker está de pé: a importação espera na fila até que um comece (malha worker).');
      }
    }
    const terminou = vista.acao !== acao;
    progresso.mostrar({
      nome: `importar ${acao.replace('_', '-')}`,
      total: 1,
      prontas: terminou ? 1 : 0,
      falhas: vista.motivo === null ? 0 : 1,
      emCurso: terminou ? [] : [{ rotulo: `importação ${id}`, feitas, total: Math.max(vista.linhas, feitas) }],
      linhas: feitas,
      decorridoMs: performance.now() - comeco,
    });
    if (terminou) {
      progresso.encerrar();
      return vista;
    }
    if (signal.aborted) {
      progresso.encerrar();
      sessao.tela.escrever(`A importação segue; só a espera terminou. Acompanhe com malha importar estado ${id}.\n`);
      sessao.terminarCom(INTERROMPIDO);
      return null;
    }
    await sleep(OLHAR_A_CADA_MS, undefined, { signal }).catch(() => {});
  }
}

function feitasDe({ contagens }: Importacao, acao: Acao): number {
  if (acao === 'desfazer') return contagens.desfeitas + contagens.ficaram;
  return acao === 'aplicar_rede' ? contagens.acessos : contagens.lidas;
}
