import { ByteWriter } from 'hyparquet-writer';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { TipoDeColuna } from './contract.ts';
import type { Campos } from './campos.ts';
import { lerAlgarismos } from './linhas.ts';

const DIA_MS = 86_400_000;
/** Four hundred years, after which the calendar repeats. */
const CICLO_MS = 146_097 * DIA_MS;

type TipoFisico = 'BOOLEAN' | 'INT32' | 'INT64' | 'BYTE_ARRAY';

/** Values as Parquet keeps them, one after the other. */
interface Valores {
  readonly bytes: Uint8Array;
  /**
   * Of numbers, dates and instants, where there are any, so that a reader can skip groups: nobody looks for a range of
   * names.
   */
  readonly limites?: { readonly min_value: number | bigint; readonly max_value: number | bigint };
}

interface Codificacao {
  readonly fisico: TipoFisico;
  /** Parquet, "Encodings": how the bytes are that `codificar` gives. */
  readonly encoding: 'PLAIN' | 'RLE';
  readonly codificar: (campos: Campos) => Valores;
}

type LerNumero = (vista: DataView, inicio: number, fim: number) => number;

const numeros = (fisico: 'INT32' | 'INT64', ler: LerNumero): Codificacao => ({
  fisico,
  encoding: 'PLAIN',
  codificar: (campos) => codificarNumeros(campos, fisico, ler),
});
const inteiros = numeros('INT64', lerAlgarismos);
const textos: Codificacao = { fisico: 'BYTE_ARRAY', encoding: 'PLAIN', codificar: codificarTextos };

export const CODIFICACOES: Readonly<Record<TipoDeColuna, Codificacao>> = {
  inteiro: inteiros,
  // Without a scale: centavos.
  dinheiro: inteiros,
  apurado: inteiros,
  data: numeros('INT32', (vista, inicio) => diaEm(vista, inicio) / DIA_MS),
  instante: numeros('INT64', (vista, inicio, fim) => diaEm(vista, inicio) + horaEm(vista, inicio + 11, fim)),
  booleano: { fisico: 'BOOLEAN', encoding: 'RLE', codificar: codificarBooleanos },
  texto: textos,
  textos,
};

function codificarNumeros({ vista, inicios, fins }: Campos, fisico: 'INT32' | 'INT64', ler: LerNumero): Valores {
  const largura = fisico === 'INT32' ? 4 : 8;
  const bytes = new Uint8Array(inicios.length * largura);
  const para = new DataView(bytes.buffer);
  let menor = Infinity;
  let maior = -Infinity;
  for (let n = 0, onde = 0; n < inicios.length; n += 1, onde += largura) {
    const valor = ler(vista, inicios[n] ?? 0, fins[n] ?? 0);
    if (valor < menor) menor = valor;
    if (valor > maior) maior = valor;
    // Two's complement, each half by itself: a bigint of each number would cost the most.
    para.setUint32(onde, valor, true);
    if (largura === 8) para.setInt32(onde + 4, Math.floor(valor / 2 ** 32), true);
  }
  if (inicios.length === 0) return { bytes };
  const limite = fisico === 'INT32' ? Number : BigInt;
  return { bytes, limites: { min_value: limite(menor), max_value: limite(maior) } };
}

/** Each text, after its length in bytes; copied as in texto.ts, and for the same reason. */
function codificarTextos({ vista, inicios, fins }: Campos): Valores {
  let total = 4 * inicios.length;
  for (let n = 0; n < inicios.length; n += 1) total += (fins[n] ?? 0) - (inicios[n] ?? 0);
  const bytes = new Uint8Array(total);
  const para = new DataView(bytes.buffer);
  let onde = 0;
  for (let n = 0; n < inicios.length; n += 1) {
    const fim = fins[n] ?? 0;
    let de = inicios[n] ?? 0;
    para.setUint32(onde, fim - de, true);
    onde += 4;
    for (; de + 4 <= fim; de += 4, onde += 4) para.setInt32(onde, vista.getInt32(de));
    for (; de < fim; de += 1, onde += 1) para.setUint8(onde, vista.getUint8(de));
  }
  return { bytes };
}

/** Parquet, "Run Length Encoding / Bit-Packing Hybrid": of booleans, after their length. */
function codificarBooleanos({ vista, inicios }: Campos): Valores {
  const writer = new ByteWriter();
  const valores = Uint8Array.from(inicios, (inicio) => (vista.getUint8(inicio) === 0x30 ? 0 : 1));
  writer.appendUint32(0);
  writeRleBitPackedHybrid(writer, valores, 1);
  writer.view.setUint32(0, writer.index - 4, true);
  return { bytes: writer.getBytes() };
}

/** Milliseconds from 1970 to the date that begins there. */
function diaEm(vista: DataView, inicio: number): number {
  const parte = (de: number, ate: number): number => lerAlgarismos(vista, inicio + de, inicio + ate);
  // `Date.UTC` takes years up to 99 for 19xx.
  return Date.UTC(parte(0, 4) + 400, parte(5, 7) - 1, parte(8, 10)) - CICLO_MS;
}

/** Milliseconds from the day's beginning to the time that begins there, with or without milliseconds of its own. */
function horaEm(vista: DataView, inicio: number, fim: number): number {
  const parte = (de: number, ate: number): number => lerAlgarismos(vista, inicio + de, Math.min(fim, inicio + ate));
  return ((parte(0, 2) * 60 + parte(3, 5)) * 60 + parte(6, 8)) * 1000 + parte(9, 12);
}
