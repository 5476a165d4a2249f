import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';

export interface AlertasDeAcessoDeps {
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly logger: { readonly error: (detalhe: object, dito: string) => void };
}

/** What a provider's people are told of its app's door. */
export function createAlertasDeAcessoService({ relogio, write, logger }: AlertasDeAcessoDeps) {
  return {
    /** Somebody guesses passwords of many subscribers. Nobody waits for it: whoever guesses is answered as ever. */
    muitasFalhas(actor: Actor, provedorId: number): void {
      write(actor, provedorId, async (w) => {
        const toque = { tipo: 'acesso.muitas_falhas', origem: 'app', recurso: 'acesso', recursoId: provedorId };
        await tocarSino(w, [toque], relogio.agora());
        w.emit('acesso.muitas_falhas', null);
      }).catch((error: unknown) => logger.error({ provedorId, err: error }, 'alerta de acesso não gravado'));
    },
  };
}
