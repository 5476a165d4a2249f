import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { atorDoVisitante } from '../../actor.ts';
import type { Procedencia } from '../../actor.ts';
import { Recusa } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { trocaPendente } from '../acessos.queries.ts';
import { encerrarSessoesDoApp } from './encerramento.service.ts';
import { respondeDeNovo, validades } from './sessoes.regras.ts';
import type { Dono, Sessao, TokensEmitidos } from './sessoes.types.ts';
import { derivarTokens, lerToken } from './token.regras.ts';
import type { TokenLido } from './token.regras.ts';
import { createTokensQueries, existeRefresh, gerarNonce } from './tokens.queries.ts';

export interface RodizioDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** Refreshing: from one generation of a session's tokens to the next, without losing a session whose answer was lost. */
export function createRodizioService({ db, relogio, write }: RodizioDeps) {
  /** The generation after one: made now, or, where nobody has shown it yet, as it was made. Null: it was shown long since. */
  async function seguir(
    w: Write,
    { sessao, dono }: { readonly sessao: Sessao; readonly dono: Dono },
    lido: TokenLido,
    texto: string,
    agora: Date,
  ): Promise<Omit<TokensEmitidos, 'trocarSenha'> | null> {
    const queries = createTokensQueries(w);
    const atual = await queries.porRefresh(sessao.id, lido.hash);
    if (atual === undefined) throw new Recusa('token_invalido');
    if (sessao.encerradaEm !== null || atual.refreshAte <= agora) throw new Recusa('sessao_encerrada');
    const feita = await queries.porNumero(sessao.id, atual.geracao + 1);
    if (feita !== undefined) {
      if (!respondeDeNovo(feita, agora)) return null;
      const { accessAte, refreshAte } = feita;
      return { sessaoId: sessao.id, ...derivarTokens(texto, feita.nonce, lido), accessAte, refreshAte };
    }
    await queries.confirmar(atual.id, agora);
    const nonce = gerarNonce();
    const par = derivarTokens(texto, nonce, lido);
    const validade = validades('acessoId' in dono ? 'assinante' : 'equipe', sessao.limiteEm, agora);
    await queries.inserir(sessao.id, par, { geracao: atual.geracao + 1, nonce, criadoEm: agora, ...validade });
    return { sessaoId: sessao.id, ...par, ...validade };
  }

  /** Nobody knows which of the two has it by right: the whole session ends. */
  async function encerrarPorReuso(w: Write, sessao: Sessao, dono: Dono, agora: Date): Promise<void> {
    const quais = 'acessoId' in dono ? { acessoIds: [dono.acessoId] } : { usuarioIds: [dono.usuarioId] };
    await encerrarSessoesDoApp(w, { ...quais, so: sessao.id }, 'reuso', agora);
    w.emit('sessao.reuso_detectado', sessao.id, {
      usuario_id: 'usuarioId' in dono ? dono.usuarioId : null,
      acesso: 'acessoId' in dono ? dono.acessoId : null,
    });
  }

  return {
    /** Whether a refresh token was ever given out by this provider, whatever became of its session. */
    async conheceRenovacao(provedorId: number, texto: string): Promise<boolean> {
      const lido = lerToken('rt', texto);
      if (lido === null || lido.provedorId !== provedorId) return false;
      return existeRefresh(createTenantDb(db, provedorId), lido);
    },

    /**
     * The tokens after a refresh token. The same token gives the same ones again until either of them was shown; after that, and half a
     * minute, it ends the session.
     *
     * @param de whence it was asked
     * @throws Recusa `token_invalido` or `sessao_encerrada`
     */
    async renovar(provedorId: number, texto: string, de: Procedencia): Promise<TokensEmitidos> {
      const lido = lerToken('rt', texto);
      if (lido === null || lido.provedorId !== provedorId) throw new Recusa('token_invalido');
      // Whoever comes with a token that was used is not known to be its owner.
      const feitos = await write(atorDoVisitante(de), provedorId, async (w): Promise<TokensEmitidos | null> => {
        const agora = relogio.agora();
        const travada = await createTokensQueries(w).travarSessao(lido.sessaoId);
        if (travada === undefined) throw new Recusa('token_invalido');
        const tokens = await seguir(w, travada, lido, texto, agora);
        const { dono, sessao } = travada;
        if (tokens === null) {
          await encerrarPorReuso(w, sessao, dono, agora);
          return null;
        }
        return { ...tokens, trocarSenha: 'acessoId' in dono && (await trocaPendente(w, dono.acessoId)) };
      });
      // Not before: the end of the session is to stay.
      if (feitos === null) throw new Recusa('sessao_encerrada');
      return feitos;
    },
  };
}

export type RodizioService = ReturnType<typeof createRodizioService>;
