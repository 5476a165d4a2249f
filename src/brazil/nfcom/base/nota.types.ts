import type { Data } from '../../calendario/datas.ts';
import type { Centavos } from '../../dinheiro/dinheiro.ts';
import type { IbsCbsDoItem, RegrasIbsCbs, Retencoes, TributosDoItem } from './tributos.types.ts';

/** A local date and time with its offset and without fractions of a second: '2026-11-20T10:00:00-03:00'. */
export type DataHora = string;

/** 1 produção, 2 homologação. */
export type Ambiente = 1 | 2;

/** Código de Regime Tributário: 1 Simples, 2 Simples above the sublimit of ICMS, 3 normal. */
export type Crt = 1 | 2 | 3;

/** All that a note is built from. Nothing else is read: the same data always give the same text. */
export interface DadosDaNota {
  readonly ambiente: Ambiente;
  /** 0 to 999. */
  readonly serie: number;
  /** 1 to 999999999. */
  readonly numero: number;
  /** Seven random digits (cNF), drawn once for a number and kept with it. */
  readonly codigoNumerico: string;
  readonly emissao: DataHora;
  /** Name and version of the program (verProc), 1 to 20 characters. */
  readonly programa: string;
  /** IBGE's 7 digits of where the service is used (cMunFG); null is refused. */
  readonly municipioDoServico: string | null;
  /** 0 where the authoriser is SVRS. */
  readonly siteAutorizador: number;
  /** Address of the authoriser's query by QR code, without the question mark. */
  readonly enderecoDoQr: string;
  readonly finalidade: Finalidade;
  /** Present when the note is issued offline, to be sent afterwards. */
  readonly contingencia: Contingencia | null;
  readonly emitente: Emitente;
  readonly destinatario: Destinatario;
  readonly assinante: Assinante;
  readonly itens: readonly ItemDaNota[];
  /** What the addressee must hold back, of each item; null when nothing. */
  readonly retencoes: Retencoes | null;
  readonly ibsCbs: RegrasIbsCbs;
  /** Null only of an ajuste. */
  readonly fatura: FaturaDaNota | null;
  /** CNPJ or CPF of whom may download the note from the authority (autXML), at most 10. */
  readonly autorizados: readonly string[];
  readonly informacoesAoFisco: string | null;
  /** Up to 5 texts of at most 3000 characters (infCpl). */
  readonly informacoesComplementares: readonly string[];
  readonly responsavelTecnico: ResponsavelTecnico | null;
}

export type Finalidade =
  | { readonly tipo: 'normal' }
  | { readonly tipo: 'substituicao'; readonly chave: string; readonly motivo: MotivoDaSubstituicao }
  | { readonly tipo: 'ajuste'; readonly entrada: boolean };

/** 01 preço, 02 cadastral, 03 decisão judicial, 04 tributação, 05 descontinuidade. (06 needs the schema of NT 2026.) */
export type MotivoDaSubstituicao = '01' | '02' | '03' | '04' | '05' | '06';

export interface Contingencia {
  readonly desde: DataHora;
  /** 15 to 256 characters. */
  readonly justificativa: string;
}

export interface Emitente {
  /** 14 characters, normalized. */
  readonly cnpj: string;
  /** Inscrição estadual, 2 to 14 digits. */
  readonly inscricaoEstadual: string;
  readonly crt: Crt;
  /** 2 to 60 characters; a longer one is cut. */
  readonly razaoSocial: string;
  readonly nomeFantasia: string | null;
  readonly endereco: EnderecoDaNota;
}

export interface EnderecoDaNota {
  readonly logradouro: string;
  /** 'S/N' when empty. */
  readonly numero: string;
  readonly complemento: string | null;
  readonly bairro: string;
  /** IBGE's 7 digits; null is refused. */
  readonly codigoDoMunicipio: string | null;
  readonly municipio: string;
  /** Eight digits. */
  readonly cep: string;
  readonly uf: string;
  /** Digits; left out when they are not 7 to 12. */
  readonly telefone: string | null;
  readonly email: string | null;
}

export interface Destinatario {
  readonly nome: string;
  /** A normalized CPF or CNPJ; null is refused. */
  readonly documento: string | null;
  /** 1 contribuinte, 2 isento, 9 não contribuinte. */
  readonly indicadorIe: 1 | 2 | 9;
  readonly inscricaoEstadual: string | null;
  readonly inscricaoMunicipal: string | null;
  readonly endereco: EnderecoDaNota;
}

export interface Assinante {
  /** 1 to 30 characters; blanks are taken out. */
  readonly codigo: string;
  readonly tipo: TipoDeAssinante;
  /** 1 telefonia, 2 dados, 3 TV, 4 acesso à internet, 5 multimídia, 6 outros, 7 vários. */
  readonly servico: 1 | 2 | 3 | 4 | 5 | 6 | 7;
  /** 1 to 20 characters; blanks are taken out. */
  readonly contrato: string;
  readonly inicioDoContrato: Data;
  readonly fimDoContrato: Data | null;
}

/**
 * 1 comercial, 2 industrial, 3 residencial, 4 produtor rural, 5 administração pública estadual, 6 telecomunicações,
 * 7 diplomático, 8 igreja, 99 outros.
 */
export type TipoDeAssinante = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 99;

export interface ItemDaNota {
  /** The provider's own code, 1 to 60 characters. */
  readonly codigo: string;
  readonly descricao: string;
  /** Seven digits of the authority's table. Those that begin with 5 are deductions. */
  readonly classe: string;
  /** Four digits; null of an item outside ICMS. */
  readonly cfop: string | null;
  /** 1 minuto, 2 MB, 3 GB, 4 unidade. */
  readonly unidade: 1 | 2 | 3 | 4;
  /** In ten-thousandths: 10000 is 1. */
  readonly quantidade: number;
  readonly valorUnitario: Centavos;
  /** What is taken off the item (vDesc); 0 for none. */
  readonly desconto: Centavos;
  /** What is added to the item (vOutro); 0 for none. */
  readonly acrescimo: Centavos;
  /** Money given back, which is taken off the totals. */
  readonly devolucao: boolean;
  readonly tributos: TributosDoItem;
  readonly ibsCbs: IbsCbsDoItem | null;
  /** Of an ajuste: the note, and the item in it, that is adjusted. */
  readonly anterior: { readonly chave: string; readonly item: number } | null;
  readonly informacoes: string | null;
}

/** The bill's side of the note (gFat). */
export interface FaturaDaNota {
  /** Month that is billed, 'AAAAMM'. */
  readonly competencia: string;
  readonly vencimento: Data;
  readonly periodo: { readonly inicio: Data; readonly fim: Data } | null;
  /** The typeable line (linha digitável): 47 digits of a boleto, 48 of an arrecadação; null is refused. */
  readonly linhaDigitavel: string | null;
  /** Id of the automatic debit, 1 to 20 digits. */
  readonly debitoAutomatico: string | null;
  /** The PIX text, or address, that the DANFE-COM shows as QR code. */
  readonly pix: string | null;
}

/** Who answers for the program (gRespTec), which some UFs ask for. */
export interface ResponsavelTecnico {
  readonly cnpj: string;
  readonly contato: string;
  readonly email: string;
  /** 7 to 12 digits. */
  readonly telefone: string;
  /** Id (3 digits) of the CSRT and SHA-1 of CSRT + key in Base64; the caller cannot know the key, so it gives the CSRT. */
  readonly csrt: { readonly id: string; readonly codigo: string } | null;
}
