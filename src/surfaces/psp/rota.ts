import { atorDoReceptor } from '../../domain/actor.ts';
import type { Logger } from 'pino';
import type { RecebimentosService } from '../../domain/recebimentos/recebimentos.service.ts';
import { declareRoutes } from '../../kit/http/declare.ts';
import type { WriteRoute } from '../../kit/http/route.ts';
import { lerPix } from '../../domain/recebimentos/leitura.regras.ts';
import { recusar } from './erros.ts';
import type { CodigoErro } from './erros.ts';
import { avisoSchema } from './esquema.ts';
import type { Sessao } from './porta.ts';

/** PIX one after the other that fail before the rest are left for the next telling. */
const FALHAS_SEGUIDAS = 3;

export interface DoPsp {
  readonly session: Sessao;
  readonly domain: null;
  readonly writes: RecebimentosService;
  readonly code: CodigoErro;
  readonly permission: never;
}

const rota = declareRoutes<DoPsp>();

/** Takes each PIX by itself: what was taken stays so, and what fails keeps no other from being taken. */
export function criarRota(logger: Logger): WriteRoute<DoPsp> {
  return rota.post({
    path: '/webhooks/pix/{segredo}',
    params: { segredo: { type: 'string' } },
    permission: null,
    group: 'Recebimentos',
    summary: 'Conta os PIX recebidos',
    body: { schema: avisoSchema, required: true },
    // A PIX that is told twice is known by its endToEndId.
    repeatable: false,
    data: { type: 'array', items: { type: 'object' } },
    example: [{ endToEndId: 'E00000000202611101305abcdefghijk', resultado: 'registrada' }],
    async run({ session, body, writes, requestId }) {
      const { receptor, provedor } = session;
      const actor = atorDoReceptor(receptor, session);
      const dados: object[] = [];
      let falharam = 0;
      let seguidas = 0;
      for (const [i, enviado] of (body.pix ?? []).entries()) {
        const item = lerPix(enviado, `pix/${i}`);
        const { endToEndId } = item;
        try {
          if ('falta' in item) {
            logger.warn({ requestId, provedorId: provedor.id, motivo: item.falta }, 'PIX fora do formato');
            await writes.recusar(actor, provedor, item);
            dados.push({ endToEndId, resultado: 'recusada', motivo: item.falta });
          } else {
            dados.push({ endToEndId, resultado: await writes.registrar(actor, provedor, item) });
          }
          seguidas = 0;
        } catch (error) {
          logger.error({ err: error, requestId, provedorId: provedor.id }, 'PIX não registrado');
          falharam += 1;
          seguidas += 1;
          // By now it is not the PIX that is at fault, and the PSP waits.
          if (seguidas === FALHAS_SEGUIDAS) break;
        }
      }
      if (falharam > 0) throw recusar('erro_interno');
      return { data: dados };
    },
  });
}
