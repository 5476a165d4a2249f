import { crc32, constants, deflateRawSync } from 'node:zlib';
import { escreverDinheiro } from '../../../src/brazil/dinheiro.ts';
import { emMemoriaPropria } from '../../../src/brazil/extrato.ts';
import type { SomaDoArquivo, TabelaDoExtrato, TipoDeColuna } from '../../../src/brazil/extrato.ts';
import { ehNulo, fimDoTexto } from './linhas.ts';
import type { Linhas } from './linhas.ts';
import { criarSoma } from './soma.ts';

/** Um quarto maior do que no nível 6, na metade do tempo. */
const NIVEL = 3;

/** RFC 1952, seção 2.3: deflate, sem nome, sem data, para que os mesmos dados deem os mesmos bytes. */
const CABECALHO = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** RFC 1951, seção 3.2.6: um bloco final de códigos fixos, sem nada dentro. */
const FIM_DO_DEFLATE = Uint8Array.of(3, 0);

/** Os que JSON põe entre aspas. */
const CITADOS: readonly TipoDeColuna[] = ['texto', 'data', 'instante'];

/**
 * Uma linha de JSON por registro, em um só membro gzip, com o mesmo texto que a API daria a cada valor. Cada lote é comprimido à parte e
 * termina em um byte inteiro, então os lotes seguidos são um deflate só: o `zlib` do Node que não para comprime em outras threads, onde
 * a prioridade desta não vale.
 */
export function criarNdjson({ colunas }: TabelaDoExtrato) {
  const campos = colunas.map(({ nome, tipo }, n) => {
    const chave = `${n === 0 ? '{' : ','}${JSON.stringify(nome)}:`;
    return {
      tipo,
      antes: vistaDe(Buffer.from(CITADOS.includes(tipo) ? `${chave}"` : chave)),
      nulo: vistaDe(Buffer.from(`${chave}${tipo === 'textos' ? '[]' : 'null'}`)),
    };
  });
  const texto = criarTexto();
  const soma = criarSoma();
  let crc = 0;
  let tamanho = 0;
  let comecou = false;

  function juntar(partes: readonly Uint8Array[]): Uint8Array {
    const inicio = comecou ? [] : [CABECALHO];
    comecou = true;
    return soma.bytes(emMemoriaPropria([...inicio, ...partes]));
  }

  function escreverLinhas(linhas: Linhas): Uint8Array {
    const { quantas, bytes, fins, aEscapar, apurados } = linhas;
    const vista = vistaDe(bytes);
    texto.comecar();
    let campo = 0;
    let inicio = 0;
    for (let linha = 0; linha < quantas; linha += 1) {
      const apurado = apurados.get(linha);
      for (const { antes, nulo, tipo } of campos) {
        const fim = fins[campo] ?? 0;
        if (tipo === 'apurado' && apurado !== undefined) {
          texto.copiar(antes);
          texto.ascii(escreverDinheiro(apurado));
        } else if (ehNulo(bytes, inicio, fim)) texto.copiar(nulo);
        else {
          texto.copiar(antes);
          if (tipo === 'inteiro' || tipo === 'dinheiro') texto.copiar(vista, inicio, fim);
          else if (tipo === 'booleano') texto.ascii(bytes[inicio] === 0x30 ? 'false' : 'true');
          else if (tipo === 'textos') escreverLista(linhas, vista, campo, inicio);
          else if (tipo === 'texto' && aEscapar.has(campo)) {
            // Sem as aspas que já estão escritas.
            texto.bytes(Buffer.from(JSON.stringify(bytes.toString('utf8', inicio, fim)).slice(1)));
          } else if (tipo === 'instante') {
            texto.copiar(vista, inicio, inicio + 10);
            texto.ascii('T');
            // Com milésimos, tenha-os a coluna ou não.
            texto.copiar(vista, inicio + 11, Math.min(fim, inicio + 23));
            texto.ascii(fim - inicio < 23 ? '.000Z"' : 'Z"');
          } else {
            texto.copiar(vista, inicio, fim);
            texto.ascii('"');
          }
        }
        campo += 1;
        inicio = fim + 1;
      }
      texto.ascii('}\n');
    }
    return texto.tudo();
  }

  function escreverLista({ bytes, fins, aEscapar }: Linhas, vista: DataView, campo: number, inicio: number): void {
    const fim = fins[campo] ?? 0;
    if (aEscapar.has(campo)) {
      texto.bytes(Buffer.from(JSON.stringify(bytes.toString('utf8', inicio, fim).split(','))));
      return;
    }
    for (let de = inicio; de <= fim;) {
      const ate = fimDoTexto(bytes, de, fim);
      texto.ascii(de === inicio ? '["' : ',"');
      texto.copiar(vista, de, ate);
      texto.ascii('"');
      de = ate + 1;
    }
    texto.ascii(']');
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

const vistaDe = ({ buffer, byteOffset, length }: Uint8Array): DataView => new DataView(buffer, byteOffset, length);

/** JSON que se escreve em uma memória só, usada lote após lote. */
function criarTexto() {
  let cabem = 2 ** 20;
  let memoria = vistaDe(new Uint8Array(cabem));
  let onde = 0;

  function caber(mais: number): void {
    if (onde + mais <= cabem) return;
    cabem = Math.max(2 * cabem, onde + mais);
    const maior = new Uint8Array(cabem);
    maior.set(tudo());
    memoria = vistaDe(maior);
  }

  const tudo = (): Uint8Array => new Uint8Array(memoria.buffer, 0, onde);

  function ascii(texto: string): void {
    caber(texto.length);
    const para = memoria;
    const n = onde;
    for (let de = 0; de < texto.length; de += 1) para.setUint8(n + de, texto.charCodeAt(de));
    onde = n + texto.length;
  }

  /** De quatro em quatro bytes, e nada se chama: os campos são de poucos bytes, e são milhões. */
  function copiar(vista: DataView, inicio = 0, fim = vista.byteLength): void {
    caber(fim - inicio);
    const para = memoria;
    let n = onde;
    let de = inicio;
    for (; de + 4 <= fim; de += 4, n += 4) para.setInt32(n, vista.getInt32(de));
    for (; de < fim; de += 1, n += 1) para.setUint8(n, vista.getUint8(de));
    onde = n;
  }

  return {
    ascii,
    copiar,
    tudo,
    bytes: (escritos: Uint8Array): void => copiar(vistaDe(escritos)),
    comecar(): void {
      onde = 0;
    },
  };
}
