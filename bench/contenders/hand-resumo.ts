import { createServer } from 'node:http';
import { createPool } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2';
import { listen } from '../../src/platform/http/server.ts';
import { answerMessages } from '../support/helper.ts';
import type { HandSqlOptions } from './hand-sql.ts';

const CLIENTS = `SELECT id, nome, tipo, cpf_cnpj, situacao FROM clientes
  WHERE provedor_id = ? AND cpf_cnpj = ? ORDER BY id DESC LIMIT 20`;

const PHONES = `SELECT cliente_id, numero FROM clientes_telefones
  WHERE provedor_id = ? AND cliente_id IN (?) ORDER BY cliente_id, id`;

/** With the plan, the line and what a trust unblock would be judged by. */
const CONTRACTS = `SELECT c.id, c.cliente_id, c.situacao, c.tipo_conexao, c.login, c.mac, c.ip, c.tipo_cobranca,
    c.dia_vencimento, c.valor, c.ativado_em, c.bloqueado_em, c.bloqueio_origem, c.plano_id,
    c.cep, c.logradouro, c.numero, c.complemento, c.bairro, c.cidade, c.uf,
    p.nome AS plano_nome, p.download_mbps, p.upload_mbps,
    x.contrato_id AS conexao, x.ouvida_em, x.intervalo_segundos, x.sessao_desde, x.queda_em, n.nasipaddress, nas.shortname,
    (SELECT COALESCE(SUM(q.quedas), 0) FROM quedas_diarias q WHERE q.provedor_id = c.provedor_id AND q.contrato_id = c.id
      AND q.dia > CURRENT_DATE - INTERVAL 7 DAY) AS quedas_7,
    (SELECT COALESCE(SUM(q.quedas), 0) FROM quedas_diarias q WHERE q.provedor_id = c.provedor_id AND q.contrato_id = c.id
      AND q.dia > CURRENT_DATE - INTERVAL 30 DAY) AS quedas_30,
    r.acctstarttime, r.acctstoptime, r.acctterminatecause, r.framedipaddress, r.callingstationid,
    d.ate, d.encerrado_em, f.situacao AS causa
  FROM contratos c
  JOIN planos p ON p.provedor_id = c.provedor_id AND p.id = c.plano_id
  LEFT JOIN conexoes x ON x.provedor_id = c.provedor_id AND x.contrato_id = c.id
  LEFT JOIN provedores_nas n ON n.provedor_id = c.provedor_id AND n.nasipaddress = x.nas
  LEFT JOIN nas ON nas.nasname = n.nasipaddress
  LEFT JOIN radacct r ON r.radacctid = (SELECT MAX(s.radacctid) FROM radacct s WHERE s.username = c.login)
  LEFT JOIN desbloqueios_confianca d ON d.provedor_id = c.provedor_id AND d.contrato_id = c.id AND d.id =
    (SELECT MAX(u.id) FROM desbloqueios_confianca u WHERE u.provedor_id = c.provedor_id AND u.contrato_id = c.id)
  LEFT JOIN faturas f ON f.provedor_id = d.provedor_id AND f.id = d.fatura_causa_id
  WHERE c.provedor_id = ? AND c.cliente_id IN (?) ORDER BY c.cliente_id, c.id`;

const NOTICES = `SELECT a.id, a.tipo, a.titulo, a.texto, a.inicio, a.previsao, a.fim, a.origem, t.tipo AS alvo, t.alvo_id, t.texto AS onde,
    t.cidade
  FROM avisos_de_rede a JOIN avisos_de_rede_alvos t ON t.provedor_id = a.provedor_id AND t.aviso_id = a.id
  WHERE a.provedor_id = ? AND a.fim IS NULL AND a.inicio <= UTC_TIMESTAMP(3)`;

const PROMISES = `SELECT id, contrato_id, data, registrada_em FROM promessas_pagamento
  WHERE provedor_id = ? AND cliente_id IN (?) AND em_aberto = 1`;

const INVOICES = `SELECT id, cliente_id, contrato_id, cobrador_id, descricao, situacao, tipo, valor, valor_pago, abatido, vencimento, emitida_em,
    pago_em, token, pix_txid, pix_copia_cola, linha_digitavel, codigo_barras, nosso_numero
  FROM faturas WHERE provedor_id = ? AND cliente_id IN (?) AND grupo = 'aberta' ORDER BY vencimento, id`;

const TICKETS = `SELECT id, protocolo, cliente_id, contrato_id, situacao, prioridade, categoria, assunto, descricao, solucao, aberto_em,
    fechado_em, agendado_para
  FROM chamados WHERE provedor_id = ? AND cliente_id IN (?) AND em_aberto = 1 ORDER BY aberto_em DESC, id DESC`;

/** The same rows as a person reads them in an afternoon: seven statements, one `JSON.stringify`, no rules, no codes, no cache. */
answerMessages(async ({ databaseUrl, provedorId, pool: connectionLimit }: HandSqlOptions) => {
  const url = new URL(databaseUrl);
  const pool = createPool({
    socketPath: url.searchParams.get('socketPath') ?? '',
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
    connectionLimit,
    timezone: 'Z',
    dateStrings: true,
  });
  const read = async (sql: string, ...values: unknown[]): Promise<RowDataPacket[]> =>
    (await pool.query<RowDataPacket[]>(sql, [provedorId, ...values]))[0];

  async function find(cpf: string): Promise<object> {
    const clients = await read(CLIENTS, cpf);
    const ids = clients.map((client) => client['id'] as number);
    if (ids.length === 0) return { sucesso: true, dados: [] };
    const [phones, contracts, notices, promises, invoices, tickets] = await Promise.all([
      read(PHONES, ids),
      read(CONTRACTS, ids),
      read(NOTICES),
      read(PROMISES, ids),
      read(INVOICES, ids),
      read(TICKETS, ids),
    ]);
    const of = (rows: readonly RowDataPacket[], client: RowDataPacket): RowDataPacket[] =>
      rows.filter((row) => row['cliente_id'] === client['id']);
    return {
      sucesso: true,
      dados: clients.map((client) => ({
        cliente: { ...client, telefones: of(phones, client).map((phone) => String(phone['numero'])) },
        contratos: of(contracts, client).map((contract) => ({
          ...contract,
          avisos: notices.filter(({ alvo }) => alvo === 'todos'),
          promessa: promises.find((promise) => promise['contrato_id'] === contract['id']) ?? null,
        })),
        faturas_abertas: of(invoices, client),
        chamados_em_aberto: of(tickets, client),
      })),
    };
  }

  const server = createServer((request, response) => {
    const cpf = /[?&]cpf_cnpj=(\d{11})(?:&|$)/.exec(request.url ?? '')?.[1] ?? '';
    find(cpf).then(
      (found) => {
        const body = Buffer.from(JSON.stringify(found));
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length }).end(body);
      },
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  return { port: await listen(server, 0, '127.0.0.1') };
});
