import type { Knex } from 'knex';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, computed, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { NAO_FORAM_QUEDA } from '../conexoes/radacct.regras.ts';
import { condicoesDaLinha } from '../conexoes/viva.regras.ts';

const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });

/** States of a contract whose line works or is blocked, and the others. */
const SERVIDAS = ['ativo', 'bloqueado'] as const;
const NAO_SERVIDAS = ['pendente', 'inativo', 'cancelado', 'cancelado_definitivo'] as const;

/**
 * Contracts that are served or blocked, by their connection of that moment; see conexoes/estado.regras.ts. `registros`: records that were
 * gone through.
 *
 * All records are counted, of the index alone, less those of the contracts that do not count: these are the fewer, and to look up the
 * record of each of the others takes ten times as long.
 */
export async function contarLinhas(
  tenant: TenantDb,
  agora: Date,
  intervaloPadraoSegundos: number,
): Promise<{ online: number; offline: number; registros: number }> {
  const [online, valores] = condicoesDaLinha(agora, intervaloPadraoSegundos).online;
  const comRegistro = (contratos: Knex.QueryBuilder) =>
    contratos.joinRaw(
      'STRAIGHT_JOIN conexoes x FORCE INDEX (PRIMARY) ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id',
    );
  const contar = async (query: Knex.QueryBuilder): Promise<{ todos: number; vivos: number }> => {
    const vivos = computed<{ vivos: string | null }>({ vivos: tenant.db.raw(`SUM(${online})`, valores) });
    const [row] = await rowsOf(query, QUANTAS, vivos);
    return { todos: row?.quantas ?? 0, vivos: Number(row?.vivos ?? 0) };
  };
  const [registros, paradas, mudas] = await Promise.all([
    contar(tenant.from('conexoes as x', 'conexoes_vivas')),
    contar(comRegistro(tenant.from('contratos as c', 'contratos_situacao').whereIn('c.situacao', NAO_SERVIDAS))),
    contar(
      comRegistro(
        tenant
          .from('contratos as c', 'contratos_servidos')
          .whereIn('c.situacao', SERVIDAS)
          .where((q) => void q.whereNull('c.login').orWhere('c.login', '')),
      ),
    ),
  ]);
  const quantasOnline = registros.vivos - paradas.vivos - mudas.vivos;
  const conhecidas = registros.todos - paradas.todos - mudas.todos;
  return { online: quantasOnline, offline: conhecidas - quantasOnline, registros: registros.todos };
}

export async function contarBloqueados(tenant: TenantDb): Promise<number> {
  const [row] = await rowsOf(tenant.from('contratos', 'contratos_situacao').where('situacao', 'bloqueado'), QUANTAS);
  return row?.quantas ?? 0;
}

export async function contarChamadosAbertos(tenant: TenantDb): Promise<number> {
  const [row] = await rowsOf(tenant.from('chamados', 'chamados_em_aberto').where('em_aberto', 1), QUANTAS);
  return row?.quantas ?? 0;
}

/** Sessions on the provider's servers that ended between two moments as a drop does; those gone silent are not among them yet. */
export async function contarQuedas(tenant: TenantDb, [de, ate]: readonly [string, string]): Promise<number> {
  const query = tenant
    .db(tenant.db.raw('radacct AS r FORCE INDEX (acctstoptime)'))
    .where('r.acctstoptime', '>', de)
    .where('r.acctstoptime', '<=', ate)
    .whereNotIn('r.acctterminatecause', [...NAO_FORAM_QUEDA])
    .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'));
  const [row] = await rowsOf(query, QUANTAS);
  return row?.quantas ?? 0;
}

/** A ticket that nobody of the staff has answered. */
export interface EsperaRow {
  id: number;
  cliente_id: number;
  cliente_nome: string;
  assunto: string;
  prioridade: string;
  aberto_em: string;
}
const DA_ESPERA = columns<EsperaRow>('chamados', {
  id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  assunto: true,
  prioridade: true,
  aberto_em: true,
});

/** Open tickets without an entry after the one that opened them, but for the subscriber's own; the oldest first. */
export async function chamadosEsperando(tenant: TenantDb, limite: number): Promise<EsperaRow[]> {
  const respostas = tenant
    .from('chamados_historico as h')
    .whereRaw('h.chamado_id = chamados.id')
    .whereNot('h.acao', 'aberto')
    .where((q) => void q.whereNull('h.autor').orWhereNot('h.autor', 'assinante'));
  const query = tenant
    .from('chamados', 'chamados_em_aberto')
    .join('clientes', sameTenant('chamados', 'cliente_id', 'clientes', 'id'))
    .where('chamados.em_aberto', 1)
    .whereNotExists(respostas)
    .orderBy(['chamados.aberto_em', 'chamados.id'])
    .limit(limite);
  return rowsOf(query, DA_ESPERA);
}

export interface DesbloqueioRow {
  id: number;
  contrato_id: number;
  cliente_id: number;
  cliente_nome: string;
  ate: string;
}
const DO_DESBLOQUEIO = columns<DesbloqueioRow>('d', {
  id: true,
  contrato_id: true,
  cliente_id: 'contratos.cliente_id',
  cliente_nome: 'clientes.nome',
  ate: true,
});

/** Trust unblocks in force that end between two moments, the first to end first. */
export async function desbloqueiosAcabando(
  tenant: TenantDb,
  [de, antesDe]: readonly [string, string],
  limite: number,
): Promise<DesbloqueioRow[]> {
  const query = tenant
    .from('desbloqueios_confianca as d')
    .join('contratos', sameTenant('d', 'contrato_id', 'contratos', 'id'))
    .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
    .whereNull('d.encerrado_em')
    .where('d.ate', '>=', de)
    .where('d.ate', '<', antesDe)
    .orderBy(['d.ate', 'd.id'])
    .limit(limite);
  return rowsOf(query, DO_DESBLOQUEIO);
}

const DA_TAREFA = columns<{ tarefa: string; concluida_em: string | null }>('tarefas_diarias', {
  tarefa: true,
  concluida_em: true,
});

/** Tasks whose work of a day is done. */
export async function tarefasConcluidas(tenant: TenantDb, dia: Data): Promise<Set<string>> {
  const rows = await rowsOf(tenant.from('tarefas_diarias').where({ dia }), DA_TAREFA);
  return new Set(rows.filter(({ concluida_em }) => concluida_em !== null).map(({ tarefa }) => tarefa));
}
