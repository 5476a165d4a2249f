import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { contaPadrao } from '../cobradores/cobradores.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** What a new provider has done of what it needs before it can work. */
export interface PrimeirosPassos {
  readonly identidade: boolean;
  readonly pix: boolean;
  readonly nas: boolean;
  readonly planos: boolean;
  readonly clientes: boolean;
  readonly chave: boolean;
  readonly usuarios: boolean;
}

const UMA = expressions<{ um: number }>({ um: '1' });

/** Null once it has a client: then it works, and nobody asks for the rest. */
export async function primeirosPassos(tenant: TenantDb, { contas }: Provedor): Promise<PrimeirosPassos | null> {
  const tem = async (query: ReturnType<TenantDb['from']>, quantas = 1): Promise<boolean> =>
    (await rowsOf(query.limit(quantas), UMA)).length === quantas;
  if (await tem(tenant.from('clientes'))) return null;
  const [identidade, nas, planos, chave, usuarios] = await Promise.all([
    tem(tenant.from('provedores_identidade').whereNotNull('razao_social')),
    tem(tenant.from('provedores_nas')),
    tem(tenant.from('planos')),
    tem(tenant.from('chaves_api')),
    // Whoever reads this is one.
    tem(tenant.from('usuarios'), 2),
  ]);
  const pix = contaPadrao(contas).recebedor !== null;
  return { identidade, pix, nas, planos, clientes: false, chave, usuarios };
}
