import type { Data } from '../../brazil/calendario/datas.ts';
import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import type { Endereco } from '../enderecos/enderecos.types.ts';
import type { Plano } from '../planos/planos.types.ts';
import type { Identidade } from '../provedores/identidade.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';

/** What an invite shall carry. */
export interface NovoConvite {
  /** Null: whoever registers chooses. */
  readonly planoId: number | null;
  /** Due day, 1 to 30; null: whoever registers chooses. */
  readonly diaVencimento: number | null;
  /** Days of 24 hours. */
  readonly validadeDias: number;
}

export interface ConviteCriado extends Pick<NovoConvite, 'planoId' | 'diaVencimento'> {
  readonly id: number;
  /** Holds the invite's secret, which is nowhere else. */
  readonly link: string;
  readonly expiraEm: Date;
}

/** An invite that may be used, and what it leaves to choose. */
export interface ConviteValido {
  readonly estado: 'valido';
  readonly provedor: Provedor;
  readonly identidade: Identidade;
  /** The plan that it carries. */
  readonly plano: Plano | null;
  /** The plans to choose from where it carries none; empty where it carries one. */
  readonly planos: readonly Plano[];
  readonly diaVencimento: number | null;
}

/** An invite as whoever follows its link finds it. */
export type ConviteAberto =
  | ConviteValido
  | { readonly estado: 'usado' | 'expirado'; readonly provedor: Provedor; readonly identidade: Identidade };

/** A registration, each of its parts judged already. */
export interface Cadastro {
  readonly nome: string;
  /** As `normalizarCpfCnpj` gives it, with right check digits. */
  readonly cpfCnpj: string;
  readonly dataNascimento: Data | null;
  readonly email: string | null;
  /** Digits with area code. */
  readonly telefones: readonly string[];
  readonly endereco: Endereco;
  /** What was chosen; what the invite carries comes before it. */
  readonly planoId: number | null;
  readonly diaVencimento: number | null;
}

/** What became of a registration; of all but the first nothing is written. */
export type ResultadoDoCadastro = 'registrado' | 'usado' | 'expirado' | 'plano_indisponivel';

export interface ConviteRow {
  id: number;
  plano_id: number | null;
  dia_vencimento: number | null;
  situacao: 'aberto' | 'usado' | 'expirado';
  expira_em: string | null;
  revogado_em: string | null;
}

export const COLUNAS_DE_CONVITE = columns<ConviteRow>('convites', {
  id: true,
  plano_id: true,
  dia_vencimento: true,
  situacao: true,
  expira_em: true,
  revogado_em: true,
});

export const ESTADOS_DE_CONVITE = ['aberto', 'usado', 'expirado', 'revogado'] as const;
export type EstadoDeConvite = (typeof ESTADOS_DE_CONVITE)[number];

/** Judged by time: the job that marks what has expired may be late. */
export function estadoDoConvite(
  { situacao, expira_em, revogado_em }: Pick<ConviteRow, 'situacao' | 'expira_em' | 'revogado_em'>,
  agora: Date,
): EstadoDeConvite {
  if (revogado_em !== null) return 'revogado';
  if (situacao !== 'aberto') return situacao;
  return expira_em !== null && fromDatabaseTime(expira_em) <= agora ? 'expirado' : 'aberto';
}
