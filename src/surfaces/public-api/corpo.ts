import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import { ErroApi, exigir } from './erros.ts';
import type { Rota } from './rota.ts';

const JSON_MIME = 'application/json';
const LIMITE_DO_CORPO = '64kb';

/** Reads a route's JSON body; `{}` where it is optional and absent, undefined where the route takes none. @throws ErroApi */
export function criarLeitorDeCorpo({ metodo, corpo }: Rota): (ctx: Context) => Promise<unknown> {
  if (corpo === null) return async () => undefined;
  // The bytes as they came, a character each: a reader that knows UTF-8 would mend what is broken and say nothing.
  const ler = koaBody({
    json: false,
    text: true,
    urlencoded: false,
    multipart: false,
    encoding: 'latin1',
    textTypes: [JSON_MIME],
    textLimit: LIMITE_DO_CORPO,
    parsedMethods: [HttpMethodEnum[metodo]],
    onError: recusar,
  });
  return async (ctx) => {
    const { 'transfer-encoding': codificacao, 'content-length': tamanho } = ctx.req.headers;
    const temCorpo = codificacao !== undefined || Number(tamanho ?? 0) > 0;
    if (!temCorpo && !corpo.obrigatorio) return {};
    exigir(ctx.is(JSON_MIME), 'parametro_invalido', 'corpo: envie JSON, com Content-Type application/json.');
    const emUtf8 = /^(utf-8)?$/i.test(ctx.request.charset);
    const comprimido = !/^(identity)?$/i.test(ctx.get('Content-Encoding'));
    exigir(emUtf8 && !comprimido, 'parametro_invalido', 'corpo: envie JSON em UTF-8, sem compressão.');
    await ler(ctx, async () => {});
    const bytes = Buffer.from((ctx.request as { body?: string }).body ?? '', 'latin1');
    return bytes.length === 0 && !corpo.obrigatorio ? {} : lerJson(bytes);
  };
}

function lerJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return recusar();
  }
}

function recusar(): never {
  throw new ErroApi('parametro_invalido', 'corpo: deve ser JSON em UTF-8 de até 64 KiB.');
}
