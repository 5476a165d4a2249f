import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { startPrivateServers } from '../../src/local/private-servers.ts';
import { updateSchema } from '../../src/app/servers.ts';
import { enviar } from '../support/api.ts';
import { medir } from '../support/metricas.ts';
import { servir } from '../support/processo.ts';

async function consultar(porta: number, caminho: string): Promise<{ status: number; corpo: Record<string, unknown> }> {
  const { status, texto } = await enviar({ host: '127.0.0.1', port: porta, path: caminho, agent: false });
  return { status, corpo: JSON.parse(texto) as Record<string, unknown> };
}

/** Servers that this test may take away. */
async function servidores(which: { database: boolean; redis: boolean }) {
  const dataDir = await mkdtemp(join(tmpdir(), 'malha-degradado-'));
  const servers = await startPrivateServers({ dataDir, which, durable: false, log: () => {} });
  return {
    ...servers,
    async stop() {
      await servers.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

for (const argumentos of [[], ['--processos', '2']]) {
  const forma = argumentos.length === 0 ? 'um processo' : 'vários processos';

  test.serial(`sem Redis, ${forma} está degradado e pronto; sem MySQL, não está pronto, e continua vivo`, async (t) => {
    const redis = await servidores({ database: false, redis: true });
    const banco = await servidores({ database: true, redis: false });
    await updateSchema({ databaseUrl: banco.applicationUrl!, ownerUrl: banco.ownerUrl! }, () => {});
    const env = { DATABASE_URL: banco.applicationUrl!, REDIS_URL: redis.redisUrl!, MALHA_LOG: 'info' };
    const servico = await servir(env, undefined, argumentos);
    const { porta, portaDasMetricas } = servico;
    /** Waits until both ports say this. */
    async function ateDizer(status: number, corpo: Record<string, unknown>): Promise<void> {
      for (const onde of [porta, portaDasMetricas]) {
        for (;;) {
          const pronto = await consultar(onde, '/readyz');
          const { processos: _, ...resto } = pronto.corpo;
          if (JSON.stringify({ status: pronto.status, corpo: resto }) === JSON.stringify({ status, corpo })) break;
        }
      }
    }
    try {
      await ateDizer(200, { pronto: true, degradado: false, banco: 'ok', redis: 'ok' });
      await redis.stop();
      await ateDizer(200, { pronto: true, degradado: true, banco: 'ok', redis: 'fora' });
      const medidas = await medir(portaDasMetricas);
      t.is(medidas.get('malha_gate_mode{mode="local"}'), medidas.get('malha_processes{papel="api"}'));
      t.is((await consultar(porta, '/api/v1/status')).status, 401);
      await servico.disse(/"level":40.*Redis fora/);

      await banco.stop();
      await ateDizer(503, { pronto: false, degradado: true, banco: 'fora', redis: 'fora' });
      const semBanco = await medir(portaDasMetricas);
      t.is(semBanco.get('malha_database{state="fora"}'), semBanco.get('malha_processes{papel="api"}'));
      t.deepEqual(await consultar(porta, '/healthz'), { status: 200, corpo: { vivo: true } });
      t.deepEqual(await consultar(portaDasMetricas, '/healthz'), { status: 200, corpo: { vivo: true } });
      t.is((await consultar(portaDasMetricas, '/nada')).status, 404);
      // Whatever happened, stdout has lines of JSON, and those for people that the start wrote.
      t.true(servico.linhas.every((linha) => linha.startsWith('{') || linha.startsWith('Malha em')));
    } finally {
      t.is(await servico.parar(), 0);
      await redis.stop();
      await banco.stop();
    }
  });
}
