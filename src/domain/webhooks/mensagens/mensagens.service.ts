import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { toJson } from '../../../platform/json.ts';
import type { ConsumedEvent, Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { TenantDb, TenantWriter } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { DitoFora } from '../../eventos/fora.types.ts';
import { saiDaCasa, traduzir } from '../../eventos/traducao.regras.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { novoUlid } from '../../ulid.ts';
import { assina } from '../inscricao.regras.ts';
import { lerContexto } from './contexto.queries.ts';
import type { Cobertura } from './contexto.queries.ts';
import { createMensagensQueries } from './mensagens.queries.ts';
import type { Inscrito } from './mensagens.queries.ts';

export type MensagensService = ReturnType<typeof createMensagensService>;

export interface MensagensDeps {
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly avisosDe: (tenant: TenantDb) => Cobertura;
}

/** The text that is sent, and signed: it is never made anew. */
const escreverCorpo = ({ panelHost }: Provedor, { tipo, dados }: DitoFora, em: Date): string =>
  toJson({ type: tipo, timestamp: em.toISOString(), provedor: panelHost, data: dados });

/** Writes what is to be sent of events: a message for each that somebody subscribed to, and a delivery of it for each who did. */
export function createMensagensService({ relogio, provedores, avisosDe }: MensagensDeps) {
  /** Resolves to how many deliveries there are now that were not before. */
  async function escrever(
    w: TenantWriter,
    tenant: TenantDb,
    eventos: readonly ConsumedEvent[],
    inscritosEm: () => Promise<readonly Inscrito[]>,
  ): Promise<number> {
    const agora = relogio.agora();
    const provedor = await provedores.exigirPorId(w.provedorId);
    const contexto = await lerContexto(tenant, provedor, agora, avisosDe(tenant), eventos);
    const ditos = eventos.flatMap((evento) => {
      const dito = traduzir(evento, contexto);
      return dito === null ? [] : [{ evento, dito }];
    });
    const queries = createMensagensQueries(w);
    // Locked as late as can be: whoever delivers to one of them waits meanwhile.
    const inscritos = await inscritosEm();
    const enviar = ditos.flatMap(({ evento, dito }) => {
      const para = inscritos.filter((um) => assina(um.eventos, dito.tipo));
      return para.length === 0 ? [] : [{ evento, dito, para }];
    });
    const ids = enviar.map(({ evento }) => evento.id);
    const antes = await queries.deEventos(ids);
    // Of a webhook that had an event sent again before this heard of it, or of two that share the message.
    const jaTem = await queries.entregasDe([...antes.values()]);
    const criada_em = toDatabaseTime(agora);
    await queries.inserirMensagens(
      enviar
        .filter(({ evento }) => !antes.has(evento.id))
        .map(({ evento, dito }) => ({
          evento_id: evento.id,
          msg_id: novoUlid(agora),
          tipo: dito.tipo,
          corpo: escreverCorpo(provedor, dito, fromDatabaseTime(evento.criadoEm)),
          criada_em,
        })),
    );
    const mensagens = await queries.deEventos(ids);
    const entregas = enviar.flatMap(({ evento, dito, para }) => {
      const mensagem_id = mensagens.get(evento.id);
      if (mensagem_id === undefined) return [];
      // By the event's own time, so that first attempts keep the order of events; never in the future of who delivers.
      const proxima_em = evento.criadoEm < criada_em ? evento.criadoEm : criada_em;
      return para
        .filter(({ id }) => jaTem.get(mensagem_id)?.has(id) !== true)
        .map(({ id }) => ({ webhook_id: id, mensagem_id, tipo: dito.tipo, proxima_em, criada_em }));
    });
    await queries.inserirEntregas(entregas);
    return entregas.length;
  }

  return {
    escrever,

    /** Hears of every event that may be told outside, in the order in which they happened. */
    async consumir(w: TenantWriter, tenant: TenantDb, eventos: readonly ConsumedEvent[]): Promise<void> {
      const queries = createMensagensQueries(w);
      if (await queries.haAtivos()) await escrever(w, tenant, eventos, async () => queries.inscritos());
    },
  };
}

/** Rows of the outbox wait for it by this name. */
export const CONSUMIDOR: Pick<Consumer, 'name' | 'wants' | 'inOrder'> = {
  name: 'webhooks',
  wants: saiDaCasa,
  inOrder: true,
};
