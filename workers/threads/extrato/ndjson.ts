import { crc32, constants, deflateRawSync } from 'node:zlib';
import { escreverDinheiro } from '../../../src/brazil/dinheiro.ts';
import type { SomaDoArquivo, TabelaDoExtrato } from '../../../src/brazil/extrato.ts';
import { ehNulo, inicioDe } from './linhas.ts';
import type { Linhas } from './linhas.ts';
import { criarSoma } from './soma.ts';

/** Comprime quase tanto quanto o nível 6, na metade do tempo. */
const NIVEL = 4;

/** RFC 1952, seção 2.3: deflate, sem nome, sem data, para que os mesmos dados deem os mesmos bytes. */
const CABECALHO = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** RFC 1951, seção 3.2.6: um bloco final de códigos fixos, sem nada dentro. */
const FIM_DO_DEFLATE = Uint8Array.of(3, 0);

const ASPAS = 0x22;
const BARRA = 0x5c;
const VIRGULA = 0x2c;

/**
 * Uma linha de JSON por registro, em um só membro gzip, com o mesmo texto que a API daria a cada valor. Cada lote é comprimido à parte e
 * termina em um byte inteiro, então os lotes seguidos são um deflate só: o `zlib` do Node que não para comprime em outras threads, onde
 * a prioridade desta não vale.
 */
export function criarNdjson({ colunas }: TabelaDoExtrato) {
  const campos = colunas.map(({ nome, tipo }, n) => ({
    antes: Buffer.from(`${n === 0 ? '{' : ','}${JSON.stringify(nome)}:`),
    tipo,
  }));
  const texto = criarTexto();
  const soma = criarSoma();
  let crc = 0;
  let tamanho = 0;
  let comecou = false;

  function juntar(partes: readonly Uint8Array[]): Uint8Array {
    const inicio = comecou ? [] : [CABECALHO];
    comecou = true;
    return soma.bytes(semPiscina([...inicio, ...partes]));
  }

  function escreverLinhas(linhas: Linhas): Buffer {
    const { quantas, bytes, fins, apurados } = linhas;
    texto.comecar();
    let campo = 0;
    for (let linha = 0; linha < quantas; linha += 1) {
      for (const { antes, tipo } of campos) {
        const inicio = inicioDe(linhas, campo);
        const fim = fins[campo] ?? 0;
        campo += 1;
        texto.copiar(antes, 0, antes.length);
        if (tipo === 'apurado') {
          const apurado = apurados.get(linha);
          texto.ascii(apurado === undefined ? 'null' : escreverDinheiro(apurado));
        } else if (ehNulo(bytes, inicio, fim)) texto.ascii(tipo === 'textos' ? '[]' : 'null');
        else if (tipo === 'inteiro' || tipo === 'dinheiro') texto.copiar(bytes, inicio, fim);
        else if (tipo === 'booleano') texto.ascii(bytes[inicio] === 0x30 ? 'false' : 'true');
        else if (tipo === 'texto') texto.entreAspas(bytes, inicio, fim);
        else if (tipo === 'textos') texto.lista(bytes, inicio, fim);
        else if (tipo === 'data') texto.entreAspas(bytes, inicio, inicio + 10);
        else texto.instante(bytes, inicio, fim);
      }
      texto.ascii('}\n');
    }
    return texto.tudo();
  }

  return {
    escrever(linhas: Linhas): Uint8Array {
      const bytes = escreverLinhas(linhas);
      crc = crc32(bytes, crc);
      tamanho += bytes.length;
      soma.linhas(linhas.quantas);
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

/** JSON que se escreve em uma memória só, usada lote após lote. */
function criarTexto() {
  let memoria = Buffer.allocUnsafeSlow(2 ** 20);
  let onde = 0;

  function caber(mais: number): void {
    if (onde + mais <= memoria.length) return;
    const maior = Buffer.allocUnsafeSlow(Math.max(2 * memoria.length, onde + mais));
    memoria.copy(maior, 0, 0, onde);
    memoria = maior;
  }

  function copiar(bytes: Uint8Array, inicio: number, fim: number): void {
    caber(fim - inicio);
    for (let n = inicio; n < fim; n += 1) {
      memoria[onde] = bytes[n] ?? 0;
      onde += 1;
    }
  }

  function ascii(texto: string): void {
    caber(texto.length);
    for (let n = 0; n < texto.length; n += 1) {
      memoria[onde] = texto.charCodeAt(n);
      onde += 1;
    }
  }

  function entreAspas(bytes: Buffer, inicio: number, fim: number): void {
    const antes = onde;
    caber(fim - inicio + 2);
    memoria[onde] = ASPAS;
    onde += 1;
    for (let n = inicio; n < fim; n += 1) {
      const byte = bytes[n] ?? 0;
      if (byte < 0x20 || byte === ASPAS || byte === BARRA) {
        onde = antes;
        const escapado = Buffer.from(JSON.stringify(bytes.toString('utf8', inicio, fim)));
        copiar(escapado, 0, escapado.length);
        return;
      }
      memoria[onde] = byte;
      onde += 1;
    }
    memoria[onde] = ASPAS;
    onde += 1;
  }

  return {
    copiar,
    ascii,
    entreAspas,
    comecar(): void {
      onde = 0;
    },
    lista(bytes: Buffer, inicio: number, fim: number): void {
      ascii('[');
      for (let de = inicio; de < fim;) {
        const virgula = bytes.indexOf(VIRGULA, de);
        const ate = virgula === -1 || virgula > fim ? fim : virgula;
        if (de > inicio) ascii(',');
        entreAspas(bytes, de, ate);
        de = ate + 1;
      }
      ascii(']');
    },
    /** Com milésimos, tenha-os a coluna ou não. */
    instante(bytes: Buffer, inicio: number, fim: number): void {
      ascii('"');
      copiar(bytes, inicio, inicio + 10);
      ascii('T');
      copiar(bytes, inicio + 11, Math.min(fim, inicio + 23));
      ascii(fim - inicio < 23 ? '.000Z"' : 'Z"');
    },
    tudo: (): Buffer => memoria.subarray(0, onde),
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
