import { hash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { isChangeable } from '../../../src/platform/radius/attributes.ts';
import { createNasClient } from '../../../src/platform/radius/client.ts';
import { decodeReply, encodeRequest } from '../../../src/platform/radius/dynamic-authorization.ts';
import { criarNas } from '../../support/nas-coa.ts';

const SECRET = 'segredo';
const SESSION = { userName: 'joão', acctSessionId: '81a0', nasIpAddress: '10.0.0.1', framedIpAddress: '100.64.0.9' };
const END = { session: SESSION, changes: [] };
const request = encodeRequest(7, END, SECRET);

/** An answer as RFC 5176 has it signed. */
function reply(
  code: number,
  attributes: readonly number[] = [],
  { identifier = 7, secret = SECRET, to = request } = {},
): Buffer {
  const packet = Buffer.from([code, identifier, 0, 20 + attributes.length, ...Buffer.alloc(16), ...attributes]);
  to.copy(packet, 4, 4, 20);
  hash('md5', Buffer.concat([packet, Buffer.from(secret)]), 'buffer').copy(packet, 4);
  return packet;
}

test('o pedido tem código, identificador, tamanho e atributos na forma da RFC 2865', (t) => {
  t.deepEqual([...request.subarray(0, 4)], [40, 7, 0, 45]);
  const attributes = '0106' + Buffer.from('jo').toString('hex');
  t.is(request.subarray(20).toString('hex').slice(0, 8), `0107${attributes.slice(4)}`);
  t.is(request.subarray(27).toString('hex'), '04060a0000010806644000092c06' + Buffer.from('81a0').toString('hex'));
});

test('um texto vazio ou maior do que um atributo não vai num pedido', (t) => {
  for (const userName of ['', 'x'.repeat(254)]) {
    t.throws(() => encodeRequest(7, { session: { ...SESSION, userName }, changes: [] }, SECRET), {
      instanceOf: RangeError,
    });
  }
});

/** Of a rate of MikroTik's and a number of WISPr's. */
const CHANGES = [
  { attribute: 'Mikrotik-Rate-Limit', value: '50M/100M' },
  { attribute: 'WISPr-Bandwidth-Max-Down', value: '100000000' },
  { attribute: 'Acct-Interim-Interval', value: '300' },
];

test('o que muda vai num CoA-Request, cada atributo de fabricante em seu envelope', (t) => {
  const packet = encodeRequest(7, { session: SESSION, changes: CHANGES }, SECRET);
  t.is(packet[0], 43);
  t.is(packet.readUInt16BE(2), packet.length);
  const rate = `1a1000003a8c080a${Buffer.from('50M/100M').toString('hex')}`;
  t.is(packet.subarray(45).toString('hex'), `${rate}1a0c0000372a080605f5e10055060000012c`);
});

test('o que não se muda numa sessão, ou não cabe, não vai: nem endereço, nem pool, nem número grande demais', (t) => {
  for (const [attribute, value] of [
    ['Framed-IP-Address', '10.0.0.1'],
    ['Framed-Pool', 'bloqueados'],
    ['Acct-Interim-Interval', '4294967296'],
    ['Acct-Interim-Interval', '-1'],
    ['Filter-Id', ''],
    ['Filter-Id', 'x'.repeat(254)],
    ['Mikrotik-Address-List', 'x'.repeat(248)],
    ['Nunca-Visto', 'a'],
  ] as const) {
    t.false(isChangeable(attribute, value), attribute);
    t.throws(() => encodeRequest(7, { session: SESSION, changes: [{ attribute, value }] }, SECRET), {
      instanceOf: RangeError,
    });
  }
  const many = Array.from({ length: 17 }, () => ({ attribute: 'Filter-Id', value: 'x'.repeat(253) }));
  t.throws(() => encodeRequest(7, { session: SESSION, changes: many }, SECRET), { instanceOf: RangeError });
});

test('a um CoA-Request só respondem o CoA-ACK e o CoA-NAK', (t) => {
  const coa = encodeRequest(7, { session: SESSION, changes: CHANGES }, SECRET);
  t.deepEqual(decodeReply(coa, reply(44, [], { to: coa }), SECRET), { accepted: true, errorCause: null });
  t.deepEqual(decodeReply(coa, reply(45, [101, 6, 0, 0, 1, 145], { to: coa }), SECRET), {
    accepted: false,
    errorCause: 401,
  });
  for (const code of [41, 42, 43, 46]) t.is(decodeReply(coa, reply(code, [], { to: coa }), SECRET), null);
});

test('a resposta de quem sabe o segredo é lida, com a causa da recusa', (t) => {
  t.deepEqual(decodeReply(request, reply(41), SECRET), { accepted: true, errorCause: null });
  t.deepEqual(decodeReply(request, reply(42, [101, 6, 0, 0, 1, 247]), SECRET), {
    accepted: false,
    errorCause: 503,
  });
  // Padding after the packet, and another attribute before the cause.
  const padded = Buffer.concat([reply(42, [80, 3, 1, 101, 6, 0, 0, 1, 148]), Buffer.alloc(5)]);
  t.deepEqual(decodeReply(request, padded, SECRET), { accepted: false, errorCause: 404 });
  t.deepEqual(decodeReply(request, reply(42, [101, 0]), SECRET), { accepted: false, errorCause: null });
});

test('o que não é resposta assinada a este pedido não conta', (t) => {
  const tampered = reply(42, [101, 6, 0, 0, 1, 247]);
  tampered[25] = 148;
  const wrong = [
    reply(41, [], { secret: 'outro' }),
    reply(41, [], { identifier: 8 }),
    reply(44),
    reply(41).subarray(0, 19),
    Buffer.concat([reply(41).subarray(0, 3), Buffer.from([40]), reply(41).subarray(4)]),
    tampered,
    Buffer.alloc(0),
  ];
  for (const packet of wrong) t.is(decodeReply(request, packet, SECRET), null);
});

test('um NAS mudo, uma porta fechada e um segredo errado dão em nada, no prazo', async (t) => {
  const silent = await criarNas('127.0.0.1', SECRET, 'nada');
  const other = await criarNas('127.0.0.1', 'outro');
  const closed = await criarNas('127.0.0.1', SECRET);
  await closed.fechar();
  const disconnect = createNasClient({ timeoutMs: 150 });
  for (const { porta } of [silent, other, closed]) {
    const pedido = disconnect({ host: '127.0.0.1', port: porta, secret: SECRET }, END);
    t.is(await Promise.race([pedido, sleep(1000, 'ainda espera')]), null);
  }
  t.is(silent.recebidos.length, 1);
  t.like(other.recebidos, [{ assinado: false }]);
  await silent.fechar();
  await other.fechar();
});

test('a resposta certa que vem de outro endereço não conta', async (t) => {
  const nas = createSocket('udp4').bind(0, '127.0.0.1');
  const other = createSocket('udp4');
  await once(nas, 'listening');
  const { port } = nas.address();
  other.bind(port, '127.0.0.2');
  await once(other, 'listening');
  // The first of its answers is another's, each time; who waits for its own gets it.
  let own = false;
  nas.on('message', (received, { port: client, address }) => {
    const answer = reply(41, [], { identifier: received[1]!, to: received });
    other.send(answer, client, address, () => own && nas.send(answer, client, address));
  });
  const ask = (timeoutMs: number) => createNasClient({ timeoutMs })({ host: '127.0.0.1', port, secret: SECRET }, END);
  t.is(await ask(150), null);
  own = true;
  t.deepEqual(await ask(10_000), { accepted: true, errorCause: null });
  for (const socket of [nas, other]) socket.close();
});
