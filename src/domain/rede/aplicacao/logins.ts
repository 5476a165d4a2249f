import { groupBy } from '../../../platform/group-by.ts';
import type { Write } from '../../escrita.ts';
import { createLoginsQueries } from '../radius/logins.queries.ts';
import type { ItemDoLoginRow } from '../radius/logins.queries.ts';
import { condicoesDoLogin, ehCondicaoNossa, ehRespostaNossa, respostasDoLogin } from '../radius/logins.regras.ts';
import type { LinhaDoContrato } from '../radius/logins.regras.ts';
import { acertar } from '../radius/conteudo.regras.ts';
import type { EstadoNaRede, Item } from '../rede.types.ts';
import type { MudancaDoLogin } from '../sessoes/diferenca.regras.ts';

/** A contract whose login is the provider's alone. */
export interface LoginDoContrato extends LinhaDoContrato {
  readonly id: number;
  readonly login: string;
  readonly estado: EstadoNaRede;
}

/** What became of logins' own rows. */
export interface LoginsEscritos {
  /** Contracts whose login is given something else, or bound otherwise, from now on: a session that is up may have the old. */
  readonly mudados: ReadonlyMap<number, MudancaDoLogin>;
  /** Names of what each login is answered by itself. */
  readonly respostas: ReadonlyMap<number, readonly string[]>;
}

/** Makes what is ours of `radreply` and `radcheck` be what the contracts have; other rows of the logins stay. */
export async function escreverLogins(
  w: Write,
  contratos: readonly LoginDoContrato[],
  rede: { readonly enderecos: boolean; readonly prenderMac: boolean; readonly bloqueioPorPool: boolean },
): Promise<LoginsEscritos> {
  const mudados = new Map<number, MudancaDoLogin>();
  if (contratos.length === 0) return { mudados, respostas: new Map() };
  const queries = createLoginsQueries(w);

  async function acertarTodos(
    tabela: 'radreply' | 'radcheck',
    antes: ReadonlyMap<number, readonly ItemDoLoginRow[]>,
    nosso: (item: Item) => boolean,
    desejados: (contrato: LoginDoContrato) => Item[],
  ): Promise<void> {
    const apagar: number[] = [];
    const inserir: (Item & { username: string })[] = [];
    for (const contrato of contratos) {
      // An operator's `=` says the same of a login that has one row of it.
      const nossos = (antes.get(contrato.id) ?? [])
        .filter(nosso)
        .map((item) => (item.op === '=' ? { ...item, op: ':=' } : item));
      const mudanca = acertar(nossos, 'tudo', desejados(contrato));
      apagar.push(...mudanca.apagar);
      inserir.push(...mudanca.inserir.map((item) => ({ username: contrato.login, ...item })));
      if (mudanca.apagar.length + mudanca.inserir.length === 0) continue;
      const { dadas = [], tiradas = [], mac = null } = mudados.get(contrato.id) ?? {};
      const apagados = nossos.filter(({ id }) => mudanca.apagar.includes(id));
      mudados.set(
        contrato.id,
        tabela === 'radreply'
          ? { dadas: mudanca.inserir, tiradas: apagados, mac }
          : { dadas, tiradas, mac: mudanca.inserir.length > 0 ? contrato.mac : null },
      );
    }
    await queries.trocar(tabela, apagar, inserir);
  }

  const ids = contratos.map(({ id }) => id);
  const respostas = groupBy(await queries.itens('radreply', ids), doContrato);
  const condicoes = groupBy(await queries.itens('radcheck', ids), doContrato);
  // Where they are not ours to write, they are not ours to take away either.
  if (rede.enderecos) {
    await acertarTodos('radreply', respostas, ehRespostaNossa, (contrato) =>
      respostasDoLogin(contrato, contrato.estado, rede.bloqueioPorPool),
    );
  }
  await acertarTodos('radcheck', condicoes, ehCondicaoNossa, (contrato) => condicoesDoLogin(contrato, rede));
  return {
    mudados,
    respostas: new Map([...respostas].map(([id, itens]) => [id, itens.map(({ attribute }) => attribute)])),
  };
}

const doContrato = ({ contrato_id }: ItemDoLoginRow): number => contrato_id;
