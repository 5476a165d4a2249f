import type { SituacaoCliente } from '../clientes/clientes.types.ts';

/** The app's access of a tax id. */
export interface Acesso {
  readonly id: number;
  readonly cpfCnpj: string;
  /** Null while no password was set: nobody signs in by it. */
  readonly senhaHash: string | null;
  readonly senhaEm: Date | null;
  /** Whether somebody else made the password. */
  readonly trocarSenha: boolean;
  readonly desativadoEm: Date | null;
  readonly ultimoEm: Date | null;
}

/** A registration that a tax id reaches. */
export interface Cadastro {
  readonly id: number;
  readonly nome: string;
  readonly situacao: SituacaoCliente;
  readonly email: string | null;
  readonly nascimento: string | null;
}

/** Who has a tax id. */
export interface Pessoa {
  /** Null until the first code. */
  readonly acesso: Acesso | null;
  /** At least one. */
  readonly cadastros: readonly Cadastro[];
  readonly cliente: Cadastro;
}
