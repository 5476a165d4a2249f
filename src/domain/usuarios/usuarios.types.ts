import { columns } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';

export interface UsuarioRow {
  usuario_id: number;
  usuario_nome: string;
  email: string;
  cpf: string | null;
  senha_hash: string | null;
  ativo: number;
  entrou_em: string | null;
  tem_fator: number;
}

export const TEM_FATOR = `EXISTS (SELECT 1 FROM usuarios_fatores f
  WHERE (f.provedor_id, f.usuario_id) = (usuarios.provedor_id, usuarios.id) AND f.confirmado_em IS NOT NULL)`;

export const COLUNAS_DE_USUARIO = columns<UsuarioRow>('usuarios', {
  usuario_id: 'usuarios.id',
  usuario_nome: 'usuarios.nome',
  email: true,
  cpf: true,
  senha_hash: true,
  ativo: true,
  entrou_em: true,
  tem_fator: TEM_FATOR,
});

/** A user, as the list of the panel shows him. */
export interface Usuario {
  readonly id: number;
  readonly nome: string;
  readonly email: string;
  /** By which he signs in to the app; null where he does not. */
  readonly cpf: string | null;
  readonly perfil: { readonly id: number; readonly nome: string };
  /** `convidado`: has no password yet. */
  readonly situacao: 'ativo' | 'convidado' | 'desativado';
  readonly temFator: boolean;
  readonly entrouEm: Date | null;
}

export function paraUsuario(row: UsuarioRow & { perfil_id: number; perfil_nome: string }): Usuario {
  const comSenha = row.senha_hash === null ? 'convidado' : 'ativo';
  return {
    id: row.usuario_id,
    nome: row.usuario_nome,
    email: row.email,
    cpf: row.cpf,
    perfil: { id: row.perfil_id, nome: row.perfil_nome },
    situacao: row.ativo === 1 ? comSenha : 'desativado',
    temFator: row.tem_fator === 1,
    entrouEm: row.entrou_em === null ? null : fromDatabaseTime(row.entrou_em),
  };
}
