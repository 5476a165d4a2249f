import { drawQr } from '../paper/codes.ts';
import { MM } from '../paper/sheet.ts';
import type { Sheet } from '../paper/sheet.ts';
import type { DanfeParaImprimir } from './contract.ts';
import { AREA, INK, blockTitle, labelled } from './flow.ts';
import type { Note } from './note.ts';
import { addressLines, contacts, documents, join } from './parties.ts';
import { date, decimal, key, month, time } from './writing.ts';

export interface Danfe {
  readonly doc: PDFKit.PDFDocument;
  readonly note: Note;
  readonly danfe: DanfeParaImprimir;
  /** `data:` URL of an image that can be drawn. */
  readonly logo: string | null;
}

const TITLE = 'DOCUMENTO AUXILIAR DA NOTA FISCAL FATURA DE SERVIÇOS DE COMUNICAÇÃO ELETRÔNICA';
const LEFT = 116;
const RIGHT = { x: AREA.x + LEFT + 4, width: AREA.width - LEFT - 4 } as const;
const QR = 36;

/** The head of the first page; returns where the rest begins, in millimetres. */
export function drawHead(printing: Danfe, sheet: Sheet): number {
  const { note } = printing;
  drawTitle(sheet);
  let y: number = AREA.top + 8;
  const marks = marksOf(printing);
  for (const mark of marks) {
    sheet.ornament(() => frame(printing.doc, AREA.x, y0(mark, marks), AREA.width, 5.4));
    sheet.text(mark, AREA.x + 2, y + 3.9, AREA.width - 4, { size: 9, smallest: 6, bold: true, align: 'center' });
    y += 6.6;
  }
  drawEmitter(printing, sheet, y + 1);
  drawIdentity(printing, sheet, y + 1);
  const customer = y + 33;
  drawCustomer(note, sheet, customer);
  const strip = y + 73;
  drawStrip(note, sheet, strip);
  return strip + 14;
}

/** The head of the pages after the first one. */
export function drawShortHead(printing: Danfe, sheet: Sheet): number {
  const { note } = printing;
  drawTitle(sheet);
  const y = AREA.top + 8;
  sheet.text(note.emit.text('xNome'), AREA.x, y + 3.4, 120, { size: 9, bold: true });
  sheet.text(documents(note.emit).join('  ·  '), AREA.x, y + 7.2, 120, { size: 7.5 });
  const at = { y, width: 30 };
  labelled(sheet, 'NOTA FISCAL FATURA Nº', noteNumber(note), { ...at, x: 132 }, { bold: true });
  labelled(sheet, 'SÉRIE', note.ide.text('serie').padStart(3, '0'), { ...at, x: 164, width: 12 });
  sheet.text(`CHAVE DE ACESSO  ${key(note.key)}`, AREA.x, y + 11.2, 120, { size: 7 });
  for (const mark of marksOf(printing).slice(0, 1)) {
    sheet.text(mark, 132, y + 11.2, 68, { size: 7, smallest: 5.5, bold: true, align: 'right' });
  }
  sheet.rule(AREA.x, y + 13, AREA.x + AREA.width, y + 13, 0.2, INK.line);
  return y + 15;
}

/** What is wrong with the note as a document, in capitals, the gravest first. */
export function marksOf({ note, danfe }: Pick<Danfe, 'note' | 'danfe'>): string[] {
  const marks: string[] = [];
  if (danfe.situacao === 'cancelada') marks.push('NFCom CANCELADA');
  if (danfe.situacao === 'substituida') marks.push('NFCom SUBSTITUÍDA');
  if (note.ide.text('tpAmb') === '2') marks.push('EMITIDA EM AMBIENTE DE HOMOLOGAÇÃO - SEM VALOR FISCAL');
  if (note.ide.text('tpEmis') === '2') marks.push('EMITIDA EM CONTINGÊNCIA');
  return marks;
}

const y0 = (mark: string, marks: readonly string[]): number => AREA.top + 8 + marks.indexOf(mark) * 6.6;

function frame(doc: PDFKit.PDFDocument, x: number, y: number, width: number, height: number): void {
  doc
    .lineWidth(0.3 * MM)
    .rect(x * MM, y * MM, width * MM, height * MM)
    .stroke('black');
}

function drawTitle(sheet: Sheet): void {
  const { x, top, width } = AREA;
  sheet.text('DANFE-COM', x, top + 4.4, 30, { size: 12, bold: true });
  sheet.text(TITLE, x + 32, top + 4.2, width - 52, { size: 8, smallest: 6.5 });
  sheet.rule(x, top + 6, x + width, top + 6, 0.5);
}

/** Which page it is, once all are known. */
export function drawPageNumber(sheet: Sheet, page: number, pages: number): void {
  sheet.text(`FOLHA ${page}/${pages}`, AREA.x + AREA.width - 20, AREA.top + 4.2, 20, { size: 8, align: 'right' });
}

function drawEmitter({ doc, note, logo }: Danfe, sheet: Sheet, y: number): void {
  const { emit } = note;
  const x = AREA.x + (logo === null ? 0 : 40);
  const width = LEFT - (logo === null ? 0 : 40);
  const address = emit.child('enderEmit');
  sheet.text(emit.text('xNome'), x, y + 4.4, width, { size: 12, smallest: 8, bold: true });
  const trade = emit.text('xFant');
  const lines = [
    trade === emit.text('xNome') ? '' : trade,
    ...addressLines(address),
    documents(emit).join('  ·  '),
    contacts(address),
  ].filter((line) => line !== '');
  for (const [n, line] of lines.entries()) sheet.text(line, x, y + 9 + n * 3.9, width, { size: 8 });
  if (logo === null) return;
  sheet.figure(`Logo: ${emit.text('xNome')}`, () => {
    doc.image(logo, AREA.x * MM, y * MM, { fit: [36 * MM, 26 * MM], valign: 'center' });
  });
}

function drawCustomer({ dest, assinante }: Note, sheet: Sheet, y: number): void {
  const box = { x: AREA.x, y, width: LEFT };
  blockTitle(sheet, 'CLIENTE', box);
  const address = dest.child('enderDest');
  sheet.text(dest.text('xNome'), box.x + 1.5, y + 9, LEFT - 3, { size: 10, smallest: 6.5, bold: true });
  const lines = [documents(dest).join('  ·  '), ...addressLines(address), contacts(address)];
  for (const [n, line] of lines.filter((text) => text !== '').entries()) {
    sheet.text(line, box.x + 1.5, y + 13.4 + n * 3.9, LEFT - 3, { size: 8 });
  }
  const row = { y: y + 29, width: 34 };
  labelled(sheet, 'CÓDIGO DO CLIENTE', assinante.text('iCodAssinante'), { ...row, x: box.x + 1.5 });
  labelled(sheet, 'CONTRATO', assinante.text('nContrato'), { ...row, x: box.x + 39 });
  const terminal = join('/', assinante.text('NroTermPrinc'));
  if (terminal !== '') labelled(sheet, 'TERMINAL', terminal, { ...row, x: box.x + 77 });
}

function drawIdentity({ doc, note, danfe }: Danfe, sheet: Sheet, y: number): void {
  const { ide, protocol } = note;
  const { x, width } = { x: RIGHT.x + 2, width: RIGHT.width - 4 };
  sheet.fill({ x: RIGHT.x, y, width: RIGHT.width, height: 71 }, INK.soft);
  const large = { size: 12, bold: true };
  labelled(sheet, 'NOTA FISCAL FATURA Nº', noteNumber(note), { x, y: y + 0.6, width: QR }, large);
  const beside = { x: x + QR + 2, width: width - QR - 2 };
  labelled(sheet, 'SÉRIE', ide.text('serie').padStart(3, '0'), { ...beside, y: y + 0.6 }, large);
  const issued = ide.text('dhEmi');
  labelled(sheet, 'DATA DE EMISSÃO', date(issued), { ...beside, y: y + 11.5 }, { size: 9 });
  labelled(sheet, 'HORA DE EMISSÃO', time(issued), { ...beside, y: y + 20.5 }, { size: 9 });
  labelled(sheet, 'MODELO', ide.text('mod'), { ...beside, y: y + 29.5 }, { size: 9 });
  sheet.fill({ x, y: y + 10, width: QR, height: QR }, 'white');
  if (note.qrCode !== '') {
    sheet.figure('QR code para consultar a nota', () => drawQr(doc, note.qrCode, x, y + 10, QR));
  }
  const below = { x, width };
  labelled(sheet, 'CONSULTE PELA CHAVE DE ACESSO EM:', danfe.consulta ?? '', { ...below, y: y + 47 }, { size: 7 });
  labelled(sheet, 'CHAVE DE ACESSO', key(note.key), { ...below, y: y + 54.6 }, { size: 7.2, bold: true });
  const received = protocol.text('dhRecbto');
  const authorised = join(' - ', protocol.text('nProt'), date(received), time(received));
  labelled(sheet, 'PROTOCOLO DE AUTORIZAÇÃO', authorised, { ...below, y: y + 62.4 }, { size: 8, bold: true });
}

const noteNumber = ({ ide }: Note): string =>
  ide
    .text('nNF')
    .padStart(9, '0')
    .replaceAll(/\B(?=(?:\d{3})+$)/g, '.');

function drawStrip({ fat, total }: Note, sheet: Sheet, y: number): void {
  const { x, width } = AREA;
  sheet.fill({ x, y, width, height: 11.6 }, INK.head);
  const from = fat.text('dPerUsoIni');
  const cells: readonly (readonly [label: string, value: string, size: number])[] = [
    ['REFERÊNCIA', month(fat.text('CompetFat')), 38],
    ['PERÍODO', from === '' ? '' : `${date(from)} a ${date(fat.text('dPerUsoFim'))}`, 62],
    ['VENCIMENTO', date(fat.text('dVencFat')), 42],
    ['TOTAL A PAGAR (R$)', decimal(total.text('vNF')), 48],
  ];
  let at: number = x;
  for (const [n, [label, value, wide]] of cells.entries()) {
    const isLast = n === cells.length - 1;
    const align = isLast ? 'right' : 'left';
    labelled(
      sheet,
      label,
      value,
      { x: at + 2, y: y + 1, width: wide - 4 },
      { size: n < 2 ? 10 : 13, bold: n >= 2, align },
    );
    at += wide;
  }
}
