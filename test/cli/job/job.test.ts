import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { Logger } from 'pino';
import { pino } from 'pino';
import { hojeEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import { createQueue } from '../../../src/platform/queues/queue.ts';
import { createJobWorker } from '../../../src/platform/queues/worker.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { relogioDoSistema } from '../../../src/platform/timing/relogio.ts';
import { startWorker } from '../../../src/app/compose/worker.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { redisUrl } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { monitorar } from '../../support/monitor.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';
import { criarTerminal, recusado } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';
import { JOB_NAMES, jobDefinitions } from '../../../workers/jobs/catalogue.ts';
import type { JobHandlers } from '../../../workers/jobs/catalogue.ts';
import { SEM_ENTREGAS } from '../../support/trabalhador.ts';

const CLI = fileURLToPath(new URL('../../../src/cli.js', import.meta.url));
/** What begins what a terminal does, and does not show. */
const ESC = '\x1b';
const HOJE = hojeEm('America/Sao_Paulo', new Date(Date.now() - 5 * 60_000));

let api: Api;
let terminal: Terminal;
let fabrica: Fabrica;
let semWorker: string;
let parar: () => Promise<void>;
const calado: Logger = pino({ level: 'silent' });

test.before(async () => {
  api = await criarApi();
  terminal = criarTerminal(api);
  fabrica = criarFabrica(api.dono);
  semWorker = await redisUrl();
  const { db, write, publicacao, tarefas, extratos, palavras } = api.container;
  const worker = startWorker({
    db,
    write,
    publicacao,
    consumers: [],
    ...SEM_ENTREGAS,
    tarefas,
    extratos,
    palavras,
    arquivosDeRetorno: {
      comPendentes: async () => [],
      proximoPendente: async () => null,
      processar: async () => {},
      anotarFalha: async () => {},
    },
    execucaoDeImportacoes: { executarPedidas: async () => ({ importacoes: 0, linhas: 0 }) },
    logger: calado,
    redisUrl: api.redisUrl,
    relogio: relogioDoSistema,
    intervaloPadraoSegundos: 300,
  });
  parar = async () => worker.stop();
});
test.after.always(async () => {
  await parar();
  await api.fechar();
  terminal.fechar();
});

const malha: Terminal['malha'] = (...args) => terminal.malha(...args);

/** A provider with some overdue invoices. */
async function carteira(faturas = 3): Promise<number> {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  for (let n = 0; n < faturas; n += 1) {
    await fabrica.fatura(provedor, {
      cliente_id: cliente,
      valor: '100.00',
      vencimento: somarDias(HOJE, -30),
      situacao: 'pendente',
      pix_txid: `T${n}`,
    });
  }
  return provedor;
}

test('listar diz o que há, quando roda, a última e a próxima vez', async (t) => {
  // The worker schedules what repeats as it starts, one after the other.
  let todas: any[] = [];
  await ate(async () => {
    todas = await terminal.json<any[]>(['job', 'listar']);
    return todas.some(({ job, proxima_em }) => job === 'conexoes.paradas' && proxima_em !== null);
  }, 30_000);
  t.deepEqual(
    todas.map(({ job }) => job),
    JOB_NAMES,
  );
  const de = (nome: string) => todas.find(({ job }) => job === nome);
  t.like(de('pix.recalcular'), { fila: 'noite', quando: '00:05 de cada provedor', proxima_em: null });
  t.like(de('conexoes.recalcular'), { quando: 'quando pedida, por provedor' });
  t.like(de('conexoes.paradas'), { fila: 'rotina', quando: 'a cada 30 s' });
  // One that is due waits for its turn.
  t.true(Date.parse(de('conexoes.paradas').proxima_em) <= Date.now() + 30_000);
  await ate(async () => {
    const [agregar] = await terminal.json<any[]>(['job', 'listar']);
    return agregar.ultima_em !== null && Date.now() - Date.parse(agregar.ultima_em) < 20_000;
  }, 30_000);
  const { stdout } = await malha(['job', 'listar']);
  t.regex(stdout, /^job +fila +quando +última +próxima +o que faz$/m);
  t.regex(stdout, /^retencao\.limpar +noite +a cada 1 h 00 min +\S.* em \d.* +apaga o que passou do tempo de guarda$/m);
});

test('rodar faz o dia de um provedor e diz o que fez; outra vez, que já foi feito; com --refazer, faz de novo', async (t) => {
  const provedor = await carteira(3);
  const args = ['job', 'rodar', 'faturas.vencer', '--provedor', String(provedor)];
  // Through pipes, where nothing can be drawn over.
  const primeira = await terminal.processo(args);
  t.is(primeira.codigo, 0, primeira.stderr);
  t.regex(primeira.stderr, /^faturas\.vencer: 1 tarefa na fila\.\n/);
  t.false(primeira.stderr.includes(ESC));
  // On a busy machine the lines that the gate logs about Redis may stand before the report.
  t.regex(
    primeira.stdout,
    new RegExp(`^faturas\\.vencer: 1 concluída em .+\\.\n  provedor ${provedor}, ${HOJE}: `, 'm'),
  );
  const [linha] = await api.dono('tarefas_diarias').where({ provedor_id: provedor, tarefa: 'faturas.vencer' });
  t.like(linha, { linhas: 3 });

  const segunda = await malha(args);
  t.is(segunda.codigo, 0, segunda.stderr);
  t.regex(segunda.stdout, /já feita; --refazer faz de novo/);

  await api.dono('faturas').where('provedor_id', provedor).update({ situacao: 'pendente' });
  const [refeita] = await terminal.json<any[]>([...args, '--refazer']);
  t.like(refeita, { job: 'faturas.vencer', provedor_id: provedor, dia: HOJE, estado: 'concluida', motivo: null });
  t.deepEqual(refeita.resultado, { desfecho: 'concluida', linhas: 3 });
  const auditadas = await api.dono('auditoria').where({ provedor_id: provedor, acao: 'tarefa.reaberta' });
  t.is(auditadas.length, 1);
  t.like(auditadas[0], { autor: 'linha de comando', recurso: 'tarefa', recurso_id: null });
});

test('rodar sem --provedor vai a todos, e conexoes.recalcular e as que não são de ninguém também rodam', async (t) => {
  const [um, outro] = [await carteira(1), await carteira(1)];
  const todas = await terminal.json<any[]>(['job', 'rodar', 'pix.recalcular']);
  t.true(todas.length >= 2);
  for (const id of [um, outro])
    t.like(
      todas.find((feita) => feita.provedor_id === id),
      { estado: 'concluida' },
    );
  const conexoes = await malha(['job', 'rodar', 'conexoes.recalcular', '--provedor', String(um)]);
  t.is(conexoes.codigo, 0, conexoes.stderr);
  for (const nome of ['outbox.publicar', 'convites.expirar', 'retencao.limpar']) {
    const { codigo, stdout, stderr } = await malha(['job', 'rodar', nome]);
    t.is(codigo, 0, stderr);
    t.regex(stdout, /(?:publicados|expirados|eventos) \d/);
  }
});

test('rodar a data de hoje vai aos provedores onde o dia começou, e diz quais ficam de fora', async (t) => {
  // Twenty-five hours lie between them: no day begins in both at a time.
  const [comeca, espera] = await Promise.all(
    ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].map(async (fuso_horario) => fabrica.provedor({ fuso_horario })),
  );
  const data = hojeEm('Pacific/Kiritimati', new Date());
  const args = ['job', 'rodar', 'pix.recalcular', '--data', data, '--sem-esperar'];
  const { codigo, stdout, stderr } = await malha([...args, '--json'], { REDIS_URL: semWorker });
  t.is(codigo, 0, stderr);
  const pedidos = (JSON.parse(stdout) as { provedor_id: number }[]).map(({ provedor_id }) => provedor_id);
  t.true(pedidos.includes(comeca!));
  t.false(pedidos.includes(espera!));
  t.regex(stderr, new RegExp(`^Ficam de fora .*: lá ${data} ainda não começou\\.\\n$`, 'u'));
  const soEle = await malha([...args, '--provedor', String(espera)], { REDIS_URL: semWorker });
  t.is(soEle.codigo, 1);
  t.regex(soEle.stderr, new RegExp(`^erro: data: ${data} ainda não começou para .* \\(provedor ${espera}\\)\\n$`, 'u'));
});

const ERRADOS: readonly (readonly [args: string[], dito: RegExp])[] = [
  [['rodar'], /falta o argumento 'nome'/],
  [['rodar', 'nada'], /o argumento 'nome' não aceita 'nada': há conexoes\.agregar/],
  [['rodar', 'pix.recalcular', '--provedor', '999999'], /provedor 999999 não existe/],
  [['rodar', 'pix.recalcular', '--data', 'ontem'], /data: ontem não é uma data AAAA-MM-DD/],
  [['rodar', 'pix.recalcular', '--data', '2099-01-01'], /data: 2099-01-01 ainda não começou para /],
  [['rodar', 'conexoes.agregar', '--data', '2026-01-01'], /data: conexoes\.agregar não é de um dia/],
  [['rodar', 'conexoes.recalcular', '--refazer'], /refazer: conexoes\.recalcular não é de um dia/],
  [['rodar', 'conexoes.agregar', '--provedor', '1'], /provedor: conexoes\.agregar é de todos/],
  [['estado', '--provedor', '999999'], /provedor 999999 não existe/],
  [['repetir'], /diga o id de uma tarefa, ou --todas/],
  [['repetir', '1', '--todas'], /diga o id de uma tarefa, ou --todas/],
  [['repetir', 'nenhuma'], /nenhuma tarefa que falhou tem o id nenhuma/],
  [['repetir', '1', '--fila', 'x'], /a opção '--fila <fila>' não aceita 'x': há rotina e noite/],
];
for (const [args, dito] of ERRADOS) {
  test(`é recusado em uma linha: malha job ${args.join(' ')}`, async (t) => {
    if ((await api.dono('provedores').first('id')) === undefined) await fabrica.provedor();
    recusado(t, await malha(['job', ...args]), dito);
  });
}

test('sem worker, rodar diz que não há, e um Ctrl-C só deixa de esperar', async (t) => {
  const provedor = await fabrica.provedor();
  const filho = spawn(process.execPath, [CLI, 'job', 'rodar', 'pix.recalcular', '--provedor', String(provedor)], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: api.databaseUrl,
      REDIS_URL: semWorker,
      MALHA_DATA_DIR: terminal.pasta,
    },
  });
  t.teardown(() => filho.kill('SIGKILL'));
  let dito = '';
  filho.stderr.on('data', (parte: Buffer) => (dito += parte.toString()));
  await ate(async () => dito.includes('Nenhum worker está de pé'), 20_000);
  filho.kill('SIGINT');
  const codigo = await new Promise((resolve) => filho.once('exit', resolve));
  t.is(codigo, 130);
  t.regex(dito, /A tarefa segue na fila; só a espera terminou/);
  const { filas } = await terminal
    .malha(['job', 'estado', '--json'], { REDIS_URL: semWorker })
    .then(({ stdout }) => JSON.parse(stdout));
  t.like(filas[1], { fila: 'noite', workers: 0 });
  t.true(filas[1].esperando >= 1);
  t.true(filas[1].mais_antiga_segundos > 0);
  const { stdout } = await malha(['job', 'estado'], { REDIS_URL: semWorker });
  t.regex(stdout, /^Há fila sem worker de pé/m);
});

test('--sem-esperar só põe na fila', async (t) => {
  const provedor = await fabrica.provedor();
  const { codigo, stdout } = await malha(
    ['job', 'rodar', 'pix.recalcular', '--provedor', String(provedor), '--data', '2026-01-05', '--sem-esperar'],
    { REDIS_URL: semWorker },
  );
  t.is(codigo, 0);
  t.is(stdout, `Na fila: provedor ${provedor}, 2026-01-05 (pix.recalcular.${provedor}.2026-01-05)\n`);
});

test('estado mostra filas, workers e o dia de cada tarefa, e de um provedor os seus dias', async (t) => {
  const provedor = await carteira(2);
  await malha(['job', 'rodar', 'faturas.vencer', '--provedor', String(provedor)]);
  const visto = await terminal.json<any>(['job', 'estado', '--provedor', String(provedor)]);
  t.deepEqual(
    visto.filas.map((fila: any) => [fila.fila, fila.workers]),
    [
      ['rotina', 1],
      ['noite', 1],
    ],
  );
  t.true(visto.tarefas.some((tarefa: any) => tarefa.tarefa === 'faturas.vencer' && tarefa.feitas > 0));
  const dele = visto.provedor.find((dia: any) => dia.tarefa === 'faturas.vencer');
  t.like(dele, { dia: HOJE, linhas: 2 });
  t.not(dele.concluida_em, null);
  const { stdout } = await malha(['job', 'estado', '--provedor', String(provedor)]);
  t.regex(stdout, /^fila +workers +esperando +em curso +adiadas +falhas +mais antiga$/m);
  t.regex(stdout, new RegExp(`^  faturas\\.vencer +${HOJE} +feitas \\d+ +pendentes \\d+ +atrasadas \\d+$`, 'm'));
  t.regex(stdout, /^Deste provedor:$/m);
});

/** A worker that fails at one job until it is mended, on a Redis database of its own. */
async function oficina() {
  const url = await redisUrl();
  const conexoes = (['queue', 'worker'] as const).map((papel) => createRedis(url, papel, () => {}));
  await Promise.all(conexoes.map((conexao) => new Promise((resolve) => conexao.once('ready', resolve))));
  const fila = createQueue({ connection: conexoes[0]!, definitions: jobDefinitions, onError: () => {} });
  let consertado = false;
  const nada = async (): Promise<undefined> => undefined;
  const fazer: JobHandlers['conexoes.recalcular'] = async (_payload, { progress }) => {
    progress({ feitas: 40, total: 100 });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (!consertado) throw new Error('a antena caiu');
    return { contratos: 7 };
  };
  const worker = createJobWorker({
    connection: conexoes[1]!,
    handlers: {
      ...(Object.fromEntries(JOB_NAMES.map((nome) => [nome, nada])) as unknown as JobHandlers),
      'conexoes.recalcular': fazer,
    },
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  return {
    url,
    fila,
    consertar: () => void (consertado = true),
    /**
     * Leaves the job that is asked for two tries, so that nobody waits for minutes. The worker has it only once somebody looks at it: it may be
     * over before a command of a busy machine has begun.
     */
    comDuasTentativas: async <T>(pedir: () => Promise<string>, olhar: () => Promise<T>): Promise<T> => {
      await fila.queues.noite.pause();
      const id = await pedir();
      const chave = `{malha}:malha-noite:${id}`;
      const opcoes = JSON.parse((await conexoes[0]!.hget(chave, 'opts')) ?? '{}') as object;
      await conexoes[0]!.hset(chave, 'opts', JSON.stringify({ ...opcoes, attempts: 2 }));
      const monitor = await monitorar(url);
      const olhando = olhar();
      await ate(() => monitor.pedidos.some(([comando, de]) => comando?.toLowerCase() === 'hgetall' && de === chave));
      monitor.fechar();
      await fila.queues.noite.resume();
      return olhando;
    },
    fechar: async (): Promise<void> => {
      await worker.stop();
      await fila.close();
      for (const conexao of conexoes) conexao.disconnect();
    },
  };
}

test('o que falha é tentado de novo, fica com o motivo, é visto, sai com código 1, e repetir o conserta', async (t) => {
  const { url, fila, consertar, comDuasTentativas, fechar } = await oficina();
  t.teardown(fechar);
  const provedor = await fabrica.provedor();
  const env = { REDIS_URL: url };
  const rodar = ['job', 'rodar', 'conexoes.recalcular', '--provedor', String(provedor)];
  let id = '';
  const pedir = async (): Promise<string> => {
    [{ id }] = JSON.parse((await malha([...rodar, '--sem-esperar', '--json'], env)).stdout) as [{ id: string }];
    return id;
  };
  const falhou = await comDuasTentativas(pedir, async () => malha(rodar, env));
  t.is(falhou.codigo, 1);
  t.regex(falhou.stderr, /a tentativa 1 de 2 falhou: a antena caiu/);
  t.regex(falhou.stderr, /erro: 1 tarefa falhou\n$/);
  t.regex(falhou.stdout, new RegExp(`^  provedor ${provedor}: falhou: a antena caiu$`, 'm'));

  const visto = JSON.parse((await malha(['job', 'estado', '--json'], env)).stdout);
  t.is(visto.falhas.length, 1);
  t.like(visto.falhas[0], { id, job: 'conexoes.recalcular', motivo: 'a antena caiu', tentativas: 2 });
  t.not(visto.falhas[0].terminada_em, null);
  const { stdout } = await malha(['job', 'estado'], env);
  t.regex(stdout, new RegExp(`^  ${id} +conexoes\\.recalcular +${provedor} +2 tentativas +há .+ a antena caiu$`, 'm'));

  consertar();
  const repetida = await malha(['job', 'repetir', id], env);
  t.is(repetida.codigo, 0, repetida.stderr);
  t.regex(repetida.stdout, new RegExp(`^1 tarefa volta à fila:\n  ${id}  conexoes\\.recalcular\n$`));
  await ate(async () => (await fila.queues.noite.getJobState(id)) === 'completed');
  t.is((await malha(['job', 'repetir', '--todas'], env)).stdout, 'Nada a repetir.\n');
});

test('num terminal há uma barra que se redesenha e cabe na largura', async (t) => {
  const { url, consertar, fechar } = await oficina();
  t.teardown(fechar);
  consertar();
  const provedor = await fabrica.provedor();
  const comando = `stty cols 60; exec '${process.execPath}' '${CLI}' job rodar conexoes.recalcular --provedor ${provedor}`;
  const filho = spawn('script', ['-qec', comando, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      SHELL: '/bin/sh',
      TERM: 'xterm',
      DATABASE_URL: api.databaseUrl,
      REDIS_URL: url,
      MALHA_DATA_DIR: terminal.pasta,
    },
  });
  t.teardown(() => filho.kill('SIGKILL'));
  let dito = '';
  filho.stdout.on('data', (parte: Buffer) => (dito += parte.toString()));
  const codigo = await new Promise((resolve) => filho.once('close', resolve));
  t.is(codigo, 0, dito);
  t.true(dito.includes(`${ESC}[1A\r${ESC}[0J`));
  t.regex(dito, /conexoes\.recalcular {2}█+.?░+ {2}40\/100/);
  t.regex(dito, /conexoes\.recalcular {2}█{8,} {2}1\/1/);
  t.regex(dito, /contratos 7/);
  for (const linha of dito.split(/[\r\n]+/)) {
    const visivel = linha.replaceAll(new RegExp(`${ESC}\\[\\d*[A-Z]`, 'g'), '');
    if (visivel.includes('█') || visivel.includes('░')) t.true(visivel.length < 60, visivel);
  }
});

test('com o Redis das filas fora, cada comando diz isso em uma linha', async (t) => {
  const fora = { QUEUE_REDIS_URL: 'redis://127.0.0.1:1/0' };
  for (const args of [['listar'], ['estado'], ['rodar', 'conexoes.paradas'], ['repetir', '--todas']]) {
    const { codigo, stdout, stderr } = await malha(['job', ...args], fora);
    t.is(codigo, 1);
    t.is(stdout, '');
    // A busy machine may have the program log, before it, that its own Redis was slow.
    const dito = stderr.split('\n').filter((linha) => linha !== '' && !linha.startsWith('{"level"'));
    t.deepEqual(dito, ['erro: O Redis das filas não respondeu em 2 s; confira QUEUE_REDIS_URL e REDIS_URL.']);
  }
});

test('as filas podem estar em outro Redis, que some e volta durante a espera', async (t) => {
  const proprio = await criarRedisProprio();
  t.teardown(() => proprio.fechar());
  const filho = spawn(process.execPath, [CLI, 'job', 'rodar', 'conexoes.paradas'], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: api.databaseUrl,
      REDIS_URL: api.redisUrl,
      QUEUE_REDIS_URL: proprio.url,
      MALHA_DATA_DIR: terminal.pasta,
    },
  });
  t.teardown(() => filho.kill('SIGKILL'));
  let dito = '';
  filho.stderr.on('data', (parte: Buffer) => (dito += parte.toString()));
  await ate(async () => dito.includes('Nenhum worker'), 20_000);
  await proprio.matar();
  await ate(async () => dito.includes('O Redis das filas não responde'), 20_000);
  await proprio.iniciar('antigos');
  const connection = createRedis(proprio.url, 'worker', () => {});
  const worker = createJobWorker({
    connection,
    handlers: Object.fromEntries(JOB_NAMES.map((nome) => [nome, async () => undefined])) as unknown as JobHandlers,
    onCompleted: () => {},
    onFailed: () => {},
    onError: () => {},
  });
  t.is(await new Promise((resolve) => filho.once('exit', resolve)), 0, dito);
  await worker.stop();
  connection.disconnect();
});
