import type { Bloqueio, Item } from '../rede.types.ts';

/** What a group asks of a request, and what it answers. */
export interface Conteudo {
  readonly check: readonly Item[];
  readonly reply: readonly Item[];
}

export const VAZIO: Conteudo = { check: [], reply: [] };

export const RECUSA: Conteudo = { check: [{ attribute: 'Auth-Type', op: ':=', value: 'Reject' }], reply: [] };

/** The attribute that names the pool which a line's address is taken from (RFC 2869, 5.18). */
export const POOL = 'Framed-Pool';
const LISTA = 'Mikrotik-Address-List';
/** What a NAS must go on sending of whoever is blocked, too: without it, Malha takes the session for gone. */
const INTERVALO = 'Acct-Interim-Interval';

/** What a group of the blocked holds; null: what `bloqueado` does. `doPlano` are the lines of the provider's plans. */
export function conteudoDoBloqueio({ tipo, nome }: Bloqueio, doPlano: readonly Item[]): Conteudo | null {
  if (tipo === 'grupo') return null;
  if (tipo === 'recusa' || nome === null) return RECUSA;
  const intervalo = doPlano.filter(({ attribute, value }) => attribute === INTERVALO && !value.includes('{'));
  return {
    check: [],
    reply: [{ attribute: tipo === 'pool' ? POOL : LISTA, op: ':=', value: nome }, ...intervalo],
  };
}

/** The same, on one NAS alone. */
export function soNoNas(nas: string, { check, reply }: Conteudo): Conteudo {
  return { check: [{ attribute: 'NAS-IP-Address', op: '==', value: nas }, ...check], reply };
}

/** What stands for a plan's speeds in the value of a line. */
export const LUGARES = [
  'download_mbps',
  'upload_mbps',
  'download_kbps',
  'upload_kbps',
  'download_bps',
  'upload_bps',
] as const;

const FATORES = { mbps: 1, kbps: 1000, bps: 1_000_000 } as const;
/** A RADIUS integer has 32 bits: a plan above 4.29 Gb/s is told as that. */
const MAIOR_INTEIRO = 0xff_ff_ff_ff;

/** What a plan's group answers: the provider's lines, with the plan's speeds in their places. */
export function conteudoDoPlano(
  linhas: readonly Item[],
  plano: { readonly download_mbps: number; readonly upload_mbps: number },
): Item[] {
  return linhas.map(({ attribute, op, value }) => ({
    attribute,
    op,
    value: LUGARES.reduce((texto, lugar) => {
      const [sentido, unidade] = lugar.split('_') as ['download' | 'upload', keyof typeof FATORES];
      const valor = Math.min(plano[`${sentido}_mbps`] * FATORES[unidade], MAIOR_INTEIRO);
      return texto.replaceAll(`{${lugar}}`, String(valor));
    }, value),
  }));
}

/** Whether an item is one that we wrote into a group: all of it is ours, or the attributes of these names. */
export type Nossos = 'tudo' | ReadonlySet<string>;

/** What becomes of rows so that those of ours are what is wished for: nothing where they are, in this order. */
export function acertar(
  linhas: readonly (Item & { readonly id: number })[],
  nossos: Nossos,
  desejados: readonly Item[],
): { readonly apagar: readonly number[]; readonly inserir: readonly Item[] } {
  const nossas = linhas.filter(({ attribute }) => nossos === 'tudo' || nossos.has(attribute));
  const iguais =
    nossas.length === desejados.length &&
    nossas.every(({ attribute, op, value }, n) => {
      const desejado = desejados[n];
      return attribute === desejado?.attribute && op === desejado.op && value === desejado.value;
    });
  return iguais ? { apagar: [], inserir: [] } : { apagar: nossas.map(({ id }) => id), inserir: desejados };
}
