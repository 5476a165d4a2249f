import test from 'ava';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { semearDemonstracao } from '../../seeds/demonstracao.ts';
import { diaDaTarefa } from '../../src/domain/tarefas/dia.regras.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { createQueueMonitor } from '../../src/platform/queues/monitor.ts';
import { createQueue } from '../../src/platform/queues/queue.ts';
import { createRedis } from '../../src/platform/redis/redis.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import { createThreads } from '../../src/platform/threads/threads.ts';
import { startWorker } from '../../src/app/compose/worker.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { JOB_NAMES, jobDefinitions } from '../../workers/jobs/catalogue.ts';
import type { JobName } from '../../workers/jobs/catalogue.ts';
import { SEM_ENTREGAS } from '../support/trabalhador.ts';

let api: Api;
test.before(async (t) => {
  t.timeout(240_000);
  api = await criarApi();
  const threads = createThreads({ maxThreads: 2 });
  await semearDemonstracao({
    db: api.dono,
    relogio: relogioDoSistema,
    threads,
    intervaloPadraoSegundos: 300,
    log: () => {},
  });
  await threads.close();
});
test.after.always(() => api.fechar());

/** Everything a Redis database holds, the names of its keys too, as one text. */
async function tudoDe(url: string): Promise<{ texto: string; tipos: Set<string>; chaves: number }> {
  const redis = new Redis(url);
  const tipos = new Set<string>();
  const partes: string[] = [];
  const ler: Readonly<Record<string, (chave: string) => Promise<unknown>>> = {
    string: (chave) => redis.get(chave),
    hash: (chave) => redis.hgetall(chave),
    list: (chave) => redis.lrange(chave, 0, -1),
    set: (chave) => redis.smembers(chave),
    zset: (chave) => redis.zrange(chave, '0', '-1'),
    stream: (chave) => redis.xrange(chave, '-', '+'),
  };
  let chaves = 0;
  let cursor = '0';
  do {
    const [proximo, achadas] = await redis.scan(cursor, 'COUNT', '1000');
    cursor = proximo;
    for (const chave of achadas) {
      const tipo = await redis.type(chave);
      if (tipo === 'none') continue;
      const leitor = ler[tipo];
      if (leitor === undefined) throw new Error(`${chave}: um ${tipo} que este teste não sabe ler`);
      chaves += 1;
      tipos.add(tipo);
      partes.push(chave, JSON.stringify(await leitor(chave)));
    }
  } while (cursor !== '0');
  redis.disconnect();
  return { texto: partes.join('\n').toLowerCase(), tipos, chaves };
}

/** What is shorter is found anywhere. */
const MENOR = 5;

/** What is somebody's, by what it is. */
async function dadosPessoais(db: Db): Promise<Map<string, string[]>> {
  const colunas: readonly (readonly [tabela: string, coluna: string])[] = [
    ['clientes', 'nome'],
    ['clientes', 'cpf_cnpj'],
    ['clientes', 'email'],
    ['clientes', 'logradouro'],
    ['clientes', 'cep'],
    ['clientes_telefones', 'numero'],
    ['contratos', 'login'],
    ['contratos', 'logradouro'],
    ['faturas', 'pix_copia_cola'],
    ['faturas', 'linha_digitavel'],
    ['faturas', 'token'],
    ['radacct', 'framedipaddress'],
    ['radacct', 'callingstationid'],
  ];
  const dados = new Map<string, string[]>();
  for (const [tabela, coluna] of colunas) {
    const rows: Record<string, string | null>[] = await db(tabela).distinct(coluna).whereNotNull(coluna);
    const valores = rows.map((row) => String(row[coluna])).filter((valor) => valor.length >= MENOR);
    dados.set(`${tabela}.${coluna}`, valores);
  }
  return dados;
}

test('depois de cada tarefa e de leituras da API, o Redis não tem dado pessoal de cliente algum', async (t) => {
  t.timeout(240_000);
  const { db, write, publicacao, tarefas, extratos, palavras, provedores } = api.container;
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
    logger: pino({ level: 'silent' }),
    redisUrl: api.redisUrl,
    relogio: relogioDoSistema,
    intervaloPadraoSegundos: 300,
  });
  const connection = createRedis(api.redisUrl, 'queue', () => {});
  await new Promise((resolve) => connection.once('ready', resolve));
  const queue = createQueue({ connection, definitions: jobDefinitions, onError: () => {} });
  const monitor = createQueueMonitor(queue);
  t.teardown(async () => {
    await worker.stop();
    await queue.close();
    connection.disconnect();
  });

  const todos = await provedores.listar();
  const pedidas: [JobName, string][] = [];
  for (const nome of JOB_NAMES) {
    const { por } = jobDefinitions[nome];
    const alvos = por === undefined ? [null] : todos;
    for (const alvo of alvos) {
      const dia = alvo === null || por !== 'dia' ? {} : { dia: diaDaTarefa(alvo.fusoHorario, new Date()) };
      const payload = alvo === null ? {} : { provedorId: alvo.id, ...dia };
      pedidas.push([nome, await queue.add<JobName>(nome, payload)]);
    }
  }
  const feitas = new Set<JobName>();
  for (const [nome, id] of pedidas) {
    await ate(async () => {
      const vista = await monitor.find(nome, id);
      // Of what repeats, only the last few are remembered.
      if (vista === null || vista.state === 'completed') feitas.add(nome);
      return vista === null || vista.state === 'completed';
    }, 120_000);
  }
  t.deepEqual([...feitas], JOB_NAMES);
  const clientes = await db('clientes').orderBy('id').limit(5);
  for (const cliente of clientes) {
    const { texto: chave } = await api.criarChave(cliente.provedor_id);
    t.is((await api.get(`/clientes/${cliente.id}`, { chave })).status, 200);
    t.is((await api.get(`/clientes?cpf_cnpj=${cliente.cpf_cnpj}`, { chave })).status, 200);
    t.is((await api.get(`/faturas?cliente_id=${cliente.id}`, { chave })).status, 200);
    const telefone = await db('clientes_telefones').where({ cliente_id: cliente.id }).first('numero');
    if (telefone !== undefined) await api.get(`/clientes?telefone=${telefone.numero}`, { chave });
    await api.get('/clientes?cpf_cnpj=00000000000', { chave: `${chave}x` });
  }

  const { texto, tipos, chaves } = await tudoDe(api.redisUrl);
  // The jobs are there, and what the gate counts.
  t.true(chaves > 20);
  for (const tipo of ['string', 'hash', 'zset', 'stream']) t.true(tipos.has(tipo), tipo);
  t.true(texto.includes('pix.recalcular'));
  const dados = await dadosPessoais(api.dono);
  // Hundreds of thousands of values, of which hardly one even ends as something in the text does.
  const trechos = new Set(Array.from({ length: texto.length }, (_, i) => texto.slice(i, i + MENOR)));
  const esta = (valor: string): boolean => trechos.has(valor.slice(-MENOR)) && texto.includes(valor);
  for (const [onde, valores] of dados) {
    t.true(valores.length > 0, onde);
    t.deepEqual(
      valores.filter((valor) => esta(valor.toLowerCase())),
      [],
      onde,
    );
  }
});
