import type { Envio } from './api.ts';
import type { Rota } from '../../src/surfaces/public-api/rota.ts';

/** What to send to a route so that its input is accepted: a body of the examples of its fields, where it takes one. */
export function envioDeExemplo(rota: Rota): Pick<Envio, 'corpo' | 'headers'> {
  if (rota.kind !== 'write' || rota.body === null) return {};
  const campos = Object.entries(rota.body.schema.properties).map(
    ([nome, { examples }]) => [nome, examples?.[0]] as const,
  );
  return { headers: { 'content-type': 'application/json' }, corpo: JSON.stringify(Object.fromEntries(campos)) };
}
