import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { horaEm } from '../../../brazil/calendario/horario.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Trabalho } from '../../tarefas/tarefas.types.ts';
import { bloquearDevedores } from './bloqueio.ts';
import { FASES, proximasCandidatas } from './candidatas.queries.ts';
import type { CandidataRow, Fase, Quais } from './candidatas.queries.ts';
import { lerRegua } from '../configuracao.queries.ts';
import { mandarMensagens } from './mensagens.ts';
import type { Rodada } from './mensagens.ts';
import { ULTIMA_HORA } from '../regua.types.ts';
import type { ConfiguracaoRegua } from '../regua.types.ts';
import { avisarRescisao, rescindir } from './rescisao.ts';

interface Linha extends CandidataRow {
  fase: Fase;
}
type Lugar = { readonly fase: Fase; readonly quando: string; readonly id: number };

/** Whether a provider's ladder goes on now. By its own clocks: not before its hour, and never at night. */
function naHoraDaRegua(fuso: string, { hora }: Pick<ConfiguracaoRegua, 'hora'>, agora: Date): boolean {
  const agoraLa = horaEm(fuso, agora);
  return agoraLa >= hora && agoraLa < ULTIMA_HORA;
}

export interface ReguaDoDiaDeps {
  readonly relogio: Relogio;
  readonly provedorDe: (provedorId: number) => Promise<Provedor>;
}

/**
 * The day's ladder of a provider. It says and does what is due on the day that it is there now, and nothing for a day that is over: what
 * one missed, the next one finds still due. Whoever was skipped for some reason is looked at again then.
 */
export function createReguaDoDia({ relogio, provedorDe }: ReguaDoDiaDeps): Trabalho<Linha, Lugar> {
  /** Null where there is no ladder on that day. @throws EntradaInvalida outside of its hours, and for another day than today */
  async function reguaDe(tenant: TenantDb, dia: Quais['dia']): Promise<Pick<Quais, 'regua' | 'provedor'> | null> {
    const regua = await lerRegua(tenant);
    if (regua.ativaDesde === null || regua.ativaDesde > dia) return null;
    const provedor = await provedorDe(tenant.provedorId);
    const agora = relogio.agora();
    if (dia !== hojeEm(provedor.fusoHorario, agora)) throw new EntradaInvalida('data: a régua só anda no próprio dia');
    if (!naHoraDaRegua(provedor.fusoHorario, regua, agora)) {
      throw new EntradaInvalida(`a régua só anda das ${regua.hora} às ${ULTIMA_HORA} horas do provedor`);
    }
    return { regua, provedor };
  }

  return {
    evento: 'regua.aplicada',
    etiquetas: [],
    lugar: ({ fase, quando, id }) => ({ fase, quando, id }),
    // What is done is no longer among them, and what was skipped may be due by now.
    retoma: false,
    contar: async () => Promise.resolve(0),
    async proximas(tenant, dia, depoisDe, limite) {
      const dela = await reguaDe(tenant, dia);
      if (dela === null) return [];
      const desde = depoisDe === null ? 0 : FASES.indexOf(depoisDe.fase);
      for (const [n, fase] of FASES.entries()) {
        if (n < desde) continue;
        const lugar = n === desde ? depoisDe : null;
        const rows = await proximasCandidatas(tenant, fase, { ...dela, dia, depoisDe: lugar, limite });
        if (rows.length > 0) return rows.map((row) => ({ ...row, fase }));
      }
      return [];
    },
    preparar: async (_tenant, provedor, dia, linhas) => async (w) => {
      const [primeira] = linhas;
      // Read where it is acted upon: a ladder that was switched off meanwhile does nothing more.
      const regua = await lerRegua(w);
      if (primeira === undefined || regua.ativaDesde === null || regua.ativaDesde > dia) return 0;
      const ids = linhas.map(({ id }) => id);
      return FAZER[primeira.fase]({ w, provedor, regua, dia, agora: relogio.agora() }, ids);
    },
  };
}

const FAZER: Readonly<Record<Fase, (rodada: Rodada, ids: readonly number[]) => Promise<number>>> = {
  entregas: async ({ w, agora }, ids) => anotarEntregas(w, ids, agora),
  lembrete: async (rodada, ids) => mandarMensagens(rodada, 'lembrete', ids),
  vencimento: async (rodada, ids) => mandarMensagens(rodada, 'vencimento', ids),
  aviso: async (rodada, ids) => mandarMensagens(rodada, 'aviso', ids),
  bloqueio: bloquearDevedores,
  segundo_aviso: avisarRescisao,
  rescisao: rescindir,
};

/** Notes that notices reached somebody by the app or by the provider's own system. */
async function anotarEntregas(w: Write, ids: readonly number[], agora: Date): Promise<number> {
  return w.update('regua_passos', (q) => void q.whereIn('id', [...ids]).whereNull('entregue_em'), {
    entregue_em: toDatabaseTime(agora),
    canal: 'app_ou_webhook',
  });
}
