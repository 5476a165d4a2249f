import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { pino } from 'pino';
import { startWorker } from '../../../src/app/compose/worker.ts';
import { conexaoDe, criarProvedor, quedasDe, sessao } from '../../domain/conexoes/apoio.ts';
import { criarBanco, redisUrl } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { ate } from '../../support/espera.ts';
import { criarRedisProprio } from '../../support/redis-proprio.ts';
import { depsDoTrabalhador } from '../../support/trabalhador.ts';

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
    const deps = depsDoTrabalhador(db, await redisUrl(), { logger });
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

    // Another goes on from where this one stopped.
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
    const publicacao = { publicar: async () => Math.min(0, (publicacoes += 1)) };
    const deps = depsDoTrabalhador(db, redis.url, { publicacao });
    const parado = startWorker(deps);
    await ate(() => publicacoes > 1);
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
