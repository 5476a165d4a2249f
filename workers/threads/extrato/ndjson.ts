import { crc32, constants, deflateRawSync } from 'node:zlib';
import { escreverDinheiro } from '../../../src/brazil/dinheiro.ts';
import type { Centavos } from '../../../src/brazil/dinheiro.ts';
import type { ColunaDoExtrato, SomaDoArquivo, TabelaDoExtrato } from '../../../src/brazil/extrato.ts';
import type { Linha } from './linhas.ts';
import { criarSoma } from './soma.ts';

/** Comprime quase tanto quanto o nível 6, na metade do tempo. */
const NIVEL = 4;

/** RFC 1952, seção 2.3: deflate, sem nome, sem data, para que os mesmos dados deem os mesmos bytes. */
const CABECALHO = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** RFC 1951, seção 3.2.6: um bloco final de códigos fixos, sem nada dentro. */
const FIM_DO_DEFLATE = Uint8Array.of(3, 0);

type Escrever = (valor: Linha[number]) => string;

/** O mesmo texto que a API daria a cada valor. */
const ESCRITORES: Readonly<Record<ColunaDoExtrato['tipo'], Escrever>> = {
  inteiro: String,
  booleano: (valor) => (valor === 0 ? 'false' : 'true'),
  texto: (valor) => JSON.stringify(valor),
  textos: (valor) => JSON.stringify((valor as string).split(',')),
  dinheiro: (valor) => escreverDinheiro(valor as Centavos),
  apurado: (valor) => escreverDinheiro(valor as Centavos),
  data: (valor) => `"${(valor as string).slice(0, 10)}"`,
  instante: (valor) => `"${(valor as string).slice(0, 10)}T${(valor as string).slice(11, 23).padEnd(12, '.000')}Z"`,
};

/**
 * Uma linha de JSON por registro, em um só membro gzip. Cada lote é comprimido à parte e termina em um byte inteiro, então os lotes
 * seguidos são um deflate só: o `zlib` do Node que não para comprime em outras threads, onde a prioridade desta não vale.
 */
export function criarNdjson({ colunas }: TabelaDoExtrato) {
  const campos = colunas.map(({ nome, tipo }, n) => ({
    antes: `${n === 0 ? '{' : ','}${JSON.stringify(nome)}:`,
    escrever: ESCRITORES[tipo],
    vazio: tipo === 'textos' ? '[]' : 'null',
  }));
  const soma = criarSoma();
  let crc = 0;
  let tamanho = 0;
  let comecou = false;

  function juntar(partes: readonly Uint8Array[]): Uint8Array {
    const inicio = comecou ? [] : [CABECALHO];
    comecou = true;
    return soma.bytes(semPiscina([...inicio, ...partes]));
  }

  return {
    escrever(linhas: readonly Linha[]): Uint8Array {
      let texto = '';
      for (const linha of linhas) {
        for (const [n, { antes, escrever, vazio }] of campos.entries()) {
          const valor = linha[n] ?? null;
          texto += antes + (valor === null ? vazio : escrever(valor));
        }
        texto += '}\n';
      }
      const bytes = Buffer.from(texto);
      crc = crc32(bytes, crc);
      tamanho += bytes.length;
      soma.linhas(linhas.length);
      return juntar([deflateRawSync(bytes, { level: NIVEL, finishFlush: constants.Z_FULL_FLUSH })]);
    },

    terminar(): Uint8Array {
      const fim = Buffer.alloc(8);
      fim.writeUInt32LE(crc, 0);
      fim.writeUInt32LE(tamanho % 2 ** 32, 4);
      return juntar([FIM_DO_DEFLATE, fim]);
    },

    soma: (): SomaDoArquivo => soma.total(),
  };
}

/** Em memória só delas: a transferência leva o ArrayBuffer inteiro. */
function semPiscina(partes: readonly Uint8Array[]): Uint8Array {
  const juntas = new Uint8Array(partes.reduce((total, { length }) => total + length, 0));
  let onde = 0;
  for (const parte of partes) {
    juntas.set(parte, onde);
    onde += parte.length;
  }
  return juntas;
}
