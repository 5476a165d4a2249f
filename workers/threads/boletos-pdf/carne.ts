import { escreverData, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { ParcelaImpressa } from './contract.ts';
import { bankOf } from './banks.ts';
import { drawFicha, rowOfFields } from './ficha.ts';
import type { FichaMeasures } from './ficha.ts';
import { createSheet, MM } from '../paper/sheet.ts';
import type { Sheet } from '../paper/sheet.ts';
import type { Printing } from './printing.ts';
import { formatDocument } from '../paper/texts.ts';

/** Slips on a page. */
const SLIPS = 3;
const HEIGHT = 297 / SLIPS;
const STUB = { x: 7, width: 38 } as const;
const CUT = 47.5;
const FICHA = { x: 50, width: 153 } as const;
const BODY = 7;

const MEASURES: FichaMeasures = {
  header: 7,
  line: 6.1,
  valueLine: 6.4,
  doubleLine: 8.5,
  rightWidth: 36,
  bankWidth: 34,
  body: BODY,
  headerSize: 10,
  beforeBars: 2,
  qr: 32,
};

/** Draws three slips on each page. A slip has the stub, which the receiver keeps, and the ficha de compensação. */
export function drawCarne(printing: Printing): void {
  for (const [n, parcela] of printing.boletos.parcelas.entries()) {
    const position = n % SLIPS;
    if (position === 0) printing.doc.addPage();
    const y = position * HEIGHT + 4;
    const sheet = createSheet(printing);
    if (position > 0) sheet.cutLine(5, position * HEIGHT, 205, position * HEIGHT);
    sheet.cutLine(CUT, y, CUT, y + HEIGHT - 9);
    drawStub(printing, sheet, parcela, y);
    drawFicha(printing, sheet, parcela, { ...FICHA, y }, MEASURES);
    sheet.print(parcela.parcela === null ? `Boleto ${parcela.numeroDocumento}` : `Parcela ${parcela.parcela}`);
  }
}

function drawStub(printing: Printing, sheet: Sheet, parcela: ParcelaImpressa, y: number): void {
  const { doc, logo } = printing;
  const { beneficiario, pagador } = printing.boletos;
  const { x, width } = STUB;
  const { header, line } = MEASURES;
  const { code } = bankOf(parcela.codigoBarras);
  sheet.text(code, x, y + header - 1.8, 16, { size: 12, bold: true });
  sheet.text('RECIBO DO PAGADOR', x + 16, y + header - 1.8, width - 16, {
    size: 6,
    bold: true,
    align: 'right',
  });
  sheet.rule(x, y + header, x + width, y + header, 0.5);

  const fields: readonly (readonly [label: string, value: string, bold?: boolean])[] = [
    ['Vencimento', escreverData(parcela.vencimento), true],
    ['Agência / Código do beneficiário', parcela.agenciaCodigo ?? ''],
    ['Nosso número', parcela.nossoNumero ?? ''],
    ['Nº do documento', parcela.numeroDocumento],
    ['(=) Valor do documento', escreverValor(parcela.valor), true],
    ['(-) Desconto / (+) Mora / Multa', ''],
    ['(=) Valor cobrado', ''],
  ];
  let top = y + header;
  const down = (height: number) => {
    top += height;
    return { x, y: top - height, width, height };
  };
  const [first, ...others] = fields;
  const [label, value] = first ?? ['', ''];
  rowOfFields(
    sheet,
    down(line),
    [
      { label: 'Parcela', value: parcela.parcela ?? '', width: 15, bold: true },
      { label, value, width: width - 15, align: 'right', bold: true },
    ],
    BODY + 0.5,
  );
  for (const [name, content, bold = false] of others) {
    rowOfFields(sheet, down(line), [{ label: name, value: content, width, align: 'right', bold }], BODY);
  }
  for (const [role, party] of [
    ['Beneficiário', beneficiario],
    ['Pagador', pagador],
  ] as const) {
    const box = down(MEASURES.doubleLine);
    rowOfFields(sheet, box, [{ label: role, value: '', width }], BODY);
    sheet.text(party.nome, x + 1, box.y + 4.8, width - 2, { size: BODY - 0.5 });
    sheet.text(formatDocument(party.documento), x + 1, box.y + 7.5, width - 2, { size: BODY - 0.5 });
  }
  if (logo === null) return;
  const height = y + HEIGHT - 10 - top - 1;
  sheet.figure(`Logo: ${beneficiario.nome}`, () => {
    doc.image(logo, x * MM, (top + 1) * MM, { fit: [width * MM, height * MM], align: 'center', valign: 'center' });
  });
}
