import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { ColunaDoExtrato, SomaDoArquivo, TabelaDoExtrato, TipoDeColuna } from '../../../src/brazil/extrato.ts';
import type { Linha } from './linhas.ts';
import { criarSoma } from './soma.ts';

/** De um grupo, que a memória guarda inteiro: com o dobro comprime pouco melhor e custa um décimo a mais. */
const LINHAS_POR_GRUPO = 10_000;

/** De que se guarda o menor e o maior de cada grupo, para que um leitor salte grupos: ninguém procura um intervalo de nomes. */
const ORDENADOS: readonly TipoDeColuna[] = ['inteiro', 'data', 'instante'];

const DIA_MS = 86_400_000;

type Converter = (valor: string | number) => unknown;

const CONVERSORES: Readonly<Record<TipoDeColuna, Converter>> = {
  inteiro: (valor) => BigInt(valor),
  booleano: (valor) => valor !== 0,
  texto: (valor) => valor,
  textos: (valor) => (valor as string).split(','),
  // Um bigint é o valor já sem escala: os centavos passam como são.
  dinheiro: (valor) => BigInt(valor),
  apurado: (valor) => BigInt(valor),
  data: (valor) => Date.parse(`${(valor as string).slice(0, 10)}T00:00:00Z`) / DIA_MS,
  instante: (valor) => BigInt(Date.parse(`${(valor as string).slice(0, 23).replace(' ', 'T')}Z`)),
};

/** Uma tabela em Parquet, grupo a grupo, com snappy e dicionário onde compensa. */
export function criarParquet({ nome, colunas, versaoDoEsquema, consistenteEm }: TabelaDoExtrato) {
  const soma = criarSoma();
  const writer = new ByteWriter(2 ** 20);
  const arquivo = new ParquetWriter({
    writer,
    schema: [{ name: nome, num_children: colunas.length }, ...colunas.flatMap(elementos)],
    createdBy: 'malha',
    kvMetadata: [
      { key: 'malha.versao_do_esquema', value: String(versaoDoEsquema) },
      { key: 'malha.consistente_em', value: consistenteEm },
    ],
  });
  let pendentes: unknown[][] = colunas.map(() => []);
  let quantas = 0;

  function gravarGrupo(): void {
    if (quantas === 0) return;
    const columnData = colunas.map((coluna, n) => ({
      name: coluna.nome,
      data: pendentes[n] ?? [],
      statistics: ORDENADOS.includes(coluna.tipo),
    }));
    void arquivo.write({ columnData, rowGroupSize: quantas });
    pendentes = colunas.map(() => []);
    quantas = 0;
  }

  /** O que se escreveu desde a última vez, em memória só sua. */
  function tirar(): Uint8Array | null {
    if (writer.index === 0) return null;
    const pedaco = soma.bytes(new Uint8Array(writer.getBuffer()));
    writer.index = 0;
    return pedaco;
  }

  return {
    /** Null enquanto um grupo não se completa. */
    escrever(linhas: readonly Linha[]): Uint8Array | null {
      for (const [n, { tipo }] of colunas.entries()) {
        const coluna = pendentes[n] ?? [];
        const converter = CONVERSORES[tipo];
        const vazio = tipo === 'textos' ? [] : null;
        for (const linha of linhas) {
          const valor = linha[n] ?? null;
          coluna.push(valor === null ? vazio : converter(valor));
        }
      }
      quantas += linhas.length;
      soma.linhas(linhas.length);
      if (quantas >= LINHAS_POR_GRUPO) gravarGrupo();
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

const ANOTACOES: Readonly<Record<Exclude<TipoDeColuna, 'textos'>, Omit<SchemaElement, 'name'>>> = {
  inteiro: { type: 'INT64' },
  booleano: { type: 'BOOLEAN' },
  texto: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  dinheiro: { type: 'INT64', converted_type: 'DECIMAL', precision: 12, scale: 2 },
  apurado: { type: 'INT64', converted_type: 'DECIMAL', precision: 15, scale: 2 },
  data: { type: 'INT32', converted_type: 'DATE' },
  instante: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

/** Parquet, «Logical Types»: cada coluna, com o tipo convertido que os leitores antigos conhecem. */
function elementos({ nome, tipo, nulo }: ColunaDoExtrato): SchemaElement[] {
  const repetition_type = nulo ? 'OPTIONAL' : 'REQUIRED';
  if (tipo !== 'textos') return [{ name: nome, repetition_type, ...ANOTACOES[tipo] }];
  return [
    { name: nome, repetition_type, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...ANOTACOES.texto },
  ];
}
