import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { SchemaElement } from 'hyparquet-writer';
import type { ColunaDoExtrato, SomaDoArquivo, TabelaDoExtrato, TipoDeColuna } from '../../../src/brazil/extrato.ts';
import { ehNulo, fimDoTexto, inicioDe, lerAlgarismos } from './linhas.ts';
import type { Linhas } from './linhas.ts';
import { criarSoma } from './soma.ts';
import { criarVistos } from './vistos.ts';
import type { Converter } from './vistos.ts';

/** De um grupo, que a memória guarda inteiro: com o dobro comprime pouco melhor e custa um décimo a mais. */
const LINHAS_POR_GRUPO = 10_000;

/** De que se guarda o menor e o maior de cada grupo, para que um leitor salte grupos: ninguém procura um intervalo de nomes. */
const ORDENADOS: readonly TipoDeColuna[] = ['inteiro', 'data', 'instante'];

/** Um grupo acaba antes, quando os textos são longos: cada coluna dele é uma página só, que se comprime inteira. */
const BYTES_POR_GRUPO = 32 * 2 ** 20;

const DIA_MS = 86_400_000;
/** Quatrocentos anos, depois dos quais o calendário se repete. */
const CICLO_MS = 146_097 * DIA_MS;

const inteiro: Converter = (bytes, inicio, fim) => BigInt(lerAlgarismos(bytes, inicio, fim));

const CONVERSORES: Readonly<Record<Exclude<TipoDeColuna, 'apurado'>, Converter>> = {
  inteiro,
  booleano: (bytes, inicio) => bytes[inicio] !== 0x30,
  // Em UTF-8, como o arquivo os guarda.
  texto: (bytes, inicio, fim) => bytes.subarray(inicio, fim),
  textos: separar,
  // Um bigint é o valor já sem escala: os centavos passam como são.
  dinheiro: inteiro,
  data: (bytes, inicio) => diaEm(bytes, inicio) / DIA_MS,
  instante: (bytes, inicio, fim) => BigInt(diaEm(bytes, inicio) + horaEm(bytes, inicio + 11, fim)),
};

/** O que há entre vírgulas. */
function separar(bytes: Buffer, inicio: number, fim: number): Uint8Array[] {
  const partes: Uint8Array[] = [];
  for (let de = inicio; de <= fim;) {
    const ate = fimDoTexto(bytes, de, fim);
    partes.push(bytes.subarray(de, ate));
    de = ate + 1;
  }
  return partes;
}

/** Milésimos desde 1970 até a data que começa ali. */
function diaEm(bytes: Uint8Array, inicio: number): number {
  const parte = (de: number, ate: number): number => lerAlgarismos(bytes, inicio + de, inicio + ate);
  // `Date.UTC` toma os anos até 99 por 19xx.
  return Date.UTC(parte(0, 4) + 400, parte(5, 7) - 1, parte(8, 10)) - CICLO_MS;
}

/** Milésimos do dia até a hora que começa ali, com milésimos ou sem eles. */
function horaEm(bytes: Uint8Array, inicio: number, fim: number): number {
  const parte = (de: number, ate: number): number => lerAlgarismos(bytes, inicio + de, Math.min(fim, inicio + ate));
  return ((parte(0, 2) * 60 + parte(3, 5)) * 60 + parte(6, 8)) * 1000 + parte(9, 12);
}

/** Uma tabela em Parquet, grupo a grupo, com snappy e dicionário onde compensa. */
export function criarParquet({ nome, colunas, versaoDoEsquema, consistenteEm }: TabelaDoExtrato) {
  const soma = criarSoma();
  const writer = new ByteWriter(2 ** 20);
  const raiz: SchemaElement = { name: nome, num_children: colunas.length };
  const esquema = [raiz, ...colunas.flatMap(elementos)];
  const arquivo = new ParquetWriter({
    writer,
    // Só os tipos físicos, que são os dos valores: dos outros, a biblioteca converteria cada um.
    schema: esquema.map(soOFisico),
    createdBy: 'malha',
    kvMetadata: [
      { key: 'malha.versao_do_esquema', value: String(versaoDoEsquema) },
      { key: 'malha.consistente_em', value: consistenteEm },
    ],
  });
  let pendentes: unknown[][] = colunas.map(() => []);
  const vistos = colunas.map(({ tipo }) => (tipo === 'apurado' ? null : criarVistos(CONVERSORES[tipo])));
  let quantas = 0;
  let tamanho = 0;

  function juntarA(coluna: unknown[], linhas: Linhas, n: number, tipo: TipoDeColuna): void {
    const { bytes, fins, apurados } = linhas;
    if (tipo === 'apurado') {
      for (let linha = 0; linha < linhas.quantas; linha += 1) {
        const apurado = apurados.get(linha);
        coluna.push(apurado === undefined ? null : BigInt(apurado));
      }
      return;
    }
    const visto = vistos[n];
    for (let campo = n; campo < fins.length; campo += colunas.length) {
      const inicio = inicioDe(linhas, campo);
      const fim = fins[campo] ?? 0;
      if (ehNulo(bytes, inicio, fim)) coluna.push(tipo === 'textos' ? [] : null);
      else coluna.push(visto?.valor(bytes, inicio, fim));
    }
  }

  function gravarGrupo(): void {
    if (quantas === 0) return;
    const columnData = colunas.map((coluna, n) => ({
      name: coluna.nome,
      data: pendentes[n] ?? [],
      statistics: ORDENADOS.includes(coluna.tipo),
    }));
    void arquivo.write({ columnData, rowGroupSize: quantas, pageSize: 0 });
    for (const visto of vistos) visto?.esquecer();
    pendentes = colunas.map(() => []);
    quantas = 0;
    tamanho = 0;
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
    escrever(linhas: Linhas): Uint8Array | null {
      for (const [n, { tipo }] of colunas.entries()) juntarA(pendentes[n] ?? [], linhas, n, tipo);
      quantas += linhas.quantas;
      tamanho += linhas.bytes.length;
      soma.linhas(linhas.quantas);
      if (quantas >= LINHAS_POR_GRUPO || tamanho >= BYTES_POR_GRUPO) gravarGrupo();
      return tirar();
    },

    terminar(): Uint8Array | null {
      gravarGrupo();
      arquivo.schema = esquema;
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

function soOFisico(elemento: SchemaElement): SchemaElement {
  const { name, type, repetition_type = 'REQUIRED' } = elemento;
  return type === undefined ? elemento : { name, type, repetition_type };
}

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
