import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';

/** What a client does with one connection. */
export interface Roteiro {
  /** What it would send, one thing after the other. */
  readonly mensagens: readonly string[];
  /** How much of that it sends before its end, from 0 to 1. */
  readonly parte: number;
  /** In how many pieces, with a pause before each. */
  readonly pedacos: number;
  readonly pausaMs: number;
  readonly le: boolean;
  readonly fim: 'reset' | 'fecha' | 'fecha o seu lado' | 'fica';
  readonly esperaMs: number;
  /** Whether it is for the port of metrics. */
  readonly gestao: boolean;
}

const cabecalhos = fc.constantFrom(
  'Host: x',
  'Host: x\r\nConnection: close',
  'Host: x\r\nHost: y',
  'X-A: b',
  'Host: x\r\nX-API-Key: malha_1_x',
  `Host: x\r\nX-API-Key: malha_1_${'a'.repeat(38)}`,
  `Host: x\r\nX-A: ${'a'.repeat(20_000)}`,
  'Host: x\r\nExpect: 100-continue',
  'Host: x\r\nExpect: nada',
  'Host: x\r\n: b',
);
const alvo = fc.constantFrom(
  '/api/v1/status',
  '/api/v1/clientes?pagina=1',
  '/api/v1/openapi.json',
  '/api/v1/docs/swagger-ui-bundle.js',
  '/pix/x',
  '/boleto/x',
  '/pre-cadastro/x',
  '/webhooks/pix/x',
  '/healthz',
  '/readyz',
  '/metrics',
  '/filas',
  'http://x/api/v1/status',
  'http://[/',
  '//x@[/#',
  '/%',
  '*',
  'a:1',
);
const simples = fc.tuple(alvo, cabecalhos).map(([a, c]) => `GET ${a} HTTP/1.1\r\n${c}\r\n\r\n`);
const corpo = fc.constantFrom(
  'Content-Length: 4\r\n\r\n{}{}',
  'Content-Length: 9999\r\n\r\n{"pix":[',
  'Content-Length: 4\r\nContent-Length: 5\r\n\r\n{}',
  'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n{}{}',
  'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n',
);
const comCorpo = fc
  .tuple(fc.constantFrom('POST', 'PATCH', 'PUT'), alvo, cabecalhos, corpo)
  .map(([metodo, a, c, texto]) => `${metodo} ${a} HTTP/1.1\r\nContent-Type: application/json\r\n${c}\r\n${texto}`);
const conexao = fc.constantFrom('a:1', 'x', '[::1]:443').map((a) => `CONNECT ${a} HTTP/1.1\r\nHost: x\r\n\r\n`);
const upgrade = fc
  .tuple(alvo, fc.constantFrom('websocket', 'h2c', 'x'))
  .map(([a, u]) => `GET ${a} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${u}\r\n\r\nlixo`);
const lixo = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.constantFrom('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', '\u0016\u0003\u0001'),
);
const emFila = fc.tuple(simples, fc.integer({ min: 2, max: 8 })).map(([mensagem, vezes]) => mensagem.repeat(vezes));
const mensagem = fc.oneof({ weight: 4, arbitrary: simples }, comCorpo, comCorpo, conexao, upgrade, lixo, emFila);

/** Connections as no client should make them, and some as all do. */
export const roteiro: fc.Arbitrary<Roteiro> = fc.record({
  mensagens: fc.array(mensagem, { maxLength: 4 }),
  parte: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  pedacos: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 })),
  pausaMs: fc.integer({ min: 0, max: 40 }),
  le: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
  fim: fc.oneof(
    { weight: 4, arbitrary: fc.constant('reset' as const) },
    { weight: 2, arbitrary: fc.constant('fecha' as const) },
    { weight: 2, arbitrary: fc.constant('fecha o seu lado' as const) },
    { weight: 3, arbitrary: fc.constant('fica' as const) },
  ),
  esperaMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 200 })),
  gestao: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
});

/** Plays one; resolves to the socket, which is left as the script has it: open, where it stays. */
export async function representar(
  { mensagens, parte, pedacos, pausaMs, le, fim, esperaMs }: Roteiro,
  porta: number,
  /** The loopback address that it comes from. */
  de: string,
): Promise<Socket> {
  const socket = connect({ port: porta, host: '127.0.0.1', localAddress: de, allowHalfOpen: true });
  socket.on('error', () => {});
  if (le) socket.resume();
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  const tudo = Buffer.from(mensagens.join(''), 'latin1');
  const bytes = tudo.subarray(0, Math.ceil(tudo.length * parte));
  const passo = Math.max(1, Math.ceil(bytes.length / pedacos));
  for (let i = 0; i < bytes.length && !socket.destroyed; i += passo) {
    if (pedacos > 1) await sleep(pausaMs);
    if (socket.writable) socket.write(bytes.subarray(i, i + passo));
  }
  if (esperaMs > 0) await sleep(esperaMs);
  if (fim === 'reset') socket.resetAndDestroy();
  else if (fim === 'fecha') socket.destroy();
  else if (fim === 'fecha o seu lado') socket.end();
  return socket;
}
