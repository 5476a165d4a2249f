import { escreverDinheiro, lerDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../src/brazil/dinheiro/encargos.ts';
import { PIX_MAXIMO, prepararPixEmPartes } from '../../src/brazil/pix/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from './pix-do-dia/contract.ts';

/** What fits a column DECIMAL(12,2): an invoice that is more does not keep the others from being reckoned. */
const GUARDAVEL = 999_999_999_999;

/** What each invoice of the batch asks for on `hoje`, and what the PIX code that carries it has of its own. */
export default function pixDoDia({ recebedor, regras, hoje, ...lote }: LoteDoDia): ApuradasDoDia {
  const { valores, vencimentos, txids, sabidos } = lote;
  const pix = recebedor === null ? null : prepararPixEmPartes(recebedor);
  const atualizados: (string | null)[] = [];
  const camposValor: (string | null)[] = [];
  const crcs: (string | null)[] = [];
  for (const [n, texto] of valores.entries()) {
    const valor = lerDinheiro(texto);
    const vencimento = vencimentos[n] ?? hoje;
    const total = sabidos.get(n) ?? calcularEncargos({ valor, vencimento, hoje, regras }).total;
    const txid = txids[n] ?? null;
    const codigo = pix === null || txid === null || total < 1 || total > PIX_MAXIMO ? null : pix.proprio(total, txid);
    const atualizado = valorAtualizado(valor, total);
    atualizados.push(atualizado === null || atualizado > GUARDAVEL ? null : escreverDinheiro(atualizado));
    camposValor.push(codigo?.campoValor ?? null);
    crcs.push(codigo?.crc ?? null);
  }
  return { atualizados, camposValor, crcs };
}
