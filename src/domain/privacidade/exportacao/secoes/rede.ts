import { columns, rowsOf } from '../../../../platform/mysql/columns.ts';
import { READ_TIMEOUT_MS } from '../../../../platform/mysql/tenant.ts';
import type { DoTitular, LinhaExportada, Secao } from '../exportacao.types.ts';
import { comInstantes, secao } from '../secao.ts';
import type { Valor } from '../secao.ts';

const INSTANTES = ['inicio', 'fim', 'atualizada_em'];

/** Of FreeRADIUS's `radacct`; its times are those of the NAS. */
const DA_SESSAO = columns<Record<string, Valor>>('r', {
  login: 'r.username',
  servidor: 'r.nasipaddress',
  inicio: 'r.acctstarttime',
  fim: 'r.acctstoptime',
  atualizada_em: 'r.acctupdatetime',
  duracao_segundos: 'r.acctsessiontime',
  causa: 'r.acctterminatecause',
  ip: 'r.framedipaddress',
  ipv6: 'r.framedipv6address',
  ipv6_prefixo: 'r.framedipv6prefix',
  ipv6_prefixo_delegado: 'r.delegatedipv6prefix',
  equipamento: 'r.callingstationid',
  bytes_recebidos: 'r.acctinputoctets',
  bytes_enviados: 'r.acctoutputoctets',
});

/** Of `registros_conexao`. */
const DO_REGISTRO = columns<Record<string, Valor>>('r', {
  id: true,
  contrato_id: true,
  login: true,
  servidor: 'INET_NTOA(r.nas)',
  equipamento: 'r.mac',
  endereco: 'INET6_NTOA(r.rede)',
  bits: true,
  inicio: true,
  fim: true,
});

/** Of `registros_portas`. */
const DAS_PORTAS = columns<Record<string, Valor>>('t', {
  id: true,
  login: true,
  servidor: 't.nasipaddress',
  ip_publico: 'INET_NTOA(t.ip_publico)',
  porta_inicial: true,
  porta_final: true,
  ip_privado: 'INET_NTOA(t.ip_privado)',
  inicio: true,
  fim: true,
});

/** Records say whose the login was when the session began: by then or since it may have been another's. */
const registrosDe = ({ tenant, contratos }: DoTitular) =>
  tenant.from('registros_conexao as r').whereIn('r.contrato_id', contratos);

/** Seconds by which a Start that is told again may come after the first; see migrations/20261124000006. */
const START_REPETIDO_SEGUNDOS = 120;

/** Sessions that were the person's when they began, on the provider's NASes, of those whose records are still kept. */
async function sessoes(titular: DoTitular): Promise<readonly LinhaExportada[]> {
  const { tenant, contratos } = titular;
  const { db } = tenant;
  // One that was up when the line came from another holder is that one's; what of it is this person's, the records tell.
  const deOutro = tenant
    .from('registros_conexao as g')
    .whereRaw('g.radacctid = r.radacctid AND g.login = r.username')
    .whereRaw('g.inicio BETWEEN r.acctstarttime - INTERVAL ? SECOND AND r.acctstarttime + INTERVAL ? SECOND', [
      START_REPETIDO_SEGUNDOS,
      START_REPETIDO_SEGUNDOS,
    ])
    .where((de) => void de.whereNotIn('g.contrato_id', contratos).orWhereNull('g.contrato_id'))
    .select(db.raw('1'));
  const deles = db('radacct as r')
    // A row becomes another session's, in time.
    .whereIn(['r.radacctid', 'r.username'], registrosDe(titular).select('r.radacctid', 'r.login'))
    .whereNotExists(deOutro)
    .orderBy('r.radacctid')
    .timeout(READ_TIMEOUT_MS);
  return (await rowsOf(deles, DA_SESSAO)).map((row) => comInstantes(row, INSTANTES));
}

async function registros(titular: DoTitular): Promise<readonly LinhaExportada[]> {
  const rows = await rowsOf(registrosDe(titular).orderBy('r.id'), DO_REGISTRO);
  return rows.map((row) => comInstantes(row, ['inicio', 'fim']));
}

/** Ports of public addresses that went to a login while it was the person's. */
async function portas(titular: DoTitular): Promise<readonly LinhaExportada[]> {
  const enquantoDele = registrosDe(titular)
    .whereRaw('r.login = t.login')
    .whereRaw('(t.fim IS NULL OR r.inicio <= t.fim)')
    .whereRaw('(r.fim IS NULL OR r.fim >= t.inicio)')
    .select('r.id');
  const dele = titular.tenant
    .from('registros_portas as t')
    .whereIn('t.login', registrosDe(titular).select('r.login'))
    .whereExists(enquantoDele);
  const rows = await rowsOf(dele.orderBy('t.id'), DAS_PORTAS);
  return rows.map((row) => comInstantes(row, ['inicio', 'fim']));
}

/** How the person's lines were connected, and what the network was asked to do with them. */
export const DA_REDE: readonly Secao[] = [
  secao({
    nome: 'conexoes',
    tabela: 'conexoes',
    campos: ['contrato_id'],
    instantes: ['ouvida_em'],
    ordem: 'contrato_id',
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  { nome: 'sessoes_de_conexao', tabelas: ['radacct'], ler: sessoes },
  { nome: 'registros_de_conexao', tabelas: ['registros_conexao'], ler: registros },
  { nome: 'portas_de_enderecos_publicos', tabelas: ['registros_portas'], ler: portas },
  secao({
    nome: 'quedas_por_dia',
    tabela: 'quedas_diarias',
    campos: ['contrato_id', 'dia', 'quedas'],
    ordem: 'dia',
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'trafego_por_dia',
    tabela: 'trafego_diario',
    campos: ['contrato_id', 'dia', 'download_bytes', 'upload_bytes'],
    ordem: 'dia',
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'pedidos_a_rede',
    tabela: 'rede_pedidos',
    campos: ['id', 'contrato_id', 'acao', 'resultado'],
    instantes: ['pedido_em', 'aplicado_em'],
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
  secao({
    nome: 'desconexoes',
    tabela: 'rede_desconexoes',
    campos: ['id', 'contrato_id', 'nasipaddress', 'estado'],
    instantes: ['criado_em', 'concluida_em'],
    de: (q, { contratos }) => q.whereIn('contrato_id', contratos),
  }),
];
