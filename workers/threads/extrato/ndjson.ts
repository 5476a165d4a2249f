import { crc32, constants, deflateRawSync } from 'node:zlib';
import { emMemoriaPropria } from './contract.ts';
import type { SomaDoArquivo, TabelaDoExtrato } from './contract.ts';
import { ehNulo, fimDoTexto, vistaDe } from './linhas.ts';
import type { Linhas } from './linhas.ts';
import { criarSoma } from './soma.ts';
import { criarTexto } from './texto.ts';

/** A quarter larger than at level 6, in half the time. */
const NIVEL = 3;

/** RFC 1952, section 2.3: deflate, without name and date, so that the same data give the same bytes. */
const CABECALHO = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** RFC 1951, section 3.2.6: a last block of fixed codes, with nothing in it. */
const FIM_DO_DEFLATE = Uint8Array.of(3, 0);

/**
 * One line of JSON a record, in a single gzip member, with the same text that the API would give to each value. Each
 * batch is compressed by itself and ends in a whole byte, so that batches in a row are one deflate stream: Node's own
 * asynchronous `zlib` would compress in other threads, to which this one's priority does not apply.
 */
export function criarNdjson({ colunas }: TabelaDoExtrato) {
  const campos = colunas.map(({ nome, tipo }, n) => {
    const chave = `${n === 0 ? '{' : ','}${JSON.stringify(nome)}:`;
    return {
      tipo,
      chave: vistaDe(Buffer.from(chave)),
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

  function escreverLinhas({ quantas, bytes, inicios, fins }: Linhas): Uint8Array {
    const vista = vistaDe(bytes);
    texto.comecar();
    let campo = 0;
    for (let linha = 0; linha < quantas; linha += 1) {
      for (const { chave, nulo, tipo } of campos) {
        const inicio = inicios[campo] ?? 0;
        const fim = fins[campo] ?? 0;
        campo += 1;
        if (ehNulo(vista, inicio, fim)) {
          texto.copiar(nulo);
          continue;
        }
        texto.copiar(chave);
        if (tipo === 'texto' || tipo === 'data') texto.citar(vista, inicio, fim);
        else if (tipo === 'booleano') texto.ascii(vista.getUint8(inicio) === 0x30 ? 'false' : 'true');
        else if (tipo === 'textos') escreverLista(vista, inicio, fim);
        else if (tipo === 'instante') escreverInstante(vista, inicio, fim);
        else texto.copiar(vista, inicio, fim);
      }
      texto.ascii('}\n');
    }
    return texto.tudo();
  }

  function escreverLista(vista: DataView, inicio: number, fim: number): void {
    for (let de = inicio; de <= fim;) {
      const ate = fimDoTexto(vista, de, fim);
      texto.ascii(de === inicio ? '[' : ',');
      texto.citar(vista, de, ate);
      de = ate + 1;
    }
    texto.ascii(']');
  }

  /** With milliseconds, whether the column has them or not. */
  function escreverInstante(vista: DataView, inicio: number, fim: number): void {
    texto.ascii('"');
    texto.copiar(vista, inicio, inicio + 10);
    texto.ascii('T');
    texto.copiar(vista, inicio + 11, Math.min(fim, inicio + 23));
    texto.ascii(fim - inicio < 23 ? '.000Z"' : 'Z"');
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
