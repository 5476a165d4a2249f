import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { CorreioFeito, QuemPediu } from '../correio/correio.types.ts';

const DA_CARTA = columns<{ correio_id: number }>('p', { correio_id: true });

const ESTADO = { entregue: 'entregue', esgotada: 'falhou', dispensada: 'dispensado' } as const;

/**
 * The ladder's e-mails. One whose invoices were all paid or put off meanwhile, or whose block was lifted, is not sent any more; and a notice
 * is delivered once a server has taken it, and not before.
 */
export const CARTAS_DA_REGUA: QuemPediu = {
  soDeDia: true,

  async dispensadas(w, ids) {
    const aindaValem = w
      .from('regua_passos as p')
      .leftJoin('faturas as f', sameTenant('p', 'fatura_id', 'f', 'id'))
      .leftJoin('contratos as c', sameTenant('p', 'contrato_id', 'c', 'id'))
      .whereIn('p.correio_id', [...ids])
      .where((q) => {
        void q.whereNull('p.fatura_id');
        void q.orWhere((dela) => void dela.where('f.grupo', 'aberta').whereRaw('f.vencimento <= p.referencia'));
      })
      .where((q) => void q.whereNotIn('p.passo', ['bloqueio', 'segundo_aviso']).orWhere('c.situacao', 'bloqueado'))
      .distinct();
    const valem = new Set((await rowsOf(aindaValem, DA_CARTA)).map(({ correio_id }) => correio_id));
    return ids.filter((id) => !valem.has(id));
  },

  async soube(w, feitos, agora) {
    for (const estado of ['entregue', 'esgotada', 'dispensada'] as const) {
      const ids = feitos.flatMap((um: CorreioFeito) => (um.estado === estado ? [um.id] : []));
      if (ids.length === 0) continue;
      await w.update('regua_passos', (q) => void q.whereIn('correio_id', ids), { email_estado: ESTADO[estado] });
      if (estado !== 'entregue') continue;
      // What the app, or somebody of the staff, delivered before stays as it was noted.
      await w.update('regua_passos', (q) => void q.whereIn('correio_id', ids).whereNull('entregue_em'), {
        entregue_em: toDatabaseTime(agora),
        canal: 'email',
      });
    }
  },
};
