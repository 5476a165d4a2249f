import { escreverDinheiro, lerDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../src/brazil/dinheiro/encargos.ts';
import { PIX_MAXIMO, prepararPixEmPartes } from '../../src/brazil/pix/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from './pix-do-dia/contract.ts';

/**
 * The largest amount of a DECIMAL(12,2) column. An invoice with a larger one must not stop the calculation of the
 * others.
 */
const LARGEST_STORED = 999_999_999_999;

/** Calculates the amount of each invoice on `hoje`, and the parts of its PIX code that are not common to all. */
export default function pixDoDia({ recebedor, regras, hoje, ...columns }: LoteDoDia): ApuradasDoDia {
  const { valores, vencimentos, txids, sabidos } = columns;
  const pix = recebedor === null ? null : prepararPixEmPartes(recebedor);
  const atualizados: (string | null)[] = [];
  const camposValor: (string | null)[] = [];
  const crcs: (string | null)[] = [];
  for (const [n, text] of valores.entries()) {
    const valor = lerDinheiro(text);
    const vencimento = vencimentos[n] ?? hoje;
    const total = sabidos.get(n) ?? calcularEncargos({ valor, vencimento, hoje, regras }).total;
    const txid = txids[n] ?? null;
    const code = pix === null || txid === null || total < 1 || total > PIX_MAXIMO ? null : pix.proprio(total, txid);
    const atualizado = valorAtualizado(valor, total);
    atualizados.push(atualizado === null || atualizado > LARGEST_STORED ? null : escreverDinheiro(atualizado));
    camposValor.push(code?.campoValor ?? null);
    crcs.push(code?.crc ?? null);
  }
  return { atualizados, camposValor, crcs };
}
