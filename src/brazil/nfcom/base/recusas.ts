/**
 * Why a note is not built. The message is in Portuguese, for people; `campo` is the path in `DadosDaNota`
 * ('destinatario.documento', 'itens[2].valorUnitario').
 */
export interface Recusa {
  readonly codigo: CodigoDaRecusa;
  readonly campo: string;
  readonly mensagem: string;
}

export type CodigoDaRecusa =
  /** No CPF and no CNPJ. */
  | 'sem_documento'
  /** Check digits or form of a CPF or CNPJ. */
  | 'documento_invalido'
  /** An address without IBGE's code of its municipality. */
  | 'sem_municipio'
  /** The code of the municipality is not of the address's UF. */
  | 'municipio_de_outra_uf'
  /** CEP, UF or another part of an address that is missing or has another form. */
  | 'endereco_incompleto'
  /** A character that the schema does not take and that no folding replaces, such as an emoji. */
  | 'caractere_invalido'
  /** A text that must be there is empty or too short. */
  | 'texto_curto'
  /** A text without which the note is another is longer than the schema takes. */
  | 'texto_longo'
  /** An item, or the whole note, worth nothing or less than nothing. */
  | 'valor_zero'
  /** An amount, rate or quantity that is no integer, is negative or is larger than the schema takes. */
  | 'valor_invalido'
  /** No items, or more than 990. */
  | 'quantidade_de_itens'
  /** Regime, ICMS, CFOP or class that do not go together. */
  | 'tributacao_incoerente'
  /** IBS and CBS are compulsory on this date, and an item has no classification. */
  | 'ibs_cbs_ausente'
  /** No typeable line: the boleto must exist before the note. */
  | 'sem_linha_digitavel'
  | 'linha_digitavel_invalida'
  /** State registration and its indicator that do not go together, or a form that is wrong. */
  | 'inscricao_estadual_invalida'
  /** Number, series, random code, date or time with another form. */
  | 'identificacao_invalida'
  /** Substitution, ajuste or contingency without what they need. */
  | 'finalidade_incoerente'
  /** The schema refuses what was built: our fault, with the schema's own words; `campo` is the element of the XML. */
  | 'esquema';
