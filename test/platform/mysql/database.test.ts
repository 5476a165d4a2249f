import test from 'ava';
import { createDatabase, knexConfig, readAddress } from '../../../src/platform/mysql/database.ts';
import { criarBanco, urlDoDono } from '../../support/banco.ts';

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

test('de uma lista de milhares leem-se as linhas dela, e não todas as do provedor', async (t) => {
  const banco = await criarBanco();
  const db = createDatabase({ url: urlDoDono(banco.url), pool: 1 });
  t.teardown(async () => {
    await db.destroy();
    await banco.fechar();
  });
  await db.raw(
    'CREATE TEMPORARY TABLE cobrancas (provedor_id INT, contrato_id INT, mes INT, PRIMARY KEY (provedor_id, contrato_id, mes))',
  );
  await db.raw(`
    INSERT INTO cobrancas
    WITH RECURSIVE d AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM d WHERE n < 9)
    SELECT 1, a.n * 1000 + b.n * 100 + c.n * 10 + e.n, m.n FROM d a, d b, d c, d e, d m WHERE m.n < 4`);
  await db.raw('ANALYZE TABLE cobrancas');
  const lidas = async (): Promise<number> => {
    const [linhas = []] = await db.raw<{ Value: string }[][]>("SHOW SESSION STATUS LIKE 'Handler_read%'");
    return linhas.reduce((soma, { Value: valor }) => soma + Number(valor), 0);
  };
  const antes = await lidas();
  const contratos = Array.from({ length: 2000 }, (_, n) => n * 5);
  const lista = db('cobrancas').where('provedor_id', 1).whereIn('contrato_id', contratos).where('mes', '>=', 2);
  t.is((await lista.select('mes')).length, 4000);
  // Each row, and where each of its contract's ends.
  t.true((await lidas()) - antes < 10_000);
});
