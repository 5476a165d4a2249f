import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import Pdf from 'pdfkit';
import type { BoletosParaImprimir } from './boletos-pdf/contract.ts';
import { drawBoleto } from './boletos-pdf/boleto.ts';
import { drawCarne } from './boletos-pdf/carne.ts';
import { readableLogo } from './boletos-pdf/logo.ts';

const PIECE_BYTES = 16_384;
const LONGEST_TITLE = 300;

// With few processors, drawing would take time from the event loop, for which every request waits. On Linux this sets
// the priority of the calling thread; on other systems it would be that of the whole process.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * Makes the PDF of a boleto or a carnê, in pieces of 16 KiB or more. The same input always gives the same bytes.
 * @throws {RangeError} when there are no parcelas.
 */
export default async function boletosPdf({
  input: boletos,
  port,
}: {
  input: BoletosParaImprimir;
  port: MessagePort;
}): Promise<void> {
  const [first] = boletos.parcelas;
  if (first === undefined) throw new RangeError('não há parcelas para imprimir');
  // Without `pdfVersion`: for newer versions pdfkit also writes XMP, in which it does not escape the title.
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: {
      Title: boletos.titulo.slice(0, LONGEST_TITLE).toWellFormed(),
      Author: boletos.beneficiario.nome.slice(0, LONGEST_TITLE).toWellFormed(),
      CreationDate: new Date(`${first.emissao}T00:00:00Z`),
    },
  });
  const root = doc.struct('Document');
  doc.addStructure(root);
  const printing = { doc, root, boletos, logo: readableLogo(boletos.beneficiario.logo) };
  if (boletos.formato === 'carne') drawCarne(printing);
  else for (const parcela of boletos.parcelas) drawBoleto(printing, parcela);
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
