import { escreverData, escreverLinhaDigitavel, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { ParcelaImpressa } from './contract.ts';
import { drawQr } from '../paper/codes.ts';
import { subject, bankHeader, partyField, drawFicha, pixPhrases, rowOfFields } from './ficha.ts';
import type { FichaMeasures } from './ficha.ts';
import { createSheet, MM } from '../paper/sheet.ts';
import type { Sheet } from '../paper/sheet.ts';
import type { Printing } from './printing.ts';
import { formatDocument } from '../paper/texts.ts';

const X = 12;
const WIDTH = 186;
const CUT = 176;
const STATEMENT = { y: 82, height: 80 } as const;
const PIX = { width: 62, side: 46 } as const;
const BODY = 8;

const MEASURES: FichaMeasures = {
  header: 9,
  line: 7,
  valueLine: 7,
  doubleLine: 10.5,
  rightWidth: 48,
  bankWidth: 54,
  body: BODY,
  headerSize: 11,
  beforeBars: 3,
  qr: null,
};

/** Draws a page: the payer's receipt at the top and, below the cut line, the ficha de compensação. */
export function drawBoleto(printing: Printing, parcela: ParcelaImpressa): void {
  printing.doc.addPage();
  const receipt = createSheet(printing);
  drawIssuer(printing, receipt);
  drawReceipt(printing, receipt, parcela);
  receipt.print('Recibo do pagador');

  const ficha = createSheet(printing);
  ficha.text('Corte na linha pontilhada', X, CUT - 1, WIDTH, { size: 5.5, align: 'right' });
  ficha.cutLine(X, CUT, X + WIDTH, CUT);
  drawFicha(printing, ficha, parcela, { x: X, y: CUT + 3, width: WIDTH }, MEASURES);
  ficha.print('Ficha de compensação');
}

function drawIssuer({ doc, boletos: { beneficiario }, logo }: Printing, sheet: Sheet): void {
  const x = logo === null ? X : X + 46;
  const width = X + WIDTH - x;
  sheet.text(beneficiario.nome, x, 16, width, { size: 12, smallest: 7, bold: true });
  const lines = [formatDocument(beneficiario.documento), beneficiario.endereco ?? '', beneficiario.contato ?? ''];
  for (const [n, line] of lines.filter((text) => text !== '').entries()) {
    sheet.text(line, x, 20.5 + n * 3.7, width, { size: 8 });
  }
  if (logo === null) return;
  sheet.figure(`Logo: ${beneficiario.nome}`, () => {
    doc.image(logo, X * MM, 10 * MM, { fit: [42 * MM, 19 * MM], valign: 'center' });
  });
}

function drawReceipt(printing: Printing, sheet: Sheet, parcela: ParcelaImpressa): void {
  const { beneficiario, pagador } = printing.boletos;
  const { rightWidth, line, doubleLine } = MEASURES;
  const left = WIDTH - rightWidth;
  const header = { x: X, y: 32, width: WIDTH, height: 9 };
  bankHeader(sheet, header, MEASURES, { parcela, title: 'RECIBO DO PAGADOR', size: 10 });

  const parties = [
    ['Beneficiário', beneficiario, 'Vencimento', escreverData(parcela.vencimento), 41],
    ['Pagador', pagador, '(=) Valor do documento', escreverValor(parcela.valor), 41 + doubleLine],
  ] as const;
  for (const [label, party, name, value, y] of parties) {
    const box = { x: X, y, width: WIDTH, height: doubleLine };
    partyField(sheet, label, party, { ...box, width: left }, BODY);
    rowOfFields(
      sheet,
      box,
      [
        { label: '', value: '', width: left },
        { label: name, value, width: rightWidth, align: 'right', bold: true },
      ],
      10,
    );
  }
  const y = 41 + 2 * doubleLine;
  rowOfFields(
    sheet,
    { x: X, y, width: WIDTH, height: line },
    [
      { label: 'Nosso número', value: parcela.nossoNumero ?? '', width: 48 },
      { label: 'Nº do documento', value: parcela.numeroDocumento, width: 48 },
      { label: 'Data do documento', value: escreverData(parcela.emissao), width: 42 },
      {
        label: 'Agência / Código do beneficiário',
        value: parcela.agenciaCodigo ?? '',
        width: rightWidth,
        align: 'right',
      },
    ],
    BODY,
  );
  rowOfFields(
    sheet,
    { x: X, y: y + line, width: WIDTH, height: line },
    [
      {
        label: 'Linha digitável',
        value: escreverLinhaDigitavel(parcela.linhaDigitavel),
        width: left,
        bold: true,
      },
      { label: '(=) Valor cobrado', value: '', width: rightWidth },
    ],
    9,
  );
  drawStatement(printing, sheet, parcela);
  sheet.text('Autenticação mecânica', X, STATEMENT.y + STATEMENT.height + 3, WIDTH, {
    size: 6,
    align: 'right',
  });
}

function drawStatement({ doc }: Printing, sheet: Sheet, parcela: ParcelaImpressa): void {
  const { y, height } = STATEMENT;
  const { pix } = parcela;
  const width = WIDTH - (pix === null ? 0 : PIX.width);
  sheet.field('Demonstrativo', '', { x: X, y, width, height }, { size: BODY });
  sheet.paragraphs(
    [...subject(parcela), ...parcela.instrucoes],
    { x: X + 1, y: y + 3.5, width: width - 4, height: height - 5 },
    [9, 8, 7, 6, 5],
  );
  if (pix === null) return;
  const x = X + width;
  const [title, amount] = pixPhrases(pix);
  const centered = { align: 'center' } as const;
  const right = X + WIDTH;
  sheet.text(title, x + 2, y + 8, PIX.width - 4, { size: 12, bold: true, ...centered });
  sheet.figure(`QR code do PIX: ${amount}`, () =>
    drawQr(doc, pix.codigo, x + (PIX.width - PIX.side) / 2, y + 10, PIX.side),
  );
  sheet.text(amount, x + 2, y + 61, PIX.width - 4, { size: 10, bold: true, ...centered });
  sheet.text('Aponte a câmera do aplicativo do seu banco.', x + 2, y + 66, PIX.width - 4, { size: 7, ...centered });
  sheet.text('Pague por um só meio: o PIX ou o boleto.', x + 2, y + 69.5, PIX.width - 4, { size: 7, ...centered });
  for (const side of [x, right]) sheet.rule(side, y + 2, side, y + 73);
  for (const edge of [y + 2, y + 73]) sheet.rule(x, edge, right, edge);
}
