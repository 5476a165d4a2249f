import { platform, setPriority } from 'node:os';
import { isMainThread, type MessagePort } from 'node:worker_threads';
import type { OrdemDoExtrato, RespostaDoExtrato, TabelaDoExtrato } from './extrato/contract.ts';
import { criarNdjson } from './extrato/ndjson.ts';
import { criarParquet } from './extrato/parquet.ts';
import { lerLinhas } from './extrato/linhas.ts';

// Como no desenho de boletos: com poucos processadores, quem espera por uma requisição vem antes.
if (!isMainThread && platform() === 'linux') setPriority(19);

/**
 * Escreve uma tabela nos dois formatos. Cada ordem que chega pela porta tem uma resposta, com os bytes que já se pode gravar; quem manda
 * espera por ela, e é isso que limita a memória. Termina depois do fim, ou quando a porta fecha.
 */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
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
