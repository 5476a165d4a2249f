import { gerarCodigoBarras, linhaDigitavel } from '../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../src/brazil/calendario/datas.ts';
import { calcularEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { RegrasEncargos } from '../../src/brazil/dinheiro/encargos.ts';
import type { Centavos } from '../../src/brazil/dinheiro/dinheiro.ts';
import { gerarPixEstatico } from '../../src/brazil/pix/pix.ts';

/** Faturas de um provedor, para um dia. Um lote leva milhares: o de uma fatura só custa mais para enviar que para fazer. */
export interface LoteDeCodigos {
  readonly recebedor: { readonly chave: string; readonly nome: string; readonly cidade: string };
  /** Três dígitos. */
  readonly banco: string;
  readonly regras: RegrasEncargos;
  /** Data local do provedor. */
  readonly hoje: Data;
  readonly faturas: readonly FaturaParaCodigo[];
}

interface FaturaParaCodigo {
  readonly valor: Centavos;
  readonly vencimento: Data;
  /** Só uma fatura em aberto acumula multa e juros. */
  readonly aberta: boolean;
  /** Null onde não há PIX. */
  readonly txid: string | null;
  /** Vinte e cinco dígitos; null onde não há boleto. */
  readonly campoLivre: string | null;
}

export interface CodigosDePagamento {
  readonly pixCopiaCola: string | null;
  readonly codigoBarras: string | null;
  readonly linhaDigitavel: string | null;
}

/**
 * Os códigos de cada fatura do lote, na mesma ordem. O PIX leva o que há a pagar em `hoje`, porque um código estático não
 * leva encargos; o boleto leva o valor de face e o vencimento, e os encargos quem soma é o banco.
 */
// oxlint-disable-next-line import/no-default-export -- o piscina chama a exportação padrão do arquivo
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
