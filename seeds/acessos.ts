import { randomInt } from 'node:crypto';
import { PERFIS_DE_FABRICA } from '../src/domain/usuarios/permissoes.regras.ts';
import type { PerfilDeFabrica } from '../src/domain/usuarios/permissoes.regras.ts';
import { createResumos } from '../src/domain/usuarios/senha/resumos.service.ts';
import { columns, rowsOf } from '../src/platform/mysql/columns.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { createThreads } from '../src/platform/threads/threads.ts';
import { createTenantDb, createTenantWriter, sameTenant } from '../src/platform/mysql/tenant.ts';

/** By which somebody tries the panel. */
export interface AcessoDemo {
  readonly perfil: PerfilDeFabrica;
  readonly email: string;
  readonly senha: string;
}

interface PessoaRow {
  id: number;
  email: string;
  com_senha: number;
  de_fabrica: PerfilDeFabrica | null;
}

const DA_PESSOA = columns<PessoaRow>('usuarios', {
  id: true,
  email: true,
  com_senha: 'usuarios.senha_hash IS NOT NULL',
  de_fabrica: 'perfis.de_fabrica',
});

const LETRAS = 'abcdefghjkmnpqrstuvwxyz23456789';
const gerarSenha = (): string =>
  Array.from({ length: 4 }, () => Array.from({ length: 4 }, () => LETRAS[randomInt(LETRAS.length)]).join('')).join('-');

/** One user of each profile with a password; those of the last document are kept, where they are of this database. */
export async function darAcessos(
  db: Db,
  provedorId: number,
  anteriores: readonly AcessoDemo[],
  agora: Date,
): Promise<AcessoDemo[]> {
  const ativos = createTenantDb(db, provedorId)
    .from('usuarios')
    .join('perfis', sameTenant('usuarios', 'perfil_id', 'perfis', 'id'))
    .where('usuarios.ativo', 1)
    .orderBy('usuarios.id');
  const pessoas = await rowsOf(ativos, DA_PESSOA);
  const threads = createThreads({ maxThreads: 1 });
  const resumos = createResumos({ threads });
  const w = createTenantWriter(db, provedorId);
  const acessos: AcessoDemo[] = [];
  for (const perfil of Object.keys(PERFIS_DE_FABRICA) as PerfilDeFabrica[]) {
    const pessoa = pessoas.find(({ de_fabrica }) => de_fabrica === perfil);
    if (pessoa === undefined) continue;
    const { id, email, com_senha } = pessoa;
    const anterior = com_senha === 1 ? anteriores.find((um) => um.email === email && um.perfil === perfil) : undefined;
    const senha = anterior?.senha ?? gerarSenha();
    if (anterior === undefined) {
      const senha_hash = await resumos.fazer(senha);
      await w.update('usuarios', (query) => void query.where({ id }), { senha_hash, senha_em: toDatabaseTime(agora) });
    }
    acessos.push({ perfil, email, senha });
  }
  await threads.close();
  return acessos;
}
