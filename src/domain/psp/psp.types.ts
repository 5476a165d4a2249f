import { columns } from '../../platform/mysql/columns.ts';

/** Where each resource of the API Pix is, below the base: `/cob/{txid}`. A PSP may have versions by resource. */
export const RECURSOS = ['cob', 'cobv', 'pix', 'webhook'] as const;
export type Recurso = (typeof RECURSOS)[number];
export type Caminhos = Readonly<Partial<Record<Recurso, string>>>;

/** How the credentials of OAuth 2 go: in the `Authorization` header, in the form, or in the address. */
export type ModoDoToken = 'basic' | 'form' | 'query';

/** How a PSP differs from the API Pix as written. */
export interface Adaptador {
  readonly nome: string;
  readonly base: string;
  readonly token: string;
  readonly modo: ModoDoToken;
  readonly caminhos?: Caminhos;
  /** Header that carries the client id on each call. */
  readonly idNoCabecalho?: string;
  /** Query parameter that carries the application's key on each call. */
  readonly chaveNaConsulta?: string;
  /** Whether the token is asked for without a secret, by the certificate alone. */
  readonly semSegredo?: boolean;
  /** Headers of the webhook's registration. */
  readonly noRegistro?: Readonly<Record<string, string>>;
}

/** What is secret of an agreement; stored sealed, shown to nobody. */
export interface SegredosDoConvenio {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** The application's key that some PSPs ask for on each call. */
  readonly chaveDoAplicativo: string | null;
  /** PEM. */
  readonly certificado: { readonly chavePem: string; readonly cadeiaPem: string } | null;
}

type TipoDeCobranca = 'cob' | 'cobv';
export type EstadoDaCobranca = 'nova' | 'ativa' | 'concluida' | 'removida' | 'recusada';
export type EtapaDaCobranca = 'emitir' | 'alterar' | 'remover';

export interface ConvenioRow {
  id: number;
  cobrador_id: number;
  ativo: number;
  adaptador: string;
  base: string;
  token_url: string;
  chave: string;
  tipo: TipoDeCobranca;
  validade_dias: number;
  caminhos: string | Caminhos | null;
  cas_extras: string | null;
  versao: number;
  certificado_titular: string | null;
  certificado_ate: string | null;
  receptor_id: number | null;
  webhook: 'registrado' | 'sumiu' | null;
  webhook_visto_em: string | null;
  lido_ate: string | null;
  leitura_em: string | null;
  relido_em: string | null;
  parada_ate: string | null;
  codigo: string | null;
  motivo: string | null;
  falhas: number;
  criado_em: string;
}

export const COLUNAS_DO_CONVENIO = columns<ConvenioRow>('psp_convenios', {
  id: true,
  cobrador_id: true,
  ativo: true,
  adaptador: true,
  base: true,
  token_url: true,
  chave: true,
  tipo: true,
  validade_dias: true,
  caminhos: true,
  cas_extras: true,
  versao: true,
  certificado_titular: true,
  certificado_ate: true,
  receptor_id: true,
  webhook: true,
  webhook_visto_em: true,
  lido_ate: true,
  leitura_em: true,
  relido_em: true,
  parada_ate: true,
  codigo: true,
  motivo: true,
  falhas: true,
  criado_em: true,
});

export interface CobrancaRow {
  id: number;
  convenio_id: number;
  fatura_id: number;
  txid: string;
  txid_anterior: string | null;
  tipo: TipoDeCobranca;
  estado: EstadoDaCobranca;
  viva: number | null;
  etapa: EtapaDaCobranca | null;
  tentativas: number;
  valor: string;
  vencimento: string;
  /** Hundredths of a percent. */
  multa: number;
  juros_modalidade: number | null;
  juros: string;
  validade_dias: number;
  expira_em: string;
  valor_fatura: string;
  vencimento_fatura: string;
  codigo: string | null;
  motivo: string | null;
}

export const COLUNAS_DA_COBRANCA = columns<CobrancaRow>('psp_cobrancas', {
  id: true,
  convenio_id: true,
  fatura_id: true,
  txid: true,
  txid_anterior: true,
  tipo: true,
  estado: true,
  viva: true,
  etapa: true,
  tentativas: true,
  valor: true,
  vencimento: true,
  multa: true,
  juros_modalidade: true,
  juros: true,
  validade_dias: true,
  expira_em: true,
  valor_fatura: true,
  vencimento_fatura: true,
  codigo: true,
  motivo: true,
});

/** One agreement of one provider, as a target of the sending. */
export interface Alvo {
  readonly provedorId: number;
  readonly convenioId: number;
}
