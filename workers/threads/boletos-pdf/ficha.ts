import { escreverData, escreverLinhaDigitavel, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { Parte, ParcelaImpressa } from './contract.ts';
import { bankOf } from './banks.ts';
import { BARS, drawBars, drawQr } from '../paper/codes.ts';
import type { Box, Style, Sheet } from '../paper/sheet.ts';
import type { Printing } from './printing.ts';
import { formatDocument } from '../paper/texts.ts';

/**
 * The measures, in millimetres, in which the ficha of a whole page differs from that of a carnê. Font sizes are in
 * points.
 */
export interface FichaMeasures {
  readonly header: number;
  readonly line: number;
  /** Height of each of the five lines beside the instructions. */
  readonly valueLine: number;
  /** Height of a row with two lines of text. */
  readonly doubleLine: number;
  /** Width of the column of amounts. */
  readonly rightWidth: number;
  readonly bankWidth: number;
  readonly body: number;
  readonly headerSize: number;
  /** From the last row to the bars. */
  readonly beforeBars: number;
  /** Side of the PIX QR code in the area of the instructions; null when it is printed elsewhere. */
  readonly qr: number | null;
}

interface Field {
  readonly label: string;
  readonly value: string;
  readonly width: number;
  readonly align?: Style['align'];
  readonly bold?: boolean;
}

const PAYMENT_PLACE = 'Pagável em qualquer banco, pelo aplicativo, caixa eletrônico, correspondente ou lotérica';

/** Draws fields side by side, with the rules between them and the one below them. */
export function rowOfFields(sheet: Sheet, box: Box, fields: readonly Field[], size: number): void {
  let { x } = box;
  for (const { label, value, width, align = 'left', bold = false } of fields) {
    sheet.field(label, value, { ...box, x, width }, { size, align, bold });
    sheet.rule(x, box.y, x, box.y + box.height);
    x += width;
  }
  sheet.rule(x, box.y, x, box.y + box.height);
  sheet.rule(box.x, box.y + box.height, x, box.y + box.height);
}

/** Draws the name and code of the bank and, on the right, the linha digitável or the name of the slip. */
export function bankHeader(
  sheet: Sheet,
  box: Box,
  measures: FichaMeasures,
  { parcela, title, size }: { parcela: ParcelaImpressa; title: string; size: number },
): void {
  const bank = bankOf(parcela.codigoBarras);
  const base = box.y + box.height - 1.8;
  const codeStart = box.x + measures.bankWidth;
  const afterCode = codeStart + 18;
  sheet.text(bank.name, box.x, base, measures.bankWidth - 2, { size: 10, smallest: 6, bold: true });
  sheet.text(bank.code, codeStart, base, 18, { size: 14, bold: true, align: 'center' });
  sheet.text(title, afterCode + 2, base, box.width - (afterCode + 2 - box.x), {
    size,
    bold: true,
    align: 'right',
  });
  for (const x of [codeStart, afterCode]) sheet.rule(x, box.y + 1, x, box.y + box.height, 0.5);
  sheet.rule(box.x, box.y + box.height, box.x + box.width, box.y + box.height, 0.5);
}

/** Draws name and document in one line and the address in the next. The document is never cut. */
export function partyField(sheet: Sheet, label: string, party: Parte, box: Box, body: number): void {
  const documentWidth = 38;
  const [x, width] = [box.x + 1, box.width - 2];
  sheet.field(label, '', box, { size: body });
  const nameBase = box.y + 2.2 + (body * 1.12 * 25.4) / 72;
  sheet.text(party.nome, x, nameBase, width - documentWidth - 1, { size: body });
  sheet.text(formatDocument(party.documento), x + width - documentWidth, nameBase, documentWidth, {
    size: body,
    align: 'right',
  });
  sheet.text(party.endereco ?? '', x, box.y + box.height - 1.1, width, { size: body - 1 });
}

/** The texts beside the PIX code: a title, and the amount with the day until which it is valid. */
export function pixPhrases({ quanto }: NonNullable<ParcelaImpressa['pix']>): readonly [title: string, amount: string] {
  const amount =
    quanto === null
      ? 'O aplicativo do seu banco mostra o valor'
      : `R$ ${escreverValor(quanto.valor)} se pago até ${escreverData(quanto.validoAte)}`;
  return ['Pague também com PIX', amount];
}

/** The line above the beneficiary's instructions. */
export function subject({ descricao, parcela }: ParcelaImpressa): string[] {
  const parts = [descricao, parcela === null ? null : `Parcela ${parcela}`].filter((part) => part !== null);
  return parts.length === 0 ? [] : [parts.join(' - ')];
}

/** Draws the ficha de compensação as banks print it (FEBRABAN), from the corner (x, y) on, in the given width. */
export function drawFicha(
  { doc, boletos: { beneficiario, pagador } }: Printing,
  sheet: Sheet,
  parcela: ParcelaImpressa,
  { x, y, width }: Omit<Box, 'height'>,
  measures: FichaMeasures,
): void {
  const { line, valueLine, doubleLine, rightWidth, body } = measures;
  const left = width - rightWidth;
  const title = escreverLinhaDigitavel(parcela.linhaDigitavel);
  const issued = escreverData(parcela.emissao);
  let top = y;
  const down = (height: number): Box => {
    top += height;
    return { x, y: top - height, width, height };
  };
  const valueField = (label: string, content: string, bold = false): Field => ({
    label,
    value: content,
    width: rightWidth,
    align: 'right',
    bold,
  });
  const fields = (...list: readonly Field[]): void => rowOfFields(sheet, down(line), list, body);
  /** Fields of proportional widths that fill the left column. */
  const proportional = (...list: readonly (readonly [label: string, value: string, parts: number])[]): Field[] => {
    const parts = list.reduce((sum, [, , n]) => sum + n, 0);
    return list.map(([label, content, n]) => ({ label, value: content, width: (left * n) / parts }));
  };

  bankHeader(sheet, down(measures.header), measures, { parcela, title, size: measures.headerSize });
  fields(
    { label: 'Local de pagamento', value: PAYMENT_PLACE, width: left },
    valueField('Vencimento', escreverData(parcela.vencimento), true),
  );
  const box = down(doubleLine);
  partyField(sheet, 'Beneficiário', beneficiario, { ...box, width: left }, body);
  rowOfFields(
    sheet,
    box,
    [
      { label: '', value: '', width: left },
      valueField('Agência / Código do beneficiário', parcela.agenciaCodigo ?? ''),
    ],
    body,
  );
  fields(
    ...proportional(
      ['Data do documento', issued, 22],
      ['Nº do documento', parcela.numeroDocumento, 32],
      ['Espécie doc.', 'DS', 14],
      ['Aceite', 'N', 11],
      ['Data do processamento', issued, 24],
    ),
    valueField('Nosso número', parcela.nossoNumero ?? ''),
  );
  fields(
    ...proportional(
      ['Uso do banco', '', 22],
      ['Carteira', parcela.carteira ?? '', 18],
      ['Espécie', 'R$', 14],
      ['Quantidade', '', 25],
      ['(x) Valor', '', 24],
    ),
    valueField('(=) Valor do documento', escreverValor(parcela.valor), true),
  );
  drawInstructions(doc, sheet, parcela, { x, y: top, width: left, height: 5 * valueLine }, measures);
  for (const label of [
    '(-) Desconto / Abatimento',
    '(-) Outras deduções',
    '(+) Mora / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
  ]) {
    rowOfFields(sheet, { ...down(valueLine), x: x + left }, [valueField(label, '')], body);
  }
  const payerBox = down(doubleLine);
  sheet.rule(x, payerBox.y, x + left, payerBox.y);
  rowOfFields(sheet, payerBox, [{ label: '', value: '', width }], body);
  partyField(sheet, 'Pagador', pagador, { ...payerBox, width: left }, body);
  sheet.text('Cód. baixa', x + left + 1, top - 1.1, rightWidth - 2, { size: 5.5 });

  const bars = top + measures.beforeBars;
  sheet.figure(`Código de barras: ${title}`, () => drawBars(doc, parcela.codigoBarras, x + 5, bars));
  const rest = x + BARS.width + 12;
  const copyStyle = { size: 7, bold: true, align: 'right' } as const;
  sheet.text('FICHA DE COMPENSAÇÃO', rest, top + 3.4, x + width - rest, copyStyle);
  sheet.text('Autenticação mecânica', rest, top + 6.2, x + width - rest, { size: 6, align: 'right' });
}

function drawInstructions(
  doc: PDFKit.PDFDocument,
  sheet: Sheet,
  parcela: ParcelaImpressa,
  box: Box,
  { qr }: FichaMeasures,
): void {
  const { pix } = parcela;
  sheet.rule(box.x, box.y, box.x, box.y + box.height);
  const qrWidth = pix === null || qr === null ? 0 : qr;
  const textBox = { ...box, width: box.width - qrWidth };
  sheet.field('Instruções (texto de responsabilidade do beneficiário)', '', textBox, { size: 7 });
  const pixHeight = qrWidth === 0 ? 0 : 8;
  sheet.paragraphs(
    [...subject(parcela), ...parcela.instrucoes],
    { x: textBox.x + 1, y: textBox.y + 3, width: textBox.width - 2, height: textBox.height - 3.5 - pixHeight },
    [7.5, 7, 6.5, 6, 5.5, 5],
  );
  if (pix === null || qr === null) return;
  const base = box.y + box.height - 1.6;
  const [title, amount] = pixPhrases(pix);
  sheet.text(title, textBox.x + 1, base - 3.6, textBox.width - 2, { size: 8, bold: true, align: 'right' });
  sheet.text(amount, textBox.x + 1, base, textBox.width - 2, { size: 8, align: 'right' });
  sheet.figure(`QR code do PIX: ${amount}`, () =>
    drawQr(doc, pix.codigo, textBox.x + textBox.width, box.y + (box.height - qr) / 2, qr),
  );
}
