import type { Centavos } from '../../src/brazil/dinheiro.ts';
import { calcularEncargos } from '../../src/brazil/encargos.ts';
import { PIX_MAXIMO, prepararPixEstatico } from '../../src/brazil/pix.ts';
import type { ApuradasDoDia, LoteDoDia } from '../../src/brazil/pix-do-dia.ts';

/** O que cada fatura do lote pede em `hoje`, e o código PIX que o leva. */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
export default function pixDoDia({ recebedor, regras, hoje, faturas }: LoteDoDia): ApuradasDoDia {
  const gerar = recebedor === null ? null : prepararPixEstatico(recebedor);
  const aPagar = faturas.map(
    ({ valor, vencimento, aPagar: sabido }) => sabido ?? calcularEncargos({ valor, vencimento, hoje, regras }).total,
  );
  const pix = faturas.map(({ txid }, n) => {
    const valor = aPagar[n] ?? 0;
    const cabe = valor > 0 && valor <= PIX_MAXIMO;
    return gerar === null || txid === null || !cabe ? null : gerar(valor as Centavos, txid);
  });
  return { aPagar, pix };
}
