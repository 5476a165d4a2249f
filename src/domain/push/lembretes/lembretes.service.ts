import { fimDoDiaEm, hojeEm } from '../../../brazil/calendario/datas.ts';
import { escreverHorario } from '../../../brazil/calendario/horario.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { createLembretesQueries } from './lembretes.queries.ts';
import { provedoresALembrar } from './provedores.queries.ts';

export type LembretesService = ReturnType<typeof createLembretesService>;

export interface LembretesDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'buscarPorId'>;
}

const HORA_MS = 3_600_000;
/** How long before it a visit is told of, and the end of a key. */
const ANTES_DA_VISITA_MS = HORA_MS;
const ANTES_DA_CHAVE_MS = 7 * 24 * HORA_MS;
/** After how long a pause that holds fiscal notes back was forgotten. */
const PAUSA_ESQUECIDA_MS = 24 * HORA_MS;
/** From when on, by the provider's clocks, it is said that an unblock ends today. */
const HORA_DO_DESBLOQUEIO = '09:00';

/** Says, once each, what is about to happen: the outbox tells whoever is to be told. */
export function createLembretesService({ db, relogio, write, provedores }: LembretesDeps) {
  const daquiA = (agora: Date, ms: number) => ({ de: agora, ate: new Date(agora.getTime() + ms) });
  const pausadosDesde = (agora: Date) => new Date(agora.getTime() - PAUSA_ESQUECIDA_MS);

  return {
    /** Providers of which something may have to be said. */
    provedores: async (): Promise<number[]> => {
      const agora = relogio.agora();
      return provedoresALembrar(db, daquiA(agora, ANTES_DA_CHAVE_MS), pausadosDesde(agora));
    },

    /** Says what is due of one provider. */
    async lembrar(actor: Actor, provedorId: number): Promise<{ mais: boolean }> {
      const provedor = await provedores.buscarPorId(provedorId);
      if (provedor === null) return { mais: false };
      const { fusoHorario: fuso } = provedor;
      await write(actor, provedorId, async (w) => {
        const queries = createLembretesQueries(w);
        const agora = relogio.agora();
        for (const visita of await queries.chamados(daquiA(agora, ANTES_DA_VISITA_MS))) {
          await queries.lembrar('chamado_proximo', visita, agora);
          const agendado_para = fromDatabaseTime(visita.quando).toISOString();
          w.emit('chamado.proximo', visita.recurso_id, { cliente: visita.cliente_id, agendado_para });
        }
        if (escreverHorario(fuso, agora).slice(11) >= HORA_DO_DESBLOQUEIO) {
          const hoje = { de: agora, ate: fimDoDiaEm(fuso, hojeEm(fuso, agora)) };
          for (const fim of await queries.desbloqueios(hoje)) {
            await queries.lembrar('desbloqueio_terminando', fim, agora);
            const ate = fromDatabaseTime(fim.quando).toISOString();
            w.emit('contrato.desbloqueio_terminando', fim.recurso_id, { cliente: fim.cliente_id, ate });
          }
        }
        for (const chave of await queries.chaves(daquiA(agora, ANTES_DA_CHAVE_MS))) {
          await queries.lembrar('chave_expirando', chave, agora);
          await queries.tocarSino(chave.recurso_id, agora);
          w.emit('chave.expirando', chave.recurso_id, { expira_em: fromDatabaseTime(chave.quando).toISOString() });
        }
        const pausa = await queries.pausa(pausadosDesde(agora));
        if (pausa !== undefined) {
          await queries.lembrar('envio_pausado', pausa, agora);
          await queries.tocarSinoDaPausa(pausa, agora);
          const desde = fromDatabaseTime(pausa.quando).toISOString();
          w.emit('nfcom.fila_esquecida', null, { notas: pausa.notas, desde });
        }
      });
      // What is left comes up again in a minute.
      return { mais: false };
    },
  };
}
