import type { IncomingMessage } from 'node:http';
import test from 'ava';
import * as fc from 'fast-check';
import { sourceIp } from '../../src/platform/http/request.ts';
import { countedNetwork, createIpList, hostOf, isIpRule, normalizeIp } from '../../src/platform/ip.ts';

test('o host de um URL é o que um soquete aceita: IPv6 sem colchetes', (t) => {
  for (const [url, host] of [
    ['mysql://u:p@[::1]:3307/malha', '::1'],
    ['https://[2001:db8::1]/x', '2001:db8::1'],
    ['mysql://u@db.example/malha', 'db.example'],
    ['https://203.0.113.7/', '203.0.113.7'],
  ] as const) {
    t.is(hostOf(new URL(url)), host);
  }
});

test('um endereço tem uma só grafia: sem zona, colchetes nem porta, e IPv4 nunca dentro de IPv6', (t) => {
  for (const [texto, esperado] of [
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:51000', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:8080', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::1', '::1'],
  ] as const) {
    t.is(normalizeIp(texto), esperado, texto);
  }
});

test('o que não é um endereço não vira um', (t) => {
  for (const texto of [
    '',
    'unknown',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '01.2.3.4',
    '1.2.3.4:',
    '::g',
    '1.2.3.4, 5.6.7.8',
    'localhost',
    '[::1',
    '_hidden',
    '10.0.0.0/8',
  ]) {
    t.is(normalizeIp(texto), null, texto);
  }
});

test('uma regra é um endereço ou uma faixa CIDR', (t) => {
  for (const regra of [
    '10.0.0.1',
    '10.0.0.0/8',
    '0.0.0.0/0',
    '10.0.0.1/32',
    '2001:db8::/32',
    '::/0',
    '::1',
    '::1/128',
  ]) {
    t.true(isIpRule(regra), regra);
  }
  for (const regra of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0/8',
    '::/129',
    'x/8',
    '10.0.0.0/8 ',
    ' 10.0.0.1',
    '10.0.0.1-10.0.0.9',
    '10.0.0.*',
    '10.0.0.0/1e1',
    '10.0.0.0/255.0.0.0',
  ]) {
    t.false(isIpRule(regra), regra);
    t.throws(() => createIpList([regra]), { instanceOf: TypeError }, regra);
  }
});

test('a lista tem os endereços das suas regras, com as bordas das faixas, e mais nenhum', (t) => {
  const lista = createIpList(['203.0.113.7', '10.1.0.0/16', '2001:db8::1', '2001:db8:1::/48', '198.51.100.129/25']);
  for (const ip of [
    '203.0.113.7',
    '10.1.0.0',
    '10.1.255.255',
    '2001:db8::1',
    '2001:db8:0:0::1',
    '2001:db8:1::',
    '2001:db8:1:ffff:ffff:ffff:ffff:ffff',
    '198.51.100.128',
    '198.51.100.255',
  ]) {
    t.true(lista.has(ip), ip);
  }
  for (const ip of [
    '203.0.113.8',
    '10.0.255.255',
    '10.2.0.0',
    '2001:db8::2',
    '2001:db8:2::',
    '2001:db8:0:ffff::',
    '198.51.100.127',
    '::1',
    '0.0.0.0',
  ]) {
    t.false(lista.has(ip), ip);
  }
  t.false(createIpList([]).has('127.0.0.1'));
});

test('uma faixa IPv4 tem o endereço que chega dentro de IPv6', (t) => {
  const lista = createIpList(['203.0.113.0/24']);
  t.true(lista.has(normalizeIp('::ffff:203.0.113.200')!));
  t.false(lista.has(normalizeIp('::ffff:203.0.114.1')!));
  t.false(lista.has('2001:db8::1'));
});

test('toda faixa tem exatamente os endereços que começam pelos seus bits', (t) => {
  const endereco = (n: number): string => [24, 16, 8, 0].map((bits) => (n >>> bits) & 255).join('.');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 0, max: 32 }),
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.boolean(),
      (base, prefixo, outro, perto) => {
        const alvo = perto ? (base ^ (outro >>> Math.max(0, prefixo - 1))) >>> 0 : outro;
        const mesmos = prefixo === 0 || base >>> (32 - prefixo) === alvo >>> (32 - prefixo);
        return createIpList([`${endereco(base)}/${prefixo}`]).has(endereco(alvo)) === mesmos;
      },
    ),
  );
  t.pass();
});

/** The part of a request that its source is read from. */
function pedido(remoto: string, encaminhado?: string | string[]): IncomingMessage {
  const headers = encaminhado === undefined ? {} : { 'x-forwarded-for': encaminhado };
  return { socket: { remoteAddress: remoto }, headers } as unknown as IncomingMessage;
}

test('sem proxies, a origem é a da conexão, diga o pedido o que disser', (t) => {
  t.is(sourceIp(pedido('203.0.113.7', '10.0.0.1'), 0), '203.0.113.7');
  t.is(sourceIp(pedido('::ffff:203.0.113.7'), 0), '203.0.113.7');
});

test('atrás de um proxy, a origem é a última que ele anotou; o que o chamador forjou fica à esquerda', (t) => {
  t.is(sourceIp(pedido('10.0.0.1', '203.0.113.7'), 1), '203.0.113.7');
  t.is(sourceIp(pedido('10.0.0.1', '127.0.0.1, 203.0.113.7'), 1), '203.0.113.7');
  t.is(sourceIp(pedido('10.0.0.1', '127.0.0.1,1.1.1.1 ,  203.0.113.7 '), 1), '203.0.113.7');
  t.is(sourceIp(pedido('10.0.0.1', ['127.0.0.1', '203.0.113.7']), 1), '203.0.113.7');
});

test('atrás de dois proxies, a origem é a penúltima', (t) => {
  t.is(sourceIp(pedido('10.0.0.1', '127.0.0.1, 203.0.113.7, 10.0.0.2'), 2), '203.0.113.7');
  t.is(sourceIp(pedido('10.0.0.1', '203.0.113.7, 10.0.0.2'), 2), '203.0.113.7');
});

test('com menos entradas do que proxies, vale a mais à esquerda; sem nenhuma que sirva, a da conexão', (t) => {
  t.is(sourceIp(pedido('10.0.0.1', '203.0.113.7'), 2), '203.0.113.7');
  t.is(sourceIp(pedido('10.0.0.1'), 1), '10.0.0.1');
  for (const encaminhado of ['', 'unknown', '203.0.113.7, x', '203.0.113.7,']) {
    t.is(sourceIp(pedido('10.0.0.1', encaminhado), 1), '10.0.0.1', encaminhado);
  }
});

test('a origem encaminhada tem a mesma grafia que a da conexão', (t) => {
  t.is(sourceIp(pedido('10.0.0.1', '[2001:DB8::1]:443'), 1), '2001:db8::1');
  t.is(sourceIp(pedido('10.0.0.1', '::ffff:203.0.113.7'), 1), '203.0.113.7');
});

test('quem não tem chave é contado pelo endereço em IPv4 e pela rede /64 em IPv6', (t) => {
  t.is(countedNetwork('203.0.113.7'), '203.0.113.7');
  const mesma = ['2001:db8:1:2::', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2:0:0:0:9'];
  t.deepEqual([...new Set(mesma.map(countedNetwork))], ['2001:db8:1:2::']);
  t.not(countedNetwork('2001:db8:1:3::1'), '2001:db8:1:2::');
  t.is(countedNetwork('::1'), countedNetwork('::2'));
  t.is(countedNetwork('2001:db8::1'), countedNetwork('2001:db8:0:0:1::'));
  t.not(countedNetwork('2001:db8::1'), countedNetwork('2001:db8:0:1::1'));
});

test('dois endereços IPv6 são contados juntos se, e só se, têm os mesmos 64 bits iniciais', (t) => {
  const grupo = fc.integer({ min: 0, max: 0xffff });
  const endereco = fc.array(fc.oneof(grupo, fc.constant(0)), { minLength: 8, maxLength: 8 });
  // The spelling that a socket gives: what the URL parser makes of it has the zeros pressed together.
  const escrever = (grupos: number[]): string =>
    new URL(`http://[${grupos.map((g) => g.toString(16)).join(':')}]`).hostname.slice(1, -1);
  fc.assert(
    fc.property(endereco, endereco, fc.boolean(), (a, b, igual) => {
      const outro = igual ? [...a.slice(0, 4), ...b.slice(4)] : b;
      const juntos = a.slice(0, 4).join() === outro.slice(0, 4).join();
      return (countedNetwork(escrever(a)) === countedNetwork(escrever(outro))) === juntos;
    }),
  );
  t.pass();
});
