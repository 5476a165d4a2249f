import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

/** A message of plain text. */
interface Mensagem {
  readonly para: string;
  readonly assunto: string;
  readonly texto: string;
}

/** Sends e-mail; never rejects. */
export interface Correio {
  /** Whether there is a server to send by. */
  readonly ativo: boolean;
  /** Whether the server took it. */
  enviar(mensagem: Mensagem): Promise<boolean>;
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

export function createCorreio({ url, de, logger }: CorreioDeps): Correio {
  if (url === undefined) return { ativo: false, enviar: async () => Promise.resolve(false), close() {} };
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
  return {
    ativo: true,
    async enviar({ para, assunto, texto }) {
      try {
        await (await transporte()).sendMail({ from: de, to: para, subject: assunto, text: texto });
        return true;
      } catch (error) {
        // Not the error itself: servers repeat addresses in what they say.
        const codigo = error instanceof Error && 'code' in error ? String(error.code) : 'desconhecido';
        logger.warn({ codigo }, 'e-mail não enviado');
        return false;
      }
    },
    close: () => void carregado?.then((aberto) => aberto.close()),
  };
}
