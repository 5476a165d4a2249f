import type { Data } from '../calendario/datas.ts';
import type { Centavos } from '../dinheiro/dinheiro.ts';

/** The banks whose files are written: 756, 748, 001 and 104 in CNAB 240; 341, 237, 033 and 077 in CNAB 400. */
export const BANCOS_COM_CNAB = ['001', '033', '077', '104', '237', '341', '748', '756'] as const;
export type BancoComCnab = (typeof BANCOS_COM_CNAB)[number];
export type Formato = '240' | '400';

/**
 * What banks, manuals and years disagree on; each bank's test (homologação) decides it. Texts as they stand in the
 * file. `ajustesPadrao` has those that public programs use; an agreement keeps only what it has otherwise.
 */
export interface Ajustes {
  /** CNAB 240: versions of the layout in the headers of file and batch, 3 digits. */
  readonly versaoArquivo: string;
  readonly versaoLote: string;
  /** CNAB 240: whether segment R is sent, which carries the fine. Without it there is none. */
  readonly segmentoR: boolean;
  /** Kind of the title, 2 digits: in CNAB 240 04 (DS) or 02 (DM); in CNAB 400 each bank's own. */
  readonly especie: string;
  /** CNAB 240, P 58: 1 is the simple collection. Santander, CNAB 400, 108: 5 is the quick one with registration. */
  readonly carteiraNoTitulo: string;
  /** CNAB 240, P 118, when no interest is asked: 3, or 0 at Sicoob. */
  readonly semJuros: string;
  /** CNAB 240, P 221: 3 is "do not protest". */
  readonly protesto: string;
  /** Sicoob: 01 is simple with registration. Caixa: 14 is registered and printed by the beneficiary. */
  readonly modalidade: string;
  /** Sicoob: parcela of the title, 3 digits. */
  readonly parcela: string;
  /** Sicredi: first digit of the free field, 1 with registration, and the byte of the nosso número, 2 to 9. */
  readonly tipoCobranca: string;
  readonly byte: string;
  /** Itaú and Bradesco, CNAB 400: two instructions of 2 digits. */
  readonly instrucoes: readonly [string, string];
  /** Who numbers the titles. Where the bank does, a title is printed only once the retorno has brought its number. */
  readonly numeracao: 'propria' | 'banco';
  /** Santander and Itaú, CNAB 400: asks for a slip with PIX. The key is of the account that the money goes to. */
  readonly hibrido: boolean;
  readonly chavePix: string;
  /** Santander, position 43 of record 8: 1 CPF, 2 CNPJ, 3 telephone, 4 e-mail, 5 random. */
  readonly tipoChavePix: string;
  /** Code of the movement that changes a title's value; empty where the bank is not known to have one. */
  readonly movimentoDeValor: string;
}

/**
 * An agreement of collection (convênio) of a provider with its bank. Texts of digits, without points; '' where the
 * bank has no such thing. `conferirConvenio` says what of it is wrong.
 */
export interface Convenio {
  readonly banco: BancoComCnab;
  readonly formato: Formato;
  /** 4 digits; at Sicoob and Sicredi the cooperative. */
  readonly agencia: string;
  readonly agenciaDv: string;
  readonly conta: string;
  readonly contaDv: string;
  /** As the bank writes it: 1 (Sicoob, Sicredi), 17 (BB), 14 (Caixa), 109 (Itaú), 09 (Bradesco), 101 (Santander), 112 (Inter). */
  readonly carteira: string;
  /** BB: 3 digits. */
  readonly variacao: string;
  /**
   * Code that the bank gives: Sicoob cliente (up to 7), Sicredi beneficiário (5), BB convênio (7), Caixa beneficiário (6 or 7),
   * Bradesco código da empresa (up to 20), Santander código do beneficiário (7), Inter operação (7); Itaú ''.
   */
  readonly convenio: string;
  /** Santander: código de transmissão, up to 20. */
  readonly codigoTransmissao: string;
  /** Sicredi: 2 digits. */
  readonly posto: string;
  /** Digits of CNPJ or CPF. An alphanumeric CNPJ is refused: how banks take it in CNAB is not known yet. */
  readonly cnpj: string;
  readonly nome: string;
  /** Marks files as tests where the bank has a mark for it (BB `TS`, Caixa `REMESSA-TESTE`, Bradesco's name `.TST`). */
  readonly teste: boolean;
  /** Interest a month and fine, in hundredths of a percent: 100 is 1 %. 0 is none. */
  readonly jurosAoMes: number;
  readonly multa: number;
  /** Calendar days after the due date when the bank writes the title off; null leaves it to the agreement. */
  readonly baixaEmDias: number | null;
  readonly ajustes: Partial<Ajustes>;
}

/** `valor` needs `Ajustes.movimentoDeValor`. */
export type MovimentoDeRemessa = 'entrada' | 'baixa' | 'vencimento' | 'valor';

export interface Pagador {
  readonly nome: string;
  /** Normalised CPF or CNPJ. */
  readonly documento: string;
  /** Street with number and complement. */
  readonly logradouro: string;
  readonly bairro: string;
  /** 8 digits. */
  readonly cep: string;
  readonly cidade: string;
  readonly uf: string;
}

/** A line of a remessa. Of `vencimento` and `valor`, the new ones. */
export interface Titulo {
  readonly movimento: MovimentoDeRemessa;
  /** As `nossoNumero` gives it, without its digit. '' on the entry of a title that the bank numbers. */
  readonly nossoNumero: string;
  /** Comes back in the retorno: up to 25 letters and digits. */
  readonly usoEmpresa: string;
  /** Up to 10 letters and digits (8 digits or less read the same at all banks). */
  readonly numeroDocumento: string;
  readonly vencimento: Data;
  readonly emissao: Data;
  readonly valor: Centavos;
  readonly pagador: Pagador;
  /** Hybrid slips: 26 to 35 letters and digits, or null, and then the bank chooses. */
  readonly txid: string | null;
}

export interface Remessa {
  readonly convenio: Convenio;
  /** Number of the file (NSA), never used before by this agreement. */
  readonly nsa: number;
  /** Day and time of the file, at the provider's clock: `hora` is HHMMSS. */
  readonly hoje: Data;
  readonly hora: string;
  readonly titulos: readonly Titulo[];
}

/** `outra` changes nothing of what is owed; it is told to whoever reads the file. */
export type ClasseDeRetorno =
  | 'registrado'
  | 'rejeitado'
  | 'liquidado'
  | 'baixado'
  /** The bank takes a settlement back. */
  | 'desfeito'
  | 'tarifa'
  /** The bank confirms another due date. */
  | 'vencimento'
  /** The bank confirms other data of a title, its amount where that was asked for. */
  | 'valor'
  /** An instruction (write-off, change) is refused; the title stays as it was. */
  | 'recusada'
  /** The line says what cannot be; `motivos` has why. Nothing of it counts, and the others do. */
  | 'ilegivel'
  | 'outra';

export interface Ocorrencia {
  /** Line of the file, from 1, where the title stands. */
  readonly linha: number;
  /** Which of the lines of the file it is, from 1, that say the same: two equal payments are two. */
  readonly vez: number;
  readonly movimento: string;
  /** The bank's words for the movement; '' of a code that is not known. */
  readonly texto: string;
  readonly classe: ClasseDeRetorno;
  /** Digits without the check digit, in the form of `nossoNumero`; '' where there is none. */
  readonly nossoNumero: string;
  readonly usoEmpresa: string;
  readonly numeroDocumento: string;
  readonly vencimento: Data | null;
  readonly valorTitulo: Centavos;
  /** What the customer has paid, before the bank's fee. */
  readonly valorPago: Centavos;
  readonly tarifa: Centavos;
  /** Day of the payment, or of the movement. */
  readonly pagoEm: Data | null;
  readonly creditadoEm: Data | null;
  readonly motivos: readonly { readonly codigo: string; readonly texto: string }[];
  readonly pix: { readonly location: string; readonly txid: string; readonly copiaECola: string } | null;
}

export interface Retorno {
  readonly banco: BancoComCnab;
  readonly formato: Formato;
  /** As the header has them, digits; '' where it has none. */
  readonly agencia: string;
  readonly conta: string;
  readonly convenio: string;
  readonly cnpj: string;
  /** The bank's number of the file; 0 where the header has none. */
  readonly sequencial: number;
  readonly gravadoEm: Data | null;
  readonly ocorrencias: readonly Ocorrencia[];
}

/** A title, or the agreement (`indice` null), that cannot be written. `campo` is that of {@link Titulo} or {@link Convenio}. */
export class RemessaInvalida extends Error {
  override readonly name = 'RemessaInvalida';
  readonly indice: number | null;
  readonly usoEmpresa: string;
  readonly campo: string;
  /** In Portuguese, for who has to mend it; without personal data. */
  readonly motivo: string;

  constructor(onde: { indice: number | null; usoEmpresa?: string; campo: string; motivo: string }) {
    super(`${onde.campo}: ${onde.motivo}`);
    this.indice = onde.indice;
    this.usoEmpresa = onde.usoEmpresa ?? '';
    this.campo = onde.campo;
    this.motivo = onde.motivo;
  }
}

/** A file that is torn, or not what it should be. Nothing of it counts. */
export class RetornoRecusado extends Error {
  override readonly name = 'RetornoRecusado';
  /** From 1; of a line that is missing, where it should be. */
  readonly linha: number;
  readonly motivo: string;

  constructor(linha: number, motivo: string) {
    super(`linha ${linha}: ${motivo}`);
    this.linha = linha;
    this.motivo = motivo;
  }
}

/** A line of a title that says what cannot be, such as a payment of a day that there is not. The rest of the file counts. */
export class LinhaIlegivel extends RetornoRecusado {}

/** What `nossoNumero` gives. */
export interface NossoNumero {
  readonly nossoNumero: string;
  /** '' where the bank has none (BB with 7 digits). */
  readonly dv: string;
}
