import type { MessagePort } from 'node:worker_threads';
import type { BoletosParaImprimir } from './boletos-pdf/contract.ts';
import { drawBoleto } from './boletos-pdf/boleto.ts';
import { drawCarne } from './boletos-pdf/carne.ts';
import { beginDocument, sendDocument } from './paper/document.ts';
import { readableLogo } from './paper/logo.ts';

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
  const paper = beginDocument({
    title: boletos.titulo,
    author: boletos.beneficiario.nome,
    date: new Date(`${first.emissao}T00:00:00Z`),
  });
  const printing = { ...paper, boletos, logo: readableLogo(boletos.beneficiario.logo) };
  if (boletos.formato === 'carne') drawCarne(printing);
  else for (const parcela of boletos.parcelas) drawBoleto(printing, parcela);
  await sendDocument(paper, port);
}
