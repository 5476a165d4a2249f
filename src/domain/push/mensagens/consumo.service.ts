import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ConsumedEvent, Consumer } from '../../../platform/mysql/outbox-consumer.ts';
import type { TenantDb, TenantWriter } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { chamadosDosEventos, faturasDosEventos, notasDosEventos, recursosDe } from '../../eventos/contexto.service.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { temRegua } from '../../regua/ativa.service.ts';
import type { ConsultaDeAvisosService } from '../../rede/avisos/consulta.service.ts';
import { dizerInterrupcaoSeNova } from '../lembretes/interrupcoes.service.ts';
import type { TipoDeCanal } from '../push.types.ts';
import { duracaoDo } from '../tipos.regras.ts';
import { avisaDe, avisosDe } from './avisos.regras.ts';
import type { ContextoDePush } from './avisos.types.ts';
import { createDestinosQueries } from './destinos.queries.ts';
import { escreverEnvios } from './escrita.ts';

export type ConsumoDePushService = ReturnType<typeof createConsumoDePushService>;

type AvisosDaRede = Pick<ConsultaDeAvisosService, 'buscar' | 'clientesCobertos'>;

export interface ConsumoDePushDeps {
  readonly relogio: Relogio;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
  readonly canaisDe: (provedorId: number) => Promise<ReadonlySet<TipoDeCanal>>;
  readonly avisosDe: (tenant: TenantDb) => AvisosDaRede;
}

/** Writes what is to be sent to devices of what happened. */
export function createConsumoDePushService({ relogio, provedores, canaisDe, ...deps }: ConsumoDePushDeps) {
  async function contextoDe(
    w: TenantWriter,
    tenant: TenantDb,
    provedor: Provedor,
    agora: Date,
    daRede: AvisosDaRede,
    eventos: readonly ConsumedEvent[],
  ): Promise<ContextoDePush> {
    const avisos = new Map<number, { titulo: string; texto: string }>();
    for (const id of recursosDe(eventos, 'rede.aviso_aberto')) {
      const aviso = await daRede.buscar(id);
      // One that is over by now is told to nobody.
      if (aviso === null || aviso.fim !== null || !(await dizerInterrupcaoSeNova(w, aviso, agora))) continue;
      avisos.set(id, { titulo: aviso.titulo, texto: aviso.texto });
    }
    return {
      fuso: provedor.fusoHorario,
      temRegua: await temRegua(tenant),
      faturas: await faturasDosEventos(tenant, provedor, agora, eventos),
      chamados: await chamadosDosEventos(tenant, eventos),
      notas: await notasDosEventos(tenant, eventos),
      avisos,
    };
  }

  return {
    /** Hears of every event that somebody may be told of, in the order in which they happened. */
    async consumir(w: TenantWriter, tenant: TenantDb, eventos: readonly ConsumedEvent[]): Promise<void> {
      const agora = relogio.agora();
      if (!(await createDestinosQueries(w, agora).haAparelhos())) return;
      const provedor = await provedores.exigirPorId(w.provedorId);
      const daRede = deps.avisosDe(tenant);
      const contexto = await contextoDe(w, tenant, provedor, agora, daRede, eventos);
      const avisos = eventos.flatMap((evento) => {
        const ha = agora.getTime() - fromDatabaseTime(evento.criadoEm).getTime();
        // What waited for a worker that was away is old news.
        const novos = avisosDe(evento, contexto).filter(({ tipo }) => ha < duracaoDo(tipo));
        return novos.map((aviso) => ({ ...aviso, eventoId: evento.id }));
      });
      if (avisos.length === 0) return;
      await escreverEnvios(w, avisos, {
        fuso: provedor.fusoHorario,
        agora,
        canais: await canaisDe(w.provedorId),
        async cobertos(id, entre) {
          const aviso = await daRede.buscar(id);
          return aviso === null ? [] : daRede.clientesCobertos(aviso, entre);
        },
      });
    },
  };
}

/** Rows of the outbox wait for it by this name. */
export const CONSUMIDOR_DE_PUSH: Pick<Consumer, 'name' | 'wants' | 'inOrder'> = {
  name: 'push',
  wants: avisaDe,
  inOrder: true,
};
