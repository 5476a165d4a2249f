import { calcularEncargos } from '../../src/brazil/encargos.ts';
import { PIX_MAXIMO, prepararPixEstatico } from '../../src/brazil/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from '../../src/brazil/pix-do-dia.ts';

/** O que cada fatura do lote pede em `hoje`, e o código PIX que o leva. */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
export default function pixDoDia({ recebedor, regras, hoje, ...lote }: LoteDoDia): ApuradasDoDia {
  const { valores, vencimentos, txids, sabidos } = lote;
  const gerar = recebedor === null ? null : prepararPixEstatico(recebedor);
  const aPagar = valores.map((valor, n) => {
    const vencimento = vencimentos[n] ?? hoje;
    return sabidos.get(n) ?? calcularEncargos({ valor, vencimento, hoje, regras }).total;
  });
  const pix = aPagar.map((valor, n) => {
    const txid = txids[n] ?? null;
    return gerar === null || txid === null || valor < 1 || valor > PIX_MAXIMO ? null : gerar(valor, txid);
  });
  return { aPagar, pix };
}
