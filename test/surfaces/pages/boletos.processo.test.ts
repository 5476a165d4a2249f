import { get, request } from 'node:http';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { BOLETO, criarCobrado, pedirPagina } from '../../support/cobrancas.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

// Documents that fail or take long; those that do neither are in pagamento.processo.test.ts.

/** As long as the thread that stands for the boletos' own takes for one that takes long. */
const DEMORA_MS = 3000;

const partes: string[] = [];
const destinoDoLog = new Writable({
  write(parte: Buffer, _codificacao, feito) {
    partes.push(parte.toString());
    feito();
  },
});
const linhasDoLog = (): any[] => partes.flatMap((parte) => parte.trim().split('\n')).map((linha) => JSON.parse(linha));

let api: Api;
let cobrado: Awaited<ReturnType<typeof criarCobrado>>;

test.before(async () => {
  api = await criarApi({
    relogio: relogioEm('2026-11-20T15:00:00.000Z'),
    pastaDeThreads: new URL('../../workers/threads/', import.meta.url),
    env: { MALHA_LOG: 'info', MALHA_LOG_REQUISICOES: 'sim' },
    destinoDoLog,
  });
  cobrado = await criarCobrado(api, criarFabrica(api.dono));
});
test.after.always(() => api.fechar());

async function boleto(descricao: string): Promise<string> {
  const { token } = await cobrado.fatura({ tipo: 'boleto', ...BOLETO, descricao });
  return `/boleto/${token}`;
}

/** A request whose answer nobody waits for. */
function largar(metodo: string, caminho: string): void {
  request({ host: '127.0.0.1', port: api.porta, method: metodo, path: caminho, agent: false })
    .on('error', () => {})
    .on('response', (resposta) => resposta.destroy())
    .end();
}

test.serial(
  'um boleto que não se desenha é a página 500, no log com o id da requisição e contado como 500',
  async (t) => {
    const caminho = await boleto('FALHA');
    const resposta = await pedirPagina(api, caminho, { headers: { 'x-request-id': 'pedido-que-falha' } });
    t.is(resposta.status, 500);
    t.is(resposta.headers['content-type'], 'text/html; charset=utf-8');
    t.true(resposta.texto.includes('Algo deu errado do nosso lado'));
    const linhas = linhasDoLog().filter(({ requestId }) => requestId === 'pedido-que-falha');
    t.deepEqual(
      linhas.map(({ msg, status }) => [msg, status]),
      [
        ['falha inesperada', undefined],
        ['requisição', 500],
      ],
    );
    t.is((await pedirPagina(api, await boleto('bom'))).status, 200);
  },
);

test.serial('um HEAD não faz o documento: nem o que falha nem o que demora', async (t) => {
  for (const caminho of [await boleto('FALHA no HEAD'), await boleto('DEMORA para o HEAD')]) {
    let feito = false;
    void sleep(DEMORA_MS).then(() => {
      feito = true;
    });
    const { status, headers, texto } = await pedirPagina(api, caminho, { metodo: 'HEAD' });
    t.false(feito);
    t.deepEqual([status, headers['content-type'], texto], [200, 'application/pdf', '']);
    t.truthy(headers.etag);
    t.is(headers['content-length'], undefined);
  }
});

test.serial('um documento que falha, pedido e largado de todo modo, não derruba o processo', async (t) => {
  const caminhos = [await boleto('FALHA largada'), await boleto('CAI NO MEIO')];
  for (const caminho of caminhos) {
    for (const metodo of ['GET', 'HEAD', 'GET', 'HEAD']) largar(metodo, caminho);
    await t.throwsAsync(
      new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: api.porta, path: caminho, agent: false }, (resposta) => {
          if (resposta.statusCode === 500) reject(new Error('500'));
          resposta.on('error', reject).on('end', resolve).resume();
        });
      }),
    );
  }
  t.is((await pedirPagina(api, await boleto('outro bom'))).status, 200);
});

test.serial('o que não é um pedido de boleto é respondido sem esperar a vez de um', async (t) => {
  let feito = false;
  const demora = pedirPagina(api, await boleto('DEMORA')).finally(() => {
    feito = true;
  });
  await sleep(200);
  const bom = await boleto('outro');
  const vistos = await Promise.all([
    pedirPagina(api, bom, { metodo: 'POST' }),
    pedirPagina(api, '/boleto/x'),
    pedirPagina(api, '/boleto/'),
    pedirPagina(api, `${bom}/situacao`),
  ]);
  t.deepEqual(
    vistos.map(({ status }) => status),
    [405, 404, 404, 404],
  );
  t.false(feito);
  t.is((await demora).status, 200);
});

test.serial('quem passa do limite da sua rede não toma a vez de ninguém', async (t) => {
  const caminho = await boleto('limite');
  const outra = await criarApi({
    bancoDe: api,
    relogio: relogioEm('2026-11-20T15:00:00.000Z'),
    pastaDeThreads: new URL('../../workers/threads/', import.meta.url),
  });
  try {
    // A network may ask 3,000 times a minute; where that takes longer, the next minute is filled.
    for (let cheia = false; !cheia;) {
      const respostas = await Promise.all(Array.from({ length: 500 }, () => pedirPagina(outra, '/pagar/x')));
      cheia = respostas.some(({ status }) => status === 429);
    }
    const demora = await boleto('DEMORA e passa');
    t.is((await pedirPagina(outra, demora)).status, 429);
    t.is((await pedirPagina(outra, caminho)).status, 429);
  } finally {
    await outra.fechar();
  }
});

test.serial('um download interrompido não vai para o log', async (t) => {
  const caminho = await boleto('GRANDE');
  await new Promise<void>((resolve) => {
    get({ host: '127.0.0.1', port: api.porta, path: caminho, agent: false }, (resposta) => {
      resposta.once('data', () => {
        resposta.destroy();
        resolve();
      });
    });
  });
  const antes = linhasDoLog().length;
  t.is((await pedirPagina(api, '/pagar/x', { headers: { 'x-request-id': 'depois-do-interrompido' } })).status, 404);
  await ate(async () => linhasDoLog().length > antes);
  await sleep(200);
  t.deepEqual(
    linhasDoLog().filter(({ err }) => err?.code === 'ERR_STREAM_PREMATURE_CLOSE'),
    [],
  );
});
