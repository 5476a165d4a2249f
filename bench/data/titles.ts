import type { Db } from '../../src/platform/mysql/database.ts';
import { PROVIDER_ID } from './dataset.ts';

/** The agreement of the titles. */
const AGREEMENT_ID = 1;
const ROWS_A_STATEMENT = 2000;
/** A batch numbers its lines by five digits. */
const TITLES_A_BATCH = 40_000;
const CNPJ = '11222333000181';

/** `count` open invoices with a title that the bank has; made anew, whatever a run before has done to them. */
export async function ensureTitles(db: Db, clients: number, count: number): Promise<void> {
  for (const table of [
    'retornos_linhas',
    'retornos_partes',
    'arquivos_bancarios',
    'boletos_tarifas',
    'retornos',
    'boletos_recebidos',
    'faturas_lancamentos',
    'boletos_instrucoes',
    'boletos',
    'notificacoes',
    'faturas',
  ]) {
    await db.raw('DELETE FROM ??', [table]);
  }
  await db('provedores').where('id', PROVIDER_ID).update({ cnpj: CNPJ });
  const account = await db('cobradores').where('provedor_id', PROVIDER_ID).first<{ id: number }>('id');
  await db.raw(
    `INSERT IGNORE INTO convenios_bancarios (provedor_id, id, cobrador_id, nome, banco, formato, agencia, agencia_dv, conta, conta_dv,
       carteira, codigo, emite)
     VALUES (?, ?, ?, 'Bancada', '756', '240', '3069', '4', '12345678', '9', '1', '828190', 1)`,
    [PROVIDER_ID, AGREEMENT_ID, account?.id ?? 0],
  );
  for (let first = 1; first <= count; first += ROWS_A_STATEMENT) {
    const ids = Array.from({ length: Math.min(ROWS_A_STATEMENT, count + 1 - first) }, (_, n) => first + n);
    await db.transaction(async (trx) => {
      await trx.raw('SET SESSION unique_checks = 0, foreign_key_checks = 0');
      await trx.raw(invoices(ids, clients, account?.id ?? 0));
      await trx.raw(titles(ids));
      await trx.raw('SET SESSION unique_checks = 1, foreign_key_checks = 1');
    });
  }
  await db.raw('ANALYZE TABLE faturas, boletos');
}

function invoices(ids: readonly number[], clients: number, account: number): string {
  const rows = ids.map((id) => {
    const client = 1 + (id % clients);
    const token = String(id).padStart(11, '0').padEnd(22, 't');
    return `(${PROVIDER_ID},${id},${client},${client},${account},'pendente','boleto',99.90,'2026-12-10','2026-12-01 09:00:00','${token}','registrado')`;
  });
  const columns =
    'provedor_id,id,cliente_id,contrato_id,cobrador_id,situacao,tipo,valor,vencimento,emitida_em,token,boleto_situacao';
  return `INSERT INTO faturas (${columns}) VALUES ${rows.join(',')}`;
}

function titles(ids: readonly number[]): string {
  const rows = ids.map(
    (id) =>
      `(${PROVIDER_ID},${id},${id},${AGREEMENT_ID},'${String(id).padStart(7, '0')}','0','registrado',99.90,'2026-12-10','2026-12-01 09:00:00')`,
  );
  const columns = 'provedor_id,id,fatura_id,convenio_id,numero,dv,situacao,valor,vencimento,criado_em';
  return `INSERT INTO boletos (${columns}) VALUES ${rows.join(',')}`;
}

/** A bank's file that says that each of them was paid; CNAB 240 by FEBRABAN's places. Two of the same titles differ by `sequence`. */
export function settlements(count: number, sequence: number): Buffer {
  const line = (fields: readonly (readonly [at: number, text: string])[]): string => {
    const letters = Array.from({ length: 240 }, () => ' ');
    for (const [at, text] of fields) letters.splice(at - 1, text.length, ...text.split(''));
    return letters.join('');
  };
  const lines = [
    line([
      [1, '75600000'],
      [18, '2'],
      [19, CNPJ],
      [143, '2'],
      [144, '01122026'],
      [158, String(sequence).padStart(6, '0')],
    ]),
  ];
  const t = line([
    [1, '75600013'],
    [14, 'T 06'],
  ]);
  const u = line([
    [1, '75600013'],
    [14, 'U 06'],
    [18, '0'.repeat(60)],
    [78, '000000000009990'],
    [93, '000000000009990'],
    [138, '0112202601122026'],
  ]);
  const at = (whole: string, place: number, text: string): string =>
    whole.slice(0, place - 1) + text + whole.slice(place - 1 + text.length);
  const padded = (n: number, places: number): string => String(n).padStart(places, '0');
  let batches = 0;
  for (let first = 1; first <= count; first += TITLES_A_BATCH) {
    batches += 1;
    const batch = padded(batches, 4);
    const last = Math.min(count, first + TITLES_A_BATCH - 1);
    lines.push(at(line([[1, '75600011T01']]), 4, batch));
    for (let id = first; id <= last; id += 1) {
      const n = 2 * (id - first) + 1;
      const number = `${padded(id, 9)}0`;
      const ofTitle = at(at(at(t, 9, padded(n, 5)), 38, number), 82, '000000000009990');
      lines.push(at(ofTitle, 4, batch), at(at(u, 9, padded(n + 1, 5)), 4, batch));
    }
    const details = 2 * (last - first + 1);
    lines.push(
      line([
        [1, `756${batch}5`],
        [18, padded(details + 2, 6)],
      ]),
    );
  }
  lines.push(
    line([
      [1, '75699999'],
      [18, padded(batches, 6) + padded(lines.length + 1, 6)],
    ]),
  );
  return Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
}
