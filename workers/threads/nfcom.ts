import { platform, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import type { Assinador } from '../../src/brazil/nfcom/assinatura/assinador.ts';
import type { Recusa } from '../../src/brazil/nfcom/base/recusas.ts';
import { assinarNota } from '../../src/brazil/nfcom/assinatura/assinatura.ts';
import { assinarEvento, montarCancelamento } from '../../src/brazil/nfcom/autoridade/cancelamento.ts';
import { montarNota } from '../../src/brazil/nfcom/nota.ts';
import type {
  DocumentoAssinado,
  DocumentoParaAssinar,
  EsquemaDaNota,
  LoteDeNotas,
  NotasParaConferir,
} from './nfcom/contract.ts';
import { judge } from './nfcom/schema.ts';
import { signerOf } from './nfcom/signer.ts';

// As in boletos-pdf.ts: with few processors, the event loop must come first.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * Builds, signs and validates each document of the batch, in the same order; or says of notes that are signed what the schema has against each.
 * @throws when the key or the certificate cannot be read; what is wrong with a document is its own answer.
 */
export default function nfcom(pedido: LoteDeNotas | NotasParaConferir): DocumentoAssinado[] | Recusa[][] {
  const { esquema } = pedido;
  if ('xmls' in pedido) return pedido.xmls.map((xml) => judge(esquema, 'nfcom', xml));
  const { chave, documentos } = pedido;
  const signer = signerOf(chave);
  return documentos.map((documento) => sign(documento, esquema, signer));
}

function sign(documento: DocumentoParaAssinar, esquema: EsquemaDaNota, signer: Assinador): DocumentoAssinado {
  if (documento.tipo === 'cancelamento') {
    const montado = montarCancelamento(documento.dados);
    if (!montado.certo) return montado;
    const { evento } = montado;
    const signed = assinarEvento(evento, signer);
    const recusas = [...judge(esquema, 'evCancNFCom', evento.detalhe), ...judge(esquema, 'eventoNFCom', signed.xml)];
    if (recusas.length > 0) return { certo: false, recusas };
    return { certo: true, chave: evento.chave, ...signed, totais: null };
  }
  const montada = montarNota(documento.dados, signer.resumir);
  if (!montada.certo) return montada;
  const { nota } = montada;
  const signed = assinarNota(nota, documento.dados, signer);
  const recusas = judge(esquema, 'nfcom', signed.xml);
  if (recusas.length > 0) return { certo: false, recusas };
  return { certo: true, chave: nota.chave, ...signed, totais: nota.totais };
}
