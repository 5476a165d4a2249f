import { diasDoProvedor, situacaoDasTarefas } from '../../domain/tarefas/operacao.ts';
import type { JobView } from '../../platform/queues/monitor.ts';
import type { Filas, Servicos, Sessao } from '../sessao.ts';
import { colunas, duracao, numero } from '../texto.ts';

const FALHAS_MOSTRADAS = 20;

/** `malha job estado`: the queues as Redis has them, and the daily work as MySQL has it. */
export async function estado(opcoes: { provedor?: number; json?: boolean }, sessao: Sessao): Promise<void> {
  await sessao.comFilas(async (filas, servicos) => {
    const { provedor, json } = opcoes;
    if (provedor !== undefined) await servicos.provedores.exigirPorId(provedor);
    const visto = await olhar(filas, servicos, provedor);
    sessao.mostrar(json, visto, linhasDe(visto, filas.relogio.agora().getTime()));
  });
}

type Visto = Awaited<ReturnType<typeof olhar>>;

async function olhar({ monitor, relogio }: Filas, { db }: Servicos, provedor: number | undefined) {
  const doProvedor = ({ payload }: JobView): boolean => provedor === undefined || payload['provedorId'] === provedor;
  const [profundidades, emCurso, falhas, situacoes] = await Promise.all([
    monitor.depths(),
    monitor.active(),
    monitor.failed(),
    situacaoDasTarefas(db, relogio),
  ]);
  const filas = await Promise.all(
    profundidades.map(async ({ queue, waiting, active, delayed, failed, oldestWaitingMs }) => ({
      fila: queue,
      esperando: waiting,
      em_curso: active,
      adiadas: delayed,
      falhas: failed,
      mais_antiga_segundos: oldestWaitingMs === null ? null : oldestWaitingMs / 1000,
      workers: await monitor.workers(queue),
    })),
  );
  const dias = provedor === undefined ? null : await diasDoProvedor(db, provedor);
  return {
    filas,
    em_curso: emCurso.filter(doProvedor).map(apresentar),
    falhas: falhas.filter(doProvedor).map(apresentar),
    tarefas: situacoes,
    ...(dias === null
      ? {}
      : {
          provedor: dias.map(({ tarefa, dia, linhas, iniciadaEm, concluidaEm }) => ({
            tarefa,
            dia,
            linhas,
            iniciada_em: iso(iniciadaEm),
            concluida_em: concluidaEm === null ? null : iso(concluidaEm),
          })),
        }),
  };
}

/** As MySQL writes a moment, in UTC. */
const iso = (momento: string): string => `${momento.replace(' ', 'T')}Z`;
const isoDe = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

function apresentar(job: JobView) {
  return {
    id: job.id,
    fila: job.queue,
    job: job.name,
    dados: job.payload,
    repete_sozinha: job.repeating,
    tentativas: job.attempts,
    progresso: job.progress,
    motivo: job.reason,
    iniciada_em: isoDe(job.startedAt),
    terminada_em: isoDe(job.endedAt),
  };
}

type Mostrado = ReturnType<typeof apresentar>;

function linhasDe({ filas, em_curso: emCurso, falhas, tarefas, provedor }: Visto, agora: number): string[] {
  const desde = (momento: string | null): string =>
    momento === null ? '' : `há ${duracao(agora - new Date(momento).getTime())}`;
  return [
    ...colunas([
      ['fila', 'workers', 'esperando', 'em curso', 'adiadas', 'falhas', 'mais antiga'],
      ...filas.map((f) => [
        f.fila,
        numero(f.workers),
        numero(f.esperando),
        numero(f.em_curso),
        numero(f.adiadas),
        numero(f.falhas),
        f.mais_antiga_segundos === null ? '-' : duracao(f.mais_antiga_segundos * 1000),
      ]),
    ]),
    ...(filas.some(({ workers }) => workers === 0) ? ['Há fila sem worker de pé: malha worker.'] : []),
    ...secao(
      'Em curso:',
      emCurso.map((job) => [job.job, alvoDe(job), progressoDe(job), desde(job.iniciada_em)]),
    ),
    ...secao('Falharam (malha job repetir <id>):', linhasDeFalhas(falhas, desde)),
    ...secao(
      'Tarefas do dia:',
      tarefas.map(({ tarefa, dia, feitas, pendentes, atrasadas }) => [
        tarefa,
        dia,
        `feitas ${numero(feitas)}`,
        `pendentes ${numero(pendentes)}`,
        `atrasadas ${numero(atrasadas)}`,
      ]),
    ),
    ...secao(
      'Deste provedor:',
      (provedor ?? []).map(({ tarefa, dia, linhas, iniciada_em: inicio, concluida_em: fim }) => [
        tarefa,
        dia,
        `${numero(linhas)} linhas`,
        fim === null ? `começada ${desde(inicio)}` : `concluída em ${fim}`,
      ]),
    ),
  ];
}

const secao = (titulo: string, linhas: readonly (readonly string[])[]): string[] =>
  linhas.length === 0 ? [] : ['', titulo, ...colunas(linhas).map((linha) => `  ${linha}`)];

const alvoDe = ({ dados }: Mostrado): string => Object.values(dados).join(' ');
const progressoDe = ({ progresso }: Mostrado): string =>
  progresso === null ? '' : `${numero(progresso.feitas)}/${numero(progresso.total)}`;

/** One a job, and of what repeats by itself the newest with how many there are. */
function linhasDeFalhas(falhas: readonly Mostrado[], desde: (momento: string | null) => string): string[][] {
  const unicas = falhas.filter((job) => !job.repete_sozinha);
  const repetidas = new Map<string, Mostrado[]>();
  for (const job of falhas.filter((falha) => falha.repete_sozinha)) {
    repetidas.set(job.job, [...(repetidas.get(job.job) ?? []), job]);
  }
  const linha = (job: Mostrado, id: string): string[] => [
    id,
    job.job,
    alvoDe(job),
    job.tentativas === 1 ? '1 tentativa' : `${job.tentativas} tentativas`,
    desde(job.terminada_em),
    job.motivo ?? '',
  ];
  return [
    ...unicas.slice(0, FALHAS_MOSTRADAS).map((job) => linha(job, job.id)),
    ...(unicas.length > FALHAS_MOSTRADAS ? [[`… e mais ${unicas.length - FALHAS_MOSTRADAS}`]] : []),
    ...[...repetidas.values()].flatMap((todas) =>
      todas.slice(0, 1).map((job) => linha(job, `(${numero(todas.length)}×, repete sozinha)`)),
    ),
  ];
}
