import { hash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A CoA-Request (43) or a Disconnect-Request (40) as a NAS reads it. */
interface PedidoRecebido {
  readonly codigo: number;
  /** Signed by who knows the secret. */
  readonly assinado: boolean;
  /** Type of the attribute → its octets; of Vendor-Specific the last. */
  readonly atributos: ReadonlyMap<number, Buffer>;
  /** `14988:8` of what makers name themselves → its octets. */
  readonly deFabricante: ReadonlyMap<string, Buffer>;
}

/** The port at which a NAS takes such requests, written from RFC 5176 and apart from what it judges. */
export interface NasDeTeste {
  readonly porta: number;
  readonly recebidos: readonly PedidoRecebido[];
  /** Answers those that were put off, with an ACK, and puts off no more. */
  responderAdiados(): void;
  fechar(): Promise<void>;
}

/** How the NAS answers: `ack`, a NAK of an Error-Cause, not at all, or when it is told to. */
export type RespostaDoNas = 'ack' | 'nada' | 'adia' | { readonly nak: number };

export async function criarNas(
  endereco: string,
  segredo: string,
  responder: RespostaDoNas | ((vez: number, codigo: number) => RespostaDoNas) = 'ack',
): Promise<NasDeTeste> {
  const socket = createSocket('udp4');
  const recebidos: PedidoRecebido[] = [];
  const adiados: (() => void)[] = [];
  let adia = true;
  socket.on('message', (pacote, { port, address }) => {
    const corpo = Buffer.from(pacote);
    corpo.fill(0, 4, 20);
    const assinado = md5(corpo, segredo).equals(pacote.subarray(4, 20)) && pacote.readUInt16BE(2) === pacote.length;
    const codigo = pacote[0]!;
    const octetos = pacote.subarray(20);
    recebidos.push({ codigo, assinado, atributos: lerAtributos(octetos), deFabricante: lerDeFabricante(octetos) });
    const dito = typeof responder === 'function' ? responder(recebidos.length, codigo) : responder;
    if (dito === 'nada' || !assinado) return;
    if (dito === 'adia' && adia) {
      adiados.push(() => enviar('ack'));
      return;
    }
    enviar(dito === 'adia' ? 'ack' : dito);

    function enviar(como: 'ack' | { readonly nak: number }): void {
      const causa = como === 'ack' ? Buffer.alloc(0) : Buffer.from([101, 6, 0, 0, como.nak >> 8, como.nak & 255]);
      const resposta = Buffer.concat([
        Buffer.from([codigo + (como === 'ack' ? 1 : 2), pacote[1]!, 0, 20 + causa.length]),
        pacote.subarray(4, 20),
        causa,
      ]);
      md5(resposta, segredo).copy(resposta, 4);
      socket.send(resposta, port, address);
    }
  });
  socket.bind(0, endereco);
  await once(socket, 'listening');
  return {
    porta: socket.address().port,
    recebidos,
    responderAdiados() {
      adia = false;
      for (const enviar of adiados.splice(0)) enviar();
    },
    async fechar() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const md5 = (pacote: Buffer, segredo: string): Buffer =>
  hash('md5', Buffer.concat([pacote, Buffer.from(segredo)]), 'buffer');

function lerDeFabricante(octetos: Buffer): Map<string, Buffer> {
  const lidos = new Map<string, Buffer>();
  for (let i = 0; i < octetos.length; i += octetos[i + 1]!) {
    const valor = octetos.subarray(i + 2, i + octetos[i + 1]!);
    if (octetos[i] === 26) lidos.set(`${valor.readUInt32BE(0)}:${valor[4]}`, valor.subarray(6, 4 + valor[5]!));
  }
  return lidos;
}

function lerAtributos(octetos: Buffer): Map<number, Buffer> {
  const lidos = new Map<number, Buffer>();
  for (let i = 0; i < octetos.length; i += octetos[i + 1]!)
    lidos.set(octetos[i]!, octetos.subarray(i + 2, i + octetos[i + 1]!));
  return lidos;
}
