import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { criarApi } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { executar } from '../support/processo.ts';
import { quanto } from '../support/prova.ts';
import { provedorComPsp } from '../support/psp/conta.ts';

const MORTES = quanto(3, 25);
const POR_MORTE = 12;
const PERDIDAS = 0.15;

test(`com ${MORTES} kill -9 do worker e respostas que se perdem, cada fatura tem uma cobrança no PSP, feita uma vez`, async (t) => {
  t.timeout(quanto(400_000, 5_400_000));
  const env = { MALHA_CHAVE_MESTRA: randomBytes(32).toString('hex'), MALHA_REDES_PERMITIDAS: '127.0.0.1/32' };
  const api = await criarApi({ env });
  t.teardown(() => api.fechar());
  let perder = true;
  const p = await provedorComPsp(
    api,
    () => new Date(),
    () => {
      const sorte = perder ? Math.random() : 1;
      // Some of what is killed is killed while it waits for this.
      const atrasoMs = 5 + Math.random() * 40;
      if (sorte < PERDIDAS) return { atrasoMs, perder: 'antes' };
      return sorte < 2 * PERDIDAS ? { atrasoMs, perder: 'depois' } : { atrasoMs };
    },
  );
  t.teardown(async () => p.psp.fechar());
  const vence = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const passarTempo = async (): Promise<void> => {
    const agora = api.dono.raw('UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');
    await api
      .dono('psp_cobrancas')
      .where('provedor_id', p.provedor)
      .whereNotNull('etapa')
      .update({ proxima_em: agora });
    await api.dono('psp_convenios').where('provedor_id', p.provedor).update({ parada_ate: null });
  };
  const worker = async () =>
    executar(
      'worker',
      { ...env, DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl },
      /Worker do Malha em execução/,
    );
  for (let morte = 0; morte < MORTES; morte += 1) {
    for (let n = 0; n < POR_MORTE; n += 1) await p.fatura({ vencimento: vence });
    await p.pedir();
    const antes = p.psp.cobrancas.size;
    const vivo = await worker();
    await ate(async () => {
      await api.dono('psp_convenios').where('provedor_id', p.provedor).update({ parada_ate: null });
      return p.psp.cobrancas.size > antes + (Math.random() * POR_MORTE) / 2;
    }, 60_000);
    await sleep(Math.random() * 60);
    await vivo.parar('SIGKILL');
    // Nobody has anything any more.
    await passarTempo();
  }
  perder = false;
  await ate(async () => {
    await p.acompanhar();
    await passarTempo();
    const abertas = await api.dono('psp_cobrancas').where('provedor_id', p.provedor).whereNotNull('etapa');
    return abertas.length === 0;
  }, 120_000);
  const cobrancas = await p.cobrancas();
  t.is(cobrancas.length, MORTES * POR_MORTE);
  t.is(new Set(cobrancas.map(({ fatura_id }) => fatura_id)).size, MORTES * POR_MORTE);
  t.true(cobrancas.every(({ estado }) => estado === 'ativa'));
  t.is(p.psp.cobrancas.size, MORTES * POR_MORTE);
  t.true([...p.psp.feitas.values()].every((vezes) => vezes === 1));
  const faturas = await api.dono('faturas').where('provedor_id', p.provedor);
  t.true(faturas.every(({ pix_txid }) => p.psp.cobrancas.has(pix_txid)));
});
