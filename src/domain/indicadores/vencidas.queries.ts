import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { apurarDivida } from '../faturas/apuracao.regras.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { groupBy } from '../../platform/group-by.ts';
import { pesosDe } from './pesos.regras.ts';
import type { Soma } from './somas.queries.ts';

/** Overdue invoices of one due date: what they ask for today, fine and interest with it. */
export interface VencidasDoDia extends Soma {
  readonly vencimento: Data;
}

interface DoDiaRow {
  vencimento: Data;
  valor: string | null;
  quantidade: number;
}

const DO_DIA = columns<DoDiaRow>('f', {
  vencimento: true,
  valor: `SUM(f.valor + IF(f.valor <= 0, 0, ROUND(f.valor * d.multa / 10000, 2) + ROUND(f.valor * d.juros / 300000, 2)))`,
  quantidade: 'COUNT(*)',
});
const DISTINTOS = columns<{ vencimento: Data }>('faturas', { vencimento: true });
const CLIENTES = expressions<{ clientes: number }>({ clientes: 'COUNT(DISTINCT cliente_id)' });

/** Due dates of which something is open and overdue; one look into the index for each. */
async function vencimentosEmAberto(tenant: TenantDb, hoje: Data): Promise<Data[]> {
  const query = tenant.from('faturas', 'faturas_somas').where('grupo', 'aberta').where('vencimento', '<', hoje);
  const rows = await rowsOf(query.distinct(), DISTINTOS);
  return rows.map(({ vencimento }) => vencimento);
}

/**
 * What the open overdue invoices ask for on a day, by due date, as apuracao.regras.ts has it and whether or not the nightly work has
 * stored it. Those of which nothing was paid or taken off are summed by the database, by the weights of their due date; the others, of which
 * there are few, are judged one by one.
 */
export async function vencidasPorDia(tenant: TenantDb, provedor: Provedor, hoje: Data): Promise<VencidasDoDia[]> {
  const vencimentos = await vencimentosEmAberto(tenant, hoje);
  if (vencimentos.length === 0) return [];
  const pesos = vencimentos.map((dia) => ({ dia, ...pesosDe(provedor.regras, dia, hoje) }));
  const [inteiras, emParte] = await Promise.all([
    rowsOfSql(
      tenant.db,
      DO_DIA,
      (colunas) =>
        `SELECT ${colunas}
           FROM JSON_TABLE(?, '$[*]' COLUMNS (dia DATE PATH '$.dia', multa INT PATH '$.multa', juros BIGINT PATH '$.juros')) AS d
           STRAIGHT_JOIN faturas f FORCE INDEX (faturas_somas)
             ON f.provedor_id = ? AND f.grupo = 'aberta' AND f.vencimento = d.dia
          WHERE f.valor_pago = 0 AND f.abatido = 0
          GROUP BY f.vencimento`,
      [JSON.stringify(pesos), tenant.provedorId],
    ),
    vencidasEmParte(tenant, provedor, hoje),
  ]);
  const juntas = new Map<Data, VencidasDoDia>(
    inteiras.map(({ vencimento, valor, quantidade }) => [
      vencimento,
      { vencimento, valor: lerDinheiro(valor ?? '0.00'), quantidade },
    ]),
  );
  for (const { vencimento, falta } of emParte) {
    const ate = juntas.get(vencimento);
    juntas.set(vencimento, {
      vencimento,
      valor: ate === undefined ? falta : somarDinheiro(ate.valor, falta),
      quantidade: (ate?.quantidade ?? 0) + 1,
    });
  }
  return [...juntas.values()].toSorted((a, b) => a.vencimento.localeCompare(b.vencimento));
}

interface EmParteRow {
  id: number;
  valor: string;
  valor_pago: string;
  vencimento: Data;
}
const EM_PARTE = columns<EmParteRow>('faturas', { id: true, valor: true, valor_pago: true, vencimento: true });

/** Of these, those of which something was paid or taken off, with what is left of each. */
async function vencidasEmParte(
  tenant: TenantDb,
  provedor: Provedor,
  hoje: Data,
): Promise<{ vencimento: Data; falta: Centavos }[]> {
  const query = tenant
    .from('faturas', 'faturas_somas')
    .where('grupo', 'aberta')
    .where('vencimento', '<', hoje)
    .where((emParte) => void emParte.where('valor_pago', '<>', 0).orWhere('abatido', '<>', 0));
  const rows = await rowsOf(query, EM_PARTE);
  const ids = rows.map(({ id }) => id);
  const porFatura = groupBy(ids.length === 0 ? [] : await listarPagamentos(tenant, ids), ({ fatura_id }) => fatura_id);
  return rows.map((row) => ({
    vencimento: row.vencimento,
    falta: apurarDivida(row, porFatura.get(row.id) ?? [], provedor, hoje).total,
  }));
}

/** How many clients have an invoice that is open and overdue. */
export async function clientesComVencida(tenant: TenantDb, hoje: Data): Promise<number> {
  const query = tenant.from('faturas', 'faturas_somas').where('grupo', 'aberta').where('vencimento', '<', hoje);
  const [row] = await rowsOf(query, CLIENTES);
  return row?.clientes ?? 0;
}

interface PrevistoRow {
  vencimento: Data;
  valor: string | null;
  quantidade: number;
}
const PREVISTO = columns<PrevistoRow>('faturas', {
  vencimento: true,
  valor: 'SUM(GREATEST(0, faturas.valor - faturas.valor_pago - faturas.abatido))',
  quantidade: 'COUNT(*)',
});

/** What is left of the open invoices that fall due from one day to another, by day. */
export async function previstoPorDia(tenant: TenantDb, [de, ate]: readonly [Data, Data]): Promise<Map<Data, Soma>> {
  const query = tenant
    .from('faturas', 'faturas_somas')
    .where('grupo', 'aberta')
    .whereBetween('vencimento', [de, ate])
    .groupBy('vencimento');
  const rows = await rowsOf(query, PREVISTO);
  return new Map(
    rows.map(({ vencimento, valor, quantidade }) => [vencimento, { valor: lerDinheiro(valor ?? '0.00'), quantidade }]),
  );
}
