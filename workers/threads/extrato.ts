import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import type { OrdemDoExtrato, RespostaDoExtrato, TabelaDoExtrato } from './extrato/contract.ts';
import { criarNdjson } from './extrato/ndjson.ts';
import { criarParquet } from './extrato/parquet.ts';
import { lerLinhas } from './extrato/linhas.ts';

// As in the drawing of boletos: with few processors, whoever waits for a request comes first.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * Writes a table in both formats. Each order that comes through the port has one answer, with the bytes that can
 * already be stored; whoever sends waits for it, which is what bounds the memory. Ends after the end, or when the port
 * closes.
 */
export default async function extrato({ input, port }: { input: TabelaDoExtrato; port: MessagePort }): Promise<void> {
  const parquet = criarParquet(input);
  const ndjson = criarNdjson(input);

  function cumprir(ordem: OrdemDoExtrato): RespostaDoExtrato {
    if (ordem.tipo === 'lote') {
      const linhas = lerLinhas(input, ordem);
      return { pedacos: { parquet: parquet.escrever(linhas), ndjson: ndjson.escrever(linhas) }, somas: null };
    }
    const pedacos = { parquet: parquet.terminar(), ndjson: ndjson.terminar() };
    return { pedacos, somas: { parquet: parquet.soma(), ndjson: ndjson.soma() } };
  }

  await new Promise<void>((resolve, reject) => {
    port.on('message', (ordem: OrdemDoExtrato) => {
      try {
        const resposta = cumprir(ordem);
        const { parquet: a, ndjson: b } = resposta.pedacos;
        port.postMessage(
          resposta,
          [a, b].flatMap((pedaco) => (pedaco === null ? [] : [pedaco.buffer as ArrayBuffer])),
        );
        if (ordem.tipo === 'fim') resolve();
      } catch (error) {
        reject(error);
      }
    });
    port.on('close', resolve);
  });
}
