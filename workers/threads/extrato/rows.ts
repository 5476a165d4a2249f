import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../../src/brazil/dinheiro/encargos.ts';
import { FIM_DO_CAMPO, NULO } from './contract.ts';
import type { OrdemDoExtrato, TabelaDoExtrato } from './contract.ts';

/**
 * The highest bit of each byte in a word of four. Only bytes that are not ASCII and the byte that ends a field have it.
 */
const NOT_ASCII = 0x80808080;

/** The rows of a batch, as bytes. Almost all of them go to the files as they came, and few become strings. */
export interface Rows {
  readonly count: number;
  readonly bytes: Buffer;
  /** Where each field starts and ends, row after row. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** Finds the fields of a batch. @throws {RangeError} when they are not those of the announced number of rows */
export function readRows(table: TabelaDoExtrato, order: Extract<OrdemDoExtrato, { tipo: 'lote' }>): Rows {
  const { linhas: rows, quantas: count } = order;
  const bytes = Buffer.from(rows.buffer, rows.byteOffset, rows.length);
  const view = viewOf(bytes);
  const starts = new Int32Array(count * table.colunas.length);
  const ends = new Int32Array(starts.length);
  let fields = 0;
  let start = 0;
  for (let n = 0; n < bytes.length;) {
    if (n + 4 <= bytes.length && (view.getInt32(n) & NOT_ASCII) === 0) {
      n += 4;
      continue;
    }
    for (const until = Math.min(n + 4, bytes.length); n < until; n += 1) {
      if (view.getUint8(n) !== FIM_DO_CAMPO) continue;
      starts[fields] = start;
      ends[fields] = n;
      start = n + 1;
      fields += 1;
    }
  }
  if (fields !== ends.length || start !== bytes.length) {
    throw new RangeError(`${fields} campos de ${count} linhas de ${table.colunas.length}`);
  }
  return appendAmounts(table, { count, bytes, starts, ends }, order.sabidos);
}

/** Consecutive batches as one. */
export function joinRows(parts: readonly Rows[]): Rows {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  const fields = parts.reduce((total, { ends }) => total + ends.length, 0);
  const starts = new Int32Array(fields);
  const ends = new Int32Array(fields);
  let field = 0;
  let byte = 0;
  for (const part of parts) {
    for (let n = 0; n < part.ends.length; n += 1) {
      starts[field + n] = (part.starts[n] ?? 0) + byte;
      ends[field + n] = (part.ends[n] ?? 0) + byte;
    }
    field += part.ends.length;
    byte += part.bytes.length;
  }
  const count = parts.reduce((total, part) => total + part.count, 0);
  return { count, bytes: Buffer.concat(parts.map(({ bytes }) => bytes)), starts, ends };
}

export const viewOf = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

export const isNull = (view: DataView, start: number, end: number): boolean =>
  end - start === 1 && view.getUint8(start) === NULO;

const COMMA = 0x2c;

/** Where the text that begins at `start` ends, in a list that ends at `end`. */
export function endOfText(view: DataView, start: number, end: number): number {
  let n = start;
  while (n < end && view.getUint8(n) !== COMMA) n += 1;
  return n;
}

/** Reads an integer, exact up to 2^53, or 0 when there is no digit. Money with two decimals is read as centavos. */
export function readDigits(view: DataView, start: number, end: number): number {
  const negative = start < end && view.getUint8(start) === 0x2d;
  let value = 0;
  for (let n = negative ? start + 1 : start; n < end; n += 1) {
    const digit = view.getUint8(n) - 0x30;
    if (digit >= 0) value = value * 10 + digit;
  }
  return negative ? -value : value;
}

/** Calculates the day's amount of each invoice that is overdue, or whose amount is known, and, where it differs from `valor`, appends it to the bytes. */
function appendAmounts(
  { colunas: columns, apuracao }: TabelaDoExtrato,
  rows: Rows,
  sabidos: ReadonlyMap<number, number>,
): Rows {
  if (apuracao === null) return rows;
  const { count, bytes, starts, ends } = rows;
  const { hoje, regras } = apuracao;
  const view = viewOf(bytes);
  const indexOf = (name: string): number => columns.findIndex(({ nome }) => nome === name);
  const [id, situacao, valor, vencimento] = [
    indexOf('id'),
    indexOf('situacao'),
    indexOf('valor'),
    indexOf('vencimento'),
  ];
  const amountColumn = columns.findIndex(({ tipo }) => tipo === 'apurado');
  const parts = [bytes];
  let end = bytes.length;
  for (let first = 0; first < ends.length; first += columns.length) {
    const bounds = (n: number) => [starts[first + n] ?? 0, ends[first + n] ?? 0] as const;
    const known = sabidos.get(readDigits(view, ...bounds(id)));
    if (known === undefined && bytes.toString('latin1', ...bounds(situacao)) !== 'vencida') continue;
    const face = centavos(readDigits(view, ...bounds(valor)));
    const vence = bytes.toString('latin1', ...bounds(vencimento)) as Data;
    const total =
      known === undefined ? calcularEncargos({ valor: face, vencimento: vence, hoje, regras }).total : centavos(known);
    const atualizado = valorAtualizado(face, total);
    if (atualizado === null) continue;
    const text = Buffer.from(escreverDinheiro(atualizado));
    parts.push(text);
    starts[first + amountColumn] = end;
    end += text.length;
    ends[first + amountColumn] = end;
  }
  return { count, bytes: parts.length === 1 ? bytes : Buffer.concat(parts), starts, ends };
}
