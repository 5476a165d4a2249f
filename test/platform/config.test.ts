import test from 'ava';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';

test('um ambiente vazio tem todos os padrões, e nada do que é opcional', (t) => {
  t.deepEqual(loadConfig({}), {
    PORT: 3000,
    HOST: '127.0.0.1',
    MALHA_ATRASO_REPLICA: 10,
    MALHA_CACHE_MB: 64,
    MALHA_CONEXOES: 5000,
    MALHA_DATA_DIR: '.data',
    MALHA_PROXIES: 0,
    MALHA_LOG: 'info',
    MALHA_LOG_REQUISICOES: 'nao',
    MALHA_METRICS_HOST: '127.0.0.1',
    MALHA_DEMO: 'auto',
    MALHA_POOL: 10,
    MALHA_EMAIL_DE: 'Malha <nao-responda@localhost>',
    MALHA_EXTRATOS_DIAS: 7,
    MALHA_S3_REGIAO: 'us-east-1',
    MALHA_WEBHOOKS_HTTP: 'nao',
    MALHA_INTERVALO_RADIUS: 300,
    NODE_ENV: 'development',
  });
});

test('uma variável vazia é o mesmo que nenhuma', (t) => {
  const vazias = {
    PORT: '',
    HOST: '',
    MALHA_DATA_DIR: '',
    DATABASE_URL: '',
    REDIS_URL: '',
    MALHA_LOG: '',
    NODE_ENV: '',
  };
  t.deepEqual(loadConfig(vazias), loadConfig({}));
  t.deepEqual(loadConfig({ PORT: ' ', HOST: ' \t' }), loadConfig({}));
});

test('os textos do ambiente viram números, e o que não é do programa é ignorado', (t) => {
  const config = loadConfig({ PORT: '0', MALHA_POOL: '25', MALHA_PROXIES: '2', PATH: '/bin', MALHA_INVENTADA: 'x' });
  t.like(config, { PORT: 0, MALHA_POOL: 25, MALHA_PROXIES: 2 });
  t.false('PATH' in config || 'MALHA_INVENTADA' in config);
});

for (const [nome, valores] of Object.entries({
  PORT: ['0', '65535'],
  MALHA_PROXIES: ['0', '10'],
  MALHA_POOL: ['1', '500'],
  MALHA_INTERVALO_RADIUS: ['30', '86400'],
  DATABASE_URL: ['mysql://u:s@h/b', 'mariadb://h/b?socketPath=/tmp/x.sock'],
  REDIS_URL: ['redis://h', 'rediss://h:6380/1', 'unix:///tmp/r.sock', '/tmp/r.sock'],
  QUEUE_REDIS_URL: ['redis://h'],
  MALHA_LOG: ['silent', 'fatal', 'error', 'warn', 'info', 'debug'],
  MALHA_DEMO: ['auto', 'sim', 'nao'],
  NODE_ENV: ['development', 'test', 'production'],
})) {
  test(`${nome} aceita ${valores.join(', ')}`, (t) => {
    for (const valor of valores) t.is(String(loadConfig({ [nome]: valor })[nome as 'PORT']), valor);
  });
}

for (const [nome, valores] of Object.entries({
  PORT: ['65536', '-1', 'x', '1.5', '80;'],
  MALHA_PROXIES: ['-1', '11', 'um'],
  MALHA_POOL: ['0', '501', '2.5'],
  MALHA_INTERVALO_RADIUS: ['29', '86401'],
  DATABASE_URL: ['postgres://segredo@h/b', 'segredo', 'http://segredo'],
  REDIS_URL: ['http://segredo', 'segredo:6379'],
  QUEUE_REDIS_URL: ['segredo:6379'],
  MALHA_LOG: ['INFO', 'trace'],
  MALHA_DEMO: ['true', 'não'],
  NODE_ENV: ['prod'],
})) {
  test(`${nome} recusa ${valores.join(', ')}, nomeando a configuração sem repetir o valor`, (t) => {
    for (const valor of valores) {
      const erro = t.throws(() => loadConfig({ [nome]: valor }), { instanceOf: ConfigError }, valor);
      t.regex(erro.message, new RegExp(`^Configuração inválida: ${nome} — .+\\. .+\\.$`));
      t.notRegex(erro.message, /segredo|must|\n/);
    }
  });
}

test('cada falha tem a sua linha, todas de uma vez', (t) => {
  const { message } = t.throws(() => loadConfig({ PORT: '99999', MALHA_POOL: 'x', REDIS_URL: 'x', MALHA_LOG: 'y' }));
  const linhas = message.split('\n');
  t.is(linhas.length, 4);
  for (const nome of ['PORT', 'MALHA_POOL', 'REDIS_URL', 'MALHA_LOG']) {
    t.is(linhas.filter((linha) => linha.startsWith(`Configuração inválida: ${nome} — `)).length, 1, nome);
  }
});

test('a falha diz o que serve', (t) => {
  t.throws(() => loadConfig({ PORT: '65536' }), { message: /deve ser no máximo 65535/ });
  t.throws(() => loadConfig({ MALHA_POOL: '0' }), { message: /deve ser no mínimo 1/ });
  t.throws(() => loadConfig({ MALHA_POOL: 'x' }), { message: /deve ser um número inteiro/ });
  t.throws(() => loadConfig({ MALHA_DEMO: 'x' }), { message: /deve ser um de: auto, sim, nao/ });
});

test('o que afrouxa a saída não se aceita em produção, e redes têm de ser redes', (t) => {
  const solta = { MALHA_REDES_PERMITIDAS: '127.0.0.0/8', MALHA_WEBHOOKS_HTTP: 'sim' };
  t.like(loadConfig(solta), solta);
  t.throws(() => loadConfig({ ...solta, NODE_ENV: 'production' }), {
    instanceOf: ConfigError,
    message: /MALHA_REDES_PERMITIDAS — não se aceita em produção[^]*MALHA_WEBHOOKS_HTTP — não se aceita em produção/,
  });
  const proibidas = { MALHA_REDES_PROIBIDAS: '203.0.113.0/24, 2001:db8::/32' };
  t.like(loadConfig({ ...proibidas, NODE_ENV: 'production' }), proibidas);
  t.throws(() => loadConfig({ MALHA_REDES_PROIBIDAS: '203.0.113.0/33' }), { message: /MALHA_REDES_PROIBIDAS/ });
});
