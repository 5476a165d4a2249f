import { once } from 'node:events';
import { Agent } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { closeServer, createHttpServer, listen } from '../../../src/platform/http/server.ts';
import type { Fault, HttpServerOptions } from '../../../src/platform/http/server.ts';
import { enviar } from '../../support/api.ts';
import { ate } from '../../support/espera.ts';

const SECOND = 1000;

interface Servidor {
  readonly porta: number;
  /** What was refused, and why. */
  readonly faltas: Fault[];
  readonly conexoes: () => Promise<number>;
  readonly parar: () => Promise<void>;
}

type Handler = HttpServerOptions['handler'];
const ola: Handler = (_request, response) => void response.end('ola');

async function servir(
  t: ExecutionContext,
  handler: Handler,
  options: Partial<HttpServerOptions> = {},
): Promise<Servidor> {
  const faltas: Fault[] = [];
  const server: Server = createHttpServer({
    handler,
    maxConnections: 100,
    onMalformed: async (falta) => {
      faltas.push(falta);
      return { status: 400, headers: { 'X-Falta': falta }, body: falta };
    },
    ...options,
    patience: { checkMs: 20, lingerMs: 200, ...options.patience },
  });
  const porta = await listen(server, 0, '127.0.0.1');
  const parar = async (): Promise<void> => closeServer(server, 0);
  t.teardown(parar);
  const conexoes = (): Promise<number> =>
    new Promise((resolve, reject) => {
      server.getConnections((error, quantas) => (error === null ? resolve(quantas) : reject(error)));
    });
  return { porta, faltas, conexoes, parar };
}

/** A client that never closes its side by itself; `texto` is what it has read so far. */
async function abrir(t: ExecutionContext, porta: number, bytes = ''): Promise<{ socket: Socket; texto: () => string }> {
  const socket = connect({ port: porta, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  let texto = '';
  socket.on('data', (parte: Buffer) => (texto += parte.toString('latin1')));
  socket.write(bytes);
  return { socket, texto: () => texto };
}

const fim = async (socket: Socket): Promise<void> => {
  if (!socket.readableEnded) await once(socket, 'end');
};

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

test('CONNECT e depois um reset: o servidor segue', async (t) => {
  const { porta, conexoes } = await servir(t, ola, {
    // The answer is under way when the reset comes.
    onMalformed: async () => {
      await sleep(50);
      return { status: 400, headers: {}, body: '' };
    },
  });
  for (let i = 0; i < 10; i += 1) {
    const { socket } = await abrir(t, porta, CONNECT);
    socket.resetAndDestroy();
  }
  await ate(async () => (await conexoes()) === 0);
  t.is((await enviar({ port: porta, host: '127.0.0.1', agent: false })).status, 200);
});

test('CONNECT e depois um reset enquanto a resposta de antes se faz: o servidor segue', async (t) => {
  const { porta, conexoes } = await servir(t, (_request, response) => void sleep(100).then(() => response.end('ola')));
  for (let i = 0; i < 10; i += 1) {
    const { socket } = await abrir(t, porta, GET + CONNECT);
    socket.resetAndDestroy();
  }
  await ate(async () => (await conexoes()) === 0);
  t.is((await enviar({ port: porta, host: '127.0.0.1', agent: false })).status, 200);
});

test('quem é recusado lê por quê, e a conexão fecha ainda que ele não a feche', async (t) => {
  const { porta, conexoes } = await servir(t, ola);
  for (const bytes of [
    CONNECT,
    'isto não é HTTP\r\n\r\n',
    GET + CONNECT,
    `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`,
  ]) {
    const { socket, texto } = await abrir(t, porta, bytes);
    await fim(socket);
    t.regex(texto(), /HTTP\/1\.1 400 Bad Request\r\nX-Falta: syntax\r\n/);
    t.true(texto().endsWith('\r\n\r\nsyntax'));
  }
  await ate(async () => (await conexoes()) === 0);
});

test('lixo depois de uma requisição boa: a boa é respondida antes, e o lixo uma vez só', async (t) => {
  const { porta, faltas } = await servir(t, (_request, response) => void sleep(50).then(() => response.end('ola')));
  const { socket, texto } = await abrir(t, porta, `${GET}lixo\r\n\r\n`);
  for (let i = 0; i < 5; i += 1) {
    socket.write('mais lixo\r\n\r\n');
    await sleep(20);
  }
  await fim(socket);
  t.regex(texto(), /^HTTP\/1\.1 200 OK[^]*HTTP\/1\.1 400 Bad Request/);
  t.deepEqual(faltas, ['syntax']);
});

test('quem não diz nada é desligado sem resposta; quem não termina os cabeçalhos, ou o corpo, com uma', async (t) => {
  const { porta, conexoes, faltas } = await servir(
    t,
    (request, response) => {
      request.resume();
      request.on('end', () => response.end('ola'));
    },
    { patience: { headersMs: 200, requestMs: 300 } },
  );
  const calado = await abrir(t, porta);
  await fim(calado.socket);
  t.is(calado.texto(), '');
  t.deepEqual(faltas, []);
  for (const bytes of [
    'GET / HTT',
    'GET / HTTP/1.1\r\nHost: a\r\n',
    `${GET}GET /`,
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nmeio',
  ]) {
    const { socket, texto } = await abrir(t, porta, bytes);
    await fim(socket);
    t.regex(texto(), /400 Bad Request\r\nX-Falta: late\r\n/, bytes);
  }
  await ate(async () => (await conexoes()) === 0);
});

test('um corpo malformado é recusado na hora, também quando a resposta espera por ele', async (t) => {
  const { porta, conexoes } = await servir(t, (request, response) => {
    request.resume();
    request.on('end', () => response.end('ola'));
  });
  const { socket, texto } = await abrir(
    t,
    porta,
    'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nolá\r\n',
  );
  await fim(socket);
  t.regex(texto(), /^HTTP\/1\.1 400 Bad Request\r\nX-Falta: syntax\r\n/);
  await ate(async () => (await conexoes()) === 0);
});

test('uma resposta já começada não é seguida de outra quando o corpo da requisição não termina, ou é malformado', async (t) => {
  const { porta, conexoes, faltas } = await servir(
    t,
    (request, response) => {
      response.write('o');
      request.resume();
      request.on('end', () => response.end('la'));
    },
    { patience: { headersMs: 200, requestMs: 300 } },
  );
  for (const corpo of ['Content-Length: 9\r\n\r\nmeio', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n']) {
    const { socket, texto } = await abrir(t, porta, `POST / HTTP/1.1\r\nHost: a\r\n${corpo}`);
    await fim(socket);
    t.regex(texto(), /^HTTP\/1\.1 200 OK[^]*\r\n1\r\no\r\n$/);
  }
  t.deepEqual(faltas, []);
  await ate(async () => (await conexoes()) === 0);
});

const GRANDE = Buffer.alloc(40 * 2 ** 20, 'x');
const emPartes: Handler = (_request, response) => {
  let i = 0;
  const mais = (): void => {
    while (i < GRANDE.length) {
      const parte = GRANDE.subarray(i, (i += 64 * 1024));
      if (!response.write(parte)) {
        response.once('drain', mais);
        return;
      }
    }
    response.end();
  };
  response.writeHead(200, { 'Content-Length': GRANDE.length });
  mais();
};

for (const [como, handler] of Object.entries<Handler>({
  'em partes': emPartes,
  'de uma vez': (_request, response) => void response.end(GRANDE),
})) {
  test(`quem não lê a resposta é desligado; quem a lê devagar recebe-a inteira (${como})`, async (t) => {
    // Longer than a busy machine keeps the reader below from reading.
    const { porta, conexoes } = await servir(t, handler, { patience: { stalledMs: 3 * SECOND } });
    const parado = await abrir(t, porta, GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    parado.socket.pause();
    const lento = connect(porta, '127.0.0.1');
    t.teardown(() => lento.destroy());
    lento.write(GET);
    let recebidos = 0;
    while (recebidos < GRANDE.length) {
      const parte = lento.read() as Buffer | null;
      recebidos += parte?.length ?? 0;
      // 40 MB at some 5 MB/s: several times the patience for who reads nothing.
      await sleep(12);
      if (parte === null && lento.closed) break;
    }
    t.true(recebidos >= GRANDE.length);
    lento.destroy();
    await ate(async () => (await conexoes()) === 0);
  });
}

for (const [como, depois] of Object.entries({
  'os cabeçalhos de outra requisição': 'GET / HTTP/1.1\r\nX: ',
  'o que não é HTTP': 'isto não é HTTP\r\n\r\n',
  CONNECT,
})) {
  test(`quem não lê a resposta é desligado ainda que continue a enviar (${como})`, async (t) => {
    const { porta, conexoes } = await servir(t, (_request, response) => void response.end(GRANDE), {
      patience: { stalledMs: SECOND },
    });
    const { socket } = await abrir(t, porta, GET);
    socket.pause();
    socket.write(depois);
    const gotas = setInterval(() => socket.write('a'), 50);
    t.teardown(() => clearInterval(gotas));
    t.is(await conexoes(), 1);
    await ate(async () => (await conexoes()) === 0);
  });
}

test('uma conexão que o Node soltou por CONNECT não impede o servidor de parar', async (t) => {
  const { porta, parar } = await servir(t, (_request, response) => void response.end(GRANDE));
  const { socket } = await abrir(t, porta, GET);
  socket.pause();
  socket.write(CONNECT);
  // What comes after it on the connection is known to have been read once the server has answered another.
  await ate(async () => (await enviar({ port: porta, host: '127.0.0.1', agent: false })).texto.length > 0);
  t.is(await Promise.race([parar().then(() => 'parado'), sleep(10_000, 'espera', { ref: false })]), 'parado');
});

test('no máximo de conexões cai a que não lê a sua resposta, se em todas se responde', async (t) => {
  let pedidos = 0;
  const responder: Handler = (_request, response) => {
    pedidos += 1;
    response.end(GRANDE);
  };
  const { porta } = await servir(t, responder, { maxConnections: 3 });
  for (let i = 0; i < 3; i += 1) (await abrir(t, porta, GET)).socket.pause();
  await ate(async () => pedidos === 3);
  // It is seen at the second look.
  await ate(async () => {
    const nova = enviar({ port: porta, host: '127.0.0.1', agent: false });
    return nova.then(
      ({ texto }) => texto.length === GRANDE.length,
      () => false,
    );
  });
  t.pass();
});

test('uma resposta que demora mais do que a paciência com quem não lê não é cortada', async (t) => {
  const { porta } = await servir(t, (_request, response) => void sleep(SECOND).then(() => response.end('ola')), {
    patience: { stalledMs: 100 },
  });
  const { texto } = await enviar({ port: porta, host: '127.0.0.1', agent: false });
  t.is(texto, 'ola');
});

test('no máximo de conexões cai a que há mais tempo não pede nada, e nunca uma em que se responde', async (t) => {
  const respostas: ServerResponse[] = [];
  const eventos: string[] = [];
  const { porta, conexoes } = await servir(
    t,
    (request: IncomingMessage, response) => {
      if (request.url === '/espera') respostas.push(response);
      else response.end('ola');
    },
    { maxConnections: 4, onConnection: (evento) => void eventos.push(evento) },
  );
  const emCurso = await abrir(t, porta, GET.replace('/', '/espera'));
  const ociosa = await abrir(t, porta, GET);
  await ate(async () => respostas.length === 1 && ociosa.texto().endsWith('ola'));
  const calada = await abrir(t, porta);
  // Asks again, and is then the one that has waited least.
  ociosa.socket.write(GET);
  await ate(async () => ociosa.texto().split('HTTP/1.1').length === 3);
  const outra = await abrir(t, porta);
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  t.is((await enviar({ port: porta, host: '127.0.0.1', agent })).texto, 'ola');
  await fim(calada.socket);
  t.is(await conexoes(), 4);
  t.false(ociosa.socket.readableEnded);
  t.false(outra.socket.readableEnded);
  t.is(eventos.filter((evento) => evento === 'dropped').length, 1);

  // A crowd that asks for nothing keeps nobody out.
  for (let i = 0; i < 20; i += 1) await abrir(t, porta);
  t.is((await enviar({ port: porta, host: '127.0.0.1', agent: false })).texto, 'ola');
  respostas[0]?.end('enfim');
  await ate(async () => emCurso.texto().endsWith('enfim'));
});

test('quando em todas se responde, é a nova que não entra', async (t) => {
  const respostas: ServerResponse[] = [];
  const { porta } = await servir(t, (_request, response) => void respostas.push(response), { maxConnections: 2 });
  const clientes = [await abrir(t, porta, GET), await abrir(t, porta, GET)];
  await ate(async () => respostas.length === 2);
  const nova = await abrir(t, porta);
  await fim(nova.socket);
  for (const response of respostas) response.end('ola');
  await ate(async () => clientes.every(({ texto }) => texto().endsWith('ola')));
  t.is(nova.texto(), '');
});

const ALVOS: Readonly<Record<string, { url: string; host: string } | Fault>> = {
  '/a?b': { url: '/a?b', host: 'x' },
  '/a#b': { url: '/a', host: 'x' },
  '//x@[/#': { url: '//x@[/', host: 'x' },
  '//[': { url: '//[', host: 'x' },
  '*': { url: '*', host: 'x' },
  'http://Y:80/a?b#c': { url: '/a?b', host: 'Y:80' },
  'https://y?b': { url: '/?b', host: 'y' },
  'http://[::1]:8080': { url: '/', host: '[::1]:8080' },
  'http://[/': 'target',
  'http://': 'target',
  'http:///a': 'target',
  'http://y:99999/': 'target',
  'http://y:b/': 'target',
  'http://u@y/': 'target',
  'http://%zz/': 'target',
  'ftp://y/': 'target',
  'a:1': 'syntax',
};
test('todo alvo chega aos leitores como um caminho, ou é recusado', async (t) => {
  const { porta } = await servir(t, ({ url, headers }, response) => {
    response.end(JSON.stringify({ url, host: headers.host }));
  });
  for (const [alvo, esperado] of Object.entries(ALVOS)) {
    const { socket, texto } = await abrir(t, porta, `GET ${alvo} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await fim(socket);
    const corpo = texto().slice(texto().indexOf('\r\n\r\n') + 4);
    if (typeof esperado === 'string') t.is(corpo, esperado, alvo);
    else t.deepEqual(JSON.parse(corpo), esperado, alvo);
  }
});

test('dois cabeçalhos Host são recusados, e a conexão segue', async (t) => {
  const { porta } = await servir(t, ola);
  const { texto } = await abrir(t, porta, `GET / HTTP/1.1\r\nHost: x\r\nhOST: x\r\n\r\n${GET}`);
  await ate(async () => texto().endsWith('ola'));
  t.regex(texto(), /^HTTP\/1\.1 400 Bad Request\r\nX-Falta: host\r\n/);
});
