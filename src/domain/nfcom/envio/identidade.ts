import { LRUCache } from 'lru-cache';
import type { CertificadoA1 } from '../../../../workers/threads/certificado-a1/contract.ts';
import { faltaDoCertificado } from '../../../brazil/nfcom/assinatura/certificado.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import { lerCertificado, lerCertificadoCifrado, lugarDoCertificado } from '../certificado/certificado.queries.ts';
import { FALTAS_DO_CERTIFICADO } from '../certificado/certificado.regras.ts';
import type { LeitorDePfx } from '../certificado/leitor.ts';

/** Certificates that are kept open. */
const ABERTOS = 200;

/** What signs and shows itself to the authority, or why nothing does. */
export type Identidade =
  | { readonly certa: true; readonly certificado: CertificadoA1 }
  | { readonly certa: false; readonly codigo: 'sem_certificado' | 'certificado_invalido'; readonly motivo: string };

/** Opens providers' certificates. What is open stays in memory alone, until the provider has another. */
export function createIdentidades({ segredos, lerPfx }: { readonly segredos: Secrets; readonly lerPfx: LeitorDePfx }) {
  const abertos = new LRUCache<number, CertificadoA1>({ max: ABERTOS });

  async function abrir(tenant: TenantDb): Promise<CertificadoA1 | null> {
    const cifrado = await lerCertificadoCifrado(tenant);
    if (cifrado === null) return null;
    const { provedorId } = tenant;
    const pfx = segredos.open(lugarDoCertificado(provedorId, 'pfx'), cifrado.pfx);
    const senha = segredos.open(lugarDoCertificado(provedorId, 'senha'), cifrado.senha).toString();
    const aberto = await lerPfx(pfx, senha);
    abertos.set(cifrado.id, aberto);
    return aberto;
  }

  /** @param emitente the CNPJ that issues notes */
  return async function identidadeDe(tenant: TenantDb, emitente: string, agora: Date): Promise<Identidade> {
    const row = await lerCertificado(tenant);
    const certificado = row === null ? null : (abertos.get(row.id) ?? (await abrir(tenant)));
    if (certificado === null) {
      return { certa: false, codigo: 'sem_certificado', motivo: 'o provedor não tem certificado A1' };
    }
    const falta = faltaDoCertificado(certificado, emitente, agora);
    if (falta === null) return { certa: true, certificado };
    return { certa: false, codigo: 'certificado_invalido', motivo: FALTAS_DO_CERTIFICADO[falta] };
  };
}

export type Identidades = ReturnType<typeof createIdentidades>;
