import { gerarSessao, lerSessao } from '../../src/domain/usuarios/sessoes/sessao.ts';
import { toDatabaseTime } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { PROVIDER_ID } from './dataset.ts';

/** Cookies of sessions of as many users with every permission, in place of those of the run before. */
export async function createPanelSessions(db: Db, users: number): Promise<string[]> {
  for (const table of ['painel_sessoes', 'acessos_a_dados', 'usuarios']) {
    await db(table).where({ provedor_id: PROVIDER_ID }).delete();
  }
  // Of whom no second factor is asked.
  await db('provedores').where({ id: PROVIDER_ID }).update({ demonstracao: 1 });
  const [perfil] = await db('perfis')
    .where({ provedor_id: PROVIDER_ID, de_fabrica: 'administrador' })
    .select<{ id: number }[]>('id');
  const agora = toDatabaseTime(new Date());
  return Promise.all(
    Array.from({ length: users }, async (_, n) => {
      const texto = gerarSessao(PROVIDER_ID);
      const [usuario_id] = await db('usuarios').insert({
        provedor_id: PROVIDER_ID,
        nome: `Atendente ${n}`,
        email: `atendente${n}@malha.test`,
        perfil_id: perfil?.id ?? 0,
      });
      await db('painel_sessoes').insert({
        provedor_id: PROVIDER_ID,
        usuario_id,
        hash: Buffer.from(lerSessao(texto)?.hash ?? '', 'hex'),
        criada_em: agora,
        vista_em: agora,
        ip: '127.0.0.1',
        agente: 'bancada',
      });
      return `malha_painel=${texto}`;
    }),
  );
}
