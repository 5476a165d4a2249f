import { hash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A Disconnect-Request as a NAS reads it. */
interface PedidoRecebido {
  readonly codigo: number;
  /** Signed by who knows the secret. */
  readonly assinado: boolean;
  /** Type of the attribute → its octets. */
  readonly atributos: ReadonlyMap<number, Buffer>;
}

/** The port at which a NAS takes Disconnect-Requests, written from RFC 5176 and apart from what it judges. */
export interface NasDeTeste {
  readonly porta: number;
  readonly recebidos: readonly PedidoRecebido[];
  fechar(): Promise<void>;
}

/** How the NAS answers: `ack`, a NAK of an Error-Cause, or not at all. */
export type RespostaDoNas = 'ack' | 'nada' | { readonly nak: number };

export async function criarNas(
  endereco: string,
  segredo: string,
  responder: RespostaDoNas | ((vez: number) => RespostaDoNas) = 'ack',
): Promise<NasDeTeste> {
  const socket = createSocket('udp4');
  const recebidos: PedidoRecebido[] = [];
  socket.on('message', (pacote, { port, address }) => {
    const corpo = Buffer.from(pacote);
    corpo.fill(0, 4, 20);
    const assinado = md5(corpo, segredo).equals(pacote.subarray(4, 20)) && pacote.readUInt16BE(2) === pacote.length;
    recebidos.push({ codigo: pacote[0]!, assinado, atributos: lerAtributos(pacote.subarray(20)) });
    const como = typeof responder === 'function' ? responder(recebidos.length) : responder;
    if (como === 'nada' || !assinado) return;
    const causa = como === 'ack' ? Buffer.alloc(0) : Buffer.from([101, 6, 0, 0, como.nak >> 8, como.nak & 255]);
    const resposta = Buffer.concat([
      Buffer.from([como === 'ack' ? 41 : 42, pacote[1]!, 0, 20 + causa.length]),
      pacote.subarray(4, 20),
      causa,
    ]);
    md5(resposta, segredo).copy(resposta, 4);
    socket.send(resposta, port, address);
  });
  socket.bind(0, endereco);
  await once(socket, 'listening');
  return {
    porta: socket.address().port,
    recebidos,
    async fechar() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const md5 = (pacote: Buffer, segredo: string): Buffer =>
  hash('md5', Buffer.concat([pacote, Buffer.from(segredo)]), 'buffer');

function lerAtributos(octetos: Buffer): Map<number, Buffer> {
  const lidos = new Map<number, Buffer>();
  for (let i = 0; i < octetos.length; i += octetos[i + 1]!)
    lidos.set(octetos[i]!, octetos.subarray(i + 2, i + octetos[i + 1]!));
  return lidos;
}
