import { escreverErro } from '../pedidos/falhas.service.ts';
import type { PedidoDeFaturamento } from '../pedidos/pedidos.queries.ts';
import { NADA_DESFEITO, somarParte } from './partes.service.ts';
import type { Adiante, ParteDesfeita, Posto } from './partes.service.ts';

/** So many that fail one after the other fail by something else: then none of them is left. */
export const MAIS_SEGUIDAS = 20;
/** The same of those at which processes die, two at each. */
export const MAIS_MORTAS = 3;

/** How far an undoing has come. */
export interface Lugar {
  readonly escrito: Posto;
  /** After what is written: invoices that failed, and are left together with the next one that is cancelled. */
  readonly aqui: Posto;
  /** How many of them failed. */
  readonly seguidas: number;
  /** By what; null where it is not the same of all. */
  readonly erro: string | null;
  /** At how many of them processes have died. */
  readonly mortas: number;
  /** How many of them a former run has noted: those at which processes have died, and those that failed before one of these. */
  readonly anotadas: number;
}

const firme = (posto: Posto): Lugar => ({
  escrito: posto,
  aqui: posto,
  seguidas: 0,
  erro: null,
  mortas: 0,
  anotadas: 0,
});

export function lugarDo({ ultimaFatura: fatura, vistos, desfeito, adiante }: PedidoDeFaturamento): Lugar {
  const escrito = firme({ fatura, vistos, feito: desfeito ?? NADA_DESFEITO });
  if (adiante === null) return escrito;
  const { seguidas, erro, mortas = seguidas, ...aqui } = adiante;
  return { ...escrito, aqui, seguidas, erro, mortas, anotadas: seguidas };
}

/** Where the run that died last had come to: what failed before the invoice at which it died merely failed. */
export function lugarDaMorte(pedido: PedidoDeFaturamento): Lugar {
  return lugarDo({ ...pedido, adiante: pedido.olhando ?? pedido.adiante });
}

const adianteDe = ({ aqui, seguidas, erro, mortas }: Lugar): Adiante => ({ ...aqui, seguidas, erro, mortas });

/** As it is written: what is ahead of the rest only where all of it is noted. */
export const paraLugar = (lugar: Lugar): string =>
  JSON.stringify({
    fatura: lugar.escrito.fatura,
    ...(lugar.anotadas > 0 && lugar.anotadas === lugar.seguidas ? { adiante: adianteDe(lugar) } : {}),
  });

/** As it is written before a step at which its process may die: whence the step goes on, beside what is noted. */
export const paraLugarOlhando = (pedido: PedidoDeFaturamento, lugar: Lugar): string =>
  JSON.stringify({
    fatura: lugar.escrito.fatura,
    ...(lugar.anotadas === 0 || pedido.adiante === null ? {} : { adiante: pedido.adiante }),
    olhando: adianteDe(lugar),
  });

/** What is left so far is left for good. */
export const deixarTodas = ({ aqui }: Lugar): Lugar => firme(aqui);

/** After a part. Where none of it was cancelled, nothing shows that those before it failed by themselves. */
export function depoisDaParte(lugar: Lugar, parte: ParteDesfeita): Lugar {
  const { fatura, vistos, feito } = lugar.aqui;
  const aqui = {
    fatura: parte.ultima ?? fatura,
    vistos: vistos + parte.vistas,
    feito: somarParte(feito, parte),
  };
  return lugar.seguidas > 0 && parte.canceladas === 0 ? { ...lugar, aqui } : firme(aqui);
}

/** After an invoice that stays as it is. */
export function depoisDaQueFicou({ aqui, ...lugar }: Lugar, fatura: number, error: unknown): Lugar {
  const erro = escreverErro(error).replace(/\.$/, '');
  const ficam = new Map([[fatura, `não se conseguiu cancelar (${erro})`]]);
  return {
    ...lugar,
    aqui: { fatura, vistos: aqui.vistos + 1, feito: somarParte(aqui.feito, { canceladas: 0, ficam }) },
    seguidas: lugar.seguidas + 1,
    erro: lugar.seguidas === 0 || lugar.erro === erro ? erro : null,
  };
}

/** Why invoices that failed are not left: more than one, by the same, with none cancelled after them. */
export function porqueNaoFicam({ seguidas, erro }: Lugar, cause?: unknown): Error {
  const porque = erro ?? 'cada uma por outra causa';
  return new Error(`${seguidas} faturas seguidas não se conseguiram cancelar (${porque})`, { cause });
}
