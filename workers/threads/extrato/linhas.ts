import type { Data } from '../../../src/brazil/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro.ts';
import type { Centavos } from '../../../src/brazil/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../../src/brazil/encargos.ts';
import { FIM_DO_CAMPO, NULO } from '../../../src/brazil/extrato.ts';
import type { OrdemDoExtrato, TabelaDoExtrato } from '../../../src/brazil/extrato.ts';

const COMUM = 0;
const ESCAPA = 1;
const TERMINA = 2;

/** Por byte, o que ele é dentro de um campo. RFC 8259, seção 7: aspas, barra invertida e os de controle se escapam. */
const PAPEIS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === FIM_DO_CAMPO) return TERMINA;
  return byte < 0x20 || byte === 0x22 || byte === 0x5c ? ESCAPA : COMUM;
});

/** As linhas de um lote, como bytes: quase todos vão ao arquivo como vieram, e de quase nenhum se faz um texto. */
export interface Linhas {
  readonly quantas: number;
  readonly bytes: Buffer;
  /** Onde acaba cada campo, linha após linha; o seguinte começa um byte depois. */
  readonly fins: Int32Array;
  /** Campos, pela mesma ordem, com o que JSON não traz entre aspas como é. */
  readonly aEscapar: ReadonlySet<number>;
  /** Por linha, o que não veio do banco. */
  readonly apurados: ReadonlyMap<number, Centavos>;
}

/** @throws {RangeError} se os campos não forem os de tantas linhas quantas se anunciam. */
export function lerLinhas(tabela: TabelaDoExtrato, ordem: Extract<OrdemDoExtrato, { tipo: 'lote' }>): Linhas {
  const { linhas, quantas } = ordem;
  const bytes = Buffer.from(linhas.buffer, linhas.byteOffset, linhas.length);
  const fins = new Int32Array(quantas * tabela.colunas.length);
  const aEscapar = new Set<number>();
  let campos = 0;
  for (let n = 0; n < bytes.length; n += 1) {
    const papel = PAPEIS[bytes[n] ?? 0];
    if (papel === COMUM) continue;
    if (papel === ESCAPA) aEscapar.add(campos);
    else {
      fins[campos] = n;
      campos += 1;
    }
  }
  if (campos !== fins.length || fins.at(-1) !== bytes.length - 1) {
    throw new RangeError(`${campos} campos de ${quantas} linhas de ${tabela.colunas.length}`);
  }
  return { quantas, bytes, fins, aEscapar, apurados: apurar(tabela, bytes, fins, ordem.sabidos) };
}

/** Onde começa um campo, pela sua ordem entre todos os do lote. */
export const inicioDe = ({ fins }: Pick<Linhas, 'fins'>, campo: number): number =>
  campo === 0 ? 0 : (fins[campo - 1] ?? 0) + 1;

export const ehNulo = (bytes: Uint8Array, inicio: number, fim: number): boolean =>
  fim - inicio === 1 && bytes[inicio] === NULO;

const VIRGULA = 0x2c;

/** Onde acaba o texto que começa ali, de uma lista que acaba em `fim`. */
export function fimDoTexto(bytes: Uint8Array, inicio: number, fim: number): number {
  let n = inicio;
  while (n < fim && bytes[n] !== VIRGULA) n += 1;
  return n;
}

/** Um inteiro em algarismos; de dinheiro, com duas casas, os centavos. */
export function lerAlgarismos(bytes: Uint8Array, inicio: number, fim: number): number {
  const negativo = bytes[inicio] === 0x2d;
  let valor = 0;
  for (let n = negativo ? inicio + 1 : inicio; n < fim; n += 1) {
    const algarismo = (bytes[n] ?? 0) - 0x30;
    if (algarismo >= 0) valor = valor * 10 + algarismo;
  }
  return negativo ? -valor : valor;
}

/** O valor do dia de cada fatura vencida, onde não é o de face. */
function apurar(
  { colunas, apuracao }: TabelaDoExtrato,
  bytes: Buffer,
  fins: Int32Array,
  sabidos: ReadonlyMap<number, number>,
): Map<number, Centavos> {
  const apurados = new Map<number, Centavos>();
  if (apuracao === null) return apurados;
  const { hoje, regras } = apuracao;
  const onde = (nome: string): number => colunas.findIndex((coluna) => coluna.nome === nome);
  const [id, situacao, valor, vencimento] = [onde('id'), onde('situacao'), onde('valor'), onde('vencimento')];
  for (let linha = 0; linha * colunas.length < fins.length; linha += 1) {
    const primeiro = linha * colunas.length;
    const limites = (n: number) => [inicioDe({ fins }, primeiro + n), fins[primeiro + n] ?? 0] as const;
    if (bytes.toString('latin1', ...limites(situacao)) !== 'vencida') continue;
    const face = centavos(lerAlgarismos(bytes, ...limites(valor)));
    const sabido = sabidos.get(lerAlgarismos(bytes, ...limites(id)));
    const vence = bytes.toString('latin1', ...limites(vencimento)) as Data;
    const total =
      sabido === undefined
        ? calcularEncargos({ valor: face, vencimento: vence, hoje, regras }).total
        : centavos(sabido);
    const atualizado = valorAtualizado(face, total);
    if (atualizado !== null) apurados.set(linha, atualizado);
  }
  return apurados;
}
