import type { AppServices } from '../../../access/app-ports.ts';
import type { AppSession } from '../../../access/callers.ts';
import { atorDaChave } from '../../../domain/actor.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { createNomes } from '../nomes.ts';
import { apresentarWebhook } from './webhooks.presenter.ts';
import type { webhookSchema } from './webhooks.schemas.ts';

type Webhooks = Pick<AppServices['webhooks'], 'buscar' | 'saude'>;

/** The fields as the domain calls them, by how they are sent. */
const NA_CASA: Readonly<Record<string, string>> = {
  url: 'url',
  events: 'eventos',
  description: 'descricao',
  status: 'situacao',
  keep_old_hours: 'manter_horas',
  type: 'tipo',
  from: 'de',
  to: 'ate',
  only_failed: 'so_falhas',
};
export const { paraACasa, comCamposDeFora } = createNomes(NA_CASA);

export function atorDe(session: AppSession): Actor {
  exigir(session.kind === 'chave', 'permissao_insuficiente');
  return atorDaChave(session.chave, session);
}

export async function ler(
  webhooks: Webhooks,
  { provedor }: AppSession,
  id: number,
): Promise<TypeOf<typeof webhookSchema>> {
  const webhook = await webhooks.buscar(provedor.id, id);
  exigir(webhook, 'nao_encontrado');
  const saude = (await webhooks.saude(provedor.id, id)).get(id);
  return apresentarWebhook(webhook, saude?.pendentes ?? 0);
}

const grupo = { group: 'Webhooks' } as const;
/** Not kept: deliveries go on all the time, by workers whose notes make nothing stale. They are few rows, found by index. */
export const leitura = { ...grupo, permission: { chave: 'webhooks:leitura' }, kept: false } as const;
export const escrita = { ...grupo, permission: { chave: 'webhooks:escrita' } } as const;
