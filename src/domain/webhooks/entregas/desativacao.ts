import type { Correio } from '../../../platform/mail/mail.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { enderecosDeQuemPode } from '../../usuarios/quem-pode.service.ts';
import { travarWebhook } from '../webhooks.queries.ts';
import type { MotivoDoWebhook } from '../webhooks.types.ts';
import type { Alvo } from './entregas.queries.ts';

export interface DesativacaoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly correio: Pick<Correio, 'enviar'>;
}

/** What becomes of a webhook that nothing is delivered to, and who hears of it: the bell, and by e-mail whoever manages webhooks. */
export function createDesativacao({ db, relogio, write, provedores, correio }: DesativacaoDeps) {
  const tocar = async (w: Write, tipo: string, webhookId: number): Promise<void> =>
    tocarSino(w, [{ tipo, origem: 'Webhooks', recurso: 'webhook', recursoId: webhookId }], relogio.agora());

  /** After the write: a mail that is not sent undoes nothing, and the bell says the same. */
  async function escrever({ provedorId, webhookId }: Alvo, assunto: string, texto: string): Promise<void> {
    const { nome, panelHost } = await provedores.exigirPorId(provedorId);
    const link = `https://${panelHost}/painel/configuracoes/webhooks/${webhookId}`;
    for (const para of await enderecosDeQuemPode(db, provedorId, 'webhooks.gerir')) {
      await correio.enviar({ para, assunto: `${assunto} (${nome})`, texto: `${texto}\n\n${link}\n` });
    }
  }

  return {
    /** Says, once, that nothing has been delivered for a day. */
    async avisar(actor: Actor, alvo: Alvo): Promise<void> {
      const { provedorId, webhookId } = alvo;
      const avisou = await write(actor, provedorId, async (w) => {
        const travado = await travarWebhook(w, webhookId);
        if (travado === null || travado.webhook.falhandoDesde === null) return false;
        const avisado_em = toDatabaseTime(relogio.agora());
        const mudou = await w.update('webhooks', (q) => void q.where({ id: webhookId }).whereNull('avisado_em'), {
          avisado_em,
        });
        if (mudou === 0) return false;
        await tocar(w, 'webhook.falhando', webhookId);
        w.emit('webhook.falhando', webhookId);
        return true;
      });
      if (avisou)
        await escrever(alvo, 'Um webhook está falhando', 'Há um dia nada se entrega a um webhook do provedor.');
    },

    /** Disables a webhook: what was to be delivered is not, and nothing more is queued. */
    async desativar(actor: Actor, alvo: Alvo, motivo: MotivoDoWebhook): Promise<void> {
      const { provedorId, webhookId } = alvo;
      const desativou = await write(actor, provedorId, async (w) => {
        const travado = await travarWebhook(w, webhookId);
        if (travado === null || travado.webhook.situacao !== 'ativo') return false;
        const atualizado_em = toDatabaseTime(relogio.agora());
        await w.update('webhooks', (q) => void q.where({ id: webhookId }), {
          situacao: 'desativado',
          motivo,
          atualizado_em,
        });
        const canceladas = await w.update(
          'webhook_entregas',
          (q) => void q.where({ webhook_id: webhookId }).whereIn('estado', ['pendente', 'em_andamento']),
          { estado: 'cancelada' },
        );
        await tocar(w, 'webhook.desativado', webhookId);
        w.emit('webhook.desativado', webhookId, { motivo, canceladas });
        return true;
      });
      const porque =
        motivo === 'gone' ? 'Quem o recebe respondeu que já não o quer (410).' : 'Há cinco dias nada se entrega a ele.';
      if (desativou) {
        const texto = `Um webhook do provedor foi desativado. ${porque} O que aconteceu enquanto isso pode ser reenviado no painel.`;
        await escrever(alvo, 'Um webhook foi desativado', texto);
      }
    },
  };
}
