import type { KeySurface } from '../../access/ports.ts';
import type { Asked } from '../../kit/http/ports.ts';
import type { JsonRoute } from '../../kit/http/route.ts';
import { invalid } from '../../kit/input/input-faults.ts';
import { Failure } from '../../kit/reply/failure.ts';
import type { Schema } from '../../platform/schema-type.ts';
import { MARCA } from './catalogo.ts';

/** The parts of a request that a tool's arguments say. */
type Pedido<T extends KeySurface> = Pick<Asked<T>, 'params' | 'query' | 'body' | 'mark' | 'path' | 'url' | 'ifMatch'>;

/**
 * A tool's arguments as HTTP would have brought them, so that the route judges them as it judges every request. What
 * the route does not know goes where the route says so.
 *
 * @param base the address that the route's path is below.
 * @throws Failure with the code `codigo` when an argument of path or query is neither text nor the number it should be.
 */
export function pedidoDe<T extends KeySurface>(
  rota: JsonRoute<T>,
  base: string,
  argumentos: Readonly<Record<string, unknown>>,
  codigo: T['code'],
): Pedido<T> {
  const { query: naConsulta } = rota;
  const comCorpo = rota.kind === 'write' && rota.body !== null;
  const params: Record<string, string> = {};
  const query = new URLSearchParams();
  const corpo: [string, unknown][] = [];
  let mark: string | undefined;
  for (const [nome, valor] of Object.entries(argumentos)) {
    const texto = (schema?: Schema): string => {
      const cabe = typeof valor === 'string' || (typeof valor === 'number' && schema?.type === 'integer');
      if (!cabe) throw new Failure(codigo, invalid(nome));
      return String(valor);
    };
    if (nome === MARCA && rota.kind === 'write' && rota.repeatable) mark = texto();
    else if (Object.hasOwn(rota.params, nome)) params[nome] = texto(rota.params[nome]);
    else if (naConsulta !== null && Object.hasOwn(naConsulta.properties, nome)) {
      query.append(nome, texto(naConsulta.properties[nome]));
    } else if (comCorpo) corpo.push([nome, valor]);
    else query.append(nome, '');
  }
  const path =
    base +
    rota.path.replaceAll(/\{(\w+)\}/g, (_, nome: string) => encodeURIComponent((params[nome] ?? '').toWellFormed()));
  const consulta = query.toString();
  return {
    params,
    query: consulta,
    path,
    url: consulta === '' ? path : `${path}?${consulta}`,
    body: { json: Object.fromEntries(corpo) },
    mark,
    ifMatch: undefined,
  };
}
