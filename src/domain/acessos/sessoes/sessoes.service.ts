import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { equipePorId } from '../../usuarios/quem-pode.service.ts';
import { acessoPorId, clienteDe } from '../acessos.queries.ts';
import { buscarTokenPorHash, listarSessoes } from './busca.queries.ts';
import type { TokenAchado } from './busca.queries.ts';
import { encerrarSessoesDoApp } from './encerramento.service.ts';
import { donoDe, nomeDaSessaoDoApp } from './sessoes.regras.ts';
import type { Dono, Sessao, SessaoDoApp } from './sessoes.types.ts';
import { notarUso } from './uso.queries.ts';

export interface SessoesDoAppDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** The app's sessions, once somebody is in one. */
export function createSessoesDoAppService({ db, relogio, write }: SessoesDoAppDeps) {
  async function quemE({ quem, provedor }: TokenAchado): Promise<SessaoDoApp['quem'] | null> {
    if ('usuarioId' in quem) {
      const pessoa = await equipePorId(db, provedor.id, quem.usuarioId);
      return pessoa === null ? null : { tipo: 'equipe', ...pessoa };
    }
    const { acessoId, cpfCnpj, trocarSenha, desativado } = quem;
    const cliente = await clienteDe(createTenantDb(db, provedor.id), cpfCnpj);
    const ativo = !desativado && cliente !== undefined;
    return { tipo: 'cliente', acessoId, clienteId: cliente?.id ?? 0, cpfCnpj, trocarSenha, ativo };
  }

  async function encerrar(
    actor: Actor,
    provedorId: number,
    dono: Dono,
    quais: { readonly so?: number; readonly menos?: number },
    motivo: 'saida' | 'equipe',
  ): Promise<number> {
    const tenant = createTenantDb(db, provedorId);
    const abertas = await listarSessoes(tenant, dono, relogio.agora(), quais.so);
    const destas = abertas.filter(({ id }) => quais.menos !== id);
    if (destas.length === 0) return 0;
    return write(
      actor,
      provedorId,
      async (w) => {
        const deQuem = 'acessoId' in dono ? { acessoIds: [dono.acessoId] } : { usuarioIds: [dono.usuarioId] };
        const sessoes = await encerrarSessoesDoApp(w, { ...deQuem, ...quais }, motivo, relogio.agora());
        if (sessoes > 0) {
          const usuario_id = 'usuarioId' in dono ? dono.usuarioId : null;
          const acesso = 'acessoId' in dono ? dono.acessoId : null;
          w.emit('sessao.encerrada', quais.so ?? null, { usuario_id, acesso, sessoes });
        }
        return sessoes;
      },
      // Whoever cannot tell the other processes ends nothing, and says so.
      { tags: destas.map(({ id }) => nomeDaSessaoDoApp(id)), failClosed: true },
    );
  }

  return {
    /** The session of an access token, by the token's hash (hexadecimal). That it was shown confirms its generation. */
    async buscarPorHash(hash: string): Promise<SessaoDoApp | null> {
      const achado = await buscarTokenPorHash(db, hash);
      if (achado === null) return null;
      const quem = await quemE(achado);
      if (quem === null) return null;
      const agora = relogio.agora();
      const hoje = toDatabaseTime(agora).slice(0, 10);
      if (!achado.confirmado || achado.sessao.usadaEm < hoje) await notarUso(db, achado, agora);
      const { sessao, provedor, accessAte } = achado;
      return { sessao, provedor, token: { accessAte }, quem };
    },

    /** Sessions of whoever is in one, the newest first. */
    listar: async (registro: SessaoDoApp): Promise<Sessao[]> =>
      listarSessoes(createTenantDb(db, registro.provedor.id), donoDe(registro), relogio.agora()),

    /**
     * Ends sessions of whoever is in one: this one (`so`), another of his, or all. Once this resolves, no process admits them.
     *
     * @returns how many were open; one that is not his is none of them
     */
    encerrar: async (
      actor: Actor,
      registro: SessaoDoApp,
      quais: { readonly so?: number; readonly menos?: number } = {},
    ): Promise<number> => encerrar(actor, registro.provedor.id, donoDe(registro), quais, 'saida'),

    /** Ends a session of the app of somebody of the staff, as he may at the panel. @returns 0 where it is not his, or not open */
    encerrarDoUsuario: async (actor: Actor, provedorId: number, usuarioId: number, so: number): Promise<number> =>
      encerrar(actor, provedorId, { usuarioId }, { so }, 'saida'),

    /** Ends all sessions of a subscriber, as staff may. @returns how many. @throws Recusa `nao_encontrado` */
    async encerrarDoAcesso(actor: Actor, provedorId: number, acessoId: number): Promise<number> {
      const acesso = await acessoPorId(createTenantDb(db, provedorId), acessoId);
      recusarSeNao(acesso, 'nao_encontrado');
      return encerrar(actor, provedorId, { acessoId }, {}, 'equipe');
    },
  };
}

export type SessoesDoAppService = ReturnType<typeof createSessoesDoAppService>;
