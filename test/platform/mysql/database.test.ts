import test from 'ava';
import { knexConfig, readAddress } from '../../../src/platform/mysql/database.ts';

test('um endereço de IPv6 chega ao motor sem colchetes, e sem porta é a de sempre', (t) => {
  t.like(knexConfig({ url: 'mysql://malha:s%40nha@[2001:db8::1]:3307/malha', pool: 1 }).connection, {
    host: '2001:db8::1',
    port: 3307,
    user: 'malha',
    password: 's@nha',
    database: 'malha',
  });
  t.like(knexConfig({ url: 'mysql://malha@[::1]/malha', pool: 1 }).connection, { host: '::1', port: 3306 });
});

test('ssl=true é o do Node, e ssl={…} o que o motor recebe; onde há um soquete, não há host nem porta', (t) => {
  t.deepEqual(readAddress('mysql://malha@db/malha?ssl=true').tls, {});
  t.deepEqual(readAddress(`mysql://malha@db/malha?ssl=${encodeURIComponent('{"ca":"x"}')}`).tls, { ca: 'x' });
  t.is(readAddress('mysql://malha@db/malha').tls, null);
  const { connection } = knexConfig({ url: 'mysql://malha@localhost/malha?socketPath=%2Ftmp%2Fs', pool: 1 });
  t.like(connection, { socketPath: '/tmp/s' });
  t.false('host' in (connection as object));
});
