import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';

/** What goes onto the paper of a boleto or of a carnê. Data only: it passes from one thread to another. */
export interface BoletosParaImprimir {
  /** `boleto`: one installment a page, with the payer's receipt; `carne`: three a page, with stubs. */
  readonly formato: 'boleto' | 'carne';
  /** The file's title, as a PDF reader shows it. */
  readonly titulo: string;
  readonly beneficiario: Beneficiario;
  readonly pagador: Parte;
  /** At least one, in the order in which they are printed. */
  readonly parcelas: readonly ParcelaImpressa[];
}

export interface Parte {
  readonly nome: string;
  /** Normalized CPF or CNPJ. */
  readonly documento: string | null;
  /** In one line. */
  readonly endereco: string | null;
}

export interface Beneficiario extends Parte {
  readonly logo: { readonly tipo: 'image/png' | 'image/jpeg'; readonly bytes: Uint8Array } | null;
  /** One line: how to reach the provider. */
  readonly contato: string | null;
}

export interface ParcelaImpressa {
  /** 47 digits. */
  readonly linhaDigitavel: string;
  /** 44 digits. */
  readonly codigoBarras: string;
  readonly numeroDocumento: string;
  /** Branch and code of the beneficiary, as the bank writes them. */
  readonly agenciaCodigo: string | null;
  readonly carteira: string | null;
  readonly nossoNumero: string | null;
  readonly descricao: string | null;
  /** As '3/12'; null outside a carnê. */
  readonly parcela: string | null;
  readonly emissao: Data;
  readonly vencimento: Data;
  readonly valor: Centavos;
  /** A sentence each: fine, interest, where to pay. */
  readonly instrucoes: readonly string[];
  /**
   * The PIX code of this installment; null where there is no PIX. `quanto` is null where the code carries no amount:
   * the payer's bank says it.
   */
  readonly pix: { readonly codigo: string; readonly quanto: QuantoDoPix | null } | null;
}

/** What somebody pays who reads a code until the end of the day `validoAte`. */
export interface QuantoDoPix {
  readonly valor: Centavos;
  readonly validoAte: Data;
}
