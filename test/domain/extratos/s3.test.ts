import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import S3rver from 's3rver';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { ObjectMissing } from '../../../src/platform/storage/object-store.ts';
import { createS3Store } from '../../../src/platform/storage/s3.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi, enviar } from '../../support/api.ts';
import { relogioEm } from '../../support/relogio.ts';
import { extratosDe, povoar, sha256 } from './apoio.ts';

const HOJE = '2026-11-20' as Data;
const SEM_PARAR = { signal: new AbortController().signal, aoAvancar: () => {} };
/** The server's own key. */
const CREDENCIAIS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

let servidor: S3rver;
let pasta: string;
let endpoint: string;
test.before(async () => {
  pasta = await mkdtemp(path.join(tmpdir(), 'malha-s3-'));
  servidor = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: pasta,
    configureBuckets: [{ name: 'malha', configs: [] }],
  });
  const { port } = await servidor.run();
  endpoint = `http://127.0.0.1:${port}`;
});
test.after.always(async () => {
  await servidor.close();
  await rm(pasta, { recursive: true, force: true });
});

test('um objeto de várias partes é visto só quando inteiro, lê-se por intervalos e sai', async (t) => {
  const armazem = createS3Store({
    bucket: 'malha',
    prefix: 'partes/',
    region: 'us-east-1',
    endpoint,
    credentials: CREDENCIAIS,
  });
  const bytes = randomBytes(20 * 2 ** 20);
  const saida = await armazem.create('1/2/grande.parquet');
  for (let de = 0; de < bytes.length; de += 3_000_000) await saida.write(bytes.subarray(de, de + 3_000_000));
  t.deepEqual(await armazem.list('1/'), []);
  await saida.close();
  t.deepEqual(await armazem.list('1/'), ['1/2/grande.parquet']);
  const partes: Buffer[] = [];
  for await (const parte of await armazem.read('1/2/grande.parquet', { start: 1000, end: bytes.length - 2 })) {
    partes.push(parte as Buffer);
  }
  t.true(Buffer.concat(partes).equals(bytes.subarray(1000, -1)));
  await t.throwsAsync(armazem.read('1/2/nada', { start: 0, end: 1 }), { instanceOf: ObjectMissing });
  await armazem.remove(['1/2/grande.parquet']);
  t.deepEqual(await armazem.list('1/'), []);
});

test('com s3:// na configuração, o extrato vai para o S3, e a API o serve de lá por intervalos', async (t) => {
  const relogio = relogioEm('2026-11-20T15:00:00.000Z');
  const api = await criarApi({
    relogio,
    env: {
      MALHA_EXTRATOS: 's3://malha/bi/noite',
      MALHA_S3_ENDPOINT: endpoint,
      MALHA_S3_CHAVE: CREDENCIAIS.accessKeyId,
      MALHA_S3_SEGREDO: CREDENCIAIS.secretAccessKey,
    },
  });
  t.teardown(async () => api.fechar());
  const provedor = await povoar(api, 20);
  await api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId: provedor, dia: HOJE }, SEM_PARAR);
  const { itens } = await extratosDe(api, provedor);
  const [{ id, arquivos } = { id: 0, arquivos: [] }] = itens;
  t.is(arquivos.length, 15);
  const { texto: chave } = await api.criarChave(provedor);
  for (const { nome, bytes, sha256: soma } of arquivos) {
    const partes: Buffer[] = [];
    for (const range of [`bytes=0-${Math.floor(bytes / 2) - 1}`, `bytes=${Math.floor(bytes / 2)}-`]) {
      const resposta = await enviar({
        host: '127.0.0.1',
        port: api.porta,
        path: `/api/v1/extratos/${id}/${nome}`,
        headers: { 'x-api-key': chave, range },
      });
      t.is(resposta.status, 206);
      partes.push(resposta.bytes);
    }
    t.is(sha256(Buffer.concat(partes)), soma, nome);
  }
  relogio.definir('2026-11-30T15:00:00.000Z');
  t.is(await api.container.extratos.expirar(AUTOR, SEM_PARAR.signal), 1);
  const { status } = await enviar({
    host: '127.0.0.1',
    port: api.porta,
    path: `/api/v1/extratos/${id}/clientes.parquet`,
    headers: { 'x-api-key': chave },
  });
  t.is(status, 404);
});
