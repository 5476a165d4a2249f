import { rowsOf } from '../../platform/mysql/columns.ts';
import { ID } from '../../platform/mysql/columns.ts';
import { lerAlteracao, lerCampos } from '../campos/campos.ts';
import { conferirLidos } from '../campos/versao.ts';
import type { DaVersao } from '../campos/versao.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { reabrirUltimoDia } from '../tarefas/reabertura.service.ts';
import { FORMA_DE_COBRADOR } from './cobradores.campos.ts';
import { COLUNAS_DE_COBRADOR } from './cobradores.types.ts';
import type { CobradorRow } from './cobradores.types.ts';
import { mudaCodigos } from './conta.regras.ts';

export type CadastroDeCobradoresService = ReturnType<typeof createCadastroDeCobradoresService>;

type Colunas = Readonly<Partial<Record<keyof CobradorRow, string | number | null>>>;

/** What an account is called that nobody named. */
const NOME_DA_PRIMEIRA = 'Principal';

/**
 * The charging account that a contract may have, or an invoice be issued by. It stays active as long as the write lasts.
 *
 * @throws Recusa `cobrador_indisponivel` when the provider has none of that id, or uses it no more
 */
export async function exigirCobrador(w: Write, id: number): Promise<{ readonly id: number }> {
  const [cobrador] = await rowsOf(w.from('cobradores').where({ id, ativo: 1 }).forShare(), ID);
  recusarSeNao(cobrador, 'cobrador_indisponivel', { campo: 'cobrador_id' });
  return cobrador;
}

/**
 * Changes an account, by columns that are as they shall be stored, and leaves it to the caller to say so. What codes are made of may be
 * another by this, and so what the night stored.
 */
export async function gravarCobrador(w: Write, id: number, colunas: Colunas): Promise<void> {
  await w.update('cobradores', (query) => void query.where({ id }), colunas);
  w.touch(PROVEDOR_TAG);
  if (Object.keys(colunas).some(mudaCodigos)) await reabrirUltimoDia(w, 'pix.recalcular');
}

/** What the form of an account changes; see `versaoDe`. */
export const camposDoCobrador = (
  row: Pick<CobradorRow, CampoDoCobrador>,
): Readonly<Record<CampoDoCobrador, string | null>> => ({
  nome: row.nome,
  cnpj: row.cnpj,
  pix_chave: row.pix_chave,
  pix_nome: row.pix_nome,
  pix_cidade: row.pix_cidade,
  boleto_banco: row.boleto_banco,
  boleto_agencia_codigo: row.boleto_agencia_codigo,
  boleto_carteira: row.boleto_carteira,
});
type CampoDoCobrador = Exclude<keyof typeof FORMA_DE_COBRADOR, 'codigo_externo'>;

/** The accounts of a provider, by id; of simultaneous changes each sees what the one before it wrote. */
async function travarCobradores(w: Write): Promise<CobradorRow[]> {
  // The provider's row first, as its configuration does: triggers write it after an account.
  await rowsOf(w.tenant.db('provedores').where('id', w.provedorId).forUpdate(), ID);
  return rowsOf(w.from('cobradores').orderBy('id').forUpdate(), COLUNAS_DE_COBRADOR);
}

/** Writes a new account, and leaves it to the caller to say so; resolves to its id. `primeiro`: it is the default. */
export async function inserirCobrador(w: Write, colunas: Colunas, primeiro: boolean): Promise<number> {
  const id = await w.insert('cobradores', { nome: NOME_DA_PRIMEIRA, ...colunas, padrao: primeiro ? 1 : 0 });
  w.touch(PROVEDOR_TAG);
  return id;
}

/** The provider's charging accounts: one is the default, contracts may have another, and what was issued stays with its own. */
export function createCadastroDeCobradoresService({ w }: { readonly w: Write }) {
  async function travar(id: number): Promise<{ cobrador: CobradorRow; todos: CobradorRow[] }> {
    const todos = await travarCobradores(w);
    const cobrador = todos.find((um) => um.id === id);
    recusarSeNao(cobrador, 'nao_encontrado');
    return { cobrador, todos };
  }

  function exigirCodigoLivre(todos: readonly CobradorRow[], codigo: string | null | undefined, menos?: number): void {
    const outro = todos.find(({ id, codigo_externo }) => codigo_externo === codigo && id !== menos);
    if (typeof codigo !== 'string' || outro === undefined) return;
    throw new Recusa('codigo_externo_em_uso', { campo: 'codigo_externo', registroId: outro.id });
  }

  return {
    /**
     * @returns the new account's id; a provider's first is its default
     * @throws CamposInvalidos, or Recusa `codigo_externo_em_uso`
     */
    async criar(dados: unknown): Promise<number> {
      const lidos = lerCampos(FORMA_DE_COBRADOR, dados);
      const todos = await travarCobradores(w);
      exigirCodigoLivre(todos, lidos.codigo_externo);
      const padrao = !todos.some((outro) => outro.padrao === 1);
      const id = await inserirCobrador(w, definidos(lidos), padrao);
      w.emit('cobrador.criado', id, { padrao });
      return id;
    },

    /**
     * What is not named stays as it is. Open invoices that were issued by the account ask for what it says from now on.
     *
     * @returns the names of what is not as it was
     * @throws CamposInvalidos, or Recusa `nao_encontrado`, `versao_divergente`, `codigo_externo_em_uso`
     */
    async alterar(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<string[]> {
      const lidos = lerAlteracao(FORMA_DE_COBRADOR, dados);
      const { cobrador, todos } = await travar(id);
      conferirLidos(versao, camposDoCobrador(cobrador));
      exigirCodigoLivre(todos, lidos.codigo_externo, id);
      const mudadas = Object.fromEntries(
        Object.entries(definidos(lidos)).filter(([coluna, valor]) => cobrador[coluna as keyof CobradorRow] !== valor),
      );
      const campos = Object.keys(mudadas);
      if (campos.length === 0) return [];
      await gravarCobrador(w, id, mudadas);
      w.emit('cobrador.alterado', id, { campos });
      return campos;
    },

    /**
     * From now on who chose no account has this one. What was issued before stays with the account that it was issued by.
     *
     * @returns whether it was another
     * @throws Recusa `nao_encontrado`, `cobrador_indisponivel`
     */
    async tornarPadrao(id: number): Promise<boolean> {
      const { cobrador } = await travar(id);
      recusarSeNao(cobrador.ativo === 1, 'cobrador_indisponivel');
      if (cobrador.padrao === 1) return false;
      await w.update('cobradores', (query) => void query.where({ padrao: 1 }), { padrao: 0 });
      await gravarCobrador(w, id, { padrao: 1 });
      w.emit('cobrador.alterado', id, { campos: ['padrao'] });
      return true;
    },

    /**
     * Nothing new is issued by it. What was issued by it goes on being paid to it.
     *
     * @returns whether it was active
     * @throws Recusa `nao_encontrado`, `cobrador_padrao`, or `cobrador_em_uso` while a contract has it that is not cancelled for good
     */
    async desativar(id: number): Promise<boolean> {
      const { cobrador } = await travar(id);
      if (cobrador.ativo === 0) return false;
      recusarSeNao(cobrador.padrao === 0, 'cobrador_padrao', { sugestao: 'faça antes de outro o padrão' });
      const deles = w.from('contratos').where('cobrador_id', id).whereNot('situacao', 'cancelado_definitivo');
      const [contrato] = await rowsOf(deles.orderBy('id').limit(1), ID);
      if (contrato !== undefined) throw new Recusa('cobrador_em_uso', { registroId: contrato.id });
      await gravarCobrador(w, id, { ativo: 0 });
      w.emit('cobrador.desativado', id);
      return true;
    },

    /** @returns whether it was inactive. @throws Recusa `nao_encontrado` */
    async reativar(id: number): Promise<boolean> {
      const { cobrador } = await travar(id);
      if (cobrador.ativo === 1) return false;
      await gravarCobrador(w, id, { ativo: 1 });
      w.emit('cobrador.alterado', id, { campos: ['ativo'] });
      return true;
    },
  };
}

/** Without what nothing was said of. */
const definidos = (lidos: Readonly<Record<string, string | null | undefined>>): Colunas =>
  Object.fromEntries(Object.entries(lidos).filter(([, valor]) => valor !== undefined));
