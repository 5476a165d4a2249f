import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { maiorIntervalo } from '../conexoes/estado.regras.ts';
import { NAO_FORAM_QUEDA } from '../conexoes/radacct.regras.ts';

interface LinhasRow {
  situacao: 'ativo' | 'bloqueado';
  linhas: number;
  conhecidas: string | number | null;
  online: string | number | null;
}

const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });

/** Contracts that are served or blocked, by their connection of that moment; see conexoes/estado.regras.ts. */
export async function contarLinhas(
  tenant: TenantDb,
  agora: string,
  intervaloPadraoSegundos: number,
): Promise<{ online: number; offline: number; linhas: number }> {
  const contratos = tenant
    .from('contratos as c', 'contratos_servidos')
    .leftJoin('conexoes as x', sameTenant('c', 'id', 'x', 'contrato_id'))
    .whereIn('c.situacao', ['ativo', 'bloqueado'])
    .groupBy('c.situacao');
  const rows = await rowsOf(
    contratos,
    columns<LinhasRow>('c', {
      situacao: true,
      linhas: 'COUNT(*)',
      conhecidas: "SUM(c.login <> '' AND x.contrato_id IS NOT NULL)",
      online: `SUM(c.login <> '' AND x.ouvida_em IS NOT NULL AND
        TIMESTAMPADD(SECOND, 2 * LEAST(COALESCE(x.intervalo_segundos, ${intervaloPadraoSegundos}),
          ${maiorIntervalo(intervaloPadraoSegundos)}), x.ouvida_em) >= CAST('${agora}' AS DATETIME(3)))`,
    }),
  );
  const somar = (nome: 'conhecidas' | 'online' | 'linhas'): number =>
    rows.reduce((soma, row) => soma + Number(row[nome] ?? 0), 0);
  const online = somar('online');
  return { online, offline: somar('conhecidas') - online, linhas: somar('linhas') };
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
