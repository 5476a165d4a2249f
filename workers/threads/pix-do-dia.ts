import { escreverDinheiro, lerDinheiro } from '../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos, valorAtualizado } from '../../src/brazil/dinheiro/encargos.ts';
import { PIX_MAXIMO, prepararPixEmPartes } from '../../src/brazil/pix/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from './pix-do-dia/contract.ts';

/** O que cabe em uma coluna DECIMAL(12,2): uma fatura que passa disso não deixa as outras por apurar. */
const GUARDAVEL = 999_999_999_999;

/** O que cada fatura do lote pede em `hoje`, e o que o código PIX que o leva tem de seu. */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
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
