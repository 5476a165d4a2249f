import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { CertificadoA1 } from '../../../../workers/threads/certificado-a1/contract.ts';
import type { Ambiente } from '../../../brazil/nfcom/base/nota.types.ts';
import type {
  RespostaDaConsulta,
  RespostaDaNota,
  RespostaDoEvento,
  Situacao,
} from '../../../brazil/nfcom/autoridade/respostas.ts';
import {
  pedidoDeConsulta,
  pedidoDeEvento,
  pedidoDeRecepcao,
  pedidoDeStatus,
} from '../../../brazil/nfcom/autoridade/soap.ts';
import type { PedidoSoap } from '../../../brazil/nfcom/autoridade/soap.ts';
import { OutboundFailure } from '../../../platform/http/outbound/failure.ts';
import type { FailureReason } from '../../../platform/http/outbound/failure.ts';
import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { UrlRefused } from '../../../platform/http/outbound/url.ts';
import type { Enderecos } from '../autorizador/autorizador.types.ts';

/** What reads XML is loaded with the first answer. */
const respostas = async () => import('../../../brazil/nfcom/autoridade/respostas.ts');
type Leituras = Awaited<ReturnType<typeof respostas>>;

const comprimir = promisify(gzip);

/** Authorities take longer than others; what they answer of a note carries the note's protocol and events. */
export const PACIENCIA_MS = 30_000;
const MAIOR_RESPOSTA = 1024 * 1024;

/** Whom to call, and who calls. */
export interface Chamada {
  readonly enderecos: Enderecos;
  readonly ambiente: Ambiente;
  readonly certificado: CertificadoA1;
  /** PEM of certificates that are trusted beside the usual ones. */
  readonly cas: string | null;
}

/** What an authority answered, or why it did not. */
export type Resposta<Lida> =
  | { readonly veio: true; readonly texto: string; readonly lida: Lida }
  /** `resposta_500` and so on: an answer that says nothing of the matter. */
  | { readonly veio: false; readonly erro: FailureReason | `resposta_${number}` | 'ilegivel' };

/** Calls the authorisers' services: SOAP 1.2 over mTLS, by the one guarded way out. Never rejects. */
export function createAutoridade({ saida }: { readonly saida: Pick<Outbound, 'send'> }) {
  async function chamar<Lida>(
    url: string,
    { contentType, corpo }: PedidoSoap,
    { certificado, cas }: Chamada,
    ler: (leituras: Leituras, xml: string) => Lida | null,
  ): Promise<Resposta<Lida>> {
    try {
      const { status, body } = await saida.send({
        url,
        method: 'POST',
        headers: { 'content-type': contentType, accept: 'application/soap+xml' },
        body: corpo,
        tls: {
          key: certificado.chavePem,
          cert: certificado.cadeiaPem,
          ...(cas === null ? {} : { ca: [...rootCertificates, cas] }),
        },
        longestAnswer: MAIOR_RESPOSTA,
        wholeMs: PACIENCIA_MS,
      });
      const texto = body.toString('utf8');
      const lida = ler(await respostas(), texto);
      // A SOAP fault comes as 500, and says nothing of the note.
      if (lida !== null) return { veio: true, texto, lida };
      return { veio: false, erro: status === 200 ? 'ilegivel' : `resposta_${status}` };
    } catch (error) {
      if (error instanceof OutboundFailure) return { veio: false, erro: error.reason };
      if (error instanceof UrlRefused) return { veio: false, erro: 'forbidden' };
      throw error;
    }
  }

  return {
    /** Sends a signed note, as its bytes are. */
    async enviar(chamada: Chamada, xml: Buffer): Promise<Resposta<RespostaDaNota>> {
      const comprimida = (await comprimir(xml)).toString('base64');
      return chamar(chamada.enderecos.recepcao, pedidoDeRecepcao(comprimida), chamada, (de, texto) =>
        de.lerRecepcao(texto),
      );
    },

    consultar: async (chamada: Chamada, chave: string): Promise<Resposta<RespostaDaConsulta>> =>
      chamar(chamada.enderecos.consulta, pedidoDeConsulta(chamada.ambiente, chave), chamada, (de, texto) =>
        de.lerConsulta(texto),
      ),

    status: async (chamada: Chamada): Promise<Resposta<Situacao>> =>
      chamar(chamada.enderecos.status, pedidoDeStatus(chamada.ambiente), chamada, (de, texto) => de.lerStatus(texto)),

    evento: async (chamada: Chamada, xml: Buffer): Promise<Resposta<RespostaDoEvento>> =>
      chamar(chamada.enderecos.evento, pedidoDeEvento(xml.toString('utf8')), chamada, (de, texto) =>
        de.lerRecepcaoDeEvento(texto),
      ),
  };
}
