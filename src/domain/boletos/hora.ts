/** The time of day at a zone's clocks, HHMMSS. */
export function horaEm(fuso: string, instante: Date): string {
  const formato = new Intl.DateTimeFormat('en-GB', { timeZone: fuso, timeStyle: 'medium', hourCycle: 'h23' });
  return formato.format(instante).replaceAll(':', '');
}
