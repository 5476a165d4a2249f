import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { ConvenioAberto } from '../cliente/cliente.ts';
import { COLUNAS_DO_CONVENIO } from '../psp.types.ts';
import type { Alvo, Caminhos, ConvenioRow, SegredosDoConvenio } from '../psp.types.ts';

const DE_QUEM = columns<{ provedor_id: number }>('psp_convenios', { provedor_id: true });
const UM = expressions<{ um: number }>({ um: '1' });

type CifradoRow = ConvenioRow & { segredos: Buffer };
const CIFRADO = columns<CifradoRow>('psp_convenios', { ...COLUNAS_DO_CONVENIO.of, segredos: true });

/** Providers that have an agreement, by name and on purpose. */
export async function provedoresComPsp(db: Db): Promise<number[]> {
  return [
    ...new Set((await rowsOf(db('psp_convenios').orderBy('provedor_id'), DE_QUEM)).map((row) => row.provedor_id)),
  ];
}

const VISTO = expressions<{ visto: string | null }>({ visto: 'MIN(visto_ate)' });

/** Up to when a provider's invoices were looked at; null: never. */
export async function vistoAte(tenant: TenantDb): Promise<Date | null> {
  const [row] = await rowsOf(tenant.from('psp_convenios'), VISTO);
  const visto = row?.visto ?? null;
  return visto === null ? null : fromDatabaseTime(visto);
}

export async function temConvenio(tenant: TenantDb): Promise<boolean> {
  const [row] = await rowsOf(tenant.from('psp_convenios').limit(1), UM);
  return row !== undefined;
}

/** Where the secrets of an agreement are sealed: those of one account do not open as another's. */
export const lugarDosSegredos = (provedorId: number, cobradorId: number) => ({
  tenant: provedorId,
  table: 'psp_convenios',
  column: 'segredos',
  row: String(cobradorId),
});

export const listarConvenios = async (tenant: TenantDb): Promise<ConvenioRow[]> =>
  rowsOf(tenant.from('psp_convenios').orderBy('id'), COLUNAS_DO_CONVENIO);

export interface ConvenioComSegredos extends ConvenioAberto {
  readonly row: ConvenioRow;
}

/** An agreement with what is sealed of it; null where there is none. */
export async function abrirConvenio(
  tenant: TenantDb,
  segredos: Secrets,
  quem: { readonly id: number } | { readonly cobrador_id: number },
): Promise<ConvenioComSegredos | null> {
  const [row] = await rowsOf(tenant.from('psp_convenios').where(quem), CIFRADO);
  if (row === undefined) return null;
  const claro = segredos.open(lugarDosSegredos(tenant.provedorId, row.cobrador_id), row.segredos).toString();
  return {
    row,
    provedorId: tenant.provedorId,
    id: row.id,
    versao: row.versao,
    adaptador: row.adaptador,
    base: row.base,
    tokenUrl: row.token_url,
    caminhos: jsonColumn<Caminhos>(row.caminhos ?? {}),
    cas: row.cas_extras,
    segredos: JSON.parse(claro) as SegredosDoConvenio,
  };
}

const DO_ALVO = expressions<{ provedor_id: number; id: number }>({ provedor_id: 'c.provedor_id', id: 'c.id' });

/**
 * Agreements of which something is to be done now, by name and on purpose. What an agreement that ended has charged is still taken off.
 */
export async function comTrabalho(db: Db, agora: Date): Promise<Alvo[]> {
  const em = toDatabaseTime(agora);
  const rows = await rowsOfSql(
    db,
    DO_ALVO,
    (colunas) =>
      `SELECT ${colunas} FROM psp_convenios c
         LEFT JOIN (SELECT provedor_id, convenio_id, MIN(proxima_em) AS desde
                      FROM psp_cobrancas FORCE INDEX (psp_cobrancas_fila) GROUP BY convenio_id, provedor_id) t
           ON t.provedor_id = c.provedor_id AND t.convenio_id = c.id
        WHERE (c.parada_ate IS NULL OR c.parada_ate <= ?)
          AND (t.desde <= ? OR (c.ativo = 1 AND (c.leitura_em IS NULL OR c.leitura_em <= ?)))`,
    [em, em, em],
  );
  const alvos = rows.map(({ provedor_id: provedorId, id: convenioId }) => ({ provedorId, convenioId }));
  return onlyHere(db, alvos, ({ provedorId }) => provedorId);
}
