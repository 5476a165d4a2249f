import test from 'ava';
import { ConfigError, loadConfig } from '../../../src/platform/config.ts';
import { readAddress } from '../../../src/platform/redis/address.ts';

test('um Cluster: nós, portas de costume, IPv6, usuário, senha e TLS', (t) => {
  t.deepEqual(readAddress('redis+cluster://a:7000, b,[::1]:7002/0'), {
    kind: 'cluster',
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 7002 },
    ],
    options: {},
  });
  t.deepEqual(readAddress('rediss+cluster://u:s%40n%3Aha@a:65535'), {
    kind: 'cluster',
    nodes: [{ host: 'a', port: 65_535 }],
    options: { username: 'u', password: 's@n:ha', tls: {} },
  });
});

test('sentinelas: o nome do mestre, o banco e a senha delas', (t) => {
  t.deepEqual(readAddress('redis+sentinel://:senha@a,b:1/malha/3?sentinelPassword=ou%26tra'), {
    kind: 'sentinel',
    options: {
      password: 'senha',
      name: 'malha',
      db: 3,
      sentinels: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 1 },
      ],
      sentinelPassword: 'ou&tra',
    },
  });
  t.like(readAddress('rediss+sentinel://a/meu%20mestre/'), {
    options: { name: 'meu mestre', db: 0, sentinelTLS: {}, enableTLSForSentinelMode: true },
  });
});

for (const [url, dito] of Object.entries({
  'redis+cluster://': /faltam os endereços/,
  'redis+cluster://u:segredo@': /faltam os endereços/,
  'redis+cluster:///0': /faltam os endereços/,
  'redis+cluster://segredo:0': /portas vão de 1 a 65535/,
  'redis+cluster://segredo:70000': /portas vão de 1 a 65535/,
  'redis+cluster://segredo:x': /cada endereço é host:porta/,
  'redis+cluster://segredo:': /cada endereço é host:porta/,
  'redis+cluster://a,,b': /cada endereço é host:porta/,
  'redis+cluster://a b': /cada endereço é host:porta/,
  'redis+cluster://[segredo:1': /cada endereço é host:porta/,
  'redis+cluster://a:1,b:1,A:1': /duas vezes/,
  'redis+cluster://a,a:6379': /duas vezes/,
  'redis+cluster://a/1': /só tem o banco 0/,
  'redis+cluster://a?db=1': /nada vem depois/,
  'redis+cluster://u:segredo%@a': /se escreve %25/,
  'redis+cluster://u:%zzsegredo@a': /se escreve %25/,
  'redis+cluster://u:seg#redo@a': /# se escreve %23/,
  'redis+sentinel://a': /falta o nome do mestre/,
  'redis+sentinel://a/': /falta o nome do mestre/,
  'redis+sentinel:///malha': /faltam os endereços/,
  'redis+sentinel://a:0/malha': /portas vão de 1 a 65535/,
  'redis+sentinel://a,a/malha': /duas vezes/,
  'redis+sentinel://a/malha/x': /banco do Redis é um número/,
  'redis+sentinel://a/malha/-1': /banco do Redis é um número/,
  'redis+sentinel://a/malha/1/2': /nada vem depois do banco/,
  'redis+sentinel://a/mal%ha': /se escreve %25/,
  'redis+sentinel://a/malha?senha=segredo': /só vem sentinelPassword/,
  'redis+sentinel://a/malha?sentinelPassword=': /só vem sentinelPassword/,
  'redis+sentinel://a/malha?sentinelPassword=%': /se escreve %25/,
})) {
  test(`${url} é recusado ao começar, numa linha que não repete o que pode ser segredo`, (t) => {
    for (const nome of ['REDIS_URL', 'QUEUE_REDIS_URL']) {
      const { message } = t.throws(() => loadConfig({ [nome]: url }), { instanceOf: ConfigError });
      t.regex(message, new RegExp(`^Configuração inválida: ${nome} — .+\\.$`));
      t.regex(message, dito);
      t.notRegex(message, /segredo|\n/);
    }
  });
}
