import type { Sheet } from '../paper/sheet.ts';
import { AREA, INK, blockTitle } from './flow.ts';
import type { Flow } from './flow.ts';
import type { Note } from './note.ts';
import { decimal, sum } from './writing.ts';

type Row = readonly [label: string, base: string, rate: string, amount: string];

const ROW = 3.7;
const TITLE = 4.6;
const LEFT = 122;
const RIGHT = { x: AREA.x + LEFT + 4, width: AREA.width - LEFT - 4 } as const;

/** The taxes inside the price on the left, those that the customer retains on the right. */
export function drawTaxes(flow: Flow, note: Note): void {
  const rows = taxRows(note);
  const retained = retainedRows(note);
  const height = TITLE + 3.6 + Math.max(rows.length, retained.length) * ROW;
  flow.gap();
  const y = flow.take(height);
  const sheet = flow.sheet();
  blockTitle(sheet, 'INFORMAÇÃO DOS TRIBUTOS', { x: AREA.x, y, width: LEFT });
  blockTitle(sheet, 'ÁREA DO CONTRIBUINTE - IMPOSTOS RETIDOS', { ...RIGHT, y });
  table(sheet, ['TRIBUTO', 'BASE DE CÁLCULO', 'ALÍQUOTA', 'VALOR (R$)'], rows, {
    x: AREA.x,
    y: y + TITLE,
    width: LEFT,
  });
  table(sheet, ['TRIBUTO', '', '', 'VALOR (R$)'], retained, { ...RIGHT, y: y + TITLE });
}

/** PIS, COFINS, FUST and FUNTTEL always; IBS and CBS where the note has them. */
function taxRows({ items, total }: Note): Row[] {
  const of = (label: string, group: string, rateTag: string, amount: string): Row => {
    const found = items.map(({ taxes }) => taxes.child(group)).filter((tax) => tax.text('vBC') !== '');
    return [label, sum(found.map((tax) => tax.text('vBC'))), ratesOf(found.map((tax) => tax.text(rateTag))), amount];
  };
  const rows = [
    of('PIS', 'PIS', 'pPIS', total.text('vPIS')),
    of('COFINS', 'COFINS', 'pCOFINS', total.text('vCOFINS')),
    of('FUST', 'FUST', 'pFUST', total.text('vFUST')),
    of('FUNTTEL', 'FUNTTEL', 'pFUNTTEL', total.text('vFUNTTEL')),
  ];
  const newTaxes = total.child('IBSCBSTot');
  if (!total.has('IBSCBSTot')) return rows;
  const ibscbs = items.map(({ taxes }) => taxes.child('IBSCBS', 'gIBSCBS'));
  const base = newTaxes.text('vBCIBSCBS');
  const rate = (...path: string[]): string => ratesOf(ibscbs.map((tax) => tax.text(...path)));
  return [
    ...rows,
    ['IBS (UF)', base, rate('gIBSUF', 'pIBSUF'), newTaxes.text('gIBS', 'gIBSUF', 'vIBSUF')],
    ['IBS (Município)', base, rate('gIBSMun', 'pIBSMun'), newTaxes.text('gIBS', 'gIBSMun', 'vIBSMun')],
    ['CBS', base, rate('gCBS', 'pCBS'), newTaxes.text('gCBS', 'vCBS')],
  ];
}

/** The rate where all items that are taxed have the same one. */
function ratesOf(rates: readonly string[]): string {
  const [first, second] = new Set(rates.filter((rate) => rate !== '').map((rate) => decimal(rate)));
  return first === undefined || second !== undefined ? '' : `${first}%`;
}

function retainedRows({ total }: Note): Row[] {
  const amount = (tag: string): string => total.text('vRetTribTot', tag);
  return [
    ['PIS', '', '', amount('vRetPIS')],
    ['COFINS', '', '', amount('vRetCofins')],
    ['CSLL', '', '', amount('vRetCSLL')],
    ['IRRF', '', '', amount('vIRRF')],
  ];
}

function table(
  sheet: Sheet,
  head: Row,
  rows: readonly Row[],
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  const cell = width / 4;
  const line = (row: Row, base: number, style: { readonly size: number; readonly color: string }): void => {
    for (const [n, text] of row.entries()) {
      sheet.text(text, x + n * cell + 1.5, base, cell - 3, { ...style, align: n === 0 ? 'left' : 'right' });
    }
  };
  line(head, y + 2.6, { size: 5.5, color: INK.label });
  for (const [n, [label, base, rate, amount]] of rows.entries()) {
    const top = y + 3.4 + n * ROW;
    const shownBase = Number(base) === 0 ? '' : decimal(base);
    line([label, shownBase, shownBase === '' ? '' : rate, decimal(amount)], top + 2.8, { size: 7.5, color: 'black' });
    sheet.rule(x, top + ROW, x + width, top + ROW, 0.1, INK.line);
  }
}
