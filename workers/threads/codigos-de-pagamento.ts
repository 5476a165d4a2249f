import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { calcularEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { RegrasEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { Centavos } from '../../src/brazil/dinheiro/dinheiro.ts';
import { gerarPixEstatico } from '../../src/brazil/pix/pix.ts';

/**
 * Invoices of a provider, for one day. Send thousands in a batch: for a single one, sending costs more than the work.
 */
export interface LoteDeCodigos {
  readonly recebedor: { readonly chave: string; readonly nome: string; readonly cidade: string };
  /** Three digits. */
  readonly banco: string;
  readonly regras: RegrasEncargos;
  /** The local date of the provider. */
  readonly hoje: Data;
  readonly faturas: readonly FaturaParaCodigo[];
}

interface FaturaParaCodigo {
  readonly valor: Centavos;
  readonly vencimento: Data;
  /** Only an open invoice gets late charges. */
  readonly aberta: boolean;
  /** Null when there is no PIX. */
  readonly txid: string | null;
  /** Twenty-five digits; null when there is no boleto. */
  readonly campoLivre: string | null;
}

export interface CodigosDePagamento {
  readonly pixCopiaCola: string | null;
  readonly codigoBarras: string | null;
  readonly linhaDigitavel: string | null;
}

/**
 * Makes the codes of each invoice of the batch, in the same order. The PIX code has the amount due on `hoje`, because a
 * static code cannot express late charges. The boleto has the original amount and the due date; the bank adds the
 * charges.
 */
export default function codigosDePagamento(batch: LoteDeCodigos): CodigosDePagamento[] {
  const { recebedor, banco, regras, hoje } = batch;
  return batch.faturas.map(({ valor, vencimento, aberta, txid, campoLivre }) => {
    const codigoBarras = campoLivre === null ? null : gerarCodigoBarras({ banco, vencimento, valor, campoLivre });
    const due = aberta ? calcularEncargos({ valor, vencimento, hoje, regras }).total : valor;
    return {
      pixCopiaCola: txid === null ? null : gerarPixEstatico({ ...recebedor, valor: due, txid }),
      codigoBarras,
      linhaDigitavel: codigoBarras === null ? null : linhaDigitavel(codigoBarras),
    };
  });
}
