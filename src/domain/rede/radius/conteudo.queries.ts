import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { GRUPO_BLOQUEADO } from '../grupos.regras.ts';
import type { Item } from '../rede.types.ts';
import { RECUSA, VAZIO, acertar, soNoNas } from './conteudo.regras.ts';
import type { Conteudo, Nossos } from './conteudo.regras.ts';

interface ItemRow extends Item {
  id: number;
  groupname: string;
}

const doItem = (tabela: string) =>
  columns<ItemRow>(tabela, { id: true, groupname: true, attribute: true, op: true, value: true });
const DO_ITEM = { radgroupcheck: doItem('radgroupcheck'), radgroupreply: doItem('radgroupreply') };

/** What a group must hold. */
export interface GrupoDesejado {
  readonly grupo: string;
  /** Null: what `bloqueado` holds. */
  readonly conteudo: Conteudo | null;
  /** The one NAS that it holds on; null: all. */
  readonly nas: string | null;
  /** Of what stands there; the rest stays. */
  readonly nossos: Nossos;
}

/** What groups mean, in FreeRADIUS's tables, which have no tenant. */
export function createConteudoQueries(w: Write) {
  const { db } = w.tenant;

  async function ler(tabela: keyof typeof DO_ITEM, grupos: readonly string[]): Promise<Map<string, ItemRow[]>> {
    const lidos = new Map<string, ItemRow[]>();
    if (grupos.length === 0) return lidos;
    const rows = await rowsOf(db(tabela).whereIn('groupname', grupos).orderBy('id'), DO_ITEM[tabela]);
    for (const row of rows) {
      const grupo = row.groupname.toLowerCase();
      lidos.set(grupo, [...(lidos.get(grupo) ?? []), row]);
    }
    return lidos;
  }

  /** Makes rows of one table be what is wished for, with the fewest statements. */
  async function gravar(
    tabela: keyof typeof DO_ITEM,
    antes: ReadonlyMap<string, readonly ItemRow[]>,
    desejados: readonly { grupo: string; nossos: Nossos; itens: readonly Item[] }[],
  ): Promise<void> {
    const mudancas = desejados.map(({ grupo, nossos, itens }) => ({
      grupo,
      ...acertar(antes.get(grupo.toLowerCase()) ?? [], nossos, itens),
    }));
    const apagar = mudancas.flatMap((mudanca) => mudanca.apagar);
    if (apagar.length > 0) await db(tabela).whereIn('id', apagar).delete();
    const inserir = mudancas.flatMap(({ grupo, inserir: itens }) =>
      itens.map(({ attribute, op, value }) => ({ groupname: grupo, attribute, op, value })),
    );
    if (inserir.length > 0) await db(tabela).insert(inserir);
  }

  return {
    /** What groups hold, by their names in lower case. */
    async conteudos(grupos: readonly string[]): Promise<Map<string, Conteudo>> {
      const check = await ler('radgroupcheck', grupos);
      const reply = await ler('radgroupreply', grupos);
      return new Map(
        [...check.keys(), ...reply.keys()].map((grupo) => [
          grupo,
          { check: check.get(grupo) ?? [], reply: reply.get(grupo) ?? [] },
        ]),
      );
    },

    /** Makes groups hold what they must. `bloqueado` is given a meaning only where nobody gave it one: a refusal. */
    async definir(grupos: readonly GrupoDesejado[]): Promise<void> {
      if (grupos.length === 0) return;
      const nomes = [GRUPO_BLOQUEADO, ...grupos.map(({ grupo }) => grupo)];
      const check = await ler('radgroupcheck', nomes);
      const reply = await ler('radgroupreply', nomes);
      const deBloqueado =
        check.has(GRUPO_BLOQUEADO) || reply.has(GRUPO_BLOQUEADO)
          ? { check: check.get(GRUPO_BLOQUEADO) ?? [], reply: reply.get(GRUPO_BLOQUEADO) ?? [] }
          : RECUSA;
      const desejados = grupos.map(({ grupo, conteudo, nas, nossos }) => {
        const dele = conteudo ?? deBloqueado;
        return { grupo, nossos, ...VAZIO, ...(nas === null ? dele : soNoNas(nas, dele)) };
      });
      await gravar(
        'radgroupcheck',
        check,
        desejados.filter(({ nossos }) => nossos === 'tudo').map((um) => ({ ...um, itens: um.check })),
      );
      await gravar(
        'radgroupreply',
        reply,
        desejados.map((um) => ({ ...um, itens: um.reply })),
      );
    },
  };
}
