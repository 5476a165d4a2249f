import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { isPublicUnicast } from '../../../src/platform/http/outbound/addresses.ts';
import { OutboundFailure, certificateRefused } from '../../../src/platform/http/outbound/failure.ts';
import { createOutbound } from '../../../src/platform/http/outbound/outbound.ts';
import type { OutboundDeps } from '../../../src/platform/http/outbound/outbound.ts';
import { createNameResolver, createOwnEndpoints } from '../../../src/platform/http/outbound/resolving.ts';
import { UrlRefused } from '../../../src/platform/http/outbound/url.ts';
import { createIpList } from '../../../src/platform/ip.ts';
import { criarDns } from '../../support/dns.ts';
import type { Dns } from '../../support/dns.ts';
import { servidorDeTeste } from '../../support/nfcom/certificados.ts';

/** Stands for a public address: nothing of a test goes further than this machine. */
const PUBLICO = '127.0.0.2';
const LOCAL = '127.0.0.1';
const NENHUMA = createIpList([]);

let dns: Dns;
/** Whatever a connection is opened to: at the address that may be called, and at the one that may not, on one port. */
let porta: number;
const chegaram: { readonly em: string; readonly pedido: IncomingMessage }[] = [];
let responder: RequestListener = (_pedido, resposta) => void resposta.end('ok');
const servidores: Server[] = [];

test.before(async () => {
  dns = await criarDns();
  for (const em of [PUBLICO, LOCAL]) {
    const servidor = createServer((pedido, resposta) => {
      chegaram.push({ em, pedido });
      responder(pedido, resposta);
    });
    await new Promise<void>((feito) => {
      servidor.listen(porta ?? 0, em, feito);
    });
    porta = (servidor.address() as AddressInfo).port;
    servidores.push(servidor);
  }
});
test.after.always(async () => {
  for (const servidor of servidores) {
    servidor.closeAllConnections();
    servidor.close();
  }
  await dns.fechar();
});
test.beforeEach(() => {
  chegaram.length = 0;
  responder = (_pedido, resposta) => void resposta.end('ok');
});

const REGRAS = { allowHttp: true, forbidden: NENHUMA, permitted: createIpList([PUBLICO]) } as const;

function criarSaida(mais: Partial<OutboundDeps> = {}) {
  return createOutbound({
    rules: REGRAS,
    resolve: createNameResolver([dns.endereco]),
    own: async () => Promise.resolve([]),
    ...mais,
  });
}

const pedir = async (url: string, mais: Partial<OutboundDeps> = {}) => {
  const saida = criarSaida(mais);
  try {
    return await saida.send({ url, method: 'POST', headers: {}, body: '{}' });
  } finally {
    saida.close();
  }
};

const motivo = async (url: string, mais: Partial<OutboundDeps> = {}): Promise<string> => {
  try {
    await pedir(url, mais);
    return 'respondeu';
  } catch (error) {
    if (error instanceof OutboundFailure) return error.reason;
    if (error instanceof UrlRefused) return 'url';
    throw error;
  }
};

// Each of these is this machine, or leads into a network that is not public.
for (const host of [
  '127.0.0.1',
  '2130706433',
  '0177.0.0.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '127.1',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '169.254.169.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '192.88.99.1',
  '１２７.0.0.1',
]) {
  test.serial(`o endereço ${host} não é chamado, nem aceito`, async (t) => {
    t.is(await motivo(`http://${host}:${porta}/`), 'url');
    t.deepEqual(chegaram, []);
  });
}

// The same addresses, said by a name.
for (const [nome, ...enderecos] of [
  ['local.exemplo', '127.0.0.1'],
  ['local6.exemplo', '::1'],
  ['mapeado.exemplo', '::ffff:7f00:1'],
  ['nat64.exemplo', '64:ff9b::7f00:1'],
  ['seis-em-quatro.exemplo', '2002:7f00:1::1'],
  ['metadados.exemplo', '169.254.169.254'],
  ['cgnat.exemplo', '100.64.3.9'],
  ['privado.exemplo', '10.1.2.3'],
  ['misto.exemplo', PUBLICO, LOCAL],
  ['misto-invertido.exemplo', LOCAL, PUBLICO],
  ['misto-de-familias.exemplo', PUBLICO, '::1'],
] as const) {
  test.serial(`o nome que leva a ${enderecos.join(' e ')} não é chamado`, async (t) => {
    dns.dizer(nome, enderecos);
    t.is(await motivo(`http://${nome}:${porta}/`), 'forbidden');
    t.deepEqual(chegaram, []);
  });
}

test.serial('um nome que muda de endereço depois de julgado não é procurado outra vez', async (t) => {
  dns.dizer('muda.exemplo', [PUBLICO], [LOCAL]);
  const { status } = await pedir(`http://muda.exemplo:${porta}/`);
  t.is(status, 200);
  t.deepEqual(
    chegaram.map(({ em }) => em),
    [PUBLICO],
  );
  t.is(dns.perguntas.get('muda.exemplo A'), 1);
  t.is(await motivo(`http://muda.exemplo:${porta}/`), 'forbidden');
  t.is(chegaram.length, 1);
});

test.serial('uma conexão aberta serve outra vez, e continua no endereço que foi julgado', async (t) => {
  dns.dizer('aberta.exemplo', [PUBLICO], [LOCAL]);
  const saida = criarSaida();
  for (let vez = 0; vez < 3; vez += 1) {
    await saida.send({ url: `http://aberta.exemplo:${porta}/`, method: 'POST', headers: {}, body: '{}' });
  }
  saida.close();
  t.deepEqual(new Set(chegaram.map(({ em }) => em)), new Set([PUBLICO]));
  t.is(new Set(chegaram.map(({ pedido }) => pedido.socket.remotePort)).size, 1);
});

test.serial('um redirecionamento não é seguido, leve aonde levar', async (t) => {
  dns.dizer('redireciona.exemplo', [PUBLICO]);
  for (const status of [301, 302, 303, 307, 308]) {
    responder = (_pedido, resposta) =>
      void resposta.writeHead(status, { location: `http://${LOCAL}:${porta}/segredo` }).end();
    t.is((await pedir(`http://redireciona.exemplo:${porta}/`)).status, status);
  }
  t.deepEqual(new Set(chegaram.map(({ em }) => em)), new Set([PUBLICO]));
});

test.serial('redes proibidas não são chamadas, nem as dos servidores do próprio serviço', async (t) => {
  dns.dizer('proibido.exemplo', [PUBLICO]);
  const url = `http://proibido.exemplo:${porta}/`;
  t.is(await motivo(url, { rules: { ...REGRAS, forbidden: createIpList(['127.0.0.2/31']) } }), 'forbidden');
  const own = createOwnEndpoints([`mysql://malha:x@${PUBLICO}:${porta}/malha`], []);
  t.is(await motivo(url, { own }), 'forbidden');
  // Of a permitted network, all but their ports.
  t.is(await motivo(url, { own: createOwnEndpoints([`redis://${PUBLICO}:1/0`], []) }), 'respondeu');
  t.deepEqual(await createOwnEndpoints(['mysql://localhost/malha?socketPath=/tmp/x', '/tmp/redis.sock'], [])(), []);
  const aqui = await createOwnEndpoints([], [porta])();
  t.true(aqui.some(({ address, port }) => address === LOCAL && port === porta));
});

test.serial('sem permissão expressa, nem o endereço do teste se chama', async (t) => {
  dns.dizer('sem-permissao.exemplo', [PUBLICO]);
  t.is(
    await motivo(`http://sem-permissao.exemplo:${porta}/`, { rules: { ...REGRAS, permitted: NENHUMA } }),
    'forbidden',
  );
});

test.serial('da resposta leem-se 64 KiB', async (t) => {
  dns.dizer('grande.exemplo', [PUBLICO]);
  responder = (_pedido, resposta) => {
    resposta.writeHead(200);
    // Without an end, as of one who wants to fill our memory.
    const mandar = (): void => {
      while (!resposta.destroyed && resposta.write(Buffer.alloc(16_384, 'a')));
    };
    resposta.on('drain', mandar);
    mandar();
  };
  const { body } = await pedir(`http://grande.exemplo:${porta}/`);
  t.is(body.length, 65_536);
});

test.serial('quem não responde, responde aos poucos, ou nem conecta, não é esperado além do prazo', async (t) => {
  dns.dizer('lento.exemplo', [PUBLICO]);
  const patience = { connectMs: 300, wholeMs: 600 };
  responder = () => {};
  t.is(await motivo(`http://lento.exemplo:${porta}/`, { patience }), 'timeout');
  responder = (_pedido, resposta) => {
    const aos = setInterval(() => resposta.write('a'), 50);
    resposta.on('close', () => clearInterval(aos));
  };
  t.is(await motivo(`http://lento.exemplo:${porta}/`, { patience }), 'timeout');
  // Accepts the connection, and says nothing of TLS.
  const mudo = createSocketServer(() => {});
  await new Promise<void>((feito) => {
    mudo.listen(0, PUBLICO, feito);
  });
  const { port } = mudo.address() as AddressInfo;
  const inicio = performance.now();
  t.is(await motivo(`https://lento.exemplo:${port}/`, { patience: { connectMs: 300, wholeMs: 10_000 } }), 'timeout');
  t.true(performance.now() - inicio < 5000);
  mudo.close();
});

test.serial('o que não se alcança diz por quê', async (t) => {
  dns.dizer('existe.exemplo', [PUBLICO]);
  t.is(await motivo('http://nao-existe.exemplo:8080/'), 'dns');
  t.is(await motivo('http://existe.exemplo:1025/'), 'refused');
  responder = (pedido) => void pedido.socket.destroy();
  t.is(await motivo(`http://existe.exemplo:${porta}/`), 'broken');
  t.is(await motivo(`https://existe.exemplo:${porta}/`), 'tls');
});

test.serial('o certificado que o servidor não aceita é dito assim em cada versão de TLS', async (t) => {
  const { autoridade: ca, certificado: cert, chave: key } = servidorDeTeste('existe.exemplo');
  dns.dizer('existe.exemplo', [PUBLICO]);
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const exigente = createSecureServer({ cert, key, maxVersion, requestCert: true, ca }, () => t.fail());
    await new Promise<void>((feito) => {
      exigente.listen(0, PUBLICO, feito);
    });
    const { port } = exigente.address() as AddressInfo;
    t.is(await motivo(`https://existe.exemplo:${port}/`, { ca }), 'tls', maxVersion);
    exigente.close();
  }
});

test('que o servidor não aceita o certificado lê-se com os nomes de cada OpenSSL', (t) => {
  const com = (code: string): Error => Object.assign(new Error(code), { code });
  const daChamada = [
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
    'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED',
    'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REVOKED',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  ];
  t.deepEqual(
    daChamada.filter((code) => !certificateRefused(com(code))),
    [],
  );
  const deOutraCoisa = ['ERR_SSL_SSL/TLS_ALERT_BAD_RECORD_MAC', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'ECONNRESET'];
  t.deepEqual(
    deOutraCoisa.filter((code) => certificateRefused(com(code))),
    [],
  );
});

test.serial('não se usa proxy do ambiente, nem se guarda biscoito', async (t) => {
  dns.dizer('limpo.exemplo', [PUBLICO]);
  process.env['HTTP_PROXY'] = `http://${LOCAL}:${porta}`;
  process.env['http_proxy'] = `http://${LOCAL}:${porta}`;
  responder = (_pedido, resposta) => void resposta.setHeader('set-cookie', 'a=b').end();
  const saida = criarSaida();
  for (let vez = 0; vez < 2; vez += 1) {
    await saida.send({ url: `http://limpo.exemplo:${porta}/`, method: 'POST', headers: {}, body: '{}' });
  }
  saida.close();
  delete process.env['HTTP_PROXY'];
  delete process.env['http_proxy'];
  t.deepEqual(
    chegaram.map(({ em, pedido }) => [em, pedido.headers.cookie]),
    [
      [PUBLICO, undefined],
      [PUBLICO, undefined],
    ],
  );
});

const SEM_HTTP = { ...REGRAS, allowHttp: false, permitted: NENHUMA };
for (const [url, aceito] of [
  ['https://crm.exemplo.com.br/malha', true],
  ['https://crm.exemplo.com.br:443/malha', true],
  ['https://crm.exemplo.com.br:8443/malha?a=b', true],
  ['https://[2606:4700::1111]/', true],
  ['https://1.1.1.1/', true],
  ['http://crm.exemplo.com.br/', false],
  ['ftp://crm.exemplo.com.br/', false],
  ['https://crm.exemplo.com.br:80/', false],
  ['https://crm.exemplo.com.br:1023/', false],
  ['https://ana@crm.exemplo.com.br/', false],
  ['https://ana:senha@crm.exemplo.com.br/', false],
  ['https://crm.exemplo.com.br/#parte', false],
  ['https://crm.exemplo.com.br/#', false],
  ['https://crm.exemplo.com.br\\@127.0.0.1/', false],
  ['https://crm.exem\nplo.com.br/', false],
  [' https://crm.exemplo.com.br/', false],
  [`https://crm.exemplo.com.br/${'a'.repeat(2000)}`, false],
  ['https:///', false],
  ['crm.exemplo.com.br', false],
  ['', false],
] as const) {
  test(`o endereço ${JSON.stringify(url.slice(0, 60))} ${aceito ? 'serve' : 'não serve'}`, (t) => {
    const saida = createOutbound({
      rules: SEM_HTTP,
      resolve: async () => Promise.resolve([]),
      own: async () => Promise.resolve([]),
    });
    if (aceito) t.is(saida.check(url).protocol, 'https:');
    else t.throws(() => saida.check(url), { instanceOf: UrlRefused });
    saida.close();
  });
}

test('endereços públicos são públicos', (t) => {
  for (const ip of [
    '1.1.1.1',
    '8.8.8.8',
    '177.10.0.1',
    '200.160.2.3',
    '2606:4700::1111',
    '2804:14c::1',
    '2001:4860::1',
  ]) {
    t.true(isPublicUnicast(ip), ip);
  }
  for (const ip of ['', 'localhost', '127.0.0.1', '::1', '2606:4700::1111%eth0', '1.1.1.1/8']) {
    t.false(isPublicUnicast(ip), ip);
  }
});
