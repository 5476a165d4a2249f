import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

/** A message of plain text. */
interface Mensagem {
  readonly para: string;
  readonly assunto: string;
  readonly texto: string;
}

/** What a server said to a message: it took it; it never will, or not now; or no server answered. */
type RespostaDoCorreio = { readonly tipo: 'aceito' } | Falha;

interface Falha {
  readonly tipo: 'recusado' | 'adiado' | 'fora';
  readonly erro: string;
}

/** Sends e-mail; never rejects. */
export interface Correio {
  /** Whether there is a server to send by. */
  readonly ativo: boolean;
  /** Whether the server took it. */
  enviar(mensagem: Mensagem): Promise<boolean>;
  /** The same, with what was said. `id` tells the message from all others, and is the same each time that it is sent. */
  tentar(mensagem: Mensagem & { readonly id: string }): Promise<RespostaDoCorreio>;
  close(): void;
}

export interface CorreioDeps {
  /** `smtp://user:password@host:587`; undefined where there is none. */
  readonly url: string | undefined;
  /** Who the messages are from. */
  readonly de: string;
  readonly logger: Pick<Logger, 'warn'>;
}

const ESPERA_MS = 10_000;

/** Of the server, and of no message: nothing else is taken either. */
const DO_SERVIDOR = new Set([
  'ECONNECTION',
  'ETIMEDOUT',
  'EDNS',
  'ESOCKET',
  'ETLS',
  'EAUTH',
  'EOAUTH2',
  'ECONNREFUSED',
]);
/** What a server answers that will not take a message, however often it is offered (RFC 5321, 4.2.1). */
const PARA_SEMPRE = 500;

/** The code alone: servers repeat addresses in what they say. */
function lerFalha(error: unknown): Falha {
  const { code, responseCode } = (error ?? {}) as { code?: unknown; responseCode?: unknown };
  const resposta = typeof responseCode === 'number' ? responseCode : null;
  const codigo = typeof code === 'string' ? code : 'desconhecido';
  const erro = (resposta === null ? codigo : `${codigo} ${resposta}`).slice(0, 40);
  if (DO_SERVIDOR.has(codigo)) return { tipo: 'fora', erro };
  return { tipo: resposta !== null && resposta >= PARA_SEMPRE ? 'recusado' : 'adiado', erro };
}

/** The part of a sender's address behind the at sign. */
const dominioDe = (de: string): string => /@([a-z\d.-]+)/i.exec(de)?.[1] ?? 'localhost';

export function createCorreio({ url, de, logger }: CorreioDeps): Correio {
  if (url === undefined) {
    return {
      ativo: false,
      enviar: async () => Promise.resolve(false),
      tentar: async () => Promise.resolve({ tipo: 'fora', erro: 'sem_servidor' }),
      close() {},
    };
  }
  // Loaded with the first message: an API process sends few.
  let carregado: Promise<Transporter> | undefined;
  const transporte = async (): Promise<Transporter> =>
    (carregado ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url,
        connectionTimeout: ESPERA_MS,
        greetingTimeout: ESPERA_MS,
        socketTimeout: ESPERA_MS,
      }),
    ));

  async function mandar({ para, assunto, texto }: Mensagem, outros: object): Promise<RespostaDoCorreio> {
    try {
      await (await transporte()).sendMail({ from: de, to: para, subject: assunto, text: texto, ...outros });
      return { tipo: 'aceito' };
    } catch (error) {
      const falha = lerFalha(error);
      logger.warn({ codigo: falha.erro }, 'e-mail não enviado');
      return falha;
    }
  }

  return {
    ativo: true,
    enviar: async (mensagem) => (await mandar(mensagem, {})).tipo === 'aceito',
    tentar: async ({ id, ...mensagem }) => mandar(mensagem, { messageId: `<malha.${id}@${dominioDe(de)}>` }),
    close: () => void carregado?.then((aberto) => aberto.close()),
  };
}
