import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import { AVISOS_DE_FIM } from '../../nfcom/certificado/certificado.types.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';

export type AvisosDoPspService = ReturnType<typeof createAvisosDoPspService>;

const DIA_MS = 86_400_000;
const DE_QUEM = columns<{ provedor_id: number }>('psp_convenios', { provedor_id: true });
const DO_FIM = columns<{ id: number; certificado_ate: string; certificado_avisado: number | null }>('psp_convenios', {
  id: true,
  certificado_ate: true,
  certificado_avisado: true,
});

/** Says that the certificate of an agreement ends in so many days, once for each of `AVISOS_DE_FIM`. */
export function createAvisosDoPspService(deps: {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}) {
  const { db, relogio, write, provedores } = deps;
  // A day more than the first: a provider's day may begin before ours.
  const ateQuando = (agora: Date): string =>
    toDatabaseTime(new Date(agora.getTime() + (AVISOS_DE_FIM[0] + 1) * DIA_MS));

  return {
    /** Providers of which a certificate ends soon, by name and on purpose. */
    async provedores(): Promise<number[]> {
      const agora = relogio.agora();
      const deles = db('psp_convenios')
        .where('certificado_ate', '>', toDatabaseTime(agora))
        .where('certificado_ate', '<=', ateQuando(agora))
        .where((q) => void q.whereNull('certificado_avisado').orWhere('certificado_avisado', '>', AVISOS_DE_FIM[3]));
      return [...new Set((await rowsOf(deles, DE_QUEM)).map((row) => row.provedor_id))];
    },

    async avisar(actor: Actor, provedorId: number): Promise<{ mais: boolean }> {
      const { fusoHorario: fuso } = await provedores.exigirPorId(provedorId);
      await write(actor, provedorId, async (w) => {
        const agora = relogio.agora();
        const perto = w.from('psp_convenios').where('certificado_ate', '<=', ateQuando(agora)).forUpdate();
        for (const row of await rowsOf(perto, DO_FIM)) {
          const fim = fromDatabaseTime(row.certificado_ate);
          const dias = diasEntre(hojeEm(fuso, agora), hojeEm(fuso, fim));
          const aviso = AVISOS_DE_FIM.findLast((um) => dias <= um);
          const dito = row.certificado_avisado;
          if (aviso === undefined || fim <= agora || (dito !== null && dito <= aviso)) continue;
          await w.update('psp_convenios', (q) => void q.where({ id: row.id }), { certificado_avisado: aviso });
          const tipo = 'psp.certificado_expirando';
          await tocarSino(w, [{ tipo, origem: 'PIX', recurso: 'psp_convenio', recursoId: row.id }], agora);
          w.emit('psp.certificado_expirando', row.id, { dias: Math.max(dias, 0), valido_ate: fim.toISOString() });
        }
      });
      return { mais: false };
    },
  };
}
