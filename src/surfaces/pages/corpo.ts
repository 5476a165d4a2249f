import type { Context } from 'koa';
import { createBodyReader } from '../../platform/http/body.ts';

const ler = createBodyReader('application/x-www-form-urlencoded', '64kb');

/**
 * The fields of a posted form. Null when the body is no form of at most 64 KiB in UTF-8, names a field twice, or holds a NUL,
 * which no keyboard types.
 */
export async function lerFormulario(ctx: Context): Promise<ReadonlyMap<string, string> | null> {
  const lido = await ler(ctx);
  if (lido.fault !== undefined) return null;
  try {
    return interpretar(lido.bytes.toString('latin1'));
  } catch {
    return null;
  }
}

/** WHATWG URL standard, section 5.1, save that what it would mend is refused. @throws Error when something is */
function interpretar(bytes: string): Map<string, string> {
  const campos = new Map<string, string>();
  for (const par of bytes.split('&').filter((texto) => texto !== '')) {
    const [nome = '', ...valor] = par.split('=');
    const chave = decodificar(nome);
    if (campos.has(chave)) throw new Error('campo repetido');
    campos.set(chave, decodificar(valor.join('=')));
  }
  return campos;
}

function decodificar(texto: string): string {
  if (/%(?![\da-f]{2})/i.test(texto)) throw new Error('escape quebrado');
  const latin1 = texto
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_, hexadecimal: string) => String.fromCharCode(Number.parseInt(hexadecimal, 16)));
  const decodificado = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, 'latin1'));
  if (decodificado.includes('\0')) throw new Error('caractere nulo');
  return decodificado;
}
