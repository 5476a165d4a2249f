import type { AppServices } from '../../../access/app-ports.ts';
import type { AppSession } from '../../../access/callers.ts';
import { atorDaChave } from '../../../domain/actor.ts';
import type { Actor } from '../../../domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../domain/erros.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
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
const FORA = new Map(Object.entries(NA_CASA).map(([fora, casa]) => [casa, fora]));

export const paraACasa = (corpo: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(corpo ?? {}).map(([nome, valor]) => [NA_CASA[nome] ?? nome, valor]));

function paraFora(campo: string): string {
  const [primeiro = campo, ...resto] = campo.split('.');
  return [FORA.get(primeiro) ?? primeiro, ...resto].join('.');
}

/** What the domain says of a field is said of the field that was sent. */
export async function comCamposDeFora<T>(fazer: () => Promise<T>): Promise<T> {
  try {
    return await fazer();
  } catch (error) {
    if (error instanceof CamposInvalidos)
      throw new CamposInvalidos(error.faltas.map((falta) => ({ ...falta, campo: paraFora(falta.campo) })));
    const campo = error instanceof Recusa ? error.detalhe.campo : undefined;
    if (error instanceof Recusa && campo !== undefined)
      throw new Recusa(error.motivo, { ...error.detalhe, campo: paraFora(campo) });
    throw error;
  }
}

export function atorDe(session: AppSession): Actor {
  exigir(session.kind === 'chave', 'permissao_insuficiente');
  return atorDaChave(session.chave, session.ip);
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
