import type { Gate } from '../../../platform/gate/gate.ts';
import { tenantSlot } from '../../../platform/gate/keys.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { recusarSeNao } from '../../erros.ts';
import type { WriteFor } from '../../escrita.ts';
import { exigirPoder } from '../poder.ts';
import { travarUsuario } from '../usuarios.queries.ts';
import { lerSessao, nomeDaSessao } from './sessao.ts';
import { buscarSessaoPorHash, contarSessoes, encerrarSessoes, listarSessoes } from './sessoes.queries.ts';
import { MAIOR_SESSAO_MS, estaAberta } from './sessoes.regras.ts';
import type { Politica, Sessao, SessaoDoPainel } from './sessoes.types.ts';
import { notarUso } from './vista.queries.ts';

export interface SessoesDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly gate: Pick<Gate, 'bump'>;
}

const VER_A_CADA_MS = 60_000;

/** The panel's sessions, once somebody is in one. */
export function createSessoesService({ db, relogio, write, gate }: SessoesDeps) {
  async function encerrar(
    actor: Actor,
    provedorId: number,
    usuarioId: number,
    quais: { readonly menos?: number; readonly so?: number },
    tags: readonly string[],
  ): Promise<number> {
    return write(
      actor,
      provedorId,
      async (w) => {
        if (actor.tipo !== 'usuario' || actor.id !== usuarioId) {
          await exigirPoder(actor, w, (await travarUsuario(w, usuarioId)).perfil.permissoes);
        }
        const sessoes = await encerrarSessoes(w, [usuarioId], relogio.agora(), quais);
        if (sessoes > 0) w.emit('sessao.encerrada', quais.so ?? null, { usuario_id: usuarioId, sessoes });
        return sessoes;
      },
      { tags, failClosed: true },
    );
  }

  return {
    buscarPorHash: async (hash: string): Promise<SessaoDoPainel | null> => buscarSessaoPorHash(db, hash),

    /** The session that has a text, which was just made. @throws Recusa `sessao_encerrada` */
    async porTexto(texto: string): Promise<SessaoDoPainel> {
      const lida = lerSessao(texto);
      const achada = lida === null ? null : await buscarSessaoPorHash(db, lida.hash);
      recusarSeNao(achada, 'sessao_encerrada');
      return achada;
    },

    /** Notes that a session is in use, once a minute. Processes that keep it read it again. */
    async ver({ sessao, provedor }: Pick<SessaoDoPainel, 'sessao' | 'provedor'>): Promise<void> {
      const agora = relogio.agora();
      const antesDe = new Date(agora.getTime() - VER_A_CADA_MS);
      if (sessao.vistaEm > antesDe) return;
      if (!(await notarUso(db, provedor.id, sessao.id, agora, antesDe))) return;
      // Without Redis nobody uses what he keeps.
      await gate.bump(tenantSlot(provedor.id), [nomeDaSessao(sessao.hash)]).catch(() => {});
    },

    /** Sessions of a user that were not ended, the last seen first; those alone that are of use, where the policy is given. */
    async listar(provedorId: number, usuarioId: number, politica?: Politica): Promise<Sessao[]> {
      const todas = await listarSessoes(db, provedorId, usuarioId);
      const agora = relogio.agora();
      return politica === undefined ? todas : todas.filter((uma) => estaAberta(uma, politica, agora));
    },

    /** How many sessions of use each of some users has; who has none is not named. */
    async contar(
      provedorId: number,
      usuarioIds: readonly number[],
      { ociosoMinutos }: Politica,
    ): Promise<ReadonlyMap<number, number>> {
      const agora = relogio.agora().getTime();
      const criadasDepois = new Date(agora - MAIOR_SESSAO_MS);
      return contarSessoes(db, provedorId, usuarioIds, {
        criadasDepois,
        vistasDepois: new Date(agora - ociosoMinutos * 60_000),
      });
    },

    /** Ends the session that somebody is in. Once this resolves, no process admits it; see `revogar` of the keys. */
    async sair(actor: Actor, { sessao, usuario, provedor }: SessaoDoPainel): Promise<void> {
      await encerrar(actor, provedor.id, usuario.id, { so: sessao.id }, [nomeDaSessao(sessao.hash)]);
    },

    /**
     * Ends sessions of a user, one's own or another's: all, one (`so`), or all but one (`menos`); those of the app among them.
     *
     * @returns how many
     * @throws Recusa `nao_encontrado`, `permissao_que_falta`
     */
    async encerrar(
      actor: Actor,
      provedorId: number,
      usuarioId: number,
      quais: { readonly menos?: number; readonly so?: number } = {},
    ): Promise<number> {
      const abertas = await listarSessoes(db, provedorId, usuarioId);
      const tags = abertas.map(({ hash }) => nomeDaSessao(hash));
      return encerrar(actor, provedorId, usuarioId, quais, tags);
    },
  };
}

export type SessoesService = ReturnType<typeof createSessoesService>;
