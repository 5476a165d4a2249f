import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';

interface CertificadoRow {
  id: number;
  titular: string;
  cnpj: string | null;
  valido_de: string;
  valido_ate: string;
  avisado: number | null;
  criado_em: string;
}

const DO_CERTIFICADO = columns<CertificadoRow>('nfcom_certificados', {
  id: true,
  titular: true,
  cnpj: true,
  valido_de: true,
  valido_ate: true,
  avisado: true,
  criado_em: true,
});

interface CertificadoCifradoRow extends CertificadoRow {
  pfx: Buffer;
  senha: Buffer;
}

const CIFRADO = columns<CertificadoCifradoRow>('nfcom_certificados', { ...DO_CERTIFICADO.of, pfx: true, senha: true });

const doProvedor = (tenant: Pick<TenantDb, 'from'>) =>
  tenant.from('nfcom_certificados').whereNull('removido_em').orderBy('id', 'desc').limit(1);

/** The certificate that holds; null where the provider has none. */
export async function lerCertificado(tenant: TenantDb): Promise<CertificadoRow | null> {
  const [row] = await rowsOf(doProvedor(tenant), DO_CERTIFICADO);
  return row ?? null;
}

/** The same with what is sealed of it. */
export async function lerCertificadoCifrado(tenant: TenantDb): Promise<CertificadoCifradoRow | null> {
  const [row] = await rowsOf(doProvedor(tenant), CIFRADO);
  return row ?? null;
}

/** Where each part of a provider's certificate is sealed. */
export const lugarDoCertificado = (provedorId: number, column: 'pfx' | 'senha') => ({
  tenant: provedorId,
  table: 'nfcom_certificados',
  column,
});
