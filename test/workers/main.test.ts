import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { pino } from 'pino';
import { createWrites } from '../../src/platform/writes.ts';
import { startWorker } from '../../workers/main.ts';
import { conexaoDe, criarProvedor, quedasDe, sessao } from '../domain/conexoes/apoio.ts';
import { criarBanco, redisUrl } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarRedisProprio } from '../support/redis-proprio.ts';
import { relogioEm } from '../support/relogio.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(async () => {
  await banco.fechar();
});

test.serial(
  'o trabalhador agrega sozinho o que muda em radacct por INSERT, UPDATE e DELETE, e para por inteiro',
  async (t) => {
    const { db } = banco;
    const { contratos } = await criarProvedor(db, { host: 'a.test', nas: ['10.0.0.1'], logins: ['joao'] });
    const [contrato] = contratos as [number];
    const linhas: Record<string, unknown>[] = [];
    const logger = pino(
      { level: 'debug' },
      { write: (linha: string) => linhas.push(JSON.parse(linha) as Record<string, unknown>) },
    );
    const deps = {
      db,
      logger,
      relogio: relogioEm('2026-11-20T15:00:00Z'),
      redisUrl: await redisUrl(),
      intervaloPadraoSegundos: 300,
      publicacao: { publicar: async () => 0 },
      extratos: { expirar: async () => 0 },
      tarefas: { pendentes: async () => [], executar: () => Promise.reject(new Error('nenhuma')) },
      write: createWrites({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
    };
    const worker = startWorker(deps);

    await db('radacct').insert(sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }));
    await ate(async () => (await conexaoDe(db, contrato))?.ouvida_em === '2026-11-20 14:58:00.000');
    await db('radacct').update({ acctstoptime: '2026-11-20 14:59:00', acctterminatecause: 'Lost-Carrier' });
    await ate(async () => (await quedasDe(db, contrato))['2026-11-20'] === 1);
    t.is((await conexaoDe(db, contrato))!.ouvida_em, null);
    await db('radacct').delete();
    await ate(async () => (await quedasDe(db, contrato))['2026-11-20'] === undefined);

    await worker.stop();
    const concluidas = linhas.filter(({ job }) => job === 'conexoes.agregar');
    t.true(concluidas.length > 0);
    t.true(concluidas.every(({ jobId, msg }) => typeof jobId === 'string' && msg === 'tarefa concluída'));
    t.deepEqual(
      linhas.filter(({ level }) => Number(level) > 30),
      [],
    );

    const antes = linhas.length;
    await db('radacct').insert(sessao('joao', '10.0.0.1', { acctstarttime: '2026-11-20 14:58:00' }));
    await sleep(2500);
    t.is(linhas.length, antes);
    t.is((await db('radacct_mudancas')).length, 1);

    // Outro começa de onde este parou.
    const outro = startWorker(deps);
    await ate(async () => (await conexaoDe(db, contrato))?.ouvida_em === '2026-11-20 14:58:00.000');
    await outro.stop();
  },
);

test.serial(
  'com o Redis das filas fora o trabalhador começa, publica e para na hora, e com ele de volta trabalha',
  async (t) => {
    const { db } = banco;
    const { contratos } = await criarProvedor(db, { host: 'fora.test', nas: ['10.0.0.9'], logins: ['ana'] });
    const [contrato] = contratos as [number];
    const redis = await criarRedisProprio();
    t.teardown(() => redis.fechar());
    await redis.matar();
    let publicacoes = 0;
    const deps = {
      db,
      logger: pino({ level: 'silent' }),
      relogio: relogioEm('2026-11-20T15:00:00Z'),
      redisUrl: redis.url,
      intervaloPadraoSegundos: 300,
      publicacao: { publicar: async () => Math.min(0, (publicacoes += 1)) },
      extratos: { expirar: async () => 0 },
      tarefas: { pendentes: async () => [], executar: () => Promise.reject(new Error('nenhuma')) },
      write: createWrites({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
    };
    const parado = startWorker(deps);
    await ate(async () => publicacoes > 1);
    t.is(
      await Promise.race([parado.stop().then(() => 'parado'), sleep(30_000, 'ainda espera', { ref: false })]),
      'parado',
    );

    const worker = startWorker(deps);
    await db('radacct').insert(sessao('ana', '10.0.0.9', { acctstarttime: '2026-11-20 14:58:00' }));
    await redis.iniciar('vazio');
    await ate(async () => (await conexaoDe(db, contrato))?.ouvida_em === '2026-11-20 14:58:00.000');
    // It goes again, for good.
    await redis.matar();
    t.is(
      await Promise.race([worker.stop().then(() => 'parado'), sleep(30_000, 'ainda espera', { ref: false })]),
      'parado',
    );
  },
);

async function ate(condicao: () => Promise<boolean>): Promise<void> {
  const limite = Date.now() + 15_000;
  while (!(await condicao())) {
    if (Date.now() > limite) throw new Error('esperou demais');
    await sleep(50);
  }
}
