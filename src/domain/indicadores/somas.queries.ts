import type { Knex } from 'knex';
import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { Columns } from '../../platform/mysql/columns.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Dias } from './dias.regras.ts';

/** What is kept of a day that is over, and, of the day itself, how things stood when its work began. */
export type NomeDaSoma = 'recebido' | 'vencendo' | 'online' | 'offline' | 'bloqueados' | 'vencido' | 'chamados_abertos';

export interface SomaRow {
  nome: NomeDaSoma;
  dia: Data;
  valor: string;
  quantidade: number;
  feita_em: string;
}

const DA_SOMA = columns<SomaRow>('somas_diarias', {
  nome: true,
  dia: true,
  valor: true,
  quantidade: true,
  feita_em: true,
});

/** An amount of money, and of how many. */
export interface Soma {
  readonly valor: Centavos;
  readonly quantidade: number;
}

interface SomaDoLugar {
  lugar: number;
  valor: string | null;
  quantidade: number;
}

const doLugar = (lugar: string, valor: string): Columns<SomaDoLugar> =>
  expressions<SomaDoLugar>({ lugar, valor: `SUM(${valor})`, quantidade: 'COUNT(*)' });

/** What was kept of some days, of these names. */
export async function somasGuardadas(
  tenant: TenantDb,
  nomes: readonly NomeDaSoma[],
  [de, ate]: readonly [Data, Data],
): Promise<SomaRow[]> {
  return rowsOf(tenant.from('somas_diarias').whereIn('nome', nomes).whereBetween('dia', [de, ate]), DA_SOMA);
}

function nasFaixas(query: Knex.QueryBuilder, coluna: string, faixas: readonly (readonly [string, string])[]): void {
  query.where((uma) => {
    for (const [de, antesDe] of faixas) {
      uma.orWhere((faixa) => void faixa.where(coluna, '>=', de).where(coluna, '<', antesDe));
    }
  });
}

/**
 * What came in on some days, less what was given back of it: PIX and boletos, whether or not their invoice is known, and what people
 * registered. Three statements, whatever the days; both read indexes that hold all of it.
 */
export async function recebidoPorDia(tenant: TenantDb, dias: Dias, quais: readonly Data[]): Promise<Map<Data, Soma>> {
  const faixas = dias.faixas(quais);
  return faixas.length === 0 ? new Map() : recebidoNasFaixas(tenant, dias, faixas, quais);
}

/** The same between two instants of one day. */
export async function recebidoEntre(tenant: TenantDb, faixa: readonly [string, string]): Promise<Soma> {
  const [doDia] = await somarRecebidos(tenant, '1', [faixa]);
  return { valor: doDia?.valor ?? lerDinheiro('0.00'), quantidade: doDia?.quantidade ?? 0 };
}

async function recebidoNasFaixas(
  tenant: TenantDb,
  dias: Dias,
  faixas: readonly (readonly [string, string])[],
  quais: readonly Data[],
): Promise<Map<Data, Soma>> {
  const somas = new Map<Data, Soma>(quais.map((dia) => [dia, { valor: lerDinheiro('0.00'), quantidade: 0 }]));
  for (const { lugar, valor, quantidade } of await somarRecebidos(tenant, dias.lugarDe('pago_em'), faixas)) {
    const dia = dias.dias[lugar - 1];
    if (dia !== undefined) somas.set(dia, { valor, quantidade });
  }
  return somas;
}

async function somarRecebidos(
  tenant: TenantDb,
  lugar: string,
  faixas: readonly (readonly [string, string])[],
): Promise<{ lugar: number; valor: Centavos; quantidade: number }[]> {
  const de = (tabela: string, indice: string): Knex.QueryBuilder =>
    tenant
      .from(tabela, indice)
      .modify(nasFaixas, 'pago_em', faixas)
      .groupByRaw(lugar === '1' ? 'provedor_id' : lugar);
  const [pix, boletos, manuais] = await Promise.all([
    rowsOf(de('pix_recebidos', 'pix_recebidos_pagos'), doLugar(lugar, 'valor - devolvido')),
    rowsOf(
      de('boletos_recebidos', 'boletos_recebidos_pagos').whereNull('desfeito_em'),
      doLugar(lugar, 'valor - devolvido'),
    ),
    rowsOf(
      de('recebimentos_manuais', 'recebimentos_manuais_no_dia').whereNull('desfeito_em'),
      doLugar(lugar, 'valor - devolvido'),
    ),
  ]);
  const juntas = new Map<number, { lugar: number; valor: Centavos; quantidade: number }>();
  for (const { lugar: n, valor, quantidade } of [...pix, ...boletos, ...manuais]) {
    const antes = juntas.get(n);
    const total = somarDinheiro(lerDinheiro(valor ?? '0.00'), antes?.valor ?? lerDinheiro('0.00'));
    juntas.set(n, { lugar: n, valor: total, quantidade: quantidade + (antes?.quantidade ?? 0) });
  }
  return [...juntas.values()];
}

const LUGAR = (dias: Dias, coluna: string) => expressions<{ lugar: number }>({ lugar: dias.lugarDe(coluna) });

/**
 * Days whose payments were told, given back or undone since an instant: what was kept of them by then may be another sum now. Eight
 * statements that read what was written since, and no more.
 */
export async function diasCorrigidos(
  tenant: TenantDb,
  dias: Dias,
  desde: string,
  [de, antesDe]: readonly [string, string],
): Promise<Set<Data>> {
  const escritas = (tabela: string, indice: string, escrita: string, pago = 'pago_em'): Knex.QueryBuilder =>
    tenant.from(tabela, indice).where(escrita, '>=', desde).where(pago, '>=', de).where(pago, '<', antesDe).distinct();
  const devolucoes = tenant
    .from('pix_devolucoes as d')
    .joinRaw('JOIN pix_recebidos r FORCE INDEX (PRIMARY) ON r.provedor_id = d.provedor_id AND r.id = d.recebido_id')
    .where('d.criado_em', '>=', desde)
    .where('r.pago_em', '>=', de)
    .where('r.pago_em', '<', antesDe)
    .distinct();
  const aMao = (tabela: string, coluna: string): Knex.QueryBuilder =>
    tenant
      .from('devolucoes_pedidas as d')
      .joinRaw(`JOIN ${tabela} r FORCE INDEX (PRIMARY) ON r.provedor_id = d.provedor_id AND r.id = d.${coluna}`)
      .where('d.respondida_em', '>=', desde)
      .where('r.pago_em', '>=', de)
      .where('r.pago_em', '<', antesDe)
      .distinct();
  const achados = await Promise.all([
    rowsOf(aMao('boletos_recebidos', 'boleto_id'), LUGAR(dias, 'r.pago_em')),
    rowsOf(aMao('recebimentos_manuais', 'manual_id'), LUGAR(dias, 'r.pago_em')),
    rowsOf(escritas('boletos_recebidos', 'boletos_recebidos_criados', 'criado_em'), LUGAR(dias, 'pago_em')),
    rowsOf(escritas('boletos_recebidos', 'boletos_recebidos_desfeitos', 'desfeito_em'), LUGAR(dias, 'pago_em')),
    rowsOf(escritas('pix_recebidos', 'pix_recebidos_criados', 'criado_em'), LUGAR(dias, 'pago_em')),
    rowsOf(devolucoes, LUGAR(dias, 'r.pago_em')),
    rowsOf(escritas('recebimentos_manuais', 'recebimentos_manuais_criados', 'criado_em'), LUGAR(dias, 'pago_em')),
    rowsOf(escritas('recebimentos_manuais', 'recebimentos_manuais_desfeitos', 'desfeito_em'), LUGAR(dias, 'pago_em')),
  ]);
  return new Set(achados.flat().flatMap(({ lugar }) => dias.dias[lugar - 1] ?? []));
}

/** Every state of an invoice but those in which it asked for nothing. */
const PEDIRAM = ['aberta', 'paga', 'processando', 'estornada'];

interface DoVencimentoRow {
  vencimento: Data;
  valor: string | null;
  quantidade: number;
}
const DO_VENCIMENTO = columns<DoVencimentoRow>('faturas', {
  vencimento: true,
  valor: 'SUM(faturas.valor)',
  quantidade: 'COUNT(*)',
});

/** What fell due on each of some days that follow one another, whatever has become of it; what was cancelled did not. */
export async function vencendoPorDia(tenant: TenantDb, [de, ate]: readonly [Data, Data]): Promise<Map<Data, Soma>> {
  const query = tenant
    .from('faturas', 'faturas_somas')
    .whereIn('grupo', PEDIRAM)
    .whereBetween('vencimento', [de, ate])
    .groupBy('vencimento');
  const rows = await rowsOf(query, DO_VENCIMENTO);
  return new Map(
    rows.map(({ vencimento, valor, quantidade }) => [vencimento, { valor: lerDinheiro(valor ?? '0.00'), quantidade }]),
  );
}
