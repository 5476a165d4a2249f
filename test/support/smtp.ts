import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';

/** A message as a server took it. */
export interface CartaRecebida {
  readonly id: string;
  readonly para: string;
  readonly assunto: string;
  readonly texto: string;
}

/** What the server answers after a message's end (RFC 5321); null: nothing, ever. */
type Humor = string | null;

/** A mail server that keeps what it takes, and that can be away, refuse, or hang. */
export async function abrirSmtp() {
  const cartas: CartaRecebida[] = [];
  const abertas = new Set<Socket>();
  let humor: Humor = '250 ok';
  let porta = 0;
  let server: Server;

  function atender(socket: Socket): void {
    abertas.add(socket);
    socket.on('close', () => abertas.delete(socket));
    socket.on('error', () => {});
    socket.setEncoding('utf8');
    let dados: string | null = null;
    let para = '';
    let resto = '';
    socket.write('220 smtp.malha.test\r\n');
    socket.on('data', (pedaco: string) => {
      resto += pedaco;
      for (;;) {
        if (dados !== null) {
          const fim = resto.indexOf('\r\n.\r\n');
          if (fim < 0) return;
          // A line that begins with a dot comes with one more (RFC 5321, 4.5.2).
          const carta = resto.slice(0, fim).replaceAll('\r\n..', '\r\n.');
          resto = resto.slice(fim + 5);
          dados = null;
          if (humor === null) return;
          if (humor.startsWith('2')) cartas.push(lerCarta(carta, para));
          socket.write(`${humor}\r\n`);
          continue;
        }
        const fim = resto.indexOf('\r\n');
        if (fim < 0) return;
        const linha = resto.slice(0, fim);
        resto = resto.slice(fim + 2);
        if (/^RCPT/i.test(linha)) para = /<(.*)>/.exec(linha)?.[1] ?? '';
        if (/^DATA/i.test(linha)) dados = '';
        socket.write(/^DATA/i.test(linha) ? '354 go on\r\n' : /^QUIT/i.test(linha) ? '221 bye\r\n' : '250 ok\r\n');
      }
    });
  }

  async function voltar(): Promise<void> {
    server = createServer(atender);
    server.listen(porta, '127.0.0.1');
    await once(server, 'listening');
    const endereco = server.address();
    porta = typeof endereco === 'object' && endereco !== null ? endereco.port : porta;
  }
  async function sair(): Promise<void> {
    const fechado = once(server, 'close');
    server.close();
    for (const socket of abertas) socket.destroy();
    await fechado;
  }

  await voltar();
  return {
    cartas,
    url: `smtp://127.0.0.1:${porta}?ignoreTLS=true`,
    /** Nobody listens any more, until `voltar`. */
    sair,
    voltar,
    responder(novo: Humor): void {
      humor = novo;
    },
    fechar: sair,
  };
}

function lerCarta(carta: string, para: string): CartaRecebida {
  const [cabeca = '', ...corpo] = carta.split('\r\n\r\n');
  const campo = (nome: string): string =>
    new RegExp(`^${nome}: (.*(?:\\r\\n[ \\t].*)*)`, 'im').exec(cabeca)?.[1]?.replaceAll(/\r\n[ \t]/g, ' ') ?? '';
  const bruto = corpo.join('\r\n\r\n');
  const texto = /base64/i.test(campo('Content-Transfer-Encoding'))
    ? Buffer.from(bruto, 'base64').toString('utf8')
    : decodificar(bruto);
  return { id: campo('Message-ID'), para, assunto: campo('Subject'), texto };
}

/** Quoted-printable (RFC 2045, 6.7). */
function decodificar(texto: string): string {
  const semQuebras = texto.replaceAll(/=\r\n/g, '');
  const bytes = semQuebras.replaceAll(/=([\dA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
