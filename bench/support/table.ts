import { print } from './print.ts';

/** Prints rows under headings: the first column to the left, numbers to the right. */
export function printTable(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const cells = [headings, ...rows].map((row) => row.map((cell) => String(cell)));
  const widths = headings.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  for (const row of cells) {
    const line = row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
    print(line.join('  '));
  }
}
