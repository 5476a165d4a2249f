import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { COLUNAS_DE_IDENTIDADE, paraIdentidade } from '../../provedores/identidade.types.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';

export interface DocumentoRow {
  id: number;
  chave: string | null;
  ambiente: AmbienteNfcom;
  situacao: SituacaoNfcom;
  tipo_emissao: number;
  xml_assinado: Buffer | null;
  xml_autorizado: Buffer | null;
}

const DO_DOCUMENTO = columns<DocumentoRow>('nfcom', {
  id: true,
  chave: true,
  ambiente: true,
  situacao: true,
  tipo_emissao: true,
  xml_assinado: true,
  xml_autorizado: true,
});

export function createDanfeQueries(tenant: TenantDb) {
  return {
    async porId(id: number): Promise<DocumentoRow | undefined> {
      const [row] = await rowsOf(tenant.from('nfcom').where('id', id), DO_DOCUMENTO);
      return row;
    },

    async identidade() {
      const [row] = await rowsOf(tenant.from('provedores_identidade'), COLUNAS_DE_IDENTIDADE);
      return row === undefined ? null : paraIdentidade(row);
    },
  };
}
