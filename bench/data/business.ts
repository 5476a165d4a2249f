import { somarDias } from '../../src/brazil/calendario/datas.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import type { BenchContext } from '../support/bench.ts';
import { PROVIDER_ID, generate, openGenerated, withoutTriggers } from './dataset.ts';
import type { Dataset } from './dataset.ts';
import { ROWS_VERSION } from './rows.ts';

/** Part of the names of databases: another number where rows change, so that no old data is taken for new. */
const BUSINESS_VERSION = 1;

/** One client in so many owes the invoice that fell due last; as usual among providers. */
const OWES = 13;
/** One in so many had a ticket in the last 30 days, of which one in so many is open. */
const TICKET = 15;
const OPEN_TICKET = 30;
/** One in so many has sessions of the last days, so many each: those whose page is opened. */
export const HAS_SESSIONS = 250;
const SESSIONS_EACH = 20;
const SERVER = '10.0.0.1';

/**
 * A provider with what its people look at. Of each client an invoice that fell due within the last month, which most have paid by PIX, and one
 * that will fall due; tickets, and sessions of some. All but the clients is made anew on another day.
 */
export async function openBusiness(context: BenchContext, clients: number): Promise<Dataset> {
  const dataset = await openGenerated(
    context,
    `bench_painel_${clients}_v${ROWS_VERSION}_${BUSINESS_VERSION}`,
    async (db) => generate(db, clients, context.log),
  );
  const db = dataset.open(1);
  const today = new Date().toISOString().slice(0, 10) as Data;
  try {
    await db.raw('CREATE TABLE IF NOT EXISTS bench_movimento (dia DATE)');
    const [made] = await db('bench_movimento').select<{ dia: string }[]>('dia');
    if (made?.dia === today) return dataset;
    const begun = performance.now();
    await db('bench_movimento').delete();
    await db.raw('SET SESSION foreign_key_checks = 0, unique_checks = 0');
    for (const table of MOVING) await db.raw('TRUNCATE TABLE ??', [table]);
    await withoutTriggers(db, async () => {
      for (const statement of [...invoices(today), ...tickets(), ...sessions()]) await db.raw(statement);
    });
    await db.raw('ANALYZE TABLE ??, ??, ??, ??, ??', [...MOVING]);
    await db('bench_movimento').insert({ dia: today });
    context.log(`movimento gerado em ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  } finally {
    await db.destroy();
  }
  return dataset;
}

/** Tables that are filled by the statements below. */
const MOVING = ['pix_recebidos', 'chamados_historico', 'chamados', 'radacct', 'faturas'] as const;

function invoices(today: Data): string[] {
  const month = (n: number, due: string, paid: string): string =>
    `SELECT c.provedor_id, ${n} * (SELECT MAX(id) FROM contratos) + c.id AS id, c.cliente_id, c.id AS contrato_id, 'Mensalidade' AS descricao,
            IF(${paid}, 'paga', 'pendente') AS situacao, 'pix' AS tipo, c.valor, IF(${paid}, c.valor, 0) AS valor_pago, ${due} AS vencimento,
            ${due} - INTERVAL 20 DAY + INTERVAL (c.id DIV 1000) SECOND AS emitida_em,
            IF(${paid}, TIMESTAMP(${due}) + INTERVAL (c.id % 86400) SECOND, NULL) AS pago_em,
            CONCAT(LPAD(c.id, 11, '0'), LPAD(${n}, 11, 'x')) AS token, CONCAT('B', ${n}, 'N', c.id) AS pix_txid
       FROM contratos c WHERE c.provedor_id = ${PROVIDER_ID}`;
  const due = (from: Data): string => `DATE '${from}' + INTERVAL (c.id % 30) DAY`;
  const columns =
    'provedor_id, id, cliente_id, contrato_id, descricao, situacao, tipo, valor, valor_pago, vencimento, emitida_em, pago_em, token, pix_txid';
  return [
    `INSERT INTO faturas (${columns})
     ${month(0, due(somarDias(today, -30)), `c.id % ${OWES} <> 0`)} UNION ALL ${month(1, due(today), 'FALSE')}`,
    `INSERT INTO pix_recebidos (provedor_id, fatura_id, end_to_end_id, valor, pago_em, criado_em)
     SELECT provedor_id, id, CONCAT('E', LPAD(id, 31, '0')), valor, pago_em, pago_em FROM faturas WHERE situacao = 'paga'`,
  ];
}

function tickets(): string[] {
  return [
    `INSERT INTO chamados (provedor_id, id, cliente_id, contrato_id, situacao, prioridade, categoria, origem, assunto, descricao, aberto_em, fechado_em)
     SELECT provedor_id, id, cliente_id, id, IF(aberto, 'aberto', 'solucionado'), IF(id % 7 = 0, 'alta', 'normal'),
            IF(id % 2 = 0, 'TECNICO', 'FINANCEIRO'), IF(id % 3 = 0, 'api', 'painel'), 'Sem conexão', 'Caiu hoje cedo.', quando,
            IF(aberto, NULL, quando + INTERVAL (id % 40) HOUR)
       FROM (SELECT provedor_id, id, cliente_id, id DIV ${TICKET} % ${OPEN_TICKET} = 0 AS aberto,
                    UTC_TIMESTAMP(3) - INTERVAL (60 + id * 7 % 2588000) SECOND AS quando
               FROM contratos WHERE provedor_id = ${PROVIDER_ID} AND id % ${TICKET} = 0) AS c`,
    `INSERT INTO chamados_historico (provedor_id, chamado_id, acao, autor, ocorrido_em)
     SELECT provedor_id, id, acao, autor, LEAST(UTC_TIMESTAMP(3), aberto_em + INTERVAL depois MINUTE)
       FROM chamados CROSS JOIN (SELECT 'aberto' AS acao, 'API' AS autor, 0 AS depois UNION ALL SELECT 'comentario', 'Ana', 45) AS h
      WHERE chamados.id % 4 > 0 OR h.acao = 'aberto'`,
  ];
}

function sessions(): string[] {
  const each = Array.from(
    { length: SESSIONS_EACH },
    (_, n) => `SELECT ${n} AS seq, UTC_TIMESTAMP() - INTERVAL ${n * 30 + 20} HOUR AS inicio`,
  );
  return [
    `INSERT IGNORE INTO provedores_nas (provedor_id, nasipaddress) VALUES (${PROVIDER_ID}, '${SERVER}')`,
    `INSERT INTO radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctupdatetime, acctstoptime, acctinterval,
                          acctsessiontime, acctinputoctets, acctoutputoctets, calledstationid, callingstationid, acctterminatecause,
                          framedipaddress)
     SELECT HEX(c.id * 100 + s.seq), MD5(CONCAT(c.id, '-', s.seq)), c.login, '${SERVER}', inicio, inicio + INTERVAL 20 HOUR,
            IF(s.seq = 0, NULL, inicio + INTERVAL 29 HOUR), 300, 72000, 1000000, 9000000, 'pppoe', c.mac,
            IF(s.seq % 3 = 0, 'Lost-Carrier', 'User-Request'), c.ip
       FROM contratos c
       CROSS JOIN (${each.join(' UNION ALL ')}) AS s
      WHERE c.provedor_id = ${PROVIDER_ID} AND c.id % ${HAS_SESSIONS} = 0`,
  ];
}
