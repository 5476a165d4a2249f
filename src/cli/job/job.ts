import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { QueueName } from '../../platform/queues/jobs.ts';
import type { JobView } from '../../platform/queues/monitor.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { estado } from './job-estado.ts';
import { rodar } from './job-rodar.ts';
import type { OpcoesDeRodar } from './job-rodar.ts';
import type { Sessao, Tarefa } from '../sessao.ts';
import { colunas, contar, duracao } from '../texto.ts';

const FILAS = ['rotina', 'noite'] as const satisfies readonly QueueName[];

/** `malha job …` */
export function comandosDeJob(programa: Command, sessao: Sessao, tarefas: readonly Tarefa[]): void {
  const job = grupo(programa.command('job')).description('tarefas de fundo: o que há, rodar agora, estado, repetir');

  const tarefaDeNome = (texto: string): Tarefa => {
    const tarefa = tarefas.find(({ nome }) => nome === texto);
    if (tarefa === undefined) throw new InvalidArgumentError(`há ${tarefas.map(({ nome }) => nome).join(', ')}.`);
    return tarefa;
  };

  const nomeDeFila = (texto: string): QueueName => {
    const nome = FILAS.find((fila) => fila === texto);
    if (nome === undefined) throw new InvalidArgumentError(`há ${FILAS.join(' e ')}.`);
    return nome;
  };

  comando(job.command('listar'))
    .description('lista as tarefas: o que fazem, quando rodam, a última e a próxima vez')
    .option('--json', 'responde em JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await sessao.comFilas(async ({ monitor }) => {
        const agenda = await monitor.schedules();
        const agora = Date.now();
        const valor = tarefas.map((tarefa) => descrever(tarefa, agenda.get(tarefa.nome)));
        const linhas = valor.map(({ job: nome, fila, quando, descricao, ultima_em: ultima, proxima_em: proxima }) => [
          nome,
          fila,
          quando,
          ultima === null ? '-' : `há ${duracao(agora - Date.parse(ultima))}`,
          proxima === null ? '-' : `em ${duracao(Date.parse(proxima) - agora)}`,
          descricao,
        ]);
        sessao.mostrar(json, valor, colunas([['job', 'fila', 'quando', 'última', 'próxima', 'o que faz'], ...linhas]));
      });
    });

  comando(job.command('rodar'))
    .usage('<nome> [opções]')
    .description('põe uma tarefa na fila e espera que um worker a faça; Ctrl-C deixa de esperar, e a tarefa segue')
    .argument('<nome>', 'tarefa, como job listar a mostra', tarefaDeNome)
    .option('--provedor <id>', 'só deste provedor; sem isto, de todos', inteiro)
    .option('--data <data>', 'dia da tarefa, AAAA-MM-DD; sem isto, o de hoje de cada provedor')
    .option('--refazer', 'desfaz o dia, e os seguintes, se já foram feitos, e faz de novo')
    .option('--sem-esperar', 'só põe na fila')
    .option('--json', 'responde em JSON')
    .action(async (tarefa: Tarefa, { semEsperar, ...opcoes }: Omit<OpcoesDeRodar, 'esperar'> & { semEsperar?: true }) =>
      rodar(tarefa, { ...opcoes, esperar: semEsperar !== true }, sessao),
    );

  comando(job.command('estado'))
    .description('mostra as filas, os workers, o que falhou e o dia de cada tarefa')
    .option('--provedor <id>', 'só deste provedor, com os seus últimos dias', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (opcoes: { provedor?: number; json?: boolean }) => estado(opcoes, sessao));

  comando(job.command('repetir'))
    .usage('<id> [opções]')
    .description('faz de novo uma tarefa que falhou, ou todas')
    .argument('[id]', 'id da tarefa, como job estado a mostra')
    .option('--todas', 'todas as que falharam, menos as que se repetem sozinhas')
    .option('--fila <fila>', `fila do id, se as duas o têm: ${FILAS.join(' ou ')}`, nomeDeFila)
    .option('--json', 'responde em JSON')
    .action(async (id: string | undefined, opcoes: { todas?: boolean; fila?: QueueName; json?: boolean }) => {
      await sessao.comFilas(async ({ monitor }) => {
        const escolhidas = escolher(await monitor.failed(), id, opcoes);
        const repetidas: JobView[] = [];
        for (const falha of escolhidas) if (await monitor.retry(falha.queue, falha.id)) repetidas.push(falha);
        sessao.mostrar(
          opcoes.json,
          repetidas.map((falha) => ({ id: falha.id, fila: falha.queue, job: falha.name })),
          [
            repetidas.length === 0
              ? 'Nada a repetir.'
              : `${contar(repetidas.length, 'tarefa volta', 'tarefas voltam')} à fila:`,
            ...repetidas.map((falha) => `  ${falha.id}  ${falha.name}`),
          ],
        );
      });
    });
}

function descrever(
  { nome, descricao, queue, everyMs, por }: Tarefa,
  agenda: { readonly last: number | null; readonly next: number | null } | undefined,
) {
  const momento = (ms: number | null | undefined): string | null =>
    ms === null || ms === undefined ? null : new Date(ms).toISOString();
  const pedida = por === 'provedor' ? 'quando pedida, por provedor' : 'quando pedida';
  return {
    job: nome,
    fila: queue,
    quando: everyMs === undefined ? (por === 'dia' ? '00:05 de cada provedor' : pedida) : `a cada ${duracao(everyMs)}`,
    ultima_em: momento(agenda?.last),
    proxima_em: momento(agenda?.next),
    descricao,
  };
}

function escolher(
  falhas: readonly JobView[],
  id: string | undefined,
  { todas, fila }: { todas?: boolean; fila?: QueueName },
): readonly JobView[] {
  if ((id === undefined) === (todas !== true)) throw new EntradaInvalida('diga o id de uma tarefa, ou --todas');
  const daFila = falhas.filter(({ queue }) => fila === undefined || queue === fila);
  // The next run of what repeats is its retry.
  if (id === undefined) return daFila.filter(({ repeating }) => !repeating);
  const achadas = daFila.filter((falha) => falha.id === id);
  if (achadas.length === 0) throw new EntradaInvalida(`nenhuma tarefa que falhou tem o id ${id}`);
  if (achadas.length > 1)
    throw new EntradaInvalida(`as duas filas têm ${id}: diga --fila ${FILAS.join(' ou --fila ')}`);
  return achadas;
}
