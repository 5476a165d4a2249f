import { gzipSync } from 'node:zlib';
import { ByteWriter } from 'hyparquet-writer';
import type { ParquetWriter } from 'hyparquet-writer';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { ColunaDoExtrato } from './contract.ts';
import type { Campos } from './campos.ts';
import { criarDicionario } from './dicionario.ts';
import type { Dicionario } from './dicionario.ts';
import { CODIFICACOES } from './valores.ts';

/** At level 3 it is a hundredth smaller, and takes a fifth longer. */
const NIVEL = 1;

const DE_DICIONARIO = 'RLE_DICTIONARY' as const;
const SEM_NIVEIS = new Uint8Array();

/** What the file's footer says of a column of a group. */
type Trecho = ParquetWriter['row_groups'][number]['columns'][number];
type Cabecalho = Parameters<typeof writePageHeader>[1];

/**
 * The values of a column in a group of rows: a dictionary, where that is worth it, and a single page.
 *
 * @throws {RangeError} when a value is missing where the column says that none ever is: nobody could read the file.
 */
export function escreverTrecho(
  writer: ByteWriter,
  { nome, tipo, nulo }: ColunaDoExtrato,
  campos: Campos,
  linhas: number,
): Trecho {
  const { fisico, encoding, codificar } = CODIFICACOES[tipo];
  const { definicao, repeticao, inicios } = campos;
  const dicionario = fisico === 'BOOLEAN' ? null : criarDicionario(campos);
  const { bytes, limites } = codificar(dicionario?.distintos ?? campos);
  const num_nulls = definicao.length - inicios.length;
  if (num_nulls > 0 && !nulo && repeticao === null) throw new RangeError(`${num_nulls} nulos em ${nome}`);

  const inicio = writer.offset;
  let descomprimidos = 0;
  if (dicionario !== null) {
    const dictionary_page_header = { num_values: dicionario.distintos.inicios.length, encoding };
    descomprimidos += escreverPagina(writer, { type: 'DICTIONARY_PAGE', dictionary_page_header }, SEM_NIVEIS, bytes);
  }
  const daPagina = writer.offset;
  const niveis = new ByteWriter();
  const data_page_header_v2 = {
    num_values: definicao.length,
    num_nulls,
    num_rows: linhas,
    encoding: dicionario === null ? encoding : DE_DICIONARIO,
    repetition_levels_byte_length: repeticao === null ? 0 : writeRleBitPackedHybrid(niveis, repeticao, 1),
    definition_levels_byte_length: nulo || repeticao !== null ? writeRleBitPackedHybrid(niveis, definicao, 1) : 0,
    is_compressed: true,
  };
  const dados = dicionario === null ? bytes : codificarIndices(dicionario);
  descomprimidos += escreverPagina(writer, { type: 'DATA_PAGE_V2', data_page_header_v2 }, niveis.getBytes(), dados);

  return {
    file_offset: BigInt(inicio),
    meta_data: {
      type: fisico,
      encodings: dicionario === null ? [encoding] : [encoding, DE_DICIONARIO],
      path_in_schema: tipo === 'textos' ? [nome, 'list', 'element'] : [nome],
      codec: 'GZIP',
      num_values: BigInt(definicao.length),
      total_uncompressed_size: BigInt(descomprimidos),
      total_compressed_size: BigInt(writer.offset - inicio),
      data_page_offset: BigInt(daPagina),
      ...(dicionario !== null && { dictionary_page_offset: BigInt(inicio) }),
      statistics: { ...limites, null_count: BigInt(num_nulls) },
    },
  };
}

/** Parquet, "Data Pages": levels are not compressed. Returns what the page would take uncompressed, in bytes. */
function escreverPagina(
  writer: ByteWriter,
  cabecalho: Omit<Cabecalho, 'uncompressed_page_size' | 'compressed_page_size'>,
  niveis: Uint8Array,
  dados: Uint8Array,
): number {
  const comprimidos = gzipSync(dados, { level: NIVEL });
  const inicio = writer.offset;
  writePageHeader(writer, {
    ...cabecalho,
    uncompressed_page_size: niveis.length + dados.length,
    compressed_page_size: niveis.length + comprimidos.length,
  });
  const doCabecalho = writer.offset - inicio;
  writer.appendBytes(niveis);
  writer.appendBytes(comprimidos);
  return doCabecalho + niveis.length + dados.length;
}

/** Parquet, "Dictionary Encoding": how many bits each index has, and the indices. */
function codificarIndices({ distintos, indices }: Dicionario): Uint8Array {
  const writer = new ByteWriter();
  const bits = Math.ceil(Math.log2(distintos.inicios.length));
  writer.appendUint8(bits);
  writeRleBitPackedHybrid(writer, indices, bits);
  return writer.getBytes();
}
