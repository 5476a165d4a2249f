/** What a spreadsheet takes for a formula, at the beginning of a cell. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A cell of a CSV for people's spreadsheets, separated by `;`. What begins as a formula gets a `'` before it, so that no spreadsheet runs
 * what somebody wrote into a field (OWASP, CSV injection).
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A line of a CSV with its end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(';')}\r\n`;
}
