import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface Dns {
  /** As the resolver takes it. */
  readonly endereco: string;
  /** What a name answers from now on, by turns: each entry is one answer, and the last one stays. */
  dizer(nome: string, ...respostas: readonly (readonly string[])[]): void;
  /** How often each name was asked for, by `name type`. */
  readonly perguntas: Map<string, number>;
  fechar(): Promise<void>;
}

const TIPO_A = 1;
const TIPO_AAAA = 28;
const CABECALHO = 12;

/** A DNS server that says what a test wants it to say. */
export async function criarDns(): Promise<Dns> {
  const respostas = new Map<string, (readonly string[])[]>();
  const perguntas = new Map<string, number>();
  const servidor = createSocket('udp4');
  servidor.on('message', (pedido, { port, address }) => {
    let lugar = CABECALHO;
    const partes: string[] = [];
    for (let tamanho = pedido[lugar]!; tamanho > 0; tamanho = pedido[lugar]!) {
      partes.push(pedido.toString('latin1', lugar + 1, lugar + 1 + tamanho));
      lugar += 1 + tamanho;
    }
    const tipo = pedido.readUInt16BE(lugar + 1);
    const nome = partes.join('.').toLowerCase();
    const feita = `${nome} ${tipo === TIPO_A ? 'A' : 'AAAA'}`;
    perguntas.set(feita, (perguntas.get(feita) ?? 0) + 1);
    const ditas = respostas.get(nome) ?? [];
    // Both families of one question have the same answer: the list moves on with the question for IPv4.
    const [agora = []] = ditas;
    if (tipo === TIPO_A && ditas.length > 1) ditas.shift();
    const deste = agora.filter((ip) => ip.includes(':') === (tipo === TIPO_AAAA));
    const pergunta = pedido.subarray(CABECALHO, lugar + 5);
    const cabecalho = Buffer.alloc(CABECALHO);
    pedido.copy(cabecalho, 0, 0, 2);
    cabecalho.writeUInt16BE(0x81_80, 2);
    cabecalho.writeUInt16BE(1, 4);
    cabecalho.writeUInt16BE(deste.length, 6);
    const registros = deste.map((ip) => {
      const bytes = emBytes(ip);
      const inicio = Buffer.from([0xc0, CABECALHO, 0, tipo, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return Buffer.concat([inicio, bytes]);
    });
    servidor.send(Buffer.concat([cabecalho, pergunta, ...registros]), port, address);
  });
  servidor.bind(0, '127.0.0.1');
  await once(servidor, 'listening');
  return {
    endereco: `127.0.0.1:${servidor.address().port}`,
    dizer: (nome, ...ditas) => void respostas.set(nome, [...ditas]),
    perguntas,
    fechar: async () =>
      new Promise((resolve) => {
        servidor.close(() => resolve());
      }),
  };
}

function emBytes(ip: string): Buffer {
  if (!ip.includes(':')) return Buffer.from(ip.split('.').map(Number));
  const [cabeca = '', cauda] = ip.split('::');
  const grupos = (texto: string | undefined): string[] => (texto === undefined || texto === '' ? [] : texto.split(':'));
  const [antes, depois] = [grupos(cabeca), grupos(cauda)];
  const meio = Array<string>(8 - antes.length - depois.length).fill('0');
  return Buffer.from(
    [...antes, ...meio, ...depois].flatMap((grupo) => {
      const numero = Number.parseInt(grupo, 16);
      return [Math.floor(numero / 256), numero % 256];
    }),
  );
}
