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

/** Seconds by which a Start that is told again may come after the first; see migrations/20261124000006. */
const START_REPETIDO_SEGUNDOS = 120;

/**
 * Sessions that are the person's by login and by the provider's NASes; those of another provider that has the same login are not, nor are
 * those of who had the login before the contract did. One that was up when the line came from another holder is that one's: what of
 * it is this person's, the records of connection tell.
 */
async function sessoes({ tenant, contratos }: DoTitular): Promise<readonly LinhaExportada[]> {
  if (contratos.length === 0) return [];
  const { db, provedorId } = tenant;
  const deOutro = db('registros_conexao as g')
    .where('g.provedor_id', provedorId)
    .whereRaw('g.radacctid = r.radacctid AND g.login = r.username AND g.contrato_id <> c.id')
    .whereRaw('g.inicio >= r.acctstarttime - INTERVAL ? SECOND', [START_REPETIDO_SEGUNDOS])
    .select(db.raw('1'));
  const deles = db(db.raw('contratos AS c STRAIGHT_JOIN radacct AS r FORCE INDEX (username) ON r.username = c.login'))
    .where('c.provedor_id', provedorId)
    .whereIn('c.id', contratos)
    .where('c.login', '<>', '')
    .whereRaw('r.acctstarttime >= c.criado_em')
    .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'))
    .whereNotExists(deOutro)
    .orderBy('r.radacctid')
    .timeout(READ_TIMEOUT_MS);
  return (await rowsOf(deles, DA_SESSAO)).map((row) => comInstantes(row, INSTANTES));
}

/** Addresses that the person's lines had, while they were the person's. */
const DO_REGISTRO = columns<Record<string, Valor>>('registros_conexao', {
  id: true,
  contrato_id: true,
  login: true,
  servidor: 'INET_NTOA(registros_conexao.nas)',
  equipamento: 'registros_conexao.mac',
  endereco: 'INET6_NTOA(registros_conexao.rede)',
  bits: true,
  inicio: true,
  fim: true,
});

async function registros({ tenant, contratos }: DoTitular): Promise<readonly LinhaExportada[]> {
  const deles = tenant
    .from('registros_conexao', 'registros_conexao_contrato')
    .whereIn('contrato_id', contratos)
    .orderBy('id');
  return (await rowsOf(deles, DO_REGISTRO)).map((row) => comInstantes(row, ['inicio', 'fim']));
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
  secao({
    nome: 'quedas_por_dia',
    tabela: 'quedas_diarias',
    campos: ['contrato_id', 'dia', 'quedas'],
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
