import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { BoletosParaImprimir } from '../../../workers/threads/boletos-pdf/contract.ts';

/** Instead of the boletos' own thread: what becomes of a document is told by what its first slip is described as. */
// oxlint-disable-next-line import/no-default-export -- what piscina calls
export default async function boletosPdf({
  input,
  port,
}: {
  input: Pick<BoletosParaImprimir, 'parcelas'>;
  port: MessagePort;
}): Promise<void> {
  const oque = input.parcelas[0]?.descricao ?? '';
  const enviar = (bytes: number): void => {
    const pedaco = Buffer.from(new Uint8Array(bytes).fill(0x25).buffer);
    port.postMessage(pedaco, [pedaco.buffer]);
  };
  if (oque.startsWith('FALHA')) throw new RangeError('não se desenha');
  // Not even its event loop turns.
  if (oque === 'NUNCA') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (oque.startsWith('DEMORA')) await sleep(3000);
  enviar(oque === 'GRANDE' ? 20_000_000 : 100);
  if (oque !== 'CAI NO MEIO') return;
  await sleep(100);
  throw new RangeError('caiu no meio');
}
