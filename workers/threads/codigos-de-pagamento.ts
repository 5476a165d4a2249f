import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { calcularEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { RegrasEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { Centavos } from '../../src/brazil/dinheiro/dinheiro.ts';
import { gerarPixEstatico } from '../../src/brazil/pix/pix.ts';

/**
 * Invoices of one provider, for one day. A batch has thousands: one of a single invoice would take longer to send than
 * to do.
 */
export interface LoteDeCodigos {
  readonly recebedor: { readonly chave: string; readonly nome: string; readonly cidade: string };
  /** Three digits. */
  readonly banco: string;
  readonly regras: RegrasEncargos;
  /** Local date of the provider. */
  readonly hoje: Data;
  readonly faturas: readonly FaturaParaCodigo[];
}

interface FaturaParaCodigo {
  readonly valor: Centavos;
  readonly vencimento: Data;
  /** Only an open invoice gathers fine and interest. */
  readonly aberta: boolean;
  /** Null where there is no PIX. */
  readonly txid: string | null;
  /** Twenty-five digits; null where there is no boleto. */
  readonly campoLivre: string | null;
}

export interface CodigosDePagamento {
  readonly pixCopiaCola: string | null;
  readonly codigoBarras: string | null;
  readonly linhaDigitavel: string | null;
}

/**
 * The codes of each invoice of the batch, in the same order. The PIX carries what is to be paid on `hoje`, because a
 * static code carries no charges; the boleto carries face value and due date, and the bank adds the charges.
 */
export default function codigosDePagamento(lote: LoteDeCodigos): CodigosDePagamento[] {
  const { recebedor, banco, regras, hoje } = lote;
  return lote.faturas.map(({ valor, vencimento, aberta, txid, campoLivre }) => {
    const codigoBarras = campoLivre === null ? null : gerarCodigoBarras({ banco, vencimento, valor, campoLivre });
    const aPagar = aberta ? calcularEncargos({ valor, vencimento, hoje, regras }).total : valor;
    return {
      pixCopiaCola: txid === null ? null : gerarPixEstatico({ ...recebedor, valor: aPagar, txid }),
      codigoBarras,
      linhaDigitavel: codigoBarras === null ? null : linhaDigitavel(codigoBarras),
    };
  });
}
