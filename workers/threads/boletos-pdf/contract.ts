import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';

/** What is printed on a boleto or a carnê. It is plain data, because it is sent between threads. */
export interface BoletosParaImprimir {
  /** `boleto`: one parcela on each page, with the payer's receipt; `carne`: three on each page, with a stub. */
  readonly formato: 'boleto' | 'carne';
  /** The title of the document, which PDF readers show. */
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
  /** One line that says how to contact the provider. */
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
  /** Such as '3/12'; null outside of a carnê. */
  readonly parcela: string | null;
  readonly emissao: Data;
  readonly vencimento: Data;
  readonly valor: Centavos;
  /** One sentence each: fine, interest, where to pay. */
  readonly instrucoes: readonly string[];
  /**
   * The PIX code; null when there is no PIX. `quanto` is null when the code has no amount; the payer's bank then shows
   * it.
   */
  readonly pix: { readonly codigo: string; readonly quanto: QuantoDoPix | null } | null;
}

/** The amount of a code, for whoever pays it until the end of the day `validoAte`. */
export interface QuantoDoPix {
  readonly valor: Centavos;
  readonly validoAte: Data;
}
