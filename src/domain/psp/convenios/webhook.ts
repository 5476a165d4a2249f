import { lerWebhook } from '../../../brazil/pix/cobranca/resposta.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { resumoDoSegredo } from '../../segredo.ts';
import type { ClientePsp } from '../cliente/cliente.ts';
import { falhaDe } from '../envio/envio.types.ts';
import type { Falha } from '../envio/envio.types.ts';
import type { ConvenioComSegredos } from './convenios.queries.ts';

const DO_RECEPTOR = columns<{ token_hash: Buffer }>('receptores_pix', { token_hash: true });
const ALVO = /\/webhooks\/pix\/([^/?]+)/;

/**
 * Whether the PSP still has the address that was given to it. The address itself is kept nowhere: the secret in what the PSP says is
 * compared by its hash. Null where the PSP did not say.
 */
export async function conferirWebhook(
  tenant: TenantDb,
  cliente: ClientePsp,
  c: ConvenioComSegredos,
): Promise<{ readonly esta: boolean | null; readonly falha: Falha | null }> {
  const resposta = await cliente.pedir(c, { metodo: 'GET', recurso: 'webhook', partes: [c.row.chave] });
  if (!resposta.veio) return { esta: null, falha: falhaDe(resposta) };
  if (resposta.status === 404) return { esta: false, falha: null };
  if (resposta.status >= 400) return { esta: null, falha: null };
  const segredo = ALVO.exec(lerWebhook(resposta.json) ?? '')?.[1];
  if (segredo === undefined) return { esta: false, falha: null };
  const ativos = tenant.from('receptores_pix').where({ id: c.row.receptor_id }).whereNull('revogado_em');
  const [row] = await rowsOf(ativos, DO_RECEPTOR);
  return { esta: row?.token_hash.equals(resumoDoSegredo(segredo)) ?? false, falha: null };
}
