import type { MessagePort } from 'node:worker_threads';
import type { DanfeParaImprimir } from './danfe-com/contract.ts';
import { createFlow } from './danfe-com/flow.ts';
import { drawHead, drawPageNumber, drawShortHead } from './danfe-com/head.ts';
import type { Danfe } from './danfe-com/head.ts';
import { drawItems } from './danfe-com/items.ts';
import { drawWatermark } from './danfe-com/watermark.ts';
import { readNote } from './danfe-com/note.ts';
import { drawPayment } from './danfe-com/payment.ts';
import { drawTaxes } from './danfe-com/taxes.ts';
import { beginDocument, sendDocument } from './paper/document.ts';
import { readableLogo } from './paper/logo.ts';

const ANATEL = /anatel/i;

/**
 * Makes the DANFE-COM of a note (Ato COTEPE/ICMS 129/2024, MOC 1.00a, Anexo II), in pieces of 16 KiB or more: the blocks that
 * it demands, with nothing but what the XML and its protocol say, and the provider's logo. The same input always gives the same
 * bytes.
 * @throws Error when the XML is no NFCom.
 */
export default async function danfeCom({
  input: danfe,
  port,
}: {
  input: DanfeParaImprimir;
  port: MessagePort;
}): Promise<void> {
  const note = readNote(danfe.xml);
  const paper = beginDocument({
    title: `DANFE-COM ${note.ide.text('nNF')}`,
    author: note.emit.text('xNome'),
    date: new Date(note.ide.text('dhEmi')),
  });
  const printing: Danfe = { doc: paper.doc, note, danfe, logo: readableLogo(danfe.logo) };
  const flow = createFlow({ paper, head: (sheet) => drawShortHead(printing, sheet) });
  flow.gap(drawHead(printing, flow.sheet()) - flow.at());
  drawItems(flow, note);
  drawTaxes(flow, note);
  flow.paragraphs('RESERVADO AO FISCO', note.toFisco);
  const replaces = note.replaces === '' ? [] : [`Esta nota substitui a nota ${note.replaces}.`];
  const messages = note.messages.filter((text) => !ANATEL.test(text));
  flow.paragraphs('INFORMAÇÕES COMPLEMENTARES', [...replaces, ...messages]);
  drawPayment(
    flow,
    paper.doc,
    note,
    note.messages.filter((text) => ANATEL.test(text)),
  );
  const pages = flow.pages();
  for (const [n, sheet] of pages.entries()) {
    paper.doc.addPage();
    drawWatermark(printing);
    drawPageNumber(sheet, n + 1, pages.length);
    sheet.print(`Folha ${n + 1}`);
  }
  await sendDocument(paper, port);
}
