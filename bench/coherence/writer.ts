import { setTimeout as sleep } from 'node:timers/promises';
import { TERMINAL } from '../../src/domain/actor.ts';
import { createContainer } from '../../src/app/compose/container.ts';
import { CLIENTES_TAG, FATURAS_TAG, clienteTag, contratoTag, faturaTag } from '../../src/domain/tags.ts';
import { loadConfig } from '../../src/platform/config.ts';
import { createDatabase } from '../../src/platform/mysql/database.ts';
import { relogioDoSistema } from '../../src/platform/timing/relogio.ts';
import type { Answer, Client, Order } from './messages.ts';
import { AUTOR } from '../../test/support/autor.ts';

// A process of its own that writes through the service's own helper, and says so only once the helper has answered.
const [databaseUrl = '', redisUrl = ''] = process.argv.slice(2);
const config = loadConfig({ NODE_ENV: 'test', MALHA_LOG: 'silent' });
const container = createContainer({ config, databaseUrl, redisUrl, relogio: relogioDoSistema });
/** A program that knows nothing of Malha, such as a cashier's. */
const stranger = createDatabase({ url: databaseUrl, pool: 4 });
const say = (answer: Answer): void => void process.send?.(answer);
let writing = new AbortController();

/** Adds one to the counter of a client, wherever it shows. */
async function count(provedorId: number, { id, contrato, fatura }: Client): Promise<number> {
  return container.write(AUTOR, provedorId, async (w) => {
    w.touch(clienteTag(id), contratoTag(contrato), faturaTag(fatura), CLIENTES_TAG, FATURAS_TAG);
    const rows = await w.from('clientes').where('clientes.id', id).forUpdate().select<{ nome: string }[]>('nome');
    const next = Number(rows[0]?.nome.slice(2) ?? 0) + 1;
    const valor = (next / 100).toFixed(2);
    await w.update('clientes', (query) => void query.where({ id }), { nome: `C ${next}` });
    await w.update('contratos', (query) => void query.where({ id: contrato }), { valor });
    await w.update('faturas', (query) => void query.where({ id: fatura }), { valor });
    return next;
  });
}

/** The same by plain SQL. */
async function countPast({ id, contrato, fatura }: Client): Promise<number> {
  return stranger.transaction(async (trx) => {
    const rows = await trx('clientes').where({ id }).forUpdate().select<{ nome: string }[]>('nome');
    const next = Number(rows[0]?.nome.slice(2) ?? 0) + 1;
    const valor = (next / 100).toFixed(2);
    await trx('clientes')
      .where({ id })
      .update({ nome: `C ${next}` });
    await trx('contratos').where({ id: contrato }).update({ valor });
    await trx('faturas').where({ id: fatura }).update({ valor });
    return next;
  });
}

async function writeOn(
  clients: readonly Client[],
  perSecond: number,
  stop: AbortSignal,
  past: boolean,
  write: (client: Client) => Promise<number>,
) {
  while (!stop.aborted) {
    const at = Math.floor(Math.random() * clients.length);
    const client = clients[at];
    if (client === undefined) return;
    const begun = performance.now();
    try {
      say({ kind: 'written', client: at, count: await write(client), past });
    } catch (error) {
      say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
    await sleep(Math.max(0, 1000 / perSecond - (performance.now() - begun)));
  }
}

async function revoke(provedorId: number, id: number, past: boolean): Promise<void> {
  try {
    if (past) {
      await stranger('chaves_api')
        .where({ id })
        .update({ revogada_em: stranger.raw('UTC_TIMESTAMP(3)') });
    } else await container.chaves.revogar(TERMINAL, provedorId, id);
    say({ kind: 'revoked', id });
  } catch {
    say({ kind: 'refused', id });
  }
}

process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'start':
      writing = new AbortController();
      void writeOn(order.clients, order.perSecond / 2, writing.signal, false, async (c) => count(order.provedorId, c));
      void writeOn(order.clients, order.perSecond / 2, writing.signal, true, countPast);
      break;
    case 'stop':
      writing.abort();
      break;
    case 'revoke':
      void revoke(order.provedorId, order.id, order.past);
  }
});
process.on('disconnect', () => process.exit(0));
await container.redisReady();
say({ kind: 'ready' });
