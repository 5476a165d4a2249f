import { expressions, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Slice } from '../../platform/mysql/copy/copy.ts';
import { enderecosDosNas } from './alheios.ts';

/** What is a cell's own, and goes with no provider. */
export const DA_CELULA = [
  'arrendamentos',
  'migracoes',
  'migracoes_lock',
  // The key of Web Push is the same in all cells, or browsers have to be asked anew; see docs/celulas.md.
  'push_vapid',
  // FreeRADIUS's log of attempts.
  'radpostauth',
  // When its FreeRADIUS was heard.
  'rede_escuta',
  'rede_travas_de_login',
  'replica_batimento',
] as const;

/** Of FreeRADIUS and of its triggers: whose rows they are is said by the NAS, the session or the login. */
export const DO_RADIUS = [
  'nas',
  'nasreload',
  'radacct',
  'radacct_mudancas',
  'radcheck',
  'radgroupcheck',
  'radgroupreply',
  'radreply',
  'radusergroup',
  'sessoes_encerradas',
  'sessoes_ouvidas',
  'trafego_mudancas',
  'trafego_sessoes',
] as const;

/**
 * What workers take from and send out. It goes last of all, once nobody writes any more: what is still to be sent is sent by the new cell, and
 * what is under way for long may be sent by both, as after a worker's death.
 */
export const FILAS = [
  'conexoes_pendentes',
  'correio_pedidos',
  'eventos_pendentes',
  'push_envios',
  'rede_desconexoes',
  'rede_pedidos',
  'webhook_entregas',
] as const;

/** Says which NASes are a provider's: an address is one provider's in a cell. */
const DOS_NAS = 'provedores_nas';

/** Tables whose rows are a login's: they are found by its name alone, and so would be those of another provider that has it, too. */
export const DE_LOGIN = ['radcheck', 'radreply', 'radusergroup'] as const;

/** Rows of a provider, and of which of its NASes, where they are found by its address alone. */
export interface Fatia extends Slice {
  readonly nas?: string;
}

/** Columns that each cell has for itself. */
export const PROPRIAS: Readonly<Record<string, readonly string[]>> = {
  provedores: ['mudanca', 'mudanca_para', 'mudanca_desde'],
};

const CHAVE = expressions<{ tabela: string; coluna: string }>({
  tabela: 'k.TABLE_NAME',
  coluna: 'k.COLUMN_NAME',
});
const TABELA = expressions<{ tabela: string }>({ tabela: 'TABLE_NAME' });

/** Tables of providers and the columns of their keys after the provider's. */
async function tabelasDeProvedor(db: Db): Promise<Map<string, string[]>> {
  const rows = await rowsOfSql(
    db,
    CHAVE,
    (list) =>
      `SELECT ${list} FROM information_schema.KEY_COLUMN_USAGE k
        WHERE k.TABLE_SCHEMA = DATABASE() AND k.CONSTRAINT_NAME = 'PRIMARY'
          AND EXISTS (SELECT 1 FROM information_schema.COLUMNS c WHERE c.TABLE_SCHEMA = k.TABLE_SCHEMA
                        AND c.TABLE_NAME = k.TABLE_NAME AND c.COLUMN_NAME = 'provedor_id')
        ORDER BY k.TABLE_NAME, k.ORDINAL_POSITION`,
  );
  const tabelas = new Map<string, string[]>();
  for (const { tabela, coluna } of rows) {
    const chave = tabelas.get(tabela) ?? [];
    tabelas.set(tabela, coluna === 'provedor_id' ? chave : [...chave, coluna]);
  }
  return tabelas;
}

/** Every table of a database. */
export async function tabelasDe(db: Db): Promise<string[]> {
  const rows = await rowsOfSql(
    db,
    TABELA,
    (list) =>
      `SELECT ${list} FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_TYPE = 'BASE TABLE' ORDER BY TABLE_NAME`,
  );
  return rows.map(({ tabela }) => tabela);
}

/**
 * All rows of a provider, in the order in which they are copied; those of queues apart. Its NASes go first: from then on nobody else gets one
 * of their addresses, by which the rows of sessions are found.
 *
 * @param aqui - the addresses of its NASes, where the database does not say them yet
 */
export async function fatiasDe(
  db: Db,
  provedorId: number,
  aqui?: readonly string[],
): Promise<{ readonly fatias: Fatia[]; readonly filas: Fatia[] }> {
  const deProvedor = await tabelasDeProvedor(db);
  const enderecos = aqui ?? (await enderecosDosNas(db, provedorId));
  const doInquilino = (tabela: string): Slice => {
    const chave = deProvedor.get(tabela) ?? [];
    return {
      table: tabela,
      from: `\`${tabela}\` t`,
      where: 't.provedor_id = ?',
      values: [provedorId],
      key: chave.length === 0 ? ['t.provedor_id'] : chave.map((coluna) => `t.\`${coluna}\``),
    };
  };
  const aSuaVez: readonly string[] = [DOS_NAS, ...FILAS];
  const todas = [...deProvedor.keys()].filter((tabela) => !aSuaVez.includes(tabela));
  return {
    fatias: [
      {
        table: 'provedores',
        from: '`provedores` t',
        where: 't.id = ?',
        values: [provedorId],
        key: ['t.id'],
        inPlace: true,
        added: { mudanca: "'chegando'" },
      },
      doInquilino(DOS_NAS),
      ...enderecos.map(sessoesDe),
      ...todas.map(doInquilino),
      ...DE_LOGIN.map((tabela) => doLogin(tabela, provedorId)),
      ...enderecos.flatMap(doServidor),
    ],
    filas: [
      ...FILAS.map(doInquilino),
      ...enderecos.flatMap((endereco) =>
        (['radacct_mudancas', 'trafego_mudancas'] as const).map((tabela) => ({
          nas: endereco,
          table: tabela,
          from: `\`${tabela}\` t`,
          where: 't.nasipaddress = ?',
          values: [endereco],
          key: ['t.id'],
        })),
      ),
    ],
  };
}

/** What triggers note of sessions that are copied: the sums that follow from them are copied as well. */
const sessoesDe = (endereco: string): Fatia => ({
  nas: endereco,
  table: 'radacct',
  from: 'radacct t',
  where: 't.nasipaddress = ?',
  values: [endereco],
  key: ['t.radacctid'],
  afterwards: ['radacct_mudancas', 'trafego_mudancas'].map((fila) => ({
    sql: `DELETE FROM ${fila} WHERE nasipaddress = ?`,
    values: [endereco],
  })),
});

const doServidor = (endereco: string): Fatia[] => [
  ...(['sessoes_ouvidas', 'trafego_sessoes'] as const).map((tabela) => ({
    nas: endereco,
    table: tabela,
    from: `radacct s JOIN ${tabela} t ON t.radacctid = s.radacctid`,
    where: 's.nasipaddress = ?',
    values: [endereco],
    key: ['s.radacctid'],
  })),
  {
    nas: endereco,
    table: 'sessoes_encerradas',
    from: 'radacct s JOIN sessoes_encerradas t ON t.username = s.username AND t.radacctid = s.radacctid',
    where: 's.nasipaddress = ?',
    values: [endereco],
    key: ['s.radacctid', 't.id'],
  },
  { nas: endereco, table: 'nas', from: 'nas t', where: 't.nasname = ?', values: [endereco], key: ['t.id'] },
  {
    nas: endereco,
    table: 'nasreload',
    from: 'nasreload t',
    where: 't.nasipaddress = ?',
    values: [endereco],
    key: ['t.nasipaddress'],
  },
];

const doLogin = (tabela: string, provedorId: number): Slice => ({
  table: tabela,
  from: `contratos c JOIN ${tabela} t ON t.username = c.login`,
  where: "c.provedor_id = ? AND c.login <> ''",
  values: [provedorId],
  key: ['c.id', 't.id'],
});
