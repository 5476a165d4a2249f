import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cartorio } from './certificados.ts';

/** A server over mTLS on a free port of this machine, which does not keep the process alive. `responder` judges the certificate of who asks. */
export async function abrirServidorMtls(
  cartorio: Cartorio,
  responder: (pedido: IncomingMessage, resposta: ServerResponse) => Promise<void>,
) {
  const servidor = createServer(
    {
      key: cartorio.servidor.chavePem,
      cert: cartorio.servidor.certificadoPem,
      ca: cartorio.caPem,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (pedido, resposta) => void responder(pedido, resposta).catch(() => pedido.socket.destroy()),
  );
  await new Promise<void>((pronto) => servidor.listen(0, '127.0.0.1', pronto));
  servidor.unref();
  const onde = servidor.address();
  return {
    porta: typeof onde === 'object' && onde !== null ? onde.port : 0,
    fechar: async (): Promise<void> => {
      servidor.closeAllConnections();
      await new Promise<void>((pronto) => servidor.close(() => pronto()));
    },
  };
}
