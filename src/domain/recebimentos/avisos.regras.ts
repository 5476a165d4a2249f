import { centavos, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import type { Devolucao, PixRecebido } from './recebimentos.types.ts';

/** What is known of a PIX before it is told of again. */
export interface PixConhecido {
  readonly valor: Centavos;
  readonly devolucoes: readonly Devolucao[];
}

/** What a telling adds to what is known of a PIX. */
export interface Acrescimo {
  /** Devolutions told for the first time. */
  readonly novas: readonly Devolucao[];
  /** Devolutions that were told before without saying that they are of the MED. */
  readonly nomeadas: readonly Devolucao[];
  /** It says another amount than before: what was told first holds. */
  readonly outroValor: boolean;
  /** A devolution of which it says another amount or nature than before: there, too. */
  readonly outraDevolucao: Devolucao | null;
  /** What has been given back by now, never more than came. */
  readonly devolvido: Centavos;
  /** Of that, what was taken back by the MED. */
  readonly tomado: Centavos;
}

/** Adds a telling to what is known, so that whatever is told again, and in whatever order, comes to the same. */
export function juntarAviso(conhecido: PixConhecido | null, pix: PixRecebido): Acrescimo {
  const sabidas = new Map((conhecido?.devolucoes ?? []).map((devolucao) => [devolucao.id, devolucao]));
  const novas: Devolucao[] = [];
  const nomeadas: Devolucao[] = [];
  let outraDevolucao: Devolucao | null = null;
  for (const devolucao of pix.devolucoes) {
    const sabida = sabidas.get(devolucao.id);
    if (sabida !== undefined && diverge(sabida, devolucao)) outraDevolucao ??= devolucao;
    if (sabida === undefined) novas.push(devolucao);
    else if (sabida.natureza === null && doMed(devolucao)) nomeadas.push({ ...sabida, natureza: devolucao.natureza });
    else continue;
    // One that is told twice in one breath is one.
    sabidas.set(devolucao.id, { ...devolucao, valor: sabida?.valor ?? devolucao.valor });
  }
  const valor = conhecido?.valor ?? pix.valor;
  const devolvido = ateValor(valor, [...sabidas.values()]);
  return {
    novas,
    nomeadas,
    outroValor: valor !== pix.valor,
    outraDevolucao,
    devolvido,
    tomado: ateValor(devolvido, [...sabidas.values()].filter(doMed)),
  };
}

function diverge(sabida: Devolucao, { valor, natureza }: Devolucao): boolean {
  return sabida.valor !== valor || (sabida.natureza !== null && natureza !== null && sabida.natureza !== natureza);
}

/**
 * Whether a devolution was taken by the MED (fraud, a fault of a bank, an automatic PIX) and not given by the provider: what is taken is
 * owed again. Natures that we do not know, and what has none, are the provider's.
 */
function doMed({ natureza }: Devolucao): boolean {
  return natureza?.startsWith('MED_') === true;
}

function ateValor(maximo: Centavos, devolucoes: readonly Devolucao[]): Centavos {
  return centavos(Math.min(maximo, somarDinheiro(...devolucoes.map(({ valor }) => valor))));
}
