import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import { DuplicateRow } from '../../../platform/refusal.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { exigido, lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { conferirLidos } from '../../campos/versao.ts';
import type { DaVersao } from '../../campos/versao.ts';
import { escolha, id as umId, lista, texto } from '../../campos/leitores.ts';
import { Recusa, recusarSeNao } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { NOMES_DE_PERMISSAO } from '../permissoes.regras.ts';
import { exigirPoder } from '../poder.ts';
import { encerrarSessoes } from '../sessoes/sessoes.queries.ts';
import { COLUNAS_DE_PERFIL, paraPerfil } from './perfis.types.ts';
import type { Perfil } from './perfis.types.ts';

export interface PerfisDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

const permissoes = lista(escolha(NOMES_DE_PERMISSAO), 0, NOMES_DE_PERMISSAO.length);
const FORMA_NOVA = { nome: exigido(texto(1, 60)), de_id: exigido(umId) };
const FORMA = { nome: exigido(texto(1, 60)), permissoes: exigido(permissoes) };

const DO_USUARIO = columns<{ id: number }>('usuarios', { id: true });

/** A profile that stays as it is until the write ends. @throws Recusa `nao_encontrado` */
export async function travarPerfil(w: Write, id: number, campo?: string): Promise<Perfil> {
  const [row] = await rowsOf(w.from('perfis').where('perfis.id', id).forUpdate(), COLUNAS_DE_PERFIL);
  recusarSeNao(row, 'nao_encontrado', campo === undefined ? {} : { campo });
  return paraPerfil(row);
}

async function usuariosDe(w: Write, perfilId: number): Promise<number[]> {
  return (await rowsOf(w.from('usuarios').where('perfil_id', perfilId), DO_USUARIO)).map(({ id }) => id);
}

/** What the form of a profile changes; see `versaoDe`. */
export const camposDoPerfil = ({ nome, permissoes: pode }: Pick<Perfil, 'nome' | 'permissoes'>) => ({
  nome,
  permissoes: pode,
});

/** What a provider's people may do. */
export function createPerfisService({ db, relogio, write }: PerfisDeps) {
  /** Touches no list of ours: names are unique, and the one that comes second is told so. */
  async function comNomeUnico<T>(gravar: () => Promise<T>): Promise<T> {
    try {
      return await gravar();
    } catch (error) {
      throw error instanceof DuplicateRow ? new Recusa('perfil_repetido', { campo: 'nome' }) : error;
    }
  }

  return {
    /** Every profile of a provider, those that come made first. */
    async listar(provedorId: number): Promise<Perfil[]> {
      const todos = createTenantDb(db, provedorId).from('perfis').orderByRaw('de_fabrica IS NULL, id');
      return (await rowsOf(todos, COLUNAS_DE_PERFIL)).map(paraPerfil);
    },

    /**
     * Makes a profile that may do what another may. @returns its id
     *
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `permissao_que_falta`, `perfil_repetido`
     */
    async criar(actor: Actor, provedorId: number, dados: unknown): Promise<number> {
      const { nome, de_id } = lerCampos(FORMA_NOVA, dados);
      return write(actor, provedorId, async (w) => {
        const modelo = await travarPerfil(w, de_id, 'de_id');
        await exigirPoder(actor, w, modelo.permissoes);
        const linha = { nome, permissoes: JSON.stringify(modelo.permissoes) };
        const id = await comNomeUnico(async () => w.insert('perfis', linha));
        w.emit('perfil.criado', id, { de_id, permissoes: [...modelo.permissoes] });
        return id;
      });
    },

    /**
     * What is not named stays. Where what it may do changes, who has it signs in again.
     *
     * @returns the names of what changed
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `perfil_fixo`, `permissao_que_falta`, `perfil_repetido`, `versao_divergente`
     */
    async alterar(
      actor: Actor,
      provedorId: number,
      id: number,
      dados: unknown,
      { versao }: DaVersao = {},
    ): Promise<string[]> {
      const lidos = lerAlteracao(FORMA, dados);
      return write(
        actor,
        provedorId,
        async (w) => {
          const perfil = await travarPerfil(w, id);
          recusarSeNao(perfil.deFabrica !== 'administrador', 'perfil_fixo');
          conferirLidos(versao, camposDoPerfil(perfil));
          const novas = lidos.permissoes ?? perfil.permissoes;
          const acrescentadas = novas.filter((uma) => !perfil.permissoes.includes(uma));
          const tiradas = perfil.permissoes.filter((uma) => !novas.includes(uma));
          await exigirPoder(actor, w, [...acrescentadas, ...tiradas]);
          const mudaNome = lidos.nome !== undefined && lidos.nome !== perfil.nome;
          const mudaPermissoes = acrescentadas.length + tiradas.length > 0;
          const campos = [...(mudaNome ? ['nome'] : []), ...(mudaPermissoes ? ['permissoes'] : [])];
          if (campos.length === 0) return [];
          const colunas = {
            ...(mudaNome ? { nome: lidos.nome } : {}),
            ...(mudaPermissoes ? { permissoes: JSON.stringify(novas) } : {}),
          };
          await comNomeUnico(async () => w.update('perfis', (query) => void query.where({ id }), colunas));
          if (mudaPermissoes) await encerrarSessoes(w, await usuariosDe(w, id), relogio.agora());
          w.emit('perfil.alterado', id, { campos, acrescentadas, tiradas });
          return campos;
        },
        { tags: [`perfil:${id}`], failClosed: true },
      );
    },

    /** @throws Recusa `nao_encontrado`, `perfil_fixo`, `perfil_em_uso` */
    async remover(actor: Actor, provedorId: number, id: number): Promise<void> {
      await write(actor, provedorId, async (w) => {
        const perfil = await travarPerfil(w, id);
        recusarSeNao(perfil.deFabrica === null, 'perfil_fixo');
        await exigirPoder(actor, w, perfil.permissoes);
        recusarSeNao((await usuariosDe(w, id)).length === 0, 'perfil_em_uso');
        await w.delete('perfis', (query) => void query.where({ id }));
        w.emit('perfil.removido', id);
      });
    },
  };
}

export type PerfisService = ReturnType<typeof createPerfisService>;
