import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { contaPadrao } from '../cobradores/cobradores.types.ts';

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

interface PassosRow {
  identidade: number;
  nas: number;
  planos: number;
  clientes: number;
  chave: number;
  usuarios: number;
}

const ha = (tabela: string, mais = ''): string =>
  `EXISTS (SELECT 1 FROM ${tabela} AS t WHERE t.provedor_id = provedores.id${mais})`;

const DOS_PASSOS = columns<PassosRow>('provedores', {
  identidade: ha('provedores_identidade', ' AND t.razao_social IS NOT NULL'),
  nas: ha('provedores_nas'),
  planos: ha('planos'),
  clientes: ha('clientes'),
  chave: ha('chaves_api'),
  // Whoever reads this is one.
  usuarios: `(SELECT MIN(t.id) < MAX(t.id) FROM usuarios AS t WHERE t.provedor_id = provedores.id)`,
});

export async function primeirosPassos(tenant: TenantDb, { id, contas }: Provedor): Promise<PrimeirosPassos> {
  const [row] = await rowsOf(tenant.db('provedores').where('provedores.id', id), DOS_PASSOS);
  const feito = (passo: keyof PassosRow): boolean => row?.[passo] === 1;
  return {
    identidade: feito('identidade'),
    pix: contaPadrao(contas).recebedor !== null,
    nas: feito('nas'),
    planos: feito('planos'),
    clientes: feito('clientes'),
    chave: feito('chave'),
    usuarios: feito('usuarios'),
  };
}
