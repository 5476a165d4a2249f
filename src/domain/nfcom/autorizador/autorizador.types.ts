/** The four services of an authoriser of NFCom, by their names in its WSDLs. */
export const SERVICOS_DO_AUTORIZADOR = ['recepcao', 'consulta', 'status', 'evento'] as const;
type ServicoDoAutorizador = (typeof SERVICOS_DO_AUTORIZADOR)[number];

/** Where each of them answers, `https:`. */
export type Enderecos = Readonly<Record<ServicoDoAutorizador, string>>;

/** Who authorises the notes of a UF, and where. */
export interface Autorizador {
  readonly nome: string;
  /** nSiteAutoriz: 0 where the authoriser has one site. */
  readonly site: number;
  readonly producao: EnderecosDoAmbiente;
  readonly homologacao: EnderecosDoAmbiente;
}

export interface EnderecosDoAmbiente extends Enderecos {
  /** Of the query by QR code, without the question mark. */
  readonly qr: string;
  /** Where people ask for a note by its key. */
  readonly publica: string;
}
