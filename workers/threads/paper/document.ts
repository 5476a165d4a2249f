import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import Pdf from 'pdfkit';
import type { Paper } from './sheet.ts';

const PIECE_BYTES = 16_384;
const LONGEST_TITLE = 300;

// With few processors, drawing would take time from the event loop, for which every request waits. On Linux this sets
// the priority of the calling thread; on other systems it would be that of the whole process.
if (!isMainThread && platform() === 'linux') setPriority(19);

/** An A4 document without pages. The same input always gives the same bytes, so it is told its date. */
export function beginDocument(info: { readonly title: string; readonly author: string; readonly date: Date }): Paper {
  // Without `pdfVersion`: for newer versions pdfkit also writes XMP, in which it does not escape the title.
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: {
      Title: info.title.slice(0, LONGEST_TITLE).toWellFormed(),
      Author: info.author.slice(0, LONGEST_TITLE).toWellFormed(),
      CreationDate: info.date,
    },
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root };
}

/** Ends the document and sends its bytes in pieces of 16 KiB or more. */
export async function sendDocument({ doc, root }: Paper, port: MessagePort): Promise<void> {
  root.end();
  doc.end();
  await send(doc, port);
}

/**
 * pdfkit writes line by line. The lines are joined, for fewer messages, in memory of their own, which can be
 * transferred.
 */
async function send(doc: AsyncIterable<Uint8Array>, port: MessagePort): Promise<void> {
  let pending: Uint8Array[] = [];
  let bytes = 0;
  const flush = (): void => {
    const piece = new Uint8Array(bytes);
    let at = 0;
    for (const part of pending) {
      piece.set(part, at);
      at += part.length;
    }
    port.postMessage(piece, [piece.buffer]);
    pending = [];
    bytes = 0;
  };
  for await (const part of doc) {
    pending.push(part);
    bytes += part.length;
    if (bytes >= PIECE_BYTES) flush();
  }
  if (bytes > 0) flush();
}
