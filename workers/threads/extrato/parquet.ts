import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { ColunaDoExtrato, SomaDoArquivo, TabelaDoExtrato, TipoDeColuna } from './contract.ts';
import { camposDasListas, camposDe } from './campos.ts';
import { juntarLinhas } from './linhas.ts';
import type { Linhas } from './linhas.ts';
import { criarSoma } from './soma.ts';
import { escreverTrecho } from './trecho.ts';
import { CODIFICACOES } from './valores.ts';

/** Of a group, which memory holds whole: twice as many compress little better and take a tenth longer. */
const LINHAS_POR_GRUPO = 10_000;

/** A group ends sooner where texts are long: each column of it is a single page, which is compressed whole. */
const BYTES_POR_GRUPO = 32 * 2 ** 20;

/** A table in Parquet, group by group, with a dictionary where that is worth it. */
export function criarParquet({ nome, colunas, versaoDoEsquema, consistenteEm }: TabelaDoExtrato) {
  const soma = criarSoma();
  const writer = new ByteWriter(2 ** 20);
  const raiz: SchemaElement = { name: nome, num_children: colunas.length };
  const esquema = [raiz, ...colunas.flatMap(elementos)];
  const arquivo = new ParquetWriter({
    writer,
    schema: esquema,
    createdBy: 'malha',
    kvMetadata: [
      { key: 'malha.versao_do_esquema', value: String(versaoDoEsquema) },
      { key: 'malha.consistente_em', value: consistenteEm },
    ],
  });
  let pendentes: Linhas[] = [];
  let quantas = 0;
  let tamanho = 0;

  function gravarGrupo(): void {
    if (quantas === 0) return;
    const linhas = juntarLinhas(pendentes);
    // They are joined already: the group shall not be in memory twice.
    pendentes = [];
    const columns = colunas.map((coluna, n) => {
      const campos = (coluna.tipo === 'textos' ? camposDasListas : camposDe)(linhas, n, colunas.length);
      return escreverTrecho(writer, coluna, campos, quantas);
    });
    const somar = (de: 'total_uncompressed_size' | 'total_compressed_size'): bigint =>
      columns.reduce((total, { meta_data }) => total + (meta_data?.[de] ?? 0n), 0n);
    arquivo.row_groups.push({
      columns,
      num_rows: BigInt(quantas),
      total_byte_size: somar('total_uncompressed_size'),
      total_compressed_size: somar('total_compressed_size'),
    });
    arquivo.num_rows += BigInt(quantas);
    quantas = 0;
    tamanho = 0;
  }

  /** What was written since last asked, in memory of its own. */
  function tirar(): Uint8Array | null {
    if (writer.index === 0) return null;
    const pedaco = soma.bytes(new Uint8Array(writer.getBuffer()));
    writer.index = 0;
    return pedaco;
  }

  return {
    /** Null until a group is complete. */
    escrever(linhas: Linhas): Uint8Array | null {
      pendentes.push(linhas);
      quantas += linhas.quantas;
      tamanho += linhas.bytes.length;
      soma.linhas(linhas.quantas);
      if (quantas >= LINHAS_POR_GRUPO || tamanho >= BYTES_POR_GRUPO) gravarGrupo();
      return tirar();
    },

    terminar(): Uint8Array | null {
      gravarGrupo();
      void arquivo.finish();
      return tirar();
    },

    soma: (): SomaDoArquivo => soma.total(),
  };
}

const ANOTACOES: Readonly<
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

/** Parquet, "Logical Types": each column, with the converted type that older readers know. */
function elementos({ nome, tipo, nulo }: ColunaDoExtrato): SchemaElement[] {
  const valor = { type: CODIFICACOES[tipo].fisico, ...ANOTACOES[tipo] };
  if (tipo !== 'textos') return [{ name: nome, repetition_type: nulo ? 'OPTIONAL' : 'REQUIRED', ...valor }];
  return [
    { name: nome, repetition_type: 'REQUIRED', converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...valor },
  ];
}
