import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import Koa from 'koa';
import { createStreams } from '../../../src/kit/live/sse.ts';
import type { StreamOptions, StreamsDeps } from '../../../src/kit/live/sse.ts';
import { closeServer, listen } from '../../../src/platform/http/server.ts';
import { createServer } from 'node:http';
import type { LiveListener } from '../../../src/platform/live/news.ts';

async function montar(t: ExecutionContext, deps: Partial<StreamsDeps> = {}, opcoes: Partial<StreamOptions> = {}) {
  const ouvintes = new Set<LiveListener>();
  const streams = createStreams({
    hub: {
      ouvir(_id, ouvinte) {
        ouvintes.add(ouvinte);
        return () => void ouvintes.delete(ouvinte);
      },
    },
    ...deps,
  });
  const app = new Koa();
  app.use((ctx) => {
    const userId = Number(ctx.query['u'] ?? 1);
    const padrao = { tenantId: 1, userId, sessionId: 5, may: () => true, holds: async () => true };
    ctx.set('X-Posto', 'antes');
    if (!streams.open(ctx, { ...padrao, ...opcoes })) ctx.status = 503;
  });
  const server = createServer((req, res) => void app.callback()(req, res));
  const porta = await listen(server, 0, '127.0.0.1');
  t.teardown(() => closeServer(server, 100));
  const abrir = async (u = 1) => {
    const res = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ host: '127.0.0.1', port: porta, path: `/?u=${u}`, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
    const visto = { res, texto: '', fim: false };
    res.on('data', (parte: Buffer) => (visto.texto += parte.toString()));
    res.on('close', () => (visto.fim = true));
    res.on('error', () => {});
    return visto;
  };
  const dizer = (tipo: string, id: number | null) => {
    for (const ouvinte of ouvintes) ouvinte({ tipo, id });
  };
  return { abrir, dizer, streams, ouvintes };
}

async function ate(condicao: () => boolean): Promise<void> {
  for (let n = 0; n < 1000 && !condicao(); n += 1) await sleep(10);
}

test('começa por ola, e diz só o id do que se pode saber', async (t) => {
  const { abrir, dizer } = await montar(t, { commentMs: 50 }, { may: (tipo) => tipo === 'chamado' });
  const um = await abrir();
  t.is(um.res.statusCode, 200);
  t.like(um.res.headers, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-posto': 'antes',
  });
  dizer('importacao', 3);
  dizer('chamado', 12);
  dizer('atualizar', null);
  await ate(() => um.texto.includes(': .') && um.texto.includes('atualizar'));
  // When a comment comes is the clock's affair.
  const ditos = um.texto.replaceAll(/: \.\n+/g, '');
  t.true(
    ditos.startsWith(
      'event: ola\ndata: {}\n\nevent: chamado\ndata: {"id":12}\n\nevent: atualizar\ndata: {"id":null}\n\n',
    ),
  );
  t.false(um.texto.includes('importacao'));
});

test('há um limite por usuário e um por processo, e o que se fecha dá lugar', async (t) => {
  const { abrir, streams, ouvintes } = await montar(t, { limits: { perUser: 2, perProcess: 3 } });
  const primeira = await abrir();
  await abrir();
  t.is((await abrir()).res.statusCode, 503);
  t.is((await abrir(2)).res.statusCode, 200);
  t.is((await abrir(3)).res.statusCode, 503);
  primeira.res.destroy();
  await ate(() => streams.size === 2);
  t.is(ouvintes.size, 2);
  t.is((await abrir()).res.statusCode, 200);
});

test('a sessão que acabou fecha o que abriu: logo que se diz, ou quando se confere', async (t) => {
  let vale = true;
  const { abrir, dizer, streams } = await montar(t, {}, { holds: async () => vale });
  const um = await abrir();
  vale = false;
  dizer('sessao', 6);
  await sleep(50);
  t.is(streams.size, 1);
  dizer('sessao', 5);
  await ate(() => um.fim);
  t.is(streams.size, 0);
  t.false(um.texto.includes('sessao'));

  let falha = true;
  const outra = await montar(t, { checkMs: 30 }, { holds: async () => (falha ? Promise.reject(new Error()) : false) });
  const dois = await outra.abrir();
  await sleep(150);
  t.false(dois.fim);
  falha = false;
  await ate(() => dois.fim);
  t.is(outra.streams.size, 0);
});

test('quem não lê é cortado', async (t) => {
  const { abrir, dizer, streams } = await montar(t);
  const um = await abrir();
  um.res.pause();
  for (let n = 0; n < 2000 && streams.size > 0; n += 1) {
    for (let m = 0; m < 1000; m += 1) dizer('chamado', m);
    await sleep(1);
  }
  t.is(streams.size, 0);
});

test('ao esvaziar o processo, todas acabam com o tempo de voltar, e nenhuma começa', async (t) => {
  const { abrir, streams } = await montar(t);
  const um = await abrir();
  streams.drain();
  await ate(() => um.fim);
  t.regex(um.texto, /retry: [1-5]\d{3}\n\n$/);
  t.is((await abrir()).res.statusCode, 503);
});
