import { connect } from 'node:net';

/** The answer to bytes written as they are, or null when the server closed without one. */
export interface RespostaCrua {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly texto: string;
}

/**
 * Writes bytes to a new connection and reads one response; ends when the response is whole or the server closes.
 *
 * @param de the loopback address it comes from.
 */
export function enviarCru(porta: number, bytes: Buffer, de = '127.0.0.1'): Promise<RespostaCrua | null> {
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
