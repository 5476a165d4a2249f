import { setTimeout as sleep } from 'node:timers/promises';
import type { Data } from '../../brazil/calendario/datas.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import { diaPedido, ehTarefaDiaria, reabrirTarefa } from '../../domain/tarefas/operacao.ts';
import type { QueueName } from '../../platform/queues/jobs.ts';
import type { JobView } from '../../platform/queues/monitor.ts';
import { criarProgresso } from './progresso.ts';
import type { Progresso } from './progresso.ts';
import { INTERROMPIDO } from '../sessao.ts';
import type { Filas, Servicos, Sessao, Tarefa } from '../sessao.ts';
import { contar, duracao, resultado } from '../texto.ts';

export interface OpcoesDeRodar {
  readonly provedor?: number;
  readonly data?: string;
  readonly refazer?: boolean;
  readonly esperar: boolean;
  readonly json?: boolean;
}

/** One job that was asked for. */
interface Pedido {
  readonly payload: { readonly provedorId?: number; readonly dia?: Data };
  readonly rotulo: string;
  id: string;
  /** As it was last seen. */
  visto: JobView | null;
  fim: 'concluida' | 'falhou' | null;
}

const OLHAR_A_CADA_MS = 200;
/** Jobs looked at in one go: those first in line are the first to end. */
const OLHADOS = 200;
const SEM_WORKER_MS = 3000;
const NOMES_MOSTRADOS = 10;
/** How often a day that was made undone is asked for again because another run of it had not noticed yet. */
const REPETICOES = 5;

/** `malha job rodar`: queues what was asked for, and waits for it. */
export async function rodar(tarefa: Tarefa, opcoes: OpcoesDeRodar, sessao: Sessao): Promise<void> {
  const { nome, queue } = tarefa;
  await sessao.comFilas(async (filas, servicos) => {
    const { pedidos, fora } = await planejar(tarefa, opcoes, filas, servicos);
    if (fora.length > 0) sessao.tela.escrever(`Ficam de fora ${lista(fora)}: lá ${opcoes.data} ainda não começou.\n`);
    if (opcoes.refazer === true) await reabrir(nome, pedidos, servicos);
    for (const pedido of pedidos) await enfileirar(nome, pedido, filas);
    if (!opcoes.esperar) {
      const valor = pedidos.map((pedido) => apresentar(nome, pedido));
      sessao.mostrar(
        opcoes.json,
        valor,
        pedidos.map(({ id, rotulo }) => `Na fila: ${rotulo} (${id})`),
      );
      return;
    }
    await sessao.comCtrlC(async (signal) => esperarPor(nome, pedidos, { filas, queue, sessao, opcoes, signal }));
  });
}

interface Plano {
  readonly pedidos: Pedido[];
  /** Of all providers, those for whom the day has not begun. */
  readonly fora: readonly Provedor[];
}

/** What to queue, all of it judged before any of it is. */
async function planejar(
  { nome, por }: Tarefa,
  { provedor, data, refazer }: OpcoesDeRodar,
  { relogio }: Filas,
  { provedores }: Servicos,
): Promise<Plano> {
  const pedido = (payload: Pedido['payload'], rotulo: string): Pedido => ({
    payload,
    rotulo,
    id: '',
    visto: null,
    fim: null,
  });
  if (por !== 'dia' && data !== undefined) throw new EntradaInvalida(`data: ${nome} não é de um dia`);
  if (por !== 'dia' && refazer === true) throw new EntradaInvalida(`refazer: ${nome} não é de um dia`);
  if (por === undefined) {
    if (provedor !== undefined) throw new EntradaInvalida(`provedor: ${nome} é de todos os provedores`);
    return { pedidos: [pedido({}, nome)], fora: [] };
  }
  const alvos = provedor === undefined ? await provedores.listar() : [await provedores.exigirPorId(provedor)];
  if (alvos.length === 0) throw new EntradaInvalida('não há provedores');
  const agora = relogio.agora();
  if (por === 'provedor') {
    return { pedidos: alvos.map(({ id }) => pedido({ provedorId: id }, `provedor ${id}`)), fora: [] };
  }
  const dias = alvos.map((alvo) => ({ alvo, dia: diaPedido(alvo, data, agora) }));
  const pedidos = dias.flatMap(({ alvo: { id }, dia }) =>
    dia === null ? [] : [pedido({ provedorId: id, dia }, `provedor ${id}, ${dia}`)],
  );
  const fora = dias.filter(({ dia }) => dia === null).map(({ alvo }) => alvo);
  if (pedidos.length === 0) throw new EntradaInvalida(`data: ${data} ainda não começou para ${lista(fora)}`);
  return { pedidos, fora };
}

function lista(provedores: readonly Provedor[]): string {
  const nomes = provedores.slice(0, NOMES_MOSTRADOS).map(({ id, nome }) => `${nome} (provedor ${id})`);
  const resto = provedores.length - nomes.length;
  return resto === 0 ? nomes.join(', ') : `${nomes.join(', ')} e mais ${resto}`;
}

async function reabrir(nome: string, pedidos: readonly Pedido[], { write }: Servicos): Promise<void> {
  if (!ehTarefaDiaria(nome)) return;
  for (const { payload } of pedidos) {
    const { provedorId, dia } = payload;
    if (provedorId !== undefined && dia !== undefined)
      await reabrirTarefa(TERMINAL, write, { tarefa: nome, provedorId, dia });
  }
}

/** Again, if it has failed; at once, if it waits for its next try. */
async function enfileirar(nome: string, pedido: Pedido, { fila, monitor }: Filas): Promise<void> {
  pedido.id = await fila.add(nome, pedido.payload, { again: true });
  await monitor.hurry(nome, pedido.id);
}

interface Espera {
  readonly filas: Filas;
  /** Where they wait. */
  readonly queue: QueueName;
  readonly sessao: Sessao;
  readonly opcoes: OpcoesDeRodar;
  readonly signal: AbortSignal;
}

async function esperarPor(nome: string, pedidos: readonly Pedido[], espera: Espera): Promise<void> {
  const { sessao, signal, opcoes } = espera;
  const comeco = performance.now();
  const progresso = criarProgresso(sessao.tela);
  progresso.dizer(`${nome}: ${contar(pedidos.length, 'tarefa', 'tarefas')} na fila.`);
  await acompanhar(nome, pedidos, espera, progresso);
  progresso.encerrar();
  if (signal.aborted) {
    const restam = pedidos.filter(({ fim }) => fim === null).length;
    const quais = restam === 1 ? 'A tarefa segue' : `As ${restam} tarefas restantes seguem`;
    sessao.tela.escrever(`${quais} na fila; só a espera terminou. Acompanhe com malha job estado.\n`);
    sessao.terminarCom(INTERROMPIDO);
    return;
  }
  const valor = pedidos.map((pedido) => apresentar(nome, pedido));
  sessao.mostrar(opcoes.json, valor, resumo(nome, pedidos, performance.now() - comeco));
  const falhas = pedidos.filter(({ fim }) => fim === 'falhou').length;
  if (falhas > 0) throw new Error(contar(falhas, 'tarefa falhou', 'tarefas falharam'));
}

/** Looks until all have ended, or the wait has. */
async function acompanhar(
  nome: string,
  pedidos: readonly Pedido[],
  { filas, queue, opcoes, signal }: Espera,
  progresso: Progresso,
): Promise<void> {
  const comeco = performance.now();
  const tentativas = new Map<Pedido, number>();
  let acessivel = true;
  let avisado = false;
  let repeticoes = 0;
  for (;;) {
    const faltam = pedidos.filter(({ fim }) => fim === null);
    try {
      await Promise.all(faltam.slice(0, OLHADOS).map(async (pedido) => olhar(nome, pedido, filas)));
      acessivel = true;
      for (const pedido of faltam) {
        if (pedido.visto?.result?.['desfecho'] === 'de_outro' && opcoes.refazer === true && repeticoes < REPETICOES) {
          repeticoes += 1;
          pedido.fim = null;
          await enfileirar(nome, pedido, filas);
        }
      }
      const parado = pedidos.every(({ visto }) => visto === null || visto.startedAt === null);
      if (!avisado && parado && performance.now() - comeco > SEM_WORKER_MS) {
        if ((await filas.monitor.workers(queue)) === 0) {
          avisado = true;
          progresso.dizer('Nenhum worker está de pé: a tarefa espera na fila até que um comece (malha worker).');
        }
      }
    } catch {
      if (acessivel) progresso.dizer('O Redis das filas não responde; a espera continua.');
      acessivel = false;
    }
    for (const pedido of faltam) contarTentativa(pedido, tentativas, progresso);
    progresso.mostrar(quadroDe(nome, pedidos, performance.now() - comeco));
    if (signal.aborted || pedidos.every(({ fim }) => fim !== null)) return;
    await sleep(OLHAR_A_CADA_MS, undefined, { signal }).catch(() => {});
  }
}

async function olhar(nome: string, pedido: Pedido, { monitor }: Filas): Promise<void> {
  const visto = await monitor.find(nome, pedido.id);
  if (visto === null) {
    // Removed by somebody, or Redis was emptied; what it was to do can be asked for again.
    pedido.fim = 'falhou';
    return;
  }
  pedido.visto = visto;
  if (visto.state === 'completed') pedido.fim = 'concluida';
  if (visto.state === 'failed') pedido.fim = 'falhou';
}

/** Says of a try that failed that another one comes. */
function contarTentativa(pedido: Pedido, ditas: Map<Pedido, number>, progresso: Progresso): void {
  const { visto, fim, rotulo } = pedido;
  if (visto === null || fim !== null || visto.reason === null || visto.attempts <= (ditas.get(pedido) ?? 0)) return;
  ditas.set(pedido, visto.attempts);
  progresso.dizer(`${rotulo}: a tentativa ${visto.attempts} de ${visto.maxAttempts} falhou: ${visto.reason}`);
}

function quadroDe(nome: string, pedidos: readonly Pedido[], decorridoMs: number) {
  const emCurso = pedidos.filter(({ fim, visto }) => fim === null && visto?.state === 'active');
  return {
    nome,
    total: pedidos.length,
    prontas: pedidos.filter(({ fim }) => fim !== null).length,
    falhas: pedidos.filter(({ fim }) => fim === 'falhou').length,
    emCurso: emCurso.map(({ rotulo, visto }) => ({ rotulo, ...(visto?.progress ?? { feitas: 0, total: 0 }) })),
    linhas: pedidos.reduce((soma, { visto }) => soma + (visto?.progress?.feitas ?? 0), 0),
    decorridoMs,
  };
}

const motivoDe = ({ fim, visto }: Pedido): string | null => {
  if (fim !== 'falhou') return null;
  return visto?.state === 'failed' ? visto.reason : 'saiu da fila sem terminar';
};

function resumo(nome: string, pedidos: readonly Pedido[], ms: number): string[] {
  const concluidas = pedidos.filter(({ fim }) => fim === 'concluida').length;
  const falhas = pedidos.length - concluidas;
  const contagem = [
    ...(concluidas > 0 ? [contar(concluidas, 'concluída', 'concluídas')] : []),
    ...(falhas > 0 ? [contar(falhas, 'falhou', 'falharam')] : []),
  ];
  return [
    `${nome}: ${contagem.join(', ')} em ${duracao(ms)}.`,
    ...pedidos.map((pedido) => {
      const motivo = motivoDe(pedido);
      if (motivo !== null) return `  ${pedido.rotulo}: falhou: ${motivo}`;
      const feito = pedido.visto?.result ?? null;
      if (feito?.['desfecho'] === 'ja_feita') return `  ${pedido.rotulo}: já feita; --refazer faz de novo`;
      return `  ${pedido.rotulo}: ${feito === null ? 'concluída' : resultado(feito)}`;
    }),
  ];
}

function apresentar(nome: string, pedido: Pedido) {
  const { id, payload, fim, visto } = pedido;
  return {
    id,
    job: nome,
    provedor_id: payload.provedorId ?? null,
    dia: payload.dia ?? null,
    estado: fim ?? 'na_fila',
    resultado: visto?.result ?? null,
    motivo: motivoDe(pedido),
    tentativas: visto?.attempts ?? 0,
  };
}
