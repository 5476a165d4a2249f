import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import type { Item } from '../rede.types.ts';

export interface ItemDoLoginRow extends Item {
  contrato_id: number;
  id: number;
}

const doItem = (tabela: string) =>
  columns<ItemDoLoginRow>(tabela, {
    contrato_id: 'contratos.id',
    id: true,
    attribute: true,
    op: true,
    value: true,
  });
const DO_ITEM = { radcheck: doItem('radcheck'), radreply: doItem('radreply') };

type Tabela = keyof typeof DO_ITEM;

/** What FreeRADIUS's tables say of single logins, inside a write of one provider. */
export function createLoginsQueries(w: Write) {
  const { db } = w.tenant;

  return {
    /** What stands of the contracts' logins, in order; of `radcheck` where a login may come from alone: passwords are not read. */
    async itens(tabela: Tabela, contratoIds: readonly number[]): Promise<ItemDoLoginRow[]> {
      const itens = w
        .from('contratos')
        .join(tabela, `${tabela}.username`, 'contratos.login')
        .whereIn('contratos.id', contratoIds)
        .where('contratos.login', '<>', '')
        .orderBy(`${tabela}.id`);
      if (tabela === 'radcheck') itens.where('radcheck.attribute', 'Calling-Station-Id');
      return rowsOf(itens, DO_ITEM[tabela]);
    },

    async trocar(tabela: Tabela, apagar: readonly number[], inserir: readonly (Item & { username: string })[]) {
      if (apagar.length > 0) await db(tabela).whereIn('id', apagar).delete();
      if (inserir.length > 0) await db(tabela).insert(inserir);
    },
  };
}
