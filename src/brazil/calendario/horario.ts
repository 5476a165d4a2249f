const formatadores = new Map<string, Intl.DateTimeFormat>();

function formatadorDe(fuso: string): Intl.DateTimeFormat {
  let um = formatadores.get(fuso);
  if (um === undefined) {
    // Swedish instants are written YYYY-MM-DD HH:mm:ss.
    um = new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short', timeStyle: 'medium' });
    formatadores.set(fuso, um);
  }
  return um;
}

const localEm = (fuso: string, ms: number): string => formatadorDe(fuso).format(new Date(ms)).replace(' ', 'T');

/** An instant as clocks in an IANA time zone show it, in the form of the browsers' `datetime-local`: '2026-11-21T14:02'. */
export const escreverHorario = (fuso: string, quando: Date): string => localEm(fuso, quando.getTime()).slice(0, 16);

/** The same with its seconds, as spreadsheets read it: '2026-11-21 14:02:59'. */
export const horarioDePlanilha = (fuso: string, quando: Date): string => formatadorDe(fuso).format(quando);

/** The hour that they show, 0 to 23. */
export const horaEm = (fuso: string, quando: Date): number => Number(localEm(fuso, quando.getTime()).slice(11, 13));

/** The time of day that they show, as bank files have it: HHMMSS. */
export const horaDeArquivo = (fuso: string, quando: Date): string =>
  localEm(fuso, quando.getTime()).slice(11).replaceAll(':', '');

/**
 * The instant at which clocks in an IANA time zone show a local time, as browsers send it ('2026-11-21T14:02'). Of an hour that comes twice
 * the second one; of one that is skipped, the instant as many minutes after it was. Null when the text is no such time.
 */
export function lerHorario(fuso: string, texto: string): Date | null {
  const lido = /^([1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2})(?::\d{2}(?:\.\d{1,3})?)?$/.exec(texto)?.[1];
  const comoUtc = lido === undefined ? NaN : Date.parse(`${lido}:00Z`);
  if (lido === undefined || Number.isNaN(comoUtc)) return null;
  // There and back: V8 reads 2026-02-30 as 2 March.
  if (new Date(comoUtc).toISOString().slice(0, 16) !== lido) return null;
  let ms = comoUtc;
  // The offset at the first guess may be that of before a change of the clocks; at the second it is right.
  for (let vez = 0; vez < 2; vez += 1) ms = comoUtc - (Date.parse(`${localEm(fuso, ms)}Z`) - ms);
  return new Date(ms);
}
