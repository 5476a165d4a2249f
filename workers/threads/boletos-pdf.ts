import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import Pdf from 'pdfkit';
import type { BoletosParaImprimir } from './boletos-pdf/contract.ts';
import { desenharBoleto } from './boletos-pdf/boleto.ts';
import { desenharCarne } from './boletos-pdf/carne.ts';
import { logoLegivel } from './boletos-pdf/logo.ts';

const PEDACO_BYTES = 16_384;
const MAXIMO_DO_TITULO = 300;

// With few processors, drawing would compete with the event loop, for which every request waits. On Linux a priority is
// that of the thread that asks for it; on other systems it would be that of the whole process.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * The PDF of a boleto or of a booklet of them (carnê), in pieces of 16 KiB or more. The same input always gives the
 * same bytes.
 * @throws {RangeError} when there are no installments.
 */
export default async function boletosPdf({
  input: boletos,
  port,
}: {
  input: BoletosParaImprimir;
  port: MessagePort;
}): Promise<void> {
  const [primeira] = boletos.parcelas;
  if (primeira === undefined) throw new RangeError('não há parcelas para imprimir');
  // Without `pdfVersion`: for later versions pdfkit also writes an XMP, in which it does not escape the title.
  const doc = new Pdf({
    size: 'A4',
    margin: 0,
    autoFirstPage: false,
    tagged: true,
    lang: 'pt-BR',
    displayTitle: true,
    info: {
      Title: boletos.titulo.slice(0, MAXIMO_DO_TITULO).toWellFormed(),
      Author: boletos.beneficiario.nome.slice(0, MAXIMO_DO_TITULO).toWellFormed(),
      CreationDate: new Date(`${primeira.emissao}T00:00:00Z`),
    },
  });
  const raiz = doc.struct('Document');
  doc.addStructure(raiz);
  const impressao = { doc, raiz, boletos, logo: logoLegivel(boletos.beneficiario.logo) };
  if (boletos.formato === 'carne') desenharCarne(impressao);
  else for (const parcela of boletos.parcelas) desenharBoleto(impressao, parcela);
  raiz.end();
  doc.end();
  await enviar(doc, port);
}

/**
 * pdfkit writes line by line: joined, they take fewer messages, in memory of their own, which the transfer takes along.
 */
async function enviar(doc: AsyncIterable<Uint8Array>, port: MessagePort): Promise<void> {
  let juntos: Uint8Array[] = [];
  let bytes = 0;
  const despachar = (): void => {
    const pedaco = new Uint8Array(bytes);
    let onde = 0;
    for (const parte of juntos) {
      pedaco.set(parte, onde);
      onde += parte.length;
    }
    port.postMessage(pedaco, [pedaco.buffer]);
    juntos = [];
    bytes = 0;
  };
  for await (const parte of doc) {
    juntos.push(parte);
    bytes += parte.length;
    if (bytes >= PEDACO_BYTES) despachar();
  }
  if (bytes > 0) despachar();
}
