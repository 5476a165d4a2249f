import { escreverCpfCnpj, escreverTelefone } from '../../../src/brazil/dinheiro/escrita.ts';

// The numbers and dates of the layout, as people read them. What has another form is written as it stands.

/** '1234.5' is '1.234,50': at least `places` decimals, and those beyond only where they say something. */
export function decimal(text: string, places = 2): string {
  const [, whole, decimals = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return text;
  const shown = decimals.replace(/0+$/, '').padEnd(places, '0');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, '.');
  return shown === '' ? grouped : `${grouped},${shown}`;
}

/** '2026-11-20' is '20/11/2026'. */
export function date(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return year === undefined ? text : `${day}/${month}/${year}`;
}

/** The time of day as the document has it, without its offset. */
export function time(text: string): string {
  return /T(\d\d:\d\d:\d\d)/.exec(text)?.[1] ?? '';
}

/** '202611' is '11/2026'. */
export function month(text: string): string {
  return /^\d{6}$/.test(text) ? `${text.slice(4)}/${text.slice(0, 4)}` : text;
}

/** '13010000' is '13010-000'. */
export function cep(text: string): string {
  return /^\d{8}$/.test(text) ? `${text.slice(0, 5)}-${text.slice(5)}` : text;
}

export function phone(text: string): string {
  return /^\d{10,13}$/.test(text) ? escreverTelefone(text) : text;
}

export function document(text: string): string {
  return /^(?:\d{11}|[0-9A-Z]{12}\d\d)$/.test(text) ? escreverCpfCnpj(text) : text;
}

/** In groups of four. */
export function key(text: string): string {
  return text.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** The exact sum of amounts with at most two decimals, as the layout writes them. */
export function sum(amounts: readonly string[]): string {
  const cents = amounts.reduce((total, amount) => total + BigInt(Math.round(Number(amount) * 100)), 0n);
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
