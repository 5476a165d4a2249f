import { on } from 'node:events';
import type { MessagePort } from 'node:worker_threads';

/** What is wanted back: so many bytes, nothing, an error, or the same bytes and the end. */
export type Ordem =
  { readonly bytes: number } | { readonly cala: true } | { readonly falha: string } | { readonly fim: Uint8Array };

/** A thread of the tests' own: answers each order with bytes that all say what it was given to begin with. */
// oxlint-disable-next-line import/no-default-export -- what piscina calls
export default async function conversa({ input, port }: { input: number; port: MessagePort }): Promise<void> {
  for await (const [ordem] of on(port, 'message', { close: ['close'] }) as AsyncIterable<[Ordem]>) {
    if ('cala' in ordem) continue;
    if ('falha' in ordem) throw new RangeError(ordem.falha);
    const resposta = 'fim' in ordem ? ordem.fim : new Uint8Array(ordem.bytes).fill(input);
    port.postMessage(resposta, [resposta.buffer as ArrayBuffer]);
    if ('fim' in ordem) return;
  }
}
