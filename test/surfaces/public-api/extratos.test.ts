import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { conferirResposta } from '../../support/contrato-openapi.ts';
import { relogioEm } from '../../support/relogio.ts';
import { pastaDe, povoar, sha256 } from '../../domain/extratos/apoio.ts';

const HOJE = '2026-11-20' as Data;
const SEM_PARAR = { signal: new AbortController().signal, aoAvancar: () => {} };
let api: Api;
let provedor: number;
let chave: string;
let extrato: Awaited<ReturnType<typeof pastaDe>>;

test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
  provedor = await povoar(api, 200);
  await api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId: provedor, dia: HOJE }, SEM_PARAR);
  extrato = await pastaDe(api, provedor);
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

interface Baixado {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** One request whose body is bytes, cut off after some of them where `ate` says so. */
async function baixar(arquivo: string, headers: Record<string, string> = {}, ate = Infinity): Promise<Baixado> {
  return new Promise((resolve, reject) => {
    const alvo = `/api/v1/extratos/${extrato.id}/${arquivo}`;
    const pedido = request(
      { host: '127.0.0.1', port: api.porta, path: alvo, headers: { 'x-api-key': chave, ...headers }, agent: false },
      (res) => {
        const partes: Buffer[] = [];
        let lidos = 0;
        const fim = (): void => {
          const bytes = Buffer.concat(partes);
          conferirResposta({
            metodo: 'GET',
            alvo,
            status: res.statusCode!,
            headers: res.headers,
            texto: bytes.toString(),
          });
          resolve({ status: res.statusCode!, headers: res.headers, bytes });
        };
        res.on('data', (parte: Buffer) => {
          partes.push(parte);
          lidos += parte.length;
          if (lidos >= ate) {
            res.destroy();
            fim();
          }
        });
        res.on('end', fim);
        res.on('error', () => {});
      },
    );
    pedido.on('error', reject);
    pedido.end();
  });
}

const arquivoDe = (nome: string) => extrato.arquivos.find((um) => um.nome === nome)!;

test('a lista diz de cada extrato o dia, o instante e os arquivos, do mais novo ao mais antigo', async (t) => {
  const outro = await povoar(api, 1);
  for (const dia of ['2026-11-18', '2026-11-19', '2026-11-20']) {
    await api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId: outro, dia }, SEM_PARAR);
  }
  const { texto } = await api.criarChave(outro);
  const { corpo } = await api.get('/extratos?por_pagina=2', { chave: texto });
  t.deepEqual(
    corpo.dados.map(({ dia, situacao }: any) => [dia, situacao]),
    [
      ['2026-11-20', 'pronto'],
      ['2026-11-19', 'pronto'],
    ],
  );
  t.is(corpo.paginacao.total, 3);
  t.is(corpo.dados[0].consistente_em, '2026-11-20T15:00:00.000Z');
  t.is(corpo.dados[0].arquivos.length, 15);
  t.like(corpo.dados[0].arquivos[0], { nome: 'clientes.parquet', formato: 'parquet', linhas: 1 });
});

test('cada arquivo da lista vem inteiro, com o seu tamanho, a sua soma e o seu nome', async (t) => {
  for (const { nome, bytes, sha256: soma } of extrato.arquivos) {
    const baixado = await baixar(nome);
    t.is(baixado.status, 200, nome);
    t.is(sha256(baixado.bytes), soma, nome);
    t.like(baixado.headers, {
      'content-length': String(bytes),
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="${nome}"`,
      'accept-ranges': 'bytes',
      etag: `"${soma}"`,
    });
  }
});

test('uma transferência cortada continua por intervalos e dá a mesma soma', async (t) => {
  const { bytes, sha256: soma } = arquivoDe('clientes.parquet');
  const partes: Buffer[] = [(await baixar('clientes.parquet', {}, 1000)).bytes];
  for (let tem = partes[0]!.length; tem < bytes;) {
    const {
      status,
      headers,
      bytes: parte,
    } = await baixar('clientes.parquet', {
      range: `bytes=${tem}-${tem + 6999}`,
      'if-range': `"${soma}"`,
    });
    t.is(status, 206);
    t.is(headers['content-range'], `bytes ${tem}-${Math.min(tem + 6999, bytes - 1)}/${bytes}`);
    partes.push(parte);
    tem += parte.length;
  }
  t.is(sha256(Buffer.concat(partes)), soma);
});

test('cada forma de Range dá o que a RFC 9110 diz', async (t) => {
  const { bytes, sha256: soma } = arquivoDe('planos.ndjson.gz');
  const inteiro = await readFile(path.join(extrato.pasta, 'planos.ndjson.gz'));
  const pedir = async (range: string, mais = {}) => baixar('planos.ndjson.gz', { range, ...mais });
  for (const [range, de, ate] of [
    ['bytes=0-0', 0, 0],
    ['bytes=5-', 5, bytes - 1],
    ['bytes=-7', bytes - 7, bytes - 1],
    [`bytes=-${bytes + 9}`, 0, bytes - 1],
    [`bytes=3-${bytes + 9}`, 3, bytes - 1],
  ] as const) {
    const { status, bytes: parte, headers } = await pedir(range);
    t.is(status, 206, range);
    t.is(headers['content-range'], `bytes ${de}-${ate}/${bytes}`);
    t.is(headers['content-length'], String(ate - de + 1));
    t.true(parte.equals(inteiro.subarray(de, ate + 1)), range);
  }
  for (const range of ['bytes=4-2', 'bytes=-', 'linhas=0-1', 'bytes=0-1,3-4', 'bytes=a-b']) {
    const { status, bytes: parte } = await pedir(range);
    t.is(status, 200, range);
    t.true(parte.equals(inteiro), range);
  }
  for (const range of [`bytes=${bytes}-`, 'bytes=-0', 'bytes=999999999999999-']) {
    const { status, headers, bytes: corpo } = await pedir(range);
    t.is(status, 416, range);
    t.is(headers['content-range'], `bytes */${bytes}`);
    t.is(JSON.parse(corpo.toString()).erro.codigo, 'intervalo_invalido');
  }
  t.is((await pedir('bytes=0-3', { 'if-range': '"outra"' })).status, 200);
  t.is((await pedir('bytes=0-3', { 'if-range': 'Fri, 20 Nov 2026 15:00:00 GMT' })).status, 200);
  const sabida = await pedir('bytes=0-3', { 'if-none-match': `"${soma}"` });
  t.is(sabida.status, 304);
  t.is(sabida.bytes.length, 0);
});

test('só um nome do manifesto leva a um arquivo', async (t) => {
  for (const nome of [
    '..%2F..%2F1%2Fclientes.parquet',
    '%2e%2e%2fmanifesto.json',
    '.parcial-clientes.parquet',
    'Clientes.parquet',
    'clientes.parquet%00',
    'toString',
    '%2Fetc%2Fpasswd',
  ]) {
    const { status, corpo } = await api.get(`/extratos/${extrato.id}/${nome}`, { chave });
    t.is(status, 404, nome);
    t.is(corpo.erro.codigo, 'nao_encontrado', nome);
  }
  t.is((await api.get(`/extratos/${extrato.id}/`, { chave })).corpo.erro.codigo, 'rota_inexistente');
  t.is((await api.get('/extratos/x/clientes.parquet', { chave })).corpo.erro.codigo, 'id_invalido');
  t.is((await api.get('/extratos/999999/clientes.parquet', { chave })).corpo.erro.codigo, 'nao_encontrado');
  t.is(
    (await api.get(`/extratos/${extrato.id}/clientes.parquet?x=1`, { chave })).corpo.erro.codigo,
    'parametro_invalido',
  );
});

test('o extrato de outro provedor não existe, e sem a permissão não há extrato', async (t) => {
  const { texto: deOutro } = await api.criarChave(await povoar(api, 1));
  const caminho = `/extratos/${extrato.id}/clientes.parquet`;
  t.is((await api.get(caminho, { chave: deOutro })).corpo.erro.codigo, 'nao_encontrado');
  t.deepEqual((await api.get('/extratos', { chave: deOutro })).corpo.dados, []);
  const { texto: sem } = await api.criarChave(provedor, { permissoes: ['clientes:leitura', 'financeiro:leitura'] });
  for (const alvo of [caminho, '/extratos']) {
    t.is((await api.get(alvo, { chave: sem })).corpo.erro.codigo, 'permissao_insuficiente');
  }
  const { texto: so } = await api.criarChave(provedor, { permissoes: ['extratos:leitura'] });
  t.is((await api.get('/extratos', { chave: so })).status, 200);
});

test('um arquivo que já não está no armazém é 404, e não 500', async (t) => {
  const outro = await povoar(api, 1);
  await api.container.tarefas.executar(AUTOR, { tarefa: 'extratos.gerar', provedorId: outro, dia: HOJE }, SEM_PARAR);
  const { id, pasta } = await pastaDe(api, outro);
  await rm(pasta, { recursive: true });
  const { texto } = await api.criarChave(outro);
  t.is((await api.get(`/extratos/${id}/clientes.parquet`, { chave: texto })).corpo.erro.codigo, 'nao_encontrado');
});
