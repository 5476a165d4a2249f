import type { Knex } from 'knex';
import { corteDoAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { MINIMOS_DA_REGUA } from '../regua.types.ts';
import type { ConfiguracaoRegua, Passo } from '../regua.types.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

/** What is done of a day's ladder, in this order: first, what channels have delivered meanwhile is noted. */
export const FASES = ['entregas', 'lembrete', 'vencimento', 'aviso', 'bloqueio', 'segundo_aviso', 'rescisao'] as const;
export type Fase = (typeof FASES)[number];

/** An invoice, a contract or a notice whose turn it may be. */
export interface CandidataRow {
  id: number;
  /** By which they are ordered, before their ids. */
  quando: string;
}

/**
 * What tells an invoice's steps from those that it had before: its due date, or the instant at which it was reopened. Who was told of a debt
 * that was then paid is told anew when the payment is taken back.
 */
export const REFERENCIA_DA_FATURA =
  'GREATEST(CAST(f.vencimento AS DATETIME(3)), COALESCE(f.reaberta_em, CAST(f.vencimento AS DATETIME(3))))';

/** Debts that are older are past what the law lets be asked for (Civil Code, art. 206, § 5, I). */
const ANOS_DE_COBRANCA = 5;
/** For so long it is looked up whether a notice was delivered; push and webhooks keep what they sent for about as long. */
const DIAS_DE_ENTREGA = 7;

const DA_FATURA = columns<CandidataRow>('f', { id: true, quando: 'f.vencimento' });
const DO_CONTRATO = columns<CandidataRow>('c', { id: true, quando: "''" });
const DO_PASSO = columns<CandidataRow>('p', { id: true, quando: 'p.dia' });

export interface Quais {
  readonly regua: ConfiguracaoRegua;
  readonly provedor: Provedor;
  readonly dia: Data;
  readonly depoisDe: { readonly quando: string; readonly id: number } | null;
  readonly limite: number;
  /** As of a day to come: invoices count whose lateness the night has yet to mark, and the newest come first. */
  readonly previsao?: boolean;
}

const semPasso =
  (tenant: TenantDb, passo: Passo, alvo: string, referencia: string) =>
  (q: Knex.QueryBuilder): void =>
    void q.whereNotExists(
      tenant
        .from('regua_passos as p')
        .where('p.passo', passo)
        .whereRaw(`p.alvo_id = ${alvo} AND p.referencia = ${referencia}`)
        .select(tenant.db.raw('1')),
    );

/**
 * Leaves out invoices for which all was blocked that is to be. Of a joint one the block may have come while something held one of its contracts
 * back, or while that one was suspended: it is for that contract's turn still.
 */
const semBloqueio =
  (tenant: TenantDb) =>
  (q: Knex.QueryBuilder): void => {
    const depois = tenant
      .from('contratos_historico as d')
      .whereRaw('d.contrato_id = h.contrato_id AND d.id > h.id AND d.ocorrido_em < p.criado_em')
      .whereNotNull('d.situacao_para')
      .select(tenant.db.raw('1'));
    // By that block, or by one before that had not ended.
    const bloqueado = tenant
      .from('regua_passos as p')
      .join('contratos_historico as h', 'h.provedor_id', 'p.provedor_id')
      .where('p.passo', 'bloqueio')
      .whereRaw(`p.alvo_id = f.id AND p.referencia = ${REFERENCIA_DA_FATURA}`)
      .whereRaw(
        "h.contrato_id = k.id AND h.ocorrido_em <= p.criado_em AND (h.situacao_para = 'bloqueado' OR h.acao = 'bloqueio')",
      )
      .whereNotExists(depois)
      .select(tenant.db.raw('1'));
    const falta = tenant
      .from('faturamento_cobrancas as g')
      .join('contratos as k', sameTenant('g', 'contrato_id', 'k', 'id'))
      .whereRaw('f.contrato_id IS NULL AND g.fatura_id = f.id AND g.valor > 0')
      .where('k.situacao', 'ativo')
      .whereNotExists(bloqueado)
      .select(tenant.db.raw('1'));
    void q.where((uma) => {
      uma.modify(semPasso(tenant, 'bloqueio', 'f.id', REFERENCIA_DA_FATURA));
      void uma.orWhereExists(falta);
    });
  };

const comPasso =
  (tenant: TenantDb, passo: Passo, alvo: string, referencia: string, ate: Data) =>
  (q: Knex.QueryBuilder): void =>
    void q.whereExists(
      tenant
        .from('regua_passos as p')
        .where('p.passo', passo)
        .whereRaw(`p.alvo_id = ${alvo} AND p.referencia = ${referencia}`)
        .where('p.dia', '<=', ate)
        .select(tenant.db.raw('1')),
    );

/** The contract of an invoice. */
const doContrato = (tenant: TenantDb): Knex.QueryBuilder =>
  tenant.from('contratos as k').whereRaw('k.id = f.contrato_id').select(tenant.db.raw('1'));

/**
 * Leaves out invoices of contracts that are over, and those that name no contract of clients whose contracts are all over: there is nothing
 * to block, and what is said to somebody who left is for the provider to decide. A client who never had a contract is told of the debt alone.
 */
const deQuemFicou =
  (tenant: TenantDb) =>
  (q: Knex.QueryBuilder): void => {
    const doCliente = (): Knex.QueryBuilder =>
      tenant.from('contratos as k').whereRaw('k.cliente_id = f.cliente_id').select(tenant.db.raw('1'));
    void q.whereNotExists(doContrato(tenant).whereIn('k.situacao', SITUACOES_DE_CANCELADO)).where((sem) => {
      void sem.whereNotNull('f.contrato_id').orWhereNotExists(doCliente());
      void sem.orWhereExists(doCliente().whereNotIn('k.situacao', SITUACOES_DE_CANCELADO));
    });
  };

/** Open invoices in the order of their due dates; the index has them so for each state. */
function faturas(tenant: TenantDb, passo: Passo, atrasada: boolean, { previsao, depoisDe }: Quais) {
  const query = tenant.from('faturas as f', 'faturas_a_vencer');
  if (previsao === true && atrasada) void query.whereIn('f.situacao', ['pendente', 'vencida']);
  else void query.where('f.situacao', atrasada ? 'vencida' : 'pendente');
  if (depoisDe !== null) {
    const { quando, id } = depoisDe;
    if (previsao === true)
      void query.where('f.vencimento', '<=', quando).whereRaw('(f.vencimento < ? OR f.id < ?)', [quando, id]);
    else void query.where('f.vencimento', '>=', quando).whereRaw('(f.vencimento > ? OR f.id > ?)', [quando, id]);
  }
  return query.modify(
    passo === 'bloqueio' ? semBloqueio(tenant) : semPasso(tenant, passo, 'f.id', REFERENCIA_DA_FATURA),
  );
}

/** Contracts that billing has blocked until an instant, and that are blocked still. */
function bloqueados(tenant: TenantDb, passo: Passo, desde: number, { provedor, dia, depoisDe }: Quais) {
  const limite = inicioDoDiaEm(provedor.fusoHorario, somarDias(dia, 1 - desde));
  return tenant
    .from('contratos as c', 'contratos_situacao')
    .where('c.situacao', 'bloqueado')
    .where('c.id', '>', depoisDe?.id ?? 0)
    .where('c.bloqueio_origem', 'financeiro')
    .where('c.bloqueado_em', '<', toDatabaseTime(limite))
    .modify(semPasso(tenant, passo, 'c.id', 'c.bloqueado_em'));
}

/** Notices of the last days of which nobody knows yet whether they were delivered, and a channel does by now. */
function entregas(tenant: TenantDb, { dia, depoisDe }: Quais) {
  const { db } = tenant;
  const porPush = tenant
    .from('push_envios as e')
    .whereRaw('e.evento_id = p.evento_id')
    .where('e.estado', 'entregue')
    .select(db.raw('1'));
  const porWebhook = tenant
    .from('webhook_mensagens as m')
    .join('webhook_entregas as e', (on) =>
      on.on('e.provedor_id', 'm.provedor_id').andOn('e.mensagem_id', 'm.id').andOnVal('e.estado', 'entregue'),
    )
    .whereRaw('m.evento_id = p.evento_id')
    .select(db.raw('1'));
  const query = tenant
    .from('regua_passos as p', 'regua_passos_dia')
    .where('p.dia', '>=', somarDias(dia, -DIAS_DE_ENTREGA))
    .whereNull('p.entregue_em')
    .whereNotNull('p.evento_id')
    .where((q) => void q.whereExists(porPush).orWhereExists(porWebhook));
  if (depoisDe === null) return query;
  const { quando, id } = depoisDe;
  return query.where('p.dia', '>=', quando).whereRaw('(p.dia > ? OR p.id > ?)', [quando, id]);
}

/** The due dates of which a day gives notice. */
const aAvisar = ({ regua, provedor, dia }: Pick<Quais, 'regua' | 'provedor' | 'dia'>): [Data, Data] => [
  somarDias(dia, -365 * ANOS_DE_COBRANCA),
  corteDoAtraso(somarDias(dia, 1 - regua.avisoDias), provedor.regras.calendario),
];

/** The other invoices of the same clients that a day gives notice of: whoever is told of several debts is told once. */
export async function outrasAAvisar(
  tenant: TenantDb,
  quais: Pick<Quais, 'regua' | 'provedor' | 'dia'>,
  ids: readonly number[],
): Promise<number[]> {
  const clientes = tenant
    .from('faturas')
    .whereIn('id', [...ids])
    .distinct('cliente_id');
  const delas = tenant
    .from('faturas as f', 'faturas_cliente')
    .whereIn('f.cliente_id', clientes)
    .where('f.situacao', 'vencida')
    .whereBetween('f.vencimento', aAvisar(quais))
    .whereNotIn('f.id', [...ids])
    .modify(semPasso(tenant, 'aviso', 'f.id', REFERENCIA_DA_FATURA))
    .modify(deQuemFicou(tenant));
  return (await rowsOf(delas, DA_FATURA)).map(({ id }) => id);
}

/** Whose turn it may be on a day, of one part of the ladder; null where the provider does not have that step. */
export function candidatas(tenant: TenantDb, fase: Fase, quais: Quais): Knex.QueryBuilder | null {
  return POR_FASE[fase](tenant, quais);
}

const POR_FASE: Readonly<Record<Fase, (tenant: TenantDb, quais: Quais) => Knex.QueryBuilder | null>> = {
  entregas,
  lembrete(tenant, quais) {
    const { regua, dia } = quais;
    if (regua.lembreteDias === null) return null;
    return faturas(tenant, 'lembrete', false, quais)
      .where('f.vencimento', '>', dia)
      .where('f.vencimento', '<=', somarDias(dia, regua.lembreteDias));
  },
  vencimento: (tenant, quais) =>
    quais.regua.noVencimento ? faturas(tenant, 'vencimento', false, quais).where('f.vencimento', quais.dia) : null,
  aviso: (tenant, quais) =>
    faturas(tenant, 'aviso', true, quais).whereBetween('f.vencimento', aAvisar(quais)).modify(deQuemFicou(tenant)),
  bloqueio(tenant, quais) {
    const { regua, provedor, dia } = quais;
    if (regua.bloqueioDias === null) return null;
    return faturas(tenant, 'bloqueio', true, quais)
      .where('f.vencimento', '<=', corteDoAtraso(dia, provedor.regras.calendario))
      .whereNotExists(doContrato(tenant).whereNot('k.situacao', 'ativo'))
      .modify(comPasso(tenant, 'aviso', 'f.id', REFERENCIA_DA_FATURA, somarDias(dia, -MINIMOS_DA_REGUA.bloqueio)));
  },
  segundo_aviso(tenant, quais) {
    const { segundoAvisoDias } = quais.regua;
    return segundoAvisoDias === null ? null : bloqueados(tenant, 'segundo_aviso', segundoAvisoDias, quais);
  },
  rescisao(tenant, quais) {
    const { regua, dia } = quais;
    if (regua.segundoAvisoDias === null) return null;
    const dias = Math.max(regua.rescisaoDias, MINIMOS_DA_REGUA.rescisao);
    const avisadoAte = somarDias(dia, -MINIMOS_DA_REGUA.entreSegundoAvisoERescisao);
    return bloqueados(tenant, 'rescisao', dias, quais).modify(
      comPasso(tenant, 'segundo_aviso', 'c.id', 'c.bloqueado_em', avisadoAte),
    );
  },
};

/** The next ones, in their order. */
export async function proximasCandidatas(tenant: TenantDb, fase: Fase, quais: Quais): Promise<CandidataRow[]> {
  const query = candidatas(tenant, fase, quais)?.limit(quais.limite);
  if (query === undefined) return [];
  if (fase === 'entregas') return rowsOf(query.orderBy(['p.dia', 'p.id']), DO_PASSO);
  if (fase === 'segundo_aviso' || fase === 'rescisao') return rowsOf(query.orderBy('c.id'), DO_CONTRATO);
  if (quais.previsao === true)
    void query.orderBy([
      { column: 'f.vencimento', order: 'desc' },
      { column: 'f.id', order: 'desc' },
    ]);
  else void query.orderBy(['f.vencimento', 'f.id']);
  return rowsOf(query, DA_FATURA);
}
