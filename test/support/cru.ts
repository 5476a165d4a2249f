import { connect } from 'node:net';
import { conferirResposta } from './contrato-openapi.ts';
import type { Contrato } from './contrato-openapi.ts';

/** The answer to bytes written as they are, or null when the server closed without one. */
export interface RespostaCrua {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly texto: string;
}

/** A path of the public API, as a client of anyone's would write it. */
const DA_API = /^\/api\/v1[\x21-\x7e]*$/;

/**
 * Writes bytes to a new connection and reads one response; ends when the response is whole or the server closes. What comes of the
 * public API is held against the OpenAPI document; whoever asks another port says so by a `conferir` of its own.
 *
 * @param de the loopback address it comes from.
 */
export async function enviarCru(
  porta: number,
  bytes: Buffer,
  { de = '127.0.0.1', conferir = conferirResposta }: { readonly de?: string; readonly conferir?: Contrato } = {},
): Promise<RespostaCrua | null> {
  const resposta = await trocar(porta, bytes, de);
  if (resposta !== null) conferir({ ...pedidoEm(bytes, resposta), ...resposta });
  return resposta;
}

/** What was asked for, as the service reads it; the root where it is none of the public API's paths. */
function pedidoEm(bytes: Buffer, { status, headers }: RespostaCrua): { metodo: string; alvo: string } {
  const [linha = ''] = bytes.toString('latin1').split('\r\n', 1);
  const [metodo = '', alvo = ''] = linha.split(' ');
  const [caminho = ''] = alvo.replace(/^https?:\/\/[^/]*/i, '').split('#', 1);
  // What could not be read as a request is answered before any route.
  const recusado = status === 400 && headers['connection'] === 'close';
  return { metodo: metodo.toUpperCase(), alvo: DA_API.test(caminho) ? (recusado ? '/api/v1/' : caminho) : '/' };
}

function trocar(porta: number, bytes: Buffer, de: string): Promise<RespostaCrua | null> {
  return new Promise((resolve, reject) => {
    let recebido = Buffer.alloc(0);
    const socket = connect({ port: porta, host: '127.0.0.1', localAddress: de }, () => socket.write(bytes));
    const terminar = (resposta: RespostaCrua | null): void => {
      socket.destroy();
      resolve(resposta);
    };
    socket.on('data', (parte: Buffer) => {
      recebido = Buffer.concat([recebido, parte]);
      const resposta = interpretar(recebido);
      if (resposta !== null) terminar(resposta);
    });
    socket.on('close', () => terminar(null));
    socket.on('error', (erro: NodeJS.ErrnoException) => {
      // The server may close while we still write: what it had said by then counts.
      if (erro.code === 'ECONNRESET' || erro.code === 'EPIPE') terminar(interpretar(recebido));
      else reject(erro);
    });
  });
}

function interpretar(recebido: Buffer): RespostaCrua | null {
  const fim = recebido.indexOf('\r\n\r\n');
  if (fim < 0) return null;
  const [inicio = '', ...linhas] = recebido.subarray(0, fim).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    linhas.map((linha) => [
      linha.slice(0, linha.indexOf(':')).toLowerCase(),
      linha.slice(linha.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(inicio.split(' ')[1]);
  if (status === 100) return interpretar(recebido.subarray(fim + 4));
  const corpo = recebido.subarray(fim + 4);
  if (corpo.length < Number(headers['content-length'] ?? 0)) return null;
  return { status, headers, texto: corpo.toString() };
}
