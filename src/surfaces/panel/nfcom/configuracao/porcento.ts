/** A rate in ten-thousandths of a percent, as a form has it: 6500 is `0,65`. */
export function emPorCento(taxa: number | null): string | null {
  if (taxa === null) return null;
  const decimais = String(taxa % 10_000)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(taxa / 10_000)}${decimais === '' ? '' : `,${decimais}`}`;
}
