import type { Context } from 'koa';
import { createBodyReader, parseJson } from '../../platform/http/body.ts';
import type { BodyFault } from '../../platform/http/body.ts';
import { ErroApi } from './erros.ts';
import type { Rota } from './rota.ts';

const ler = createBodyReader('application/json', '64kb');

const FALTAS: Readonly<Record<BodyFault, string>> = {
  type: 'corpo: envie JSON, com Content-Type application/json.',
  encoding: 'corpo: envie JSON em UTF-8, sem compressão.',
  size: 'corpo: deve ser JSON em UTF-8 de até 64 KiB.',
};

/** Reads a route's JSON body; `{}` where it is optional and absent, undefined where the route takes none. @throws ErroApi */
export function criarLeitorDeCorpo({ corpo }: Rota): (ctx: Context) => Promise<unknown> {
  if (corpo === null) return async () => undefined;
  return async (ctx) => {
    const { 'transfer-encoding': codificacao, 'content-length': tamanho } = ctx.req.headers;
    const temCorpo = codificacao !== undefined || Number(tamanho ?? 0) > 0;
    if (!temCorpo && !corpo.obrigatorio) return {};
    const lido = await ler(ctx);
    if (lido.fault !== undefined) throw new ErroApi('parametro_invalido', FALTAS[lido.fault]);
    if (lido.bytes.length === 0 && !corpo.obrigatorio) return {};
    try {
      return parseJson(lido.bytes);
    } catch {
      throw new ErroApi('parametro_invalido', FALTAS.size);
    }
  };
}
