import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import { ErroApi } from './erros.ts';
import { confere } from './respostas.ts';

/** Bytes that do not change, to be had from any of them on. */
export interface ArquivoParaEnviar {
  readonly nome: string;
  readonly bytes: number;
  /** Says what the bytes are; without quotes. */
  readonly sha256: string;
  /** First and last included. */
  abrir(intervalo: { readonly start: number; readonly end: number }): Promise<Readable>;
}

interface Intervalo {
  readonly start: number;
  readonly end: number;
}

/**
 * What a Range header asks for of so many bytes (RFC 9110, section 14.1.2): null for all of them, where it asks for several parts too,
 * which a server may answer whole, or where it is in no unit or form that is known.
 *
 * @throws ErroApi `intervalo_invalido`
 */
function lerIntervalo(texto: string | undefined, bytes: number): Intervalo | null {
  const [, de = '', ate = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(texto ?? '') ?? [];
  if (de === '' && ate === '') return null;
  if (de === '') {
    const ultimos = Number(ate);
    if (ultimos === 0 || bytes === 0) throw new ErroApi('intervalo_invalido');
    return { start: Math.max(0, bytes - ultimos), end: bytes - 1 };
  }
  const start = Number(de);
  if (ate !== '' && Number(ate) < start) return null;
  if (start >= bytes) throw new ErroApi('intervalo_invalido');
  return { start, end: ate === '' ? bytes - 1 : Math.min(Number(ate), bytes - 1) };
}

/** Answers with a file, or the part of it that is asked for; its bytes go from the store to the socket. */
export async function enviarArquivo(ctx: Context, arquivo: ArquivoParaEnviar): Promise<void> {
  const { nome, bytes, sha256 } = arquivo;
  const etag = `"${sha256}"`;
  ctx.set({ ETag: etag, 'Accept-Ranges': 'bytes' });
  const sabidas = ctx.req.headers['if-none-match'];
  if (sabidas !== undefined && confere(sabidas, etag)) {
    ctx.status = 304;
    return;
  }
  // Of other bytes than those that are here, a part would not fit: the file comes whole (RFC 9110, section 13.1.5).
  const condicao = ctx.req.headers['if-range'];
  const intervalo = condicao === undefined || condicao === etag ? pedido(ctx, bytes) : null;
  const { start, end } = intervalo ?? { start: 0, end: bytes - 1 };
  const corpo = await arquivo.abrir({ start, end });
  ctx.status = intervalo === null ? 200 : 206;
  ctx.body = corpo;
  ctx.type = 'application/octet-stream';
  ctx.length = end - start + 1;
  ctx.set('Content-Disposition', `attachment; filename="${nome}"`);
  if (intervalo !== null) ctx.set('Content-Range', `bytes ${start}-${end}/${bytes}`);
}

function pedido(ctx: Context, bytes: number): Intervalo | null {
  try {
    return lerIntervalo(ctx.req.headers.range, bytes);
  } catch (error) {
    ctx.set('Content-Range', `bytes */${bytes}`);
    ctx.remove('ETag');
    throw error;
  }
}
