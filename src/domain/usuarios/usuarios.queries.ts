import type { Knex } from 'knex';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { jsonColumn } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { createTenantDb, sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { COLUNAS_DE_PERFIL, paraPerfil } from './perfis/perfis.types.ts';
import type { Perfil } from './perfis/perfis.types.ts';
import { COLUNAS_DE_POLITICA, paraPolitica } from './sessoes/sessoes.types.ts';
import type { Politica, Preferencias } from './sessoes/sessoes.types.ts';
import { COLUNAS_DE_USUARIO, paraUsuario } from './usuarios.types.ts';
import type { Usuario } from './usuarios.types.ts';

/** A user with what his password and his profile are judged by. */
export interface UsuarioComPerfil extends Usuario {
  readonly ativo: boolean;
  readonly senhaHash: string | null;
  readonly perfil: Perfil;
}

type Origem = Pick<TenantDb, 'from'>;

const comPerfil = (de: Origem): Knex.QueryBuilder =>
  de.from('usuarios').join('perfis', sameTenant('usuarios', 'perfil_id', 'perfis', 'id'));

type Onde = { readonly id: number } | { readonly email: string } | { readonly cpf: string };

function porOnde(onde: Onde): readonly [coluna: string, valor: number | string] {
  if ('id' in onde) return ['usuarios.id', onde.id];
  return 'email' in onde ? ['usuarios.email', onde.email] : ['usuarios.cpf', onde.cpf];
}

export async function lerUsuario(de: Origem, onde: Onde) {
  const [coluna, valor] = porOnde(onde);
  const [row] = await rowsOf(comPerfil(de).where(coluna, valor), COLUNAS_DE_USUARIO, COLUNAS_DE_PERFIL);
  // The database finds accents and invisible characters alike: tries are counted by what was typed, so nobody is found by another text.
  const eOutro = 'email' in onde && row?.email.toLowerCase() !== onde.email.toLowerCase();
  if (row === undefined || eOutro) return null;
  const usuario: UsuarioComPerfil = {
    ...paraUsuario(row),
    perfil: paraPerfil(row),
    ativo: row.ativo === 1,
    senhaHash: row.senha_hash,
  };
  return usuario;
}

const DO_TRANCADO = columns<{ id: number }>('usuarios', { id: true });

/** A user, whose row nobody else changes until the write ends. @throws Recusa `nao_encontrado` */
export async function travarUsuario(w: Write, id: number): Promise<UsuarioComPerfil> {
  await rowsOf(w.from('usuarios').where({ id }).forUpdate(), DO_TRANCADO);
  const usuario = await lerUsuario(w, { id });
  recusarSeNao(usuario, 'nao_encontrado');
  return usuario;
}

/** Every user of a provider, by name; one alone where an id is given. */
export async function listarUsuarios(db: Db, provedorId: number, id?: number): Promise<Usuario[]> {
  const todos = comPerfil(createTenantDb(db, provedorId)).orderBy('usuarios.nome').orderBy('usuarios.id');
  if (id !== undefined) todos.where('usuarios.id', id);
  return (await rowsOf(todos, COLUNAS_DE_USUARIO, COLUNAS_DE_PERFIL)).map(paraUsuario);
}

const DAS_PREFERENCIAS = columns<{ preferencias: string | Preferencias | null }>('usuarios', { preferencias: true });

export async function lerPreferencias(de: Origem, id: number): Promise<Preferencias> {
  const [row] = await rowsOf(de.from('usuarios').where({ id }), DAS_PREFERENCIAS);
  return jsonColumn<Preferencias>(row?.preferencias ?? {});
}

/** How many may do all. Locks them, so that the last two do not go at the same time. */
export async function administradoresAtivos(w: Write): Promise<readonly number[]> {
  const deles = w
    .from('usuarios')
    .whereIn('perfil_id', w.from('perfis').where('de_fabrica', 'administrador').select('id'))
    .where('ativo', 1)
    .whereNotNull('senha_hash');
  return (await rowsOf(deles.forUpdate(), DO_TRANCADO)).map(({ id }) => id);
}

export async function lerPolitica(db: Db, provedorId: number): Promise<Politica> {
  const [row] = await rowsOf(db('provedores').where('provedores.id', provedorId), COLUNAS_DE_POLITICA);
  recusarSeNao(row, 'nao_encontrado');
  return paraPolitica(row);
}
