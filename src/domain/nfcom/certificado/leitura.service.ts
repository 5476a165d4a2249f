import { diasEntre, hojeEm } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerCertificado } from './certificado.queries.ts';
import type { CertificadoNfcom } from './certificado.types.ts';

export type LeituraDoCertificadoNfcomService = ReturnType<typeof createLeituraDoCertificadoNfcomService>;

/** The provider's A1 certificate, as staff see it. */
export function createLeituraDoCertificadoNfcomService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /** Null where the provider has none. */
    async buscar(): Promise<CertificadoNfcom | null> {
      const row = await lerCertificado(tenant);
      if (row === null) return null;
      const { fusoHorario: fuso } = provedor;
      const validoAte = fromDatabaseTime(row.valido_ate);
      return {
        id: row.id,
        titular: row.titular,
        cnpj: row.cnpj,
        validoDe: fromDatabaseTime(row.valido_de),
        validoAte,
        criadoEm: fromDatabaseTime(row.criado_em),
        diasRestantes: diasEntre(hojeEm(fuso, relogio.agora()), hojeEm(fuso, validoAte)),
      };
    },
  };
}
