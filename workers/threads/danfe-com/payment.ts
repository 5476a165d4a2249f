import { codigoBarras } from '../../../src/brazil/boleto/boleto.ts';
import { escreverLinhaDigitavel } from '../../../src/brazil/dinheiro/escrita.ts';
import { drawBars, drawQr } from '../paper/codes.ts';
import { AREA, blockTitle, labelled } from './flow.ts';
import type { Flow } from './flow.ts';
import type { Note } from './note.ts';
import { join } from './parties.ts';
import { date, decimal } from './writing.ts';

const QR = 36;
const HEIGHT = 46;
const TITLE = 'ÁREA DO CONTRIBUINTE E DETERMINAÇÕES DA ANATEL';

/** How the bill is paid, at the foot of a page, below what ANATEL demands to be said. */
export function drawPayment(
  flow: Flow,
  doc: PDFKit.PDFDocument,
  { fat, total }: Note,
  anatel: readonly string[],
): void {
  flow.paragraphs(TITLE, anatel);
  if (fat.names().length === 0) return;
  flow.gap();
  flow.toBottom(HEIGHT);
  const y = flow.take(HEIGHT);
  const sheet = flow.sheet();
  const { x, width } = AREA;
  const pix = fat.text('gPIX', 'urlQRCodePIX');
  const line = fat.text('codBarras');
  const bars = codigoBarras(line);
  const left = width - (pix === '' ? 0 : QR + 8);
  blockTitle(sheet, anatel.length === 0 ? TITLE : 'PAGAMENTO', { x, y, width });
  labelled(
    sheet,
    'LINHA DIGITÁVEL',
    bars === null ? line : escreverLinhaDigitavel(line),
    { x: x + 1.5, y: y + 5.4, width: left - 3 },
    { size: 11, bold: true },
  );
  const facts: readonly (readonly [label: string, value: string, width: number, bold: boolean])[] = [
    ['VENCIMENTO', date(fat.text('dVencFat')), 30, true],
    ['VALOR (R$)', decimal(total.text('vNF')), 32, true],
    ['DÉBITO AUTOMÁTICO', debitOf(fat), left - 68, false],
  ];
  let at = x + 1.5;
  for (const [label, value, wide, bold] of facts) {
    if (value !== '') labelled(sheet, label, value, { x: at, y: y + 15, width: wide - 2 }, { size: 10, bold });
    at += wide;
  }
  if (bars !== null) {
    // 5 mm stay empty beside the bars, as FEBRABAN demands.
    sheet.figure(`Código de barras: ${escreverLinhaDigitavel(line)}`, () => drawBars(doc, bars, x + 5, y + 26));
  }
  if (pix === '') return;
  const right = x + width - QR - 2;
  sheet.text('PAGUE COM PIX', right, y + 8, QR, { size: 8, bold: true, align: 'center' });
  sheet.figure('QR code do PIX', () => drawQr(doc, pix, right, y + 9, QR));
}

function debitOf(fat: Note['fat']): string {
  const code = fat.text('codDebAuto');
  const bank = fat.text('codBanco');
  const branch = fat.text('codAgencia');
  return code || join(' - ', bank === '' ? '' : `Banco ${bank}`, branch === '' ? '' : `agência ${branch}`);
}
