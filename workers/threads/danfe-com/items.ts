import { AREA, INK } from './flow.ts';
import type { Flow } from './flow.ts';
import type { Sheet } from '../paper/sheet.ts';
import type { Item, Note } from './note.ts';
import { decimal, sum } from './writing.ts';

interface Column {
  readonly label: string;
  readonly width: number;
  readonly align: 'left' | 'right' | 'center';
}

// The last columns are fixed; the description has what they leave.
const COLUMNS: readonly Column[] = [
  { label: 'ITENS DA FATURA', width: 60, align: 'left' },
  { label: 'UN', width: 9, align: 'center' },
  { label: 'QUANT', width: 16, align: 'right' },
  { label: 'PREÇO UNIT', width: 19, align: 'right' },
  { label: 'VALOR TOTAL', width: 20, align: 'right' },
  { label: 'PIS/COFINS', width: 17, align: 'right' },
  { label: 'BC ICMS', width: 19, align: 'right' },
  { label: 'ALÍQ', width: 12, align: 'right' },
  { label: 'VALOR ICMS', width: 18, align: 'right' },
];
const DESCRIPTION = 60;
const HEAD = 5;
const LINE = 3.1;
const SIZE = 7;
const SMALL = 6;
const UNITS = new Map([
  ['1', 'MIN'],
  ['2', 'MB'],
  ['3', 'GB'],
  ['4', 'UN'],
]);

/** The table of items, over as many pages as it needs, and the sums below it. */
export function drawItems(flow: Flow, note: Note): void {
  flow.gap();
  flow.take(HEAD + 2 * LINE);
  flow.gap(-HEAD - 2 * LINE);
  heading(flow);
  for (const item of note.items) {
    const lines = flow.sheet().lines(item.product.text('xProd'), DESCRIPTION - 3, SIZE);
    const details = detailsOf(item).flatMap((text) => flow.sheet().lines(text, DESCRIPTION - 3, SMALL));
    const height = (lines.length + details.length) * LINE + 1.2;
    if (!flow.fits(height)) {
      flow.take(height);
      flow.gap(-height);
      heading(flow);
    }
    drawItem(flow.sheet(), item, { lines, details, y: flow.take(height), height });
  }
  drawSums(flow, note);
}

function heading(flow: Flow): void {
  const y = flow.take(HEAD);
  const sheet = flow.sheet();
  sheet.fill({ x: AREA.x, y, width: AREA.width, height: HEAD - 0.4 }, INK.head);
  eachCell((column, x) => {
    sheet.text(column.label, x + 1.5, y + 3.1, column.width - 3, {
      size: 6.5,
      smallest: 5.5,
      bold: true,
      align: column.align,
    });
  });
}

function eachCell(draw: (column: Column, x: number, n: number) => void): void {
  let x: number = AREA.x;
  for (const [n, column] of COLUMNS.entries()) {
    draw(column, x, n);
    x += column.width;
  }
}

/** What the item says beyond the columns. */
function detailsOf({ product, fcp, additional }: Item): string[] {
  const amount = (label: string, value: string): string => (value === '' ? '' : `${label} ${decimal(value)}`);
  const cfop = product.text('CFOP');
  const kind = [`Classe ${product.text('cClass')}`, cfop === '' ? '' : `CFOP ${cfop.charAt(0)}.${cfop.slice(1)}`];
  const change = [amount('Desconto', product.text('vDesc')), amount('Acréscimo', product.text('vOutro'))];
  const returned = product.text('indDevolucao') === '1' ? 'Devolução: o valor é abatido do total' : '';
  const poverty = fcp === null ? '' : `FCP ${decimal(fcp.rate)}%: ${decimal(fcp.amount)}`;
  const lines = [kind, change, [returned, poverty]].map((parts) => parts.filter((part) => part !== '').join('  ·  '));
  return [...lines, additional].filter((line) => line !== '');
}

function drawItem(
  sheet: Sheet,
  item: Item,
  row: {
    readonly lines: readonly string[];
    readonly details: readonly string[];
    readonly y: number;
    readonly height: number;
  },
): void {
  const { product } = item;
  const base = row.y + 2.9;
  for (const [n, line] of row.lines.entries()) {
    sheet.text(line, AREA.x + 1.5, base + n * LINE, DESCRIPTION - 3, { size: SIZE, smallest: SIZE });
  }
  const below = base + row.lines.length * LINE;
  for (const [n, line] of row.details.entries()) {
    sheet.text(line, AREA.x + 1.5, below + n * LINE, DESCRIPTION - 3, {
      size: SMALL,
      smallest: SMALL,
      color: INK.label,
    });
  }
  const cells = [
    '',
    UNITS.get(product.text('uMed')) ?? product.text('uMed'),
    decimal(product.text('qFaturada'), 0),
    decimal(product.text('vItem')),
    decimal(product.text('vProd')),
    Number(item.pisCofins) === 0 ? '' : decimal(item.pisCofins),
    decimal(item.base),
    item.rate === '' ? '' : `${decimal(item.rate)}%`,
    decimal(item.icms),
  ];
  eachCell((column, x, n) => {
    sheet.text(cells[n] ?? '', x + 1.5, base, column.width - 3, { size: SIZE, smallest: 5.5, align: column.align });
  });
  sheet.rule(AREA.x, row.y + row.height, AREA.x + AREA.width, row.y + row.height, 0.1, INK.line);
}

/** Exempt are the items of CST 40 and 41; the others that the ICMS does not charge are deferred, of the Simples, or outside of it. */
function drawSums(flow: Flow, { items, total }: Note): void {
  const worth = (chosen: readonly Item[]): string => sum(chosen.map(({ product }) => product.text('vProd')));
  const exempt = items.filter(({ cst }) => cst === '40' || cst === '41');
  const others = items.filter((item) => item.base === '' && !exempt.includes(item));
  const cells = [
    ['VALOR TOTAL NFF', total.text('vNF')],
    ['TOTAL BASE DE CÁLCULO', total.text('ICMSTot', 'vBC')],
    ['VALOR ICMS', total.text('ICMSTot', 'vICMS')],
    ['VALOR ISENTO', worth(exempt)],
    ['VALOR OUTROS', worth(others)],
  ] as const;
  const y = flow.take(9);
  const sheet = flow.sheet();
  sheet.fill({ x: AREA.x, y: y + 0.4, width: AREA.width, height: 8.2 }, INK.soft);
  const width = AREA.width / cells.length;
  for (const [n, [label, value]] of cells.entries()) {
    const x = AREA.x + n * width + 1.5;
    sheet.text(label, x, y + 3.1, width - 3, { size: 5.5, color: INK.label, align: 'right' });
    sheet.text(decimal(value), x, y + 7.2, width - 3, { size: 9, bold: n === 0, align: 'right' });
  }
}
