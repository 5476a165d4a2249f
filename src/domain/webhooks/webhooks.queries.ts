import type { Knex } from 'knex';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { DO_WEBHOOK, paraWebhook } from './webhooks.types.ts';
import type { Webhook, WebhookRow } from './webhooks.types.ts';

const TRAVADO = columns<{ segredo: Buffer }>('webhooks', { segredo: true });

type Origem = Pick<TenantDb, 'from'>;

const vivos = (de: Origem): Knex.QueryBuilder => de.from('webhooks').whereNull('webhooks.removido_em');

export async function listarWebhooks(de: Origem): Promise<Webhook[]> {
  return (await rowsOf(vivos(de).orderBy('webhooks.id'), DO_WEBHOOK)).map(paraWebhook);
}

export async function buscarWebhook(de: Origem, id: number): Promise<Webhook | null> {
  const [row] = await rowsOf(vivos(de).where('webhooks.id', id), DO_WEBHOOK);
  return row === undefined ? null : paraWebhook(row);
}

/** A webhook, locked until the transaction ends, with what is sealed of it. */
export async function travarWebhook(
  de: Origem,
  id: number,
): Promise<{ readonly webhook: Webhook; readonly row: WebhookRow; readonly segredo: Buffer } | null> {
  const [row] = await rowsOf(vivos(de).where('webhooks.id', id).forUpdate(), DO_WEBHOOK, TRAVADO);
  return row === undefined ? null : { webhook: paraWebhook(row), row, segredo: row.segredo };
}

/** How many there are. The provider's row is locked first, so that two who add one count one after the other. */
export async function contarWebhooks(de: TenantDb): Promise<number> {
  await rowsOf(de.db('provedores').where('provedores.id', de.provedorId).forUpdate(), ID);
  return (await rowsOf(vivos(de), ID)).length;
}
