import type { MessagePort } from 'node:worker_threads';

let abertas = 0;

/** How many ports this thread was given and still has. */
export function portasAbertas(): number {
  return abertas;
}

/** A thread of the tests' own: posts `quantos` pieces of one byte each, then fails where it is told to. */
// oxlint-disable-next-line import/no-default-export -- what piscina calls
export default async function pedacos({ input, port }: { input: Pedido; port: MessagePort }): Promise<void> {
  abertas += 1;
  port.once('close', () => (abertas -= 1));
  const fim = performance.now() + (input.esperaMs ?? 0);
  // A function that does not wait for anything must do, too.
  while (performance.now() < fim) await new Promise((resolve) => setImmediate(resolve));
  for (let n = 0; n < input.quantos; n += 1) {
    const pedaco = Uint8Array.of(n % 256);
    port.postMessage(pedaco, [pedaco.buffer]);
  }
  if (input.falha !== undefined) throw new RangeError(input.falha);
}

export interface Pedido {
  readonly quantos: number;
  readonly esperaMs?: number;
  readonly falha?: string;
}
