import type { Knex } from 'knex';
import { hojeEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { SituacaoContrato, TipoCobranca } from '../../contratos/contratos.types.ts';
import { competenciaAte, diasDoMes, primeiroFimCobrado } from '../calculo/meses.regras.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { inicioDasMudancas } from '../calculo/cobranca.regras.ts';
import { cobrancasDeAntes, cobrancasFeitas, lerFeita } from './feitas.queries.ts';
import type { ContratoAFaturar, ItemDoContrato, Mudanca } from '../faturamento.types.ts';
import { COLUNAS_DO_ITEM } from '../itens/itens.types.ts';
import type { ItemRow } from '../itens/itens.types.ts';

/** A contract that may have a charge to be made; in this order they are gone through. */
export interface CandidatoRow {
  id: number;
  cliente_id: number;
}

const CANDIDATO = columns<CandidatoRow>('c', { id: true, cliente_id: true });
const PRESO = columns<{ contrato_id: number }>('faturamento_cobrancas', { contrato_id: true });
const QUANTOS = columns<{ total: number }>('c', { total: 'COUNT(*)' });

/** Which contracts: those whose newest month that is due by a day has no charge. */
export interface Alcance {
  readonly desde: Data;
  readonly ate: Data;
  /** Whether a client has one invoice of all that are due on a day. */
  readonly faturaUnica: boolean;
}

type Quando = Pick<Alcance, 'desde' | 'ate'>;

/** The month of service of a contract, of the four that there are on a day. */
const MES = `CAST(IF(c.dia_vencimento <= ?, IF(c.tipo_cobranca = 'pos_pago', ?, ?),
  IF(c.tipo_cobranca = 'pos_pago', ?, ?)) AS DATE)`;

/** Contracts of one write. */
export const POR_VEZ = 500;

/** Contracts of one client in one write, where they have a common invoice: what one write makes is one, and of all others it knows nothing. */
const DE_UM_CLIENTE = 10_000;

/** The runs that are being taken back. */
const desfazendo = async (tenant: TenantDb): Promise<number[]> =>
  (await rowsOf(tenant.from('faturamentos').where('desfazendo', 1), ID)).map(({ id }) => id);

/** The contracts that have a charge in such a run: until it is over, they are charged nothing. */
export async function presosEntre(tenant: TenantDb, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const vezes = await desfazendo(tenant);
  if (vezes.length === 0) return new Set();
  const deles = tenant
    .from('faturamento_cobrancas')
    .whereIn('contrato_id', ids)
    .whereIn('faturamento_id', vezes)
    .groupBy('contrato_id');
  return new Set((await rowsOf(deles, PRESO)).map(({ contrato_id: id }) => id));
}

function semCobranca(tenant: TenantDb, { desde, ate }: Quando, vezes: readonly number[]): Knex.QueryBuilder {
  const dia = Number(ate.slice(8));
  // A day that the month does not have is its last.
  const ateODia = dia === diasDoMes(ate) ? 31 : dia;
  const mes = (tipo: TipoCobranca, diaVencimento: number): string => competenciaAte(tipo, diaVencimento, ate).mes;
  const depois = Math.min(31, ateODia + 1);
  const meses = [mes('pos_pago', 1), mes('pre_pago', 1), mes('pos_pago', depois), mes('pre_pago', depois)];
  const doContrato = tenant.db.raw(MES, [ateODia, ...meses]);
  const fim = toDatabaseTime(primeiroFimCobrado(ate));
  return tenant
    .from('contratos as c', 'contratos_cliente')
    .leftJoin('faturamento_cobrancas as f', function naCobranca() {
      this.on('f.provedor_id', 'c.provedor_id').andOn('f.contrato_id', 'c.id');
      this.andOnVal('f.tipo', 'mensalidade').andOn('f.competencia', doContrato);
    })
    .whereNull('f.contrato_id')
    .where(doContrato, '>=', desde)
    .modify((q) => {
      if (vezes.length === 0) return;
      const deles = tenant.from('faturamento_cobrancas as d').whereRaw('d.contrato_id = c.id');
      void q.whereNotExists(deles.whereIn('d.faturamento_id', vezes).select('d.contrato_id'));
    })
    .where((q) => {
      void q.whereIn('c.situacao', ['ativo', 'bloqueado', 'inativo']);
      void q.orWhere((outros) => {
        void outros.whereIn('c.situacao', SITUACOES_DE_CANCELADO).where('c.cancelado_em', '>=', fim);
      });
    });
}

export async function contarCandidatos(tenant: TenantDb, alcance: Quando): Promise<number> {
  const [row] = await rowsOf(semCobranca(tenant, alcance, await desfazendo(tenant)), QUANTOS);
  return row?.total ?? 0;
}

/**
 * The next of them after one, client by client: those of the last client of a full page come with the next, and who has more than a page has
 * one of his own. Where a client has one invoice, that page is all that he has, ten thousand at most, whatever the limit: how fast a run goes
 * does not say how many invoices he gets.
 */
export async function proximosCandidatos(
  tenant: TenantDb,
  alcance: Alcance,
  depoisDe: CandidatoRow | null,
  limite: number,
): Promise<CandidatoRow[]> {
  const vezes = await desfazendo(tenant);
  const query = semCobranca(tenant, alcance, vezes).orderBy('c.cliente_id').orderBy('c.id');
  if (depoisDe !== null) {
    const { cliente_id, id } = depoisDe;
    void query
      .where('c.cliente_id', '>=', cliente_id)
      .where((q) => void q.where('c.cliente_id', '>', cliente_id).orWhere('c.id', '>', id));
  }
  const rows = await rowsOf(query.clone().limit(limite), CANDIDATO);
  const ultimo = rows.at(-1);
  if (rows.length < limite || ultimo === undefined) return rows;
  const inteiros = rows.filter(({ cliente_id }) => cliente_id !== ultimo.cliente_id);
  if (inteiros.length > 0) return inteiros;
  if (!alcance.faturaUnica) return rows;
  const dele = query.where('c.cliente_id', ultimo.cliente_id);
  return rowsOf(dele.limit(DE_UM_CLIENTE), CANDIDATO);
}

interface ContratoRow {
  id: number;
  cliente_id: number;
  plano_id: number;
  cobrador_id: number | null;
  situacao: SituacaoContrato;
  tipo_cobranca: TipoCobranca;
  dia_vencimento: number;
  valor: string;
  ativado_em: Data | null;
  criado_em: string;
}

const DO_CONTRATO = columns<ContratoRow>('contratos', {
  id: true,
  cliente_id: true,
  plano_id: true,
  cobrador_id: true,
  situacao: true,
  tipo_cobranca: true,
  dia_vencimento: true,
  valor: true,
  ativado_em: true,
  criado_em: true,
});
const DO_PLANO = columns<{ id: number; nome: string }>('planos', { id: true, nome: true });
const DO_CLIENTE = columns<{ id: number; apagado_em: string | null }>('clientes', { id: true, apagado_em: true });

interface MudancaRow {
  contrato_id: number;
  acao: string;
  ocorrido_em: string;
  situacao_de: SituacaoContrato | null;
  valor_de: string | null;
}

const DA_MUDANCA = columns<MudancaRow>('contratos_historico', {
  contrato_id: true,
  acao: true,
  ocorrido_em: true,
  situacao_de: true,
  valor_de: true,
});

/**
 * All that the charges of some contracts are made of, in a number of statements that does not depend on how many they are. With `travar`
 * the contracts and, before them, their clients are held until the transaction ends, so that what is read stays so, and no other run of the
 * provider's comes between: a booklet's charge of a month is of another kind than the month's own, so that no key would refuse the second one.
 * Those whose charges are being taken back are left out.
 *
 * @param mes the oldest month of service that one of them is charged for
 */
export async function lerContratos(
  tenant: TenantDb,
  pedidos: readonly number[],
  { fuso, mes, travar }: { readonly fuso: string; readonly mes: Data; readonly travar: boolean },
): Promise<ContratoAFaturar[]> {
  if (pedidos.length === 0) return [];
  if (travar) await esperarAVez(tenant);
  const presos = await presosEntre(tenant, pedidos);
  const ids = pedidos.filter((id) => !presos.has(id));
  if (ids.length === 0) return [];
  const esperar = (query: Knex.QueryBuilder): void => void (travar && query.forShare());
  const donos = tenant.from('contratos').whereIn('id', ids).select('cliente_id');
  const clientes = await rowsOf(tenant.from('clientes').whereIn('id', donos).orderBy('id').modify(esperar), DO_CLIENTE);
  // Who was erased can't be charged.
  const vivos = clientes.filter(({ apagado_em }) => apagado_em === null).map(({ id }) => id);
  const contratos = await rowsOf(
    tenant
      .from('contratos')
      .whereIn('id', ids)
      .whereIn('cliente_id', vivos)
      .orderBy('cliente_id')
      .orderBy('id')
      .modify(esperar),
    DO_CONTRATO,
  );
  const de = inicioDasMudancas(mes);
  const [planos, mudancas, itens, feitas] = [
    await rowsOf(tenant.from('planos').whereIn('id', [...new Set(contratos.map((um) => um.plano_id))]), DO_PLANO),
    await rowsOf(
      tenant
        .from('contratos_historico')
        .whereIn('contrato_id', ids)
        .where('ocorrido_em', '>=', toDatabaseTime(inicioDoDiaEm(fuso, de)))
        .orderBy('ocorrido_em')
        .orderBy('id'),
      DA_MUDANCA,
    ),
    await rowsOf(
      tenant
        .from('contratos_itens')
        .whereIn('contrato_id', ids)
        .whereNull('removido_em')
        .whereNull('faturamento_id')
        // Of what comes again a later month may have been charged already, which is given back.
        .where((q) => void q.whereNull('ate').orWhere('ate', '>=', de).orWhere('tipo', 'recorrente'))
        .orderBy('id'),
      COLUNAS_DO_ITEM,
    ),
    await cobrancasFeitas(tenant, ids, de),
  ];
  const antigas = await cobrancasDeAntes(tenant, { contratos, feitas, de });
  const nomes = new Map(planos.map(({ id, nome }) => [id, nome]));
  const porContrato = {
    mudancas: groupBy(mudancas, ({ contrato_id }) => contrato_id),
    itens: groupBy(itens, ({ contrato_id }) => contrato_id),
    feitas: groupBy([...antigas, ...feitas], ({ contrato_id }) => contrato_id),
  };
  return contratos.map((row) => ({
    id: row.id,
    clienteId: row.cliente_id,
    cobradorId: row.cobrador_id,
    situacao: row.situacao,
    tipoCobranca: row.tipo_cobranca,
    diaVencimento: row.dia_vencimento,
    valor: lerDinheiro(row.valor),
    plano: nomes.get(row.plano_id) ?? '',
    ativadoEm: row.ativado_em,
    criadoEm: hojeEm(fuso, fromDatabaseTime(row.criado_em)),
    mudancas: (porContrato.mudancas.get(row.id) ?? []).map((mudanca) => lerMudanca(fuso, mudanca)),
    itens: (porContrato.itens.get(row.id) ?? []).map(lerItem),
    feitas: (porContrato.feitas.get(row.id) ?? []).map(lerFeita),
  }));
}

const lerMudanca = (fuso: string, { acao, ocorrido_em, situacao_de, valor_de }: MudancaRow): Mudanca => ({
  dia: hojeEm(fuso, fromDatabaseTime(ocorrido_em)),
  acao,
  situacaoDe: situacao_de,
  valorDe: valor_de === null ? null : lerDinheiro(valor_de),
});

const lerItem = ({ contrato_id: _contrato, valor, ...item }: ItemRow): ItemDoContrato => ({
  ...item,
  valor: lerDinheiro(valor),
});
