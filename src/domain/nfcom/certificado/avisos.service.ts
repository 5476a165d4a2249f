import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import type { ProvedoresService } from '../../provedores/provedores.service.ts';
import { AVISOS_DE_FIM } from './certificado.types.ts';
import { lerCertificado } from './certificado.queries.ts';

export type AvisosDeCertificadoService = ReturnType<typeof createAvisosDeCertificadoService>;

interface AvisosDeCertificadoDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly provedores: Pick<ProvedoresService, 'exigirPorId'>;
}

const DIA_MS = 86_400_000;
/** A day more than the first: a provider's day may begin before ours. */
const OLHAR_MS = (AVISOS_DE_FIM[0] + 1) * DIA_MS;

const DE_QUEM = columns<{ provedor_id: number }>('nfcom_certificados', { provedor_id: true });

/** Says to administrators that a certificate ends in so many days, once for each of `AVISOS_DE_FIM`. */
export function createAvisosDeCertificadoService({ db, relogio, write, provedores }: AvisosDeCertificadoDeps) {
  return {
    /** Providers whose certificate ends soon, by name and on purpose. */
    async provedores(): Promise<number[]> {
      const agora = relogio.agora();
      const deles = db('nfcom_certificados')
        .whereNull('removido_em')
        .where('valido_ate', '>', toDatabaseTime(agora))
        .where('valido_ate', '<=', toDatabaseTime(new Date(agora.getTime() + OLHAR_MS)))
        .where((q) => void q.whereNull('avisado').orWhere('avisado', '>', AVISOS_DE_FIM[3]));
      return [...new Set((await rowsOf(deles, DE_QUEM)).map(({ provedor_id }) => provedor_id))];
    },

    async avisar(actor: Actor, provedorId: number): Promise<{ mais: boolean }> {
      const { fusoHorario: fuso } = await provedores.exigirPorId(provedorId);
      await write(actor, provedorId, async (w) => {
        const agora = relogio.agora();
        const certificado = await lerCertificado(w.tenant);
        if (certificado === null) return;
        const fim = fromDatabaseTime(certificado.valido_ate);
        const dias = diasEntre(hojeEm(fuso, agora), hojeEm(fuso, fim));
        const aviso = AVISOS_DE_FIM.findLast((um) => dias <= um);
        if (aviso === undefined || fim <= agora) return;
        const mudou = await w.update(
          'nfcom_certificados',
          (q) =>
            void q
              .where({ id: certificado.id })
              .where((outra) => void outra.whereNull('avisado').orWhere('avisado', '>', aviso)),
          { avisado: aviso },
        );
        if (mudou === 0) return;
        const tipo = 'nfcom.certificado_expirando';
        await tocarSino(w, [{ tipo, origem: 'NFCom', recurso: 'certificado', recursoId: certificado.id }], agora);
        w.emit('nfcom.certificado_expirando', certificado.id, {
          dias: Math.max(dias, 0),
          valido_ate: fim.toISOString(),
        });
      });
      return { mais: false };
    },
  };
}
