// Written by hand: the library adds days to a Date, in the time zone of the process; a date here has no time zone.

declare const marca: unique symbol;

/** A calendar date without time or zone, 'YYYY-MM-DD', of the years 1000 to 9999. Dates sort as their texts do. */
export type Data = string & { readonly [marca]: 'Data' };

const DIA_MS = 86_400_000;

/** Reads 'YYYY-MM-DD'; null when the text has another form or there is no such date (2026-02-30). */
export function lerData(texto: string): Data | null {
  return existe(texto) ? texto : null;
}

/**
 * The date `n` days after `d` (before it, when negative).
 * @throws {RangeError} when `n` is no integer or the result leaves the years 1000 to 9999.
 */
export function somarDias(d: Data, n: number): Data {
  if (!Number.isSafeInteger(n)) throw new RangeError(`dias precisam ser inteiros: ${n}`);
  const soma = deMs(emMs(d) + n * DIA_MS);
  if (!anoDeQuatroDigitos(soma)) throw new RangeError('data fora dos anos 1000 a 9999');
  return soma;
}

/** Calendar days from `de` to `ate`; negative when `ate` comes first. */
export function diasEntre(de: Data, ate: Data): number {
  return (emMs(ate) - emMs(de)) / DIA_MS;
}

/** Day of the week, 0 (Sunday) to 6 (Saturday). */
export function diaDaSemana(d: Data): number {
  return new Date(emMs(d)).getUTCDay();
}

/**
 * The local date in an IANA time zone at an instant.
 * @throws {RangeError} when there is no such zone, the instant is invalid or the local year leaves 1000 to 9999.
 */
export function hojeEm(fuso: string, instante: Date): Data {
  const texto = formatadorDe(fuso).format(instante);
  if (!anoDeQuatroDigitos(texto)) throw new RangeError('data fora dos anos 1000 a 9999');
  return texto;
}

/**
 * The first instant of the local day: 00:00, or 01:00 where summer time skipped midnight.
 * @throws {RangeError} when there is no such zone, and on the first and last days, 1000-01-01 and 9999-12-31.
 */
export function inicioDoDiaEm(fuso: string, d: Data): Date {
  return instanteGuardado(`${fuso} ${d}`, () => primeiroInstante(d, (local) => local >= d, fuso));
}

/**
 * The last instant of the local day, 23:59:59.999; where clocks went back and that hour comes twice, the second one.
 * @throws {RangeError} when there is no such zone, and on the first and last days, 1000-01-01 and 9999-12-31.
 */
export function fimDoDiaEm(fuso: string, d: Data): Date {
  return instanteGuardado(
    `${fuso} ${d} fim`,
    () => new Date(primeiroInstante(d, (local) => local > d, fuso).getTime() - 1),
  );
}

/** Whether the text is an IANA time zone that this Node knows ('America/Manaus'); offsets such as '-03:00' are not. */
export function fusoValido(fuso: string): boolean {
  // Node 22 takes an offset for a zone and Node 20 does not: both refuse it here.
  if (!/^[A-Za-z]/.test(fuso)) return false;
  try {
    formatadorDe(fuso);
    return true;
  } catch {
    return false;
  }
}

/**
 * Binary search for the first instant whose local date satisfies `chegou`. In Brazil's time zones the local date never
 * goes back, so neither the rules of summer time nor offsets need be known.
 */
function primeiroInstante(d: Data, chegou: (local: Data) => boolean, fuso: string): Date {
  // No zone was ever more than 16 h from UTC; a day ends 24 h after it begins.
  let antes = emMs(d) - 16 * 3_600_000;
  let depois = emMs(d) + 40 * 3_600_000;
  while (depois - antes > 1) {
    const meio = Math.floor((antes + depois) / 2);
    if (chegou(hojeEm(fuso, new Date(meio)))) depois = meio;
    else antes = meio;
  }
  return new Date(depois);
}

/** Requests of a day ask for the same few instants again and again, and each takes some thirty dates to find. */
const instantes = new Map<string, number>();
const MAIS_INSTANTES = 2000;

function instanteGuardado(nome: string, achar: () => Date): Date {
  const guardado = instantes.get(nome);
  if (guardado !== undefined) return new Date(guardado);
  const achado = achar();
  if (instantes.size >= MAIS_INSTANTES) instantes.clear();
  instantes.set(nome, achado.getTime());
  return achado;
}

const formatadores = new Map<string, Intl.DateTimeFormat>();

/** To make a DateTimeFormat takes tens of microseconds; to format with it, less than one. */
function formatadorDe(fuso: string): Intl.DateTimeFormat {
  const guardado = formatadores.get(fuso);
  if (guardado) return guardado;
  // Swedish dates are written YYYY-MM-DD.
  const novo = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, year: 'numeric', month: '2-digit', day: '2-digit' });
  formatadores.set(fuso, novo);
  return novo;
}

function existe(texto: string): texto is Data {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(texto)) return false;
  const ms = Date.parse(`${texto}T00:00:00Z`);
  // There and back: V8 reads 2026-02-30 as 2 March.
  return !Number.isNaN(ms) && deMs(ms) === texto;
}

/**
 * A formatter and a Date write real dates only, so the year is all there is to check. Each request calls `hojeEm`, each
 * installment `somarDias`.
 */
function anoDeQuatroDigitos(texto: string): texto is Data {
  return /^[1-9]\d{3}-/.test(texto);
}

function emMs(d: Data): number {
  return Date.parse(`${d}T00:00:00Z`);
}

function deMs(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
