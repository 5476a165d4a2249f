import type { Context } from 'koa';
import { createBodyReader, parseJson } from '../../platform/http/body.ts';
import { recusar } from './erros.ts';

/** A message of the protocol, of which nothing more is known than that it is an object. */
export type Mensagem = Readonly<Record<string, unknown>>;

/** No message of the protocol and no body of a route is nearly as deep. Readers that call themselves would run out of stack. */
const MAIS_FUNDO = 32;

const ler = createBodyReader('application/json', '64kb');

/** Reads the one message of a request. @throws Failure when the body is none */
export async function lerMensagem(ctx: Context): Promise<Mensagem> {
  const lido = await ler(ctx);
  if (lido.fault !== undefined) throw recusar(lido.fault === 'size' ? 'corpo_grande' : 'tipo_nao_aceito');
  if (eFunda(lido.bytes)) throw recusar('mensagem_invalida', `corpo: tem mais de ${MAIS_FUNDO} níveis.`);
  let json: unknown;
  try {
    json = parseJson(lido.bytes);
  } catch {
    throw recusar('json_invalido');
  }
  // Revision 2025-03-26 had lists of messages. Many calls in one request would pass the key's limit as one.
  if (Array.isArray(json))
    throw recusar('mensagem_invalida', 'corpo: envie uma mensagem por requisição, e não uma lista.');
  if (typeof json !== 'object' || json === null) throw recusar('mensagem_invalida');
  return json as Mensagem;
}

/** Whether lists and objects stand in one another more often than `MAIS_FUNDO`. Texts are passed over. */
function eFunda(bytes: Buffer): boolean {
  let fundo = 0;
  let noTexto = false;
  let escapado = false;
  for (const byte of bytes) {
    const sinal: string = escapado ? '' : String.fromCodePoint(byte);
    escapado = noTexto && sinal === '\\';
    if (sinal === '"') noTexto = !noTexto;
    else if (!noTexto && (sinal === '[' || sinal === '{')) fundo += 1;
    else if (!noTexto && (sinal === ']' || sinal === '}')) fundo -= 1;
    if (fundo > MAIS_FUNDO) return true;
  }
  return false;
}

/** The name of the tool that a message calls; null when it calls none. */
export function chamadaEm({ method, params }: Mensagem): string | null {
  if (method !== 'tools/call' || typeof params !== 'object' || params === null || !('name' in params)) return null;
  return typeof params.name === 'string' ? params.name : null;
}
