import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { hojeEm } from '../../src/brazil/calendario/datas.ts';
import { extratosDe, lerNdjson, pastaDe } from '../domain/extratos/apoio.ts';
import { AUTOR } from '../support/autor.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { criarReplicacao } from '../support/replicacao.ts';
import type { Replicacao } from '../support/replicacao.ts';
import { cliente, escrever } from './apoio.ts';
import type { Cliente } from './apoio.ts';

const ATRASO_S = 3;
/** Longer than it takes to hear of the lag, shorter than the tests wait. */
const LIMITE_S = 8;
const MUDA_DE_LEITOR_MS = 60_000;
const FUSO = 'America/Sao_Paulo';

let replicacao: Replicacao;
let api: Api;
test.before(async (t) => {
  t.timeout(120_000);
  replicacao = await criarReplicacao(ATRASO_S);
  const { dono, url: databaseUrl, urlDaReplica } = replicacao;
  const env = { DATABASE_REPLICA_URL: urlDaReplica, MALHA_ATRASO_REPLICA: String(LIMITE_S) };
  api = await criarApi({ bancoDe: { databaseUrl, dono }, env });
});
test.after.always(async () => {
  await api.fechar();
  await replicacao.fechar();
});

let vezes = 0;
/** A whole list; each time under another address, or what was kept of the primary would be answered. */
const lista = async (c: Cliente) => api.get(`/clientes?${'&'.repeat((vezes += 1) % 1000)}`, { chave: c.algumaChave() });

const naLista = async (c: Cliente): Promise<number> => c.mostrado(await lista(c));

/** Whether the replica is asked, which has not heard of what was only just written. */
async function daReplica(c: Cliente): Promise<boolean> {
  await escrever(api, c);
  return (await naLista(c)) < c.escrito();
}

/** A client that the replica has and is asked for. */
async function lidoNaReplica(): Promise<Cliente> {
  const c = await cliente(api);
  await ate(async () => (await replicacao.operador('clientes').where('id', c.id)).length === 1, MUDA_DE_LEITOR_MS);
  await ate(async () => daReplica(c), MUDA_DE_LEITOR_MS);
  return c;
}

/** Reads whole lists, four at once and no more than the keys may, until it is stopped; gives the statuses of their answers. */
function ler(c: Cliente) {
  const respostas: number[] = [];
  const parar = new AbortController();
  const leituras = Array.from({ length: 4 }, async () => {
    while (!parar.signal.aborted) {
      respostas.push((await lista(c)).status);
      await sleep(50);
    }
  });
  return {
    respostas: () => respostas,
    async parar(): Promise<void> {
      parar.abort();
      await Promise.all(leituras);
    },
  };
}

const gerar = async ({ provedor }: Cliente, aoAvancar: (progresso: { feitas: number }) => void = () => {}) =>
  api.container.tarefas.executar(
    AUTOR,
    { tarefa: 'extratos.gerar', provedorId: provedor, dia: hojeEm(FUSO, new Date()) },
    { signal: new AbortController().signal, aoAvancar },
  );

const clientesEm = async ({ provedor }: Cliente) =>
  lerNdjson(path.join((await pastaDe(api, provedor)).pasta, 'clientes.ndjson.gz'));

test.serial('atrasada mas dentro do limite, responde por listas inteiras; por uma consulta, nunca', async (t) => {
  t.timeout(120_000);
  const c = await lidoNaReplica();
  for (let n = 0; n < 20; n += 1) {
    await escrever(api, c);
    t.is(c.mostrado(await api.get(c.caminho, { chave: c.algumaChave() })), c.escrito());
    t.true((await naLista(c)) < c.escrito());
  }
  await ate(async () => (await naLista(c)) === c.escrito());
});

test.serial('um extrato da réplica é do instante que diz: o que havia até então está nele', async (t) => {
  t.timeout(120_000);
  const c = await lidoNaReplica();
  const { cliente: criar } = criarFabrica(replicacao.dono);
  const escritos: { id: number; em: number }[] = [];
  const parar = new AbortController();
  t.teardown(() => parar.abort());
  const escritor = (async () => {
    while (!parar.signal.aborted) escritos.push({ id: await criar(c.provedor), em: Date.now() });
  })();
  // For longer than it may be behind.
  await sleep((LIMITE_S + 1) * 1000);
  const antes = Date.now();
  await gerar(c);
  parar.abort();
  await escritor;

  const consistenteEm = (await extratosDe(api, c.provedor)).itens[0]!.consistenteEm!.getTime();
  const extraidos = new Set((await clientesEm(c)).map(({ id }) => Number(id)));
  const faltam = escritos.filter(({ id }) => !extraidos.has(id));
  // What the primary held before the extract began and the replica had not heard of: that it was read there.
  t.true(faltam.some(({ em }) => em < antes));
  t.true(escritos.some(({ id, em }) => em < consistenteEm && extraidos.has(id)));
  t.deepEqual(
    faltam.filter(({ em }) => em < consistenteEm),
    [],
  );
});

test.serial('parada além do limite, é o banco que responde, e ela de novo quando alcança', async (t) => {
  t.timeout(120_000);
  const c = await lidoNaReplica();
  await replicacao.operador.raw('STOP REPLICA SQL_THREAD');
  t.teardown(async () => replicacao.operador.raw('START REPLICA SQL_THREAD'));
  await ate(async () => !(await daReplica(c)), MUDA_DE_LEITOR_MS);
  for (let n = 0; n < 20; n += 1) t.false(await daReplica(c));
  await replicacao.operador.raw('START REPLICA SQL_THREAD');
  await ate(async () => daReplica(c), MUDA_DE_LEITOR_MS);
  t.pass();
});

test.serial('kill -9 da réplica a meio de um extrato: nada fica dele, e a vez seguinte o tira do banco', async (t) => {
  t.timeout(120_000);
  const c = await lidoNaReplica();
  const lendo = ler(c);
  t.teardown(() => lendo.parar());
  await ate(async () => lendo.respostas().length > 0);
  await t.throwsAsync(gerar(c, ({ feitas }) => feitas === 1 && replicacao.matarReplica()));
  t.false(existsSync(path.join(api.extratos, String(c.provedor))));

  // Tried again, as the queue does: at once it may not have been missed yet.
  await ate(
    async () =>
      gerar(c).then(
        () => true,
        () => false,
      ),
    MUDA_DE_LEITOR_MS,
  );
  t.is(await naLista(c), c.escrito());
  await lendo.parar();
  t.deepEqual(new Set(lendo.respostas()), new Set([200]));
  t.deepEqual(
    (await clientesEm(c)).map(({ nome }) => String(nome)),
    [`C ${c.escrito()}`],
  );
});
