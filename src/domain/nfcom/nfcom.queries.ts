import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { AmbienteNfcom, FinalidadeNfcom, SituacaoNfcom } from './nfcom.types.ts';

interface NfcomDaFaturaRow {
  id: number;
  fatura_id: number;
  situacao: SituacaoNfcom;
}

export interface NfcomRow extends NfcomDaFaturaRow {
  cliente_id: number;
  contrato_id: number | null;
  finalidade: FinalidadeNfcom;
  serie: number | null;
  numero: number | null;
  chave: string | null;
  ambiente: AmbienteNfcom;
  protocolo: string | null;
  valor: string;
  emitida_em: string | null;
  autorizada_em: string | null;
  cancelada_em: string | null;
  motivo_codigo: string | null;
  motivo: string | null;
  xml_assinado: Buffer | null;
  xml_autorizado: Buffer | null;
}

const DA_FATURA = columns<NfcomDaFaturaRow>('nfcom', { id: true, fatura_id: true, situacao: true });

const DA_NFCOM = columns<NfcomRow>('nfcom', {
  ...DA_FATURA.of,
  cliente_id: true,
  contrato_id: true,
  finalidade: true,
  serie: true,
  numero: true,
  chave: true,
  ambiente: true,
  protocolo: true,
  valor: true,
  emitida_em: true,
  autorizada_em: true,
  cancelada_em: true,
  motivo_codigo: true,
  motivo: true,
  xml_assinado: true,
  xml_autorizado: true,
});

/**
 * The note that counts, of those of one invoice, comes first: a real one before a trial, an authorised one before what was rejected or waits,
 * and then the newest. An ajuste gives back some of another one, and counts only where there is no other.
 */
const A_QUE_VALE = `nfcom.finalidade = 'ajuste', nfcom.ambiente <> 'producao', nfcom.situacao <> 'autorizada', nfcom.id DESC`;

export function createNfcomQueries(tenant: TenantDb) {
  return {
    /** The notes of invoices; of each invoice the one that counts comes first. */
    async dasFaturas(faturaIds: readonly number[]): Promise<NfcomDaFaturaRow[]> {
      const delas = tenant.from('nfcom', 'nfcom_fatura').whereIn('fatura_id', [...faturaIds]);
      return rowsOf(delas.orderBy('fatura_id').orderByRaw(A_QUE_VALE), DA_FATURA);
    },

    /** The notes of an invoice, the one that counts first; of one contract alone, where one is named. */
    async daFatura(faturaId: number, contratoId: number | null, limite: number): Promise<NfcomRow[]> {
      const delas = tenant.from('nfcom', 'nfcom_fatura').where('fatura_id', faturaId);
      if (contratoId !== null) delas.where('contrato_id', contratoId);
      return rowsOf(delas.orderByRaw(A_QUE_VALE).limit(limite), DA_NFCOM);
    },
  };
}
