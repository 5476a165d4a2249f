import type { Db } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { lerAlteracao, lerCampos } from '../campos/campos.ts';
import { conferirVersao } from '../campos/versao.ts';
import type { Write, WriteFor } from '../escrita.ts';
import { faltaEm, recusarSeNao } from '../erros.ts';
import { gerarChave, inicioDaChave, lerChave, nomeDaChave } from './chave.ts';
import { CAMPOS_DA_ALTERACAO, CAMPOS_DA_CHAVE, CAMPOS_DA_RENOVACAO } from './chaves.campos.ts';
import { buscarChavePorHash, createChavesQueries, createGravacaoDeChaves } from './chaves.queries.ts';
import type { Guardada } from './chaves.queries.ts';
import { LIMITE_PADRAO, RESTRICOES } from './chaves.types.ts';
import type { AjustesDaChave, Chave, ChaveComProvedor, ChaveFeita, NovaChave, Restricao } from './chaves.types.ts';
import { alargado, exigirPoderDeDar, exigirQueCaibam } from './poder.regras.ts';
import type { Poderes } from './poder.regras.ts';

export type ChavesService = ReturnType<typeof createChavesService>;

export interface ChavesDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

const DIA_MS = 86_400_000;

/** The name of each setting in the form of a key. */
const DO_CAMPO = {
  nome: 'nome',
  permissoes: 'permissoes',
  restricoes: 'restricoes',
  ips: 'ipsPermitidos',
  limite: 'limitePorMinuto',
  expira: 'expiraEm',
} as const satisfies Readonly<Record<string, keyof AjustesDaChave>>;
type CampoDaChave = keyof typeof DO_CAMPO;

/** Keys of the public API. Of a user, `poderes` says what he may do at the panel; the others may all. */
export function createChavesService({ db, relogio, write }: ChavesDeps) {
  async function criarDaForma(
    actor: Actor,
    provedorId: number,
    dados: unknown,
    poderes: Poderes = null,
  ): Promise<ChaveFeita> {
    const lidos = lerCampos(CAMPOS_DA_CHAVE, dados);
    const { nome, permissoes, ips = null, limite = LIMITE_PADRAO, expira = null } = lidos;
    const restricoes = emOrdem(lidos.restricoes ?? []);
    exigirPoderDeDar(actor, poderes, permissoes);
    exigirQueCaibam(permissoes, restricoes);
    const ajustes = { nome, permissoes, restricoes, ipsPermitidos: ips, limitePorMinuto: limite, expiraEm: expira };
    const nova = gerar(provedorId);
    const id = await write(actor, provedorId, async (w) => {
      const novo = await createGravacaoDeChaves(w).inserir({ ...ajustes, ...nova.guardar, criadaEm: relogio.agora() });
      w.emit('chave.criada', novo);
      return novo;
    });
    return { id, texto: nova.texto };
  }

  /**
   * Changes a key that is there in one write, after which no process goes by what it was before; `work` gets it locked. Null when the
   * provider has none of that id.
   *
   * Rejects when Redis cannot be reached, because a process may hold the record: first before anything is written
   * and, should Redis go away meanwhile, after it; then doing it again completes it.
   */
  async function mudar<T>(
    actor: Actor,
    provedorId: number,
    id: number,
    work: (w: Write, guardada: Guardada) => Promise<T>,
  ): Promise<T | null> {
    const encontrada = await createChavesQueries(db, provedorId).buscarPorId(id);
    if (encontrada === undefined) return null;
    return write(
      actor,
      provedorId,
      async (w) => {
        const guardada = await createGravacaoDeChaves(w).travar(id);
        return guardada === undefined ? null : work(w, guardada);
      },
      { tags: [nomeDaChave(encontrada.hash)], failClosed: true },
    );
  }

  return {
    /**
     * Creates a key as a form says it (`CAMPOS_DA_CHAVE`). The text is in the answer and nowhere else.
     *
     * @throws CamposInvalidos, of `permissoes` also where a user would give what he may not do himself.
     */
    criarDaForma,

    /** The same, of who writes no form. @throws CamposInvalidos */
    async criar(actor: Actor, provedorId: number, nova: NovaChave): Promise<ChaveFeita> {
      const { nome, permissoes, restricoes = [], ipsPermitidos = null, limitePorMinuto, expiraEm = null } = nova;
      const dados = { nome, permissoes, restricoes, ips: ipsPermitidos, limite: limitePorMinuto, expira: expiraEm };
      return criarDaForma(actor, provedorId, dados);
    },

    /** Keys of a provider, the revoked ones included, by id. */
    async listar(provedorId: number): Promise<Chave[]> {
      return createChavesQueries(db, provedorId).listar();
    },

    /** Keys that still work, of those that somebody made: their text may be with him. */
    async vivasDe(provedorId: number, usuarioId: number): Promise<Chave[]> {
      const agora = relogio.agora();
      const feitas = await createChavesQueries(db, provedorId).feitasPor(usuarioId);
      return feitas.filter(
        ({ revogadaEm, expiraEm }) => revogadaEm === null && (expiraEm === null || expiraEm > agora),
      );
    },

    /**
     * Changes what is named of a key; permissions can be taken from it and restrictions added, never the other way. Who lets it be used from more places, more often
     * or for longer must be able to give what it may do. Once this resolves, all processes go by it.
     *
     * @returns names of the fields that changed, by their names in the form.
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `chave_encerrada`, `versao_divergente`. Rejects without Redis, as `revogar`.
     */
    async alterar(
      actor: Actor,
      provedorId: number,
      id: number,
      dados: unknown,
      poderes: Poderes = null,
    ): Promise<readonly CampoDaChave[]> {
      const { atualizado_em, ...ditos } = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
      const campos = ditos.restricoes === undefined ? ditos : { ...ditos, restricoes: emOrdem(ditos.restricoes) };
      const mudados = await mudar(actor, provedorId, id, async (w, { chave, atualizadoEm }) => {
        conferirVersao(atualizado_em, atualizadoEm);
        recusarSeNao(chave.revogadaEm === null, 'chave_encerrada');
        const demais = (campos.permissoes ?? []).filter((permissao) => !chave.permissoes.includes(permissao));
        if (demais.length > 0) {
          faltaEm('permissoes', `uma chave só perde permissões; para dar ${demais.join(', ')}, crie outra`);
        }
        const { permissoes = chave.permissoes, restricoes = chave.restricoes } = campos;
        const tiradas = chave.restricoes.filter((restricao) => !restricoes.includes(restricao));
        if (tiradas.length > 0) {
          faltaEm('restricoes', `uma chave só ganha restrições; para uma sem ${tiradas.join(', ')}, crie outra`);
        }
        exigirQueCaibam(permissoes, restricoes);
        const nomes = (Object.keys(DO_CAMPO) as CampoDaChave[]).filter(
          (nome) => campos[nome] !== undefined && !igual(campos[nome], chave[DO_CAMPO[nome]]),
        );
        if (nomes.length === 0) return [];
        const ajustes: Partial<AjustesDaChave> = Object.fromEntries(
          nomes.map((nome) => [DO_CAMPO[nome], campos[nome]]),
        );
        const mais = alargado(chave, ajustes);
        if (mais !== null) exigirPoderDeDar(actor, poderes, permissoes, mais);
        await createGravacaoDeChaves(w).alterar(id, { ...ajustes, permissoes, restricoes });
        w.emit('chave.alterada', id, { campos: nomes });
        return nomes;
      });
      recusarSeNao(mudados, 'nao_encontrado');
      return mudados;
    },

    /**
     * Makes another key with the same settings, and ends the one that is there: at once, or up to seven days later, never after its own
     * time. The new text is in the answer and nowhere else; whoever gets it must be able to give its permissions.
     *
     * @throws CamposInvalidos, and Recusa: `nao_encontrado`, `chave_encerrada`. Rejects without Redis, as `revogar`.
     */
    async renovar(
      actor: Actor,
      provedorId: number,
      id: number,
      dados: unknown,
      poderes: Poderes = null,
    ): Promise<ChaveFeita & { readonly antigaAte: Date }> {
      const { dias } = lerCampos(CAMPOS_DA_RENOVACAO, dados);
      const nova = gerar(provedorId);
      const feita = await mudar(actor, provedorId, id, async (w, { chave, renovadaPor }) => {
        const agora = relogio.agora();
        const expirou = chave.expiraEm !== null && chave.expiraEm <= agora;
        recusarSeNao(chave.revogadaEm === null && !expirou, 'chave_encerrada');
        recusarSeNao(renovadaPor === null, 'chave_encerrada', { dito: 'a chave já foi renovada' });
        exigirPoderDeDar(actor, poderes, chave.permissoes);
        const fim = new Date(agora.getTime() + dias * DIA_MS);
        const antigaAte = chave.expiraEm !== null && chave.expiraEm < fim ? chave.expiraEm : fim;
        const gravacao = createGravacaoDeChaves(w);
        const novo = await gravacao.inserir({ ...chave, ...nova.guardar, criadaEm: agora });
        await gravacao.renovar(id, { por: novo, ate: antigaAte });
        w.emit('chave.renovada', id, { nova: novo, ate: antigaAte.toISOString() });
        return { id: novo, texto: nova.texto, antigaAte };
      });
      recusarSeNao(feita, 'nao_encontrado');
      return feita;
    },

    /**
     * Revokes a key; false when the provider has none of that id. Once this resolves, no process admits the key.
     *
     * Rejects when Redis cannot be reached, as every change of a key that is there.
     */
    async revogar(actor: Actor, provedorId: number, id: number): Promise<boolean> {
      const feita = await mudar(actor, provedorId, id, async (w) => {
        await createGravacaoDeChaves(w).revogar(id, relogio.agora());
        w.emit('chave.revogada', id);
        return true;
      });
      return feita ?? false;
    },

    /** The record behind a key's hash, or null. */
    async buscarPorHash(hash: string): Promise<ChaveComProvedor | null> {
      return buscarChavePorHash(db, hash);
    },
  };
}

/** A new text, and what is kept of it. */
function gerar(provedorId: number): { texto: string; guardar: { hash: string; inicio: string } } {
  const texto = gerarChave(provedorId);
  const lida = lerChave(texto);
  if (lida === null) throw new Error('a chave gerada não tem o formato esperado');
  return { texto, guardar: { hash: lida.hash, inicio: inicioDaChave(texto) } };
}

const emOrdem = (ditas: readonly Restricao[]): readonly Restricao[] =>
  RESTRICOES.filter((restricao) => ditas.includes(restricao));

/** Settings are texts, numbers, instants and lists of texts. */
const igual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
