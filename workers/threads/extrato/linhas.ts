import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../../src/brazil/dinheiro/encargos.ts';
import { FIM_DO_CAMPO, NULO } from './contract.ts';
import type { OrdemDoExtrato, TabelaDoExtrato } from './contract.ts';

/** Of a word of four bytes, the bit that only bytes have that are not ASCII in UTF-8, or that end a field. */
const NAO_ASCII = 0x80808080;

/** The rows of a batch, as bytes: almost all go into the files as they came, and of almost none a text is made. */
export interface Linhas {
  readonly quantas: number;
  readonly bytes: Buffer;
  /** Where each field begins and ends, row after row. */
  readonly inicios: Int32Array;
  readonly fins: Int32Array;
}

/** @throws {RangeError} when the fields are not those of as many rows as are announced. */
export function lerLinhas(tabela: TabelaDoExtrato, ordem: Extract<OrdemDoExtrato, { tipo: 'lote' }>): Linhas {
  const { linhas, quantas } = ordem;
  const bytes = Buffer.from(linhas.buffer, linhas.byteOffset, linhas.length);
  const vista = vistaDe(bytes);
  const inicios = new Int32Array(quantas * tabela.colunas.length);
  const fins = new Int32Array(inicios.length);
  let campos = 0;
  let inicio = 0;
  for (let n = 0; n < bytes.length;) {
    if (n + 4 <= bytes.length && (vista.getInt32(n) & NAO_ASCII) === 0) {
      n += 4;
      continue;
    }
    for (const ate = Math.min(n + 4, bytes.length); n < ate; n += 1) {
      if (vista.getUint8(n) !== FIM_DO_CAMPO) continue;
      inicios[campos] = inicio;
      fins[campos] = n;
      inicio = n + 1;
      campos += 1;
    }
  }
  if (campos !== fins.length || inicio !== bytes.length) {
    throw new RangeError(`${campos} campos de ${quantas} linhas de ${tabela.colunas.length}`);
  }
  return apurar(tabela, { quantas, bytes, inicios, fins }, ordem.sabidos);
}

/** Consecutive rows, as one batch. */
export function juntarLinhas(partes: readonly Linhas[]): Linhas {
  const [unica] = partes;
  if (unica !== undefined && partes.length === 1) return unica;
  const campos = partes.reduce((total, { fins }) => total + fins.length, 0);
  const inicios = new Int32Array(campos);
  const fins = new Int32Array(campos);
  let campo = 0;
  let byte = 0;
  for (const parte of partes) {
    for (let n = 0; n < parte.fins.length; n += 1) {
      inicios[campo + n] = (parte.inicios[n] ?? 0) + byte;
      fins[campo + n] = (parte.fins[n] ?? 0) + byte;
    }
    campo += parte.fins.length;
    byte += parte.bytes.length;
  }
  const quantas = partes.reduce((total, parte) => total + parte.quantas, 0);
  return { quantas, bytes: Buffer.concat(partes.map(({ bytes }) => bytes)), inicios, fins };
}

export const vistaDe = ({ buffer, byteOffset, length }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, length);

export const ehNulo = (vista: DataView, inicio: number, fim: number): boolean =>
  fim - inicio === 1 && vista.getUint8(inicio) === NULO;

const VIRGULA = 0x2c;

/** Where the text that begins there ends, in a list that ends at `fim`. */
export function fimDoTexto(vista: DataView, inicio: number, fim: number): number {
  let n = inicio;
  while (n < fim && vista.getUint8(n) !== VIRGULA) n += 1;
  return n;
}

/** An integer in digits, exact up to 2^53, or zero where there are none; of money, with two places, the centavos. */
export function lerAlgarismos(vista: DataView, inicio: number, fim: number): number {
  const negativo = inicio < fim && vista.getUint8(inicio) === 0x2d;
  let valor = 0;
  for (let n = negativo ? inicio + 1 : inicio; n < fim; n += 1) {
    const algarismo = vista.getUint8(n) - 0x30;
    if (algarismo >= 0) valor = valor * 10 + algarismo;
  }
  return negativo ? -valor : valor;
}

/** The day's amount of each overdue invoice, where it is not the face value, after the bytes of the rows. */
function apurar({ colunas, apuracao }: TabelaDoExtrato, linhas: Linhas, sabidos: ReadonlyMap<number, number>): Linhas {
  if (apuracao === null) return linhas;
  const { quantas, bytes, inicios, fins } = linhas;
  const { hoje, regras } = apuracao;
  const vista = vistaDe(bytes);
  const onde = (nome: string): number => colunas.findIndex((coluna) => coluna.nome === nome);
  const [id, situacao, valor, vencimento] = [onde('id'), onde('situacao'), onde('valor'), onde('vencimento')];
  const apurado = colunas.findIndex(({ tipo }) => tipo === 'apurado');
  const partes = [bytes];
  let fim = bytes.length;
  for (let primeiro = 0; primeiro < fins.length; primeiro += colunas.length) {
    const limites = (n: number) => [inicios[primeiro + n] ?? 0, fins[primeiro + n] ?? 0] as const;
    if (bytes.toString('latin1', ...limites(situacao)) !== 'vencida') continue;
    const face = centavos(lerAlgarismos(vista, ...limites(valor)));
    const sabido = sabidos.get(lerAlgarismos(vista, ...limites(id)));
    const vence = bytes.toString('latin1', ...limites(vencimento)) as Data;
    const total =
      sabido === undefined
        ? calcularEncargos({ valor: face, vencimento: vence, hoje, regras }).total
        : centavos(sabido);
    const atualizado = valorAtualizado(face, total);
    if (atualizado === null) continue;
    const texto = Buffer.from(escreverDinheiro(atualizado));
    partes.push(texto);
    inicios[primeiro + apurado] = fim;
    fim += texto.length;
    fins[primeiro + apurado] = fim;
  }
  return { quantas, bytes: partes.length === 1 ? bytes : Buffer.concat(partes), inicios, fins };
}
