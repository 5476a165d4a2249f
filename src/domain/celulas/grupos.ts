import { expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { retryOnConflict } from '../../platform/mysql/conflicts.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { EntradaInvalida } from '../erros.ts';
import { GRUPO_BLOQUEADO, GRUPO_RETIRADO, grupoBloqueadoDe, grupoDoPlano, gruposDoNas } from '../rede/grupos.regras.ts';

const TABELAS = ['radgroupcheck', 'radgroupreply'] as const;

interface ItemRow {
  groupname: string;
  attribute: string;
  op: string;
  value: string;
}

const ITEM = expressions<ItemRow>({ groupname: 'groupname', attribute: 'attribute', op: 'op', value: 'value' });
const DE_MEMBRO = expressions<{ groupname: string }>({ groupname: 'g.groupname' });
const PLANO = expressions<{ id: number; grupo_radius: string | null }>({ id: 'id', grupo_radius: 'grupo_radius' });
const ENDERECO = expressions<{ nasipaddress: string }>({ nasipaddress: 'nasipaddress' });

/** What a group holds in each of the two tables, by its name in lower case: FreeRADIUS compares names so. */
type Conteudo = Readonly<Record<(typeof TABELAS)[number], readonly ItemRow[]>>;
type Conteudos = ReadonlyMap<string, Conteudo>;

/** Names of the groups that a provider's logins are in or may come to be in. */
interface Nomes {
  /** Named by its number or by its NASes: in any cell they are this provider's alone. */
  readonly proprios: ReadonlySet<string>;
  readonly todos: readonly string[];
}

/** Names of the groups of a provider that follow from its rows. */
export async function nomesDe(db: Db, provedorId: number): Promise<Nomes> {
  const deMembros = await rowsOfSql(
    db,
    DE_MEMBRO,
    (list) =>
      `SELECT DISTINCT ${list} FROM contratos c JOIN radusergroup g ON g.username = c.login WHERE c.provedor_id = ? AND c.login <> ''`,
    [provedorId],
  );
  const planos = await rowsOf(db('planos').where({ provedor_id: provedorId }), PLANO);
  const servidores = await rowsOf(db('provedores_nas').where({ provedor_id: provedorId }), ENDERECO);
  const proprios = [
    grupoBloqueadoDe(provedorId),
    ...servidores.flatMap(({ nasipaddress }) => gruposDoNas(nasipaddress)),
    ...planos.map(({ id }) => grupoDoPlano({ id, grupo_radius: null })),
  ];
  const todos = [
    ...proprios,
    ...planos.map(grupoDoPlano),
    ...deMembros.map(({ groupname }) => groupname),
    GRUPO_BLOQUEADO,
    GRUPO_RETIRADO,
  ];
  const iguais = (nomes: readonly string[]) => new Set(nomes.map((nome) => nome.toLowerCase()));
  return { proprios: iguais(proprios), todos: [...iguais(todos)] };
}

async function conteudosDe(db: Db, nomes: readonly string[]): Promise<Conteudos> {
  const conteudos = new Map<string, Record<(typeof TABELAS)[number], ItemRow[]>>();
  for (const tabela of TABELAS) {
    for (const item of await rowsOf(
      db(tabela)
        .whereIn('groupname', [...nomes])
        .orderBy('id'),
      ITEM,
    )) {
      const nome = item.groupname.toLowerCase();
      const dele = conteudos.get(nome) ?? { radgroupcheck: [], radgroupreply: [] };
      dele[tabela].push(item);
      conteudos.set(nome, dele);
    }
  }
  return conteudos;
}

const escrito = (itens: readonly ItemRow[]): string =>
  JSON.stringify(itens.map(({ attribute, op, value }) => [attribute, op, value]));

/** The groups of a provider as they stand in its cell. */
export interface Grupos {
  /** Names that in any cell are this provider's alone. */
  readonly proprios: readonly string[];
  readonly todos: readonly string[];
  /** By the name in lower case; a group that nobody gave a meaning is missing. */
  readonly conteudos: Readonly<Record<string, Conteudo>>;
}

export async function lerGrupos(db: Db, provedorId: number): Promise<Grupos> {
  const { proprios, todos } = await nomesDe(db, provedorId);
  return { proprios: [...proprios], todos, conteudos: Object.fromEntries(await conteudosDe(db, todos)) };
}

/** Of names, those that another provider's plan has there, by its own words or its number, or a login that is not this provider's. */
async function usadosPorOutros(db: Db, nomes: readonly string[], provedorId: number): Promise<string[]> {
  if (nomes.length === 0) return [];
  const deOutros = () => db('planos').whereNot({ provedor_id: provedorId });
  const numeros = nomes.flatMap((nome) => /^plano-(\d+)$/.exec(nome)?.[1] ?? []);
  const doMembro = db('contratos').select('contratos.id').whereRaw('contratos.login = g.username');
  const [deMembros, nomeados, numerados] = await Promise.all([
    rowsOf(
      db('radusergroup as g')
        .whereIn('g.groupname', [...nomes])
        .whereNotExists(doMembro.where({ provedor_id: provedorId })),
      DE_MEMBRO,
    ),
    rowsOf(deOutros().whereIn('grupo_radius', [...nomes]), PLANO),
    rowsOf(deOutros().whereIn('id', numeros), PLANO),
  ]);
  const usados = [
    ...deMembros.map(({ groupname }) => groupname),
    ...nomeados.map(grupoDoPlano),
    ...numerados.map(({ id }) => grupoDoPlano({ id, grupo_radius: null })),
  ];
  return [...new Set(usados.map((nome) => nome.toLowerCase()))];
}

/**
 * Makes the groups of a provider's logins in the new cell what they are in the old one: speeds and blocks. Those that may be others' too are
 * written only where nobody has them.
 *
 * @throws EntradaInvalida where such a one has another meaning there, or none and others use it; nothing is written then.
 */
export async function gravarGrupos(
  destino: Db,
  { proprios, todos, conteudos }: Grupos,
  provedorId: number,
  antesDeConfirmar: (trx: Db) => Promise<void> = async () => {},
): Promise<void> {
  const daqui = new Map(Object.entries(conteudos));
  const la = await conteudosDe(destino, todos);
  const deles = new Set(proprios);
  const mudados = todos.filter((nome) =>
    TABELAS.some((tabela) => escrito(daqui.get(nome)?.[tabela] ?? []) !== escrito(la.get(nome)?.[tabela] ?? [])),
  );
  // A group that nobody has here asks for nothing, whatever it means there.
  const alheios = [
    ...mudados.filter((nome) => daqui.has(nome) && la.has(nome) && !deles.has(nome)),
    // The server takes them for one of these names, as `plano-é` for `plano-e`, and would delete them with it.
    ...[...la.keys()].filter((nome) => !todos.includes(nome)),
  ];
  if (alheios.length > 0) {
    throw new EntradaInvalida(
      `a outra célula já tem com outro conteúdo o grupo ${alheios.join(', ')}: deixe-o igual nas duas (radgroupcheck e radgroupreply), ou dê outro nome ao deste provedor`,
    );
  }
  const levar = mudados.filter((nome) => daqui.has(nome) || deles.has(nome));
  if (levar.length === 0) return;
  const novos = levar.filter((nome) => !la.has(nome) && !deles.has(nome));
  const deOutros = await usadosPorOutros(destino, novos, provedorId);
  if (deOutros.length > 0) {
    throw new EntradaInvalida(
      `na outra célula outros usam o grupo ${deOutros.join(', ')}, que lá nada quer dizer: deixe-o igual nas duas (radgroupcheck e radgroupreply), ou dê outro nome ao deste provedor`,
    );
  }
  await destino.transaction(async (trx) => {
    for (const tabela of TABELAS) {
      await trx(tabela).whereIn('groupname', levar).delete();
      const itens = levar.flatMap((nome) => daqui.get(nome)?.[tabela] ?? []);
      if (itens.length > 0) await trx(tabela).insert(itens.map((item) => ({ ...item })));
    }
    await antesDeConfirmar(trx);
  });
}

export async function levarGrupos(
  origem: Db,
  destino: Db,
  provedorId: number,
  antesDeConfirmar: (trx: Db) => Promise<void>,
): Promise<void> {
  const grupos = await lerGrupos(origem, provedorId);
  await retryOnConflict(async () => gravarGrupos(destino, grupos, provedorId, antesDeConfirmar));
}
