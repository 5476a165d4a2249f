import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import Pdf from 'pdfkit';
import type { BoletosParaImprimir } from './boletos-pdf/contract.ts';
import { desenharBoleto } from './boletos-pdf/boleto.ts';
import { desenharCarne } from './boletos-pdf/carne.ts';
import { logoLegivel } from './boletos-pdf/logo.ts';

const PEDACO_BYTES = 16_384;
const MAXIMO_DO_TITULO = 300;

// Com poucos processadores o desenho disputaria o do event loop, onde cada requisição espera. No Linux a prioridade é da
// thread que a pede; nos outros sistemas seria a do processo inteiro.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * O PDF de um boleto ou de um carnê, em pedaços de 16 KiB ou mais. A mesma entrada dá sempre os mesmos bytes.
 * @throws {RangeError} se não houver parcelas.
 */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
export default async function boletosPdf({
  input: boletos,
  port,
}: {
  input: BoletosParaImprimir;
  port: MessagePort;
}): Promise<void> {
  const [primeira] = boletos.parcelas;
  if (primeira === undefined) throw new RangeError('não há parcelas para imprimir');
  // Sem `pdfVersion`: nas mais novas o pdfkit escreve também um XMP, onde não escapa o título.
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

/** O pdfkit escreve linha a linha: juntas, custam menos mensagens, e em memória só delas, que a transferência leva. */
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
