import { gerarSessao, lerSessao } from '../../src/domain/usuarios/sessoes/sessao.ts';
import { toDatabaseTime } from '../../src/platform/mysql/database.ts';
import type { Db } from '../../src/platform/mysql/database.ts';
import { PROVIDER_ID } from './dataset.ts';

/** Cookies of new sessions of as many users with every permission. The users of the run before stay: the audit names them. */
export async function createPanelSessions(db: Db, users: number): Promise<string[]> {
  await db('painel_sessoes').where({ provedor_id: PROVIDER_ID }).delete();
  // Of whom no second factor is asked.
  await db('provedores').where({ id: PROVIDER_ID }).update({ demonstracao: 1 });
  const [perfil] = await db('perfis')
    .where({ provedor_id: PROVIDER_ID, de_fabrica: 'administrador' })
    .select<{ id: number }[]>('id');
  const agora = toDatabaseTime(new Date());
  return Promise.all(
    Array.from({ length: users }, async (_, n) => {
      const texto = gerarSessao(PROVIDER_ID);
      const email = `atendente${n}@malha.test`;
      await db('usuarios')
        .insert({ provedor_id: PROVIDER_ID, nome: `Atendente ${n}`, email, perfil_id: perfil?.id ?? 0 })
        .onConflict()
        .ignore();
      const [usuario] = await db('usuarios').where({ provedor_id: PROVIDER_ID, email }).select<{ id: number }[]>('id');
      await db('painel_sessoes').insert({
        provedor_id: PROVIDER_ID,
        usuario_id: usuario?.id ?? 0,
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
