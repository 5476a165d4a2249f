import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { jsonColumn } from '../../src/platform/mysql/database.ts';
import type { ArquivoDoExtrato } from '../../src/domain/extratos/extratos.types.ts';
import { lerNdjson } from '../domain/extratos/apoio.ts';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import type { RedisProprio } from '../support/redis-proprio.ts';

const MORTES = quanto(3, 6);
/** What one death cuts off waits until its lock has run out; meanwhile there are others' extracts for the next one. */
const PROVEDORES = quanto(8, 15);
const CLIENTES_DE_CADA = 20_000;
/** How long at most an extract has been writing its files when its worker dies. */
const MAIS_TARDE_MS = 150;

let banco: Banco;
let redis: RedisProprio;
let pasta: string;
test.before(async () => {
  banco = await criarBanco();
  redis = await criarRedisProprio();
  pasta = await mkdtemp(path.join(tmpdir(), 'malha-extratos-'));
});
test.after.always(async () => {
  await banco.fechar();
  await redis.fechar();
  await rm(pasta, { recursive: true, force: true });
});

async function encher(): Promise<void> {
  const fabrica = criarFabrica(banco.db);
  for (let n = 0; n < PROVEDORES; n += 1) {
    const provedor = await fabrica.provedor();
    await banco.db.raw(
      `INSERT INTO clientes (provedor_id, nome, tipo, cpf_cnpj, situacao)
       WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 200)
       SELECT ?, CONCAT('Cliente ', a.n, ' ', b.n), 'pf', '52998224725', 'ativo' FROM n a CROSS JOIN n b WHERE a.n <= ?`,
      [provedor, CLIENTES_DE_CADA / 200],
    );
  }
}

const prontos = async () =>
  banco
    .db('extratos')
    .where('situacao', 'pronto')
    .select<{ id: number; provedor_id: number; tentativa: number; arquivos: string }[]>();

const pastaDaTentativa = ({ id, provedor_id, tentativa }: { id: number; provedor_id: number; tentativa: number }) =>
  path.join(pasta, String(provedor_id), String(id), String(tentativa));

async function arquivosEm(onde: string): Promise<string[]> {
  const achados = await readdir(onde, { recursive: true, withFileTypes: true });
  return achados.filter((um) => um.isFile()).map((um) => path.join(um.parentPath, um.name));
}

/** Whether some try that no earlier death cut off has begun to write its files. */
async function escrevendo(cortadas: ReadonlySet<string>): Promise<boolean> {
  const emCurso = await banco
    .db('extratos')
    .where('situacao', 'gerando')
    .select<{ id: number; provedor_id: number; tentativa: number }[]>('id', 'provedor_id', 'tentativas as tentativa');
  const pastas = emCurso.map(pastaDaTentativa).filter((uma) => !cortadas.has(uma));
  const cheias = await Promise.all(pastas.map(async (uma) => existsSync(uma) && (await readdir(uma)).length > 0));
  return cheias.includes(true);
}

test(`kill -9 do worker a meio de extratos, ${MORTES} vezes: cada um acaba inteiro, e do que foi cortado nada fica`, async (t) => {
  t.timeout(5 * 60_000);
  await encher();
  const ambiente = { DATABASE_URL: banco.url, REDIS_URL: redis.url, MALHA_EXTRATOS: pasta };
  let worker: Processo | undefined;
  t.teardown(async () => worker?.parar('SIGKILL'));
  const cortadas = new Set<string>();
  for (let morte = 0; morte < MORTES; morte += 1) {
    worker = await executar('worker', ambiente, /Worker do Malha em execução/);
    await ate(async () => escrevendo(cortadas), 60_000);
    await sleep(Math.random() * MAIS_TARDE_MS);
    await worker.parar('SIGKILL');
    const inteiras = new Set((await prontos()).map(pastaDaTentativa));
    for (const arquivo of await arquivosEm(pasta)) {
      const tentativa = path.dirname(arquivo);
      if (!inteiras.has(tentativa)) cortadas.add(tentativa);
    }
  }
  t.true(cortadas.size >= MORTES / 2, `só ${cortadas.size} tentativas ficaram a meio`);
  worker = await executar('worker', ambiente, /Worker do Malha em execução/);
  await ate(async () => (await prontos()).length === PROVEDORES, 120_000);
  t.is(await worker.parar(), 0);

  const ficam: string[] = [];
  for (const extrato of await prontos()) {
    const { provedor_id, arquivos } = extrato;
    const onde = pastaDaTentativa(extrato);
    for (const { nome, bytes, sha256 } of jsonColumn<ArquivoDoExtrato[]>(arquivos)) {
      const arquivo = path.join(onde, nome);
      const conteudo = await readFile(arquivo);
      t.is(conteudo.length, bytes);
      t.is(createHash('sha256').update(conteudo).digest('hex'), sha256);
      ficam.push(arquivo);
    }
    const ids = (await lerNdjson(path.join(onde, 'clientes.ndjson.gz'))).map((linha) => Number(linha['id']));
    t.deepEqual(ids, (await banco.db('clientes').where({ provedor_id }).orderBy('id').pluck('id')).map(Number));
  }
  t.deepEqual((await arquivosEm(pasta)).toSorted(), ficam.toSorted());
  t.log(`${cortadas.size} tentativas a meio`);
});
