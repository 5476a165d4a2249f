import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import type { OrdemDoExtrato, RespostaDoExtrato, TabelaDoExtrato } from './extrato/contract.ts';
import { createNdjson } from './extrato/ndjson.ts';
import { createParquet } from './extrato/parquet.ts';
import { readRows } from './extrato/rows.ts';

// As in boletos-pdf.ts: with few processors, the event loop must come first.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * Writes a table in both formats. Each order that comes through the port has one answer, with the bytes that can be
 * stored already. The sender awaits each answer, which limits the memory. Ends after the order to finish, or when the
 * port closes.
 */
export default async function extrato({ input, port }: { input: TabelaDoExtrato; port: MessagePort }): Promise<void> {
  const parquet = createParquet(input);
  const ndjson = createNdjson(input);

  function carryOut(order: OrdemDoExtrato): RespostaDoExtrato {
    if (order.tipo === 'lote') {
      const rows = readRows(input, order);
      return { pedacos: { parquet: parquet.write(rows), ndjson: ndjson.write(rows) }, somas: null };
    }
    const pieces = { parquet: parquet.finish(), ndjson: ndjson.finish() };
    return { pedacos: pieces, somas: { parquet: parquet.sum(), ndjson: ndjson.sum() } };
  }

  await new Promise<void>((resolve, reject) => {
    port.on('message', (order: OrdemDoExtrato) => {
      try {
        const answer = carryOut(order);
        const { parquet: a, ndjson: b } = answer.pedacos;
        port.postMessage(
          answer,
          [a, b].flatMap((piece) => (piece === null ? [] : [piece.buffer as ArrayBuffer])),
        );
        if (order.tipo === 'fim') resolve();
      } catch (error) {
        reject(error);
      }
    });
    port.on('close', resolve);
  });
}
