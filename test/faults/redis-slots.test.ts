import test from 'ava';
import { bumpsKey, tenantSlot } from '../../src/platform/gate/keys.ts';
import { ate } from '../support/espera.ts';
import { criarGate } from '../support/gate.ts';
import { criarRedisCluster } from '../support/redis/cluster.ts';

test('um slot a meio da mudança: só as suas perguntas ficam sem o Redis, e nada mais do servidor é posto em dúvida', async (t) => {
  const cluster = await criarRedisCluster();
  t.teardown(() => cluster.fechar());
  const { gate, motivos } = await criarGate(t, cluster.url, { deadlineMs: 5000, trustMs: 5000 });
  const slot = tenantSlot(1);
  const [origem] = await cluster.donos(bumpsKey(slot));
  let n = 2;
  while ((await cluster.donos(bumpsKey(tenantSlot(n))))[0] !== origem) n += 1;
  const vizinho = tenantSlot(n);
  while ((await cluster.donos(bumpsKey(tenantSlot(n))))[0] === origem) n += 1;
  const [destino] = await cluster.donos(bumpsKey(tenantSlot(n)));

  const numero = String(await origem.comando('CLUSTER', 'KEYSLOT', bumpsKey(slot)));
  const [idDaOrigem, idDoDestino] = (
    await Promise.all([origem.comando('CLUSTER', 'MYID'), destino.comando('CLUSTER', 'MYID')])
  ).map(String);
  await gate.bump(slot, ['a']);
  t.deepEqual((await gate.read(slot, ['a']))!.touched, [1]);
  await destino.comando('CLUSTER', 'SETSLOT', numero, 'IMPORTING', idDaOrigem!);
  await origem.comando('CLUSTER', 'SETSLOT', numero, 'MIGRATING', idDoDestino!);

  // The bumps are on one server and the window, which is new, could only be made on the other.
  const antes = (await gate.read(vizinho, ['a']))!;
  for (let janela = 0; janela < 20; janela += 1) {
    const { count, tagState } = await gate.admit(slot, `j${janela}`, ['a']);
    t.deepEqual({ count, tagState }, { count: 1, tagState: null });
    t.deepEqual(motivos, []);
    // What was read before is as good as it was.
    t.deepEqual(await gate.read(vizinho, ['a']), antes);
  }
  t.deepEqual((await gate.read(slot, ['a']))!.touched, [1]);
  await gate.bump(slot, ['a']);
  t.deepEqual(motivos, []);

  // As `redis-cli --cluster reshard` ends it.
  const chaves = (await origem.comando('CLUSTER', 'GETKEYSINSLOT', numero, '1000')) as string[];
  await origem.comando('MIGRATE', '127.0.0.1', String(destino.porta), '', '0', '5000', 'KEYS', ...chaves);
  for (const no of [destino, origem]) await no.comando('CLUSTER', 'SETSLOT', numero, 'NODE', idDoDestino!);
  await ate(async () => (await gate.admit(slot, 'depois', ['a'])).tagState?.touched[0] === 2);
  await ate(async () => (await gate.read(vizinho, ['a'])) !== null);
  t.deepEqual(motivos, []);
});
