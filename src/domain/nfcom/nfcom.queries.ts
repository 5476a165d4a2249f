import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { AmbienteNfcom, SituacaoNfcom } from './nfcom.types.ts';

interface NfcomDaFaturaRow {
  id: number;
  fatura_id: number;
  situacao: SituacaoNfcom;
}

export interface NfcomRow extends NfcomDaFaturaRow {
  cliente_id: number;
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

export function createNfcomQueries(tenant: TenantDb) {
  return {
    /** The notes of invoices, oldest first, out of the index alone. */
    async dasFaturas(faturaIds: readonly number[]): Promise<NfcomDaFaturaRow[]> {
      const delas = tenant.from('nfcom', 'nfcom_fatura').whereIn('fatura_id', [...faturaIds]);
      return rowsOf(delas.orderBy(['fatura_id', 'id']), DA_FATURA);
    },

    /** The newest note of an invoice. */
    async daFatura(faturaId: number): Promise<NfcomRow | undefined> {
      const dela = tenant.from('nfcom', 'nfcom_fatura').where('fatura_id', faturaId);
      const [row] = await rowsOf(dela.orderBy('id', 'desc').limit(1), DA_NFCOM);
      return row;
    },
  };
}
