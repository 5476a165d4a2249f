import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';

/** O que vai no papel de um boleto ou de um carnê. Só dados: atravessa de uma thread a outra. */
export interface BoletosParaImprimir {
  /** `boleto`: uma parcela por página, com recibo do pagador; `carne`: três por página, com canhoto. */
  readonly formato: 'boleto' | 'carne';
  /** O título do arquivo, como o leitor de PDF o mostra. */
  readonly titulo: string;
  readonly beneficiario: Beneficiario;
  readonly pagador: Parte;
  /** Ao menos uma, na ordem em que são impressas. */
  readonly parcelas: readonly ParcelaImpressa[];
}

export interface Parte {
  readonly nome: string;
  /** CPF ou CNPJ normalizado. */
  readonly documento: string | null;
  /** Em uma linha. */
  readonly endereco: string | null;
}

export interface Beneficiario extends Parte {
  readonly logo: { readonly tipo: 'image/png' | 'image/jpeg'; readonly bytes: Uint8Array } | null;
  /** Uma linha: como falar com o provedor. */
  readonly contato: string | null;
}

export interface ParcelaImpressa {
  /** 47 dígitos. */
  readonly linhaDigitavel: string;
  /** 44 dígitos. */
  readonly codigoBarras: string;
  readonly numeroDocumento: string;
  /** Agência e código do beneficiário, como o banco os escreve. */
  readonly agenciaCodigo: string | null;
  readonly carteira: string | null;
  readonly nossoNumero: string | null;
  readonly descricao: string | null;
  /** Como '3/12'; null fora de um carnê. */
  readonly parcela: string | null;
  readonly emissao: Data;
  readonly vencimento: Data;
  readonly valor: Centavos;
  /** Uma frase cada: multa, juros, onde pagar. */
  readonly instrucoes: readonly string[];
  /** O código PIX desta parcela; null onde não há PIX. `quanto` é null onde o código não leva valor: quem o diz é o banco do pagador. */
  readonly pix: { readonly codigo: string; readonly quanto: QuantoDoPix | null } | null;
}

/** O que paga quem lê um código até o fim do dia `validoAte`. */
export interface QuantoDoPix {
  readonly valor: Centavos;
  readonly validoAte: Data;
}
