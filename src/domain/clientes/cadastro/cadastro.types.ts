import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns } from '../../../platform/mysql/columns.ts';
import { DO_ENDERECO } from '../../enderecos/enderecos.types.ts';
import type { Endereco, EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { SituacaoCliente } from '../clientes.types.ts';

export type TipoDePessoa = 'pf' | 'pj';

/** A client to be written, each of its parts judged already. */
export interface NovoCliente {
  readonly nome: string;
  readonly nomeFantasia: string | null;
  /** As `normalizarCpfCnpj` gives it, with right check digits. */
  readonly cpfCnpj: string;
  readonly email: string | null;
  /** Digits with area code, each once. */
  readonly telefones: readonly string[];
  readonly situacao: SituacaoCliente;
  readonly dataNascimento: Data | null;
  readonly endereco: Endereco;
  readonly codigoExterno: string | null;
}

/** What of a registration a change may touch, as its row has it. */
export interface ClienteTravadoRow extends EnderecoRow {
  id: number;
  nome: string;
  nome_fantasia: string | null;
  tipo: TipoDePessoa;
  cpf_cnpj: string;
  email: string | null;
  situacao: SituacaoCliente;
  data_nascimento: string | null;
  codigo_externo: string | null;
  atualizado_em: string;
  apagado_em: string | null;
}

export const COLUNAS_DO_CLIENTE_TRAVADO = columns<ClienteTravadoRow>('clientes', {
  id: true,
  nome: true,
  nome_fantasia: true,
  tipo: true,
  cpf_cnpj: true,
  email: true,
  situacao: true,
  data_nascimento: true,
  codigo_externo: true,
  atualizado_em: true,
  apagado_em: true,
  ...DO_ENDERECO,
});

export interface TelefoneRow {
  id: number;
  numero: string;
}

/** What a change may name as changed: the fields of a registration, and the name in another system. */
export const CAMPOS_MUDADOS = [
  'nome',
  'cpf_cnpj',
  'nome_fantasia',
  'email',
  'telefones',
  'data_nascimento',
  'situacao',
  'endereco',
  'codigo_externo',
] as const;
export type CampoMudado = (typeof CAMPOS_MUDADOS)[number];

/** What goes with a change, beside its fields. */
export interface OpcoesDaMudanca {
  /** `atualizado_em` as it was read: where somebody changed the client since, the change is refused. */
  readonly versao?: Date | undefined;
  /** Somebody confirmed e-mail and phones with the person: see `exigirConfirmacao`. */
  readonly confirmado?: boolean | undefined;
}
