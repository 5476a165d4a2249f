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

/** Sessions that are the person's by login and by the provider's NASes; those of another provider that has the same login are not. */
async function sessoes({ tenant, logins }: DoTitular): Promise<readonly LinhaExportada[]> {
  if (logins.length === 0) return [];
  const { db } = tenant;
  const deles = db(db.raw('radacct AS r FORCE INDEX (username)'))
    .whereIn('r.username', logins)
    .whereIn('r.nasipaddress', tenant.from('provedores_nas').select('nasipaddress'))
    .orderBy('r.radacctid')
    .timeout(READ_TIMEOUT_MS);
  return (await rowsOf(deles, DA_SESSAO)).map((row) => comInstantes(row, INSTANTES));
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
