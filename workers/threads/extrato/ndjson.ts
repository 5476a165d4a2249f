import { crc32, constants, deflateRawSync } from 'node:zlib';
import { emMemoriaPropria } from './contract.ts';
import type { SomaDoArquivo, TabelaDoExtrato } from './contract.ts';
import { isNull, endOfText, viewOf } from './rows.ts';
import type { Rows } from './rows.ts';
import { createSum } from './sum.ts';
import { createText } from './text.ts';

/** The output is a quarter larger than at level 6, and takes half the time. */
const LEVEL = 3;

/** RFC 1952, section 2.3: deflate, without name and date, so that the same data give the same bytes. */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** RFC 1951, section 3.2.6: an empty final block with fixed codes. */
const END_OF_DEFLATE = Uint8Array.of(3, 0);

/**
 * Writes a table as one line of JSON for each record, in a single gzip member. Values have the same text as in the API.
 * Each batch is compressed alone and ends on a whole byte, so that all batches together are one deflate stream. The
 * asynchronous `zlib` of Node is not used, because it compresses in other threads, which do not have the low priority
 * of this one.
 */
export function createNdjson({ colunas: columns }: TabelaDoExtrato) {
  const fields = columns.map(({ nome, tipo }, n) => {
    const key = `${n === 0 ? '{' : ','}${JSON.stringify(nome)}:`;
    return {
      tipo,
      key: viewOf(Buffer.from(key)),
      nullText: viewOf(Buffer.from(`${key}${tipo === 'textos' ? '[]' : 'null'}`)),
    };
  });
  const text = createText();
  const sum = createSum();
  let crc = 0;
  let size = 0;
  let hasBegun = false;

  function join(parts: readonly Uint8Array[]): Uint8Array {
    const start = hasBegun ? [] : [HEADER];
    hasBegun = true;
    return sum.bytes(emMemoriaPropria([...start, ...parts]));
  }

  function writeRows({ count, bytes, starts, ends }: Rows): Uint8Array {
    const view = viewOf(bytes);
    text.begin();
    let field = 0;
    for (let row = 0; row < count; row += 1) {
      for (const { key, nullText, tipo } of fields) {
        const start = starts[field] ?? 0;
        const end = ends[field] ?? 0;
        field += 1;
        if (isNull(view, start, end)) {
          text.copy(nullText);
          continue;
        }
        text.copy(key);
        if (tipo === 'texto' || tipo === 'data') text.quote(view, start, end);
        else if (tipo === 'booleano') text.ascii(view.getUint8(start) === 0x30 ? 'false' : 'true');
        else if (tipo === 'textos') writeList(view, start, end);
        else if (tipo === 'instante') writeInstant(view, start, end);
        else text.copy(view, start, end);
      }
      text.ascii('}\n');
    }
    return text.written();
  }

  function writeList(view: DataView, start: number, end: number): void {
    for (let from = start; from <= end;) {
      const until = endOfText(view, from, end);
      text.ascii(from === start ? '[' : ',');
      text.quote(view, from, until);
      from = until + 1;
    }
    text.ascii(']');
  }

  /** Always writes milliseconds, even when the column has none. */
  function writeInstant(view: DataView, start: number, end: number): void {
    text.ascii('"');
    text.copy(view, start, start + 10);
    text.ascii('T');
    text.copy(view, start + 11, Math.min(end, start + 23));
    text.ascii(end - start < 23 ? '.000Z"' : 'Z"');
  }

  return {
    write(rows: Rows): Uint8Array {
      const bytes = writeRows(rows);
      crc = crc32(bytes, crc);
      size += bytes.length;
      sum.rows(rows.count);
      return join([deflateRawSync(bytes, { level: LEVEL, finishFlush: constants.Z_FULL_FLUSH })]);
    },

    finish(): Uint8Array {
      const end = Buffer.alloc(8);
      end.writeUInt32LE(crc, 0);
      end.writeUInt32LE(size % 2 ** 32, 4);
      return join([END_OF_DEFLATE, end]);
    },

    sum: (): SomaDoArquivo => sum.total(),
  };
}
