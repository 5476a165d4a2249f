import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { ColunaDoExtrato, SomaDoArquivo, TabelaDoExtrato, TipoDeColuna } from './contract.ts';
import { fieldsOfLists, fieldsOf } from './fields.ts';
import { joinRows } from './rows.ts';
import type { Rows } from './rows.ts';
import { createSum } from './sum.ts';
import { writeChunk } from './chunk.ts';
import { ENCODINGS } from './values.ts';

/**
 * Rows of a group, which is held in memory. With twice as many it compresses a little better and takes a tenth longer.
 */
const ROWS_A_GROUP = 10_000;

/** A group with long texts ends earlier: each of its columns is a single page, which is compressed as a whole. */
const BYTES_A_GROUP = 32 * 2 ** 20;

/** Writes a table as Parquet, group by group, with dictionaries where they make it smaller. */
export function createParquet({ nome, colunas: columns, versaoDoEsquema, consistenteEm }: TabelaDoExtrato) {
  const sum = createSum();
  const writer = new ByteWriter(2 ** 20);
  const root: SchemaElement = { name: nome, num_children: columns.length };
  const schema = [root, ...columns.flatMap(elements)];
  const file = new ParquetWriter({
    writer,
    schema,
    createdBy: 'malha',
    kvMetadata: [
      { key: 'malha.versao_do_esquema', value: String(versaoDoEsquema) },
      { key: 'malha.consistente_em', value: consistenteEm },
    ],
  });
  let pending: Rows[] = [];
  let count = 0;
  let size = 0;

  function writeGroup(): void {
    if (count === 0) return;
    const rows = joinRows(pending);
    // They are joined now; the group must not be in memory twice.
    pending = [];
    const chunks = columns.map((column, n) => {
      const fields = (column.tipo === 'textos' ? fieldsOfLists : fieldsOf)(rows, n, columns.length);
      return writeChunk(writer, column, fields, count);
    });
    const sumOf = (sizeName: 'total_uncompressed_size' | 'total_compressed_size'): bigint =>
      chunks.reduce((total, { meta_data }) => total + (meta_data?.[sizeName] ?? 0n), 0n);
    file.row_groups.push({
      columns: chunks,
      num_rows: BigInt(count),
      total_byte_size: sumOf('total_uncompressed_size'),
      total_compressed_size: sumOf('total_compressed_size'),
    });
    file.num_rows += BigInt(count);
    count = 0;
    size = 0;
  }

  /** The bytes written since the last call, in memory of their own. */
  function take(): Uint8Array | null {
    if (writer.index === 0) return null;
    const piece = sum.bytes(new Uint8Array(writer.getBuffer()));
    writer.index = 0;
    return piece;
  }

  return {
    /** Null until a group is complete. */
    write(rows: Rows): Uint8Array | null {
      pending.push(rows);
      count += rows.count;
      size += rows.bytes.length;
      sum.rows(rows.count);
      if (count >= ROWS_A_GROUP || size >= BYTES_A_GROUP) writeGroup();
      return take();
    },

    finish(): Uint8Array | null {
      writeGroup();
      void file.finish();
      return take();
    },

    sum: (): SomaDoArquivo => sum.total(),
  };
}

const ANNOTATIONS: Readonly<
  Record<TipoDeColuna, Pick<SchemaElement, 'converted_type' | 'logical_type' | 'precision' | 'scale'>>
> = {
  inteiro: {},
  booleano: {},
  texto: { converted_type: 'UTF8' },
  textos: { converted_type: 'UTF8' },
  dinheiro: { converted_type: 'DECIMAL', precision: 12, scale: 2 },
  apurado: { converted_type: 'DECIMAL', precision: 15, scale: 2 },
  data: { converted_type: 'DATE' },
  instante: {
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** The schema of a column (Parquet, "Logical Types"), with the converted type that old readers know. */
function elements({ nome, tipo, nulo }: ColunaDoExtrato): SchemaElement[] {
  const value = { type: ENCODINGS[tipo].physical, ...ANNOTATIONS[tipo] };
  if (tipo !== 'textos') return [{ name: nome, repetition_type: nulo ? 'OPTIONAL' : 'REQUIRED', ...value }];
  return [
    { name: nome, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...value },
  ];
}
