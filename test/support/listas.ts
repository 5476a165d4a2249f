import test from 'ava';
import type { Relogio } from '../../src/platform/timing/relogio.ts';
import { criarApi } from './api.ts';
import type { Api } from './api.ts';
import { criarFabrica } from './fabrica.ts';
import type { Fabrica } from './fabrica.ts';

/** A provider's rows of a list, by the names that its tests give them. */
export interface Povoado {
  readonly provedor: number;
  readonly linhas: Readonly<Record<string, number>>;
}

export interface Cena<P extends Povoado> {
  readonly api: Api;
  readonly fabrica: Fabrica;
  /** Two providers whose rows look the same; the key is the first one's. */
  readonly meu: P;
  readonly alheio: P;
  readonly chave: string;
}

interface ProvaDaLista<P extends Povoado> {
  /** Such as `/faturas`. */
  readonly caminho: string;
  readonly relogio: Relogio;
  readonly povoar: (fabrica: Fabrica) => Promise<P>;
  /** Names of all rows, in the order of the list. */
  readonly ordem: readonly string[];
  /** That order, in words. */
  readonly ordenada: string;
  /** Queries, and how many rows each finds. */
  readonly filtros: (meu: P) => Readonly<Record<string, number>>;
  /** What is below one row, such as `/historico`, and read by its id as well. */
  readonly abaixo?: readonly string[];
  /** Hands the scene to the tests of the file. */
  readonly comecar: (cena: Cena<P>) => void;
}

/** Names of the rows that a query finds, in their order. */
type Listar = (query: string) => Promise<string[]>;

/** Sets the scene of a list's tests, and tests what is the same of each list: its pages, its totals, and whose rows are in it. */
export function provarLista<P extends Povoado>(prova: ProvaDaLista<P>): Listar {
  const { caminho, ordem, ordenada } = prova;
  let cena: Cena<P>;
  test.before(async () => {
    const api = await criarApi({ relogio: prova.relogio });
    const fabrica = criarFabrica(api.dono);
    const meu = await prova.povoar(fabrica);
    const alheio = await prova.povoar(fabrica);
    const { texto: chave } = await api.criarChave(meu.provedor);
    cena = { api, fabrica, meu, alheio, chave };
    prova.comecar(cena);
  });
  test.after.always(() => cena.api.fechar());

  const pedir = async (query: string) => cena.api.get(`${caminho}${query}`, { chave: cena.chave });
  async function listar(query: string): Promise<string[]> {
    const { status, corpo } = await pedir(query);
    if (status !== 200) throw new Error(JSON.stringify(corpo));
    const nomes = new Map(Object.entries(cena.meu.linhas).map(([nome, id]) => [id, nome]));
    return corpo.dados.map(({ id }: { id: number }) => nomes.get(id) ?? `de outro: ${id}`);
  }
  /** Each filter, and none. */
  const filtros = (): [query: string, total: number][] => [
    ['', ordem.length],
    ...Object.entries(prova.filtros(cena.meu)).map(([query, total]): [string, number] => [`&${query}`, total]),
  ];

  test(`GET ${caminho}: sem parâmetros lista tudo o que é do provedor, ${ordenada}, e diz a paginacao`, async (t) => {
    t.deepEqual(await listar(''), ordem);
    const { paginacao } = (await pedir('')).corpo;
    t.deepEqual(paginacao, { pagina: 1, por_pagina: 20, total: ordem.length, total_paginas: 1 });
  });

  test(`GET ${caminho}: as páginas, juntas, são a lista, sem repetir nem pular`, async (t) => {
    const total_paginas = Math.ceil(ordem.length / 3);
    const vistas: string[] = [];
    for (let pagina = 1; pagina <= total_paginas; pagina += 1) {
      const query = `?pagina=${pagina}&por_pagina=3`;
      t.deepEqual((await pedir(query)).corpo.paginacao, { pagina, por_pagina: 3, total: ordem.length, total_paginas });
      vistas.push(...(await listar(query)));
    }
    t.deepEqual(vistas, ordem);
  });

  test(`GET ${caminho}: o total é o dos filtros, em qualquer página`, async (t) => {
    for (const [query, total] of filtros()) {
      for (const pagina of [1, 2, 3]) {
        const { paginacao } = (await pedir(`?pagina=${pagina}&por_pagina=2${query}`)).corpo;
        t.deepEqual(paginacao, { pagina, por_pagina: 2, total, total_paginas: Math.ceil(total / 2) }, query);
      }
    }
  });

  test(`GET ${caminho}: página além da última é 200 com lista vazia e os totais verdadeiros`, async (t) => {
    for (const [query, total] of filtros()) {
      const { status, corpo } = await pedir(`?pagina=9&por_pagina=2${query}`);
      t.is(status, 200);
      t.deepEqual(corpo, {
        sucesso: true,
        dados: [],
        paginacao: { pagina: 9, por_pagina: 2, total, total_paginas: Math.ceil(total / 2) },
      });
    }
  });

  for (const abaixo of ['', ...(prova.abaixo ?? [])]) {
    test(`GET ${caminho}/{id}${abaixo}: id que não existe, ou de outro provedor, é 404 nao_encontrado`, async (t) => {
      for (const id of [999_999, ...Object.values(cena.alheio.linhas)]) {
        const { status, corpo } = await pedir(`/${id}${abaixo}`);
        t.is(status, 404);
        t.is(corpo.sucesso, false);
        t.is(corpo.erro.codigo, 'nao_encontrado');
      }
    });
  }

  return listar;
}

/** Two clients of a provider with three contracts, as lists that are narrowed to a client or a contract need them. */
export interface Assinantes {
  readonly provedor: number;
  readonly maria: number;
  readonly joao: number;
  /** Maria's. */
  readonly casa: number;
  readonly loja: number;
  /** João's. */
  readonly sitio: number;
}

export async function povoarAssinantes(fabrica: Fabrica): Promise<Assinantes> {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const maria = await fabrica.cliente(provedor, { nome: 'Maria' });
  const joao = await fabrica.cliente(provedor, { nome: 'João' });
  const casa = await fabrica.contrato(provedor, { cliente_id: maria, plano_id: plano });
  const loja = await fabrica.contrato(provedor, { cliente_id: maria, plano_id: plano });
  const sitio = await fabrica.contrato(provedor, { cliente_id: joao, plano_id: plano });
  return { provedor, maria, joao, casa, loja, sitio };
}

/** That neither another provider's client or contract nor anybody's narrows a list to any row. */
export function provarFiltrosPorId(
  caminho: string,
  listar: Listar,
  cena: () => Pick<Cena<Povoado & Assinantes>, 'meu' | 'alheio'>,
): void {
  test(`GET ${caminho}: cliente_id e contrato_id de outro provedor ou de ninguém dão lista vazia`, async (t) => {
    const { meu, alheio } = cena();
    for (const query of [
      `cliente_id=${alheio.maria}`,
      `contrato_id=${alheio.casa}`,
      'cliente_id=999999',
      'contrato_id=999999',
      `cliente_id=${meu.maria}&contrato_id=${alheio.casa}`,
    ]) {
      t.deepEqual(await listar(`?${query}`), [], query);
    }
  });
}
