import test from 'ava';
import { CHAMADOS_TAG, CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, FATURAS_TAG } from '../../../src/domain/tags.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
let fabrica: ReturnType<typeof criarFabrica>;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z'), processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

const LINHAS = 47;
const POR_PAGINA = 5;

interface Cenario {
  readonly provedor: number;
  readonly cliente: number;
}

/** For each list: how a row comes into it, and the tags that say so. Many share the instant that they are sorted by. */
const LISTAS = {
  clientes: {
    ordem: 'crescente',
    tags: [CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG],
    criar: async ({ provedor }: Cenario) => fabrica.cliente(provedor),
  },
  faturas: {
    ordem: 'decrescente',
    tags: [FATURAS_TAG],
    criar: async ({ provedor, cliente }: Cenario, n: number) =>
      fabrica.fatura(provedor, { cliente_id: cliente, emitida_em: `2026-11-0${1 + Math.floor(n / 30)} 09:00:00.000` }),
  },
  chamados: {
    ordem: 'decrescente',
    tags: [CHAMADOS_TAG],
    criar: async ({ provedor, cliente }: Cenario, n: number) =>
      fabrica.chamado(provedor, { cliente_id: cliente, aberto_em: `2026-11-0${1 + Math.floor(n / 30)} 09:00:00.000` }),
  },
} as const;
type Lista = keyof typeof LISTAS;

async function cenario(lista: Lista): Promise<Cenario & { ids: number[]; chave: string; outra: string }> {
  const provedor = await fabrica.provedor();
  const cliente = lista === 'clientes' ? 0 : await fabrica.cliente(provedor);
  const ids: number[] = [];
  for (let n = 0; n < LINHAS; n += 1) ids.push(await LISTAS[lista].criar({ provedor, cliente }, n));
  const { texto: chave } = await api.criarChave(provedor);
  const { texto: outra } = await api.criarChave(provedor);
  return { provedor, cliente, ids: LISTAS[lista].ordem === 'crescente' ? ids : ids.toReversed(), chave, outra };
}

/** Rows come in, and every process is told. */
async function chegam(lista: Lista, { provedor, cliente }: Cenario, quantas: number): Promise<void> {
  const { criar, tags } = LISTAS[lista];
  for (let n = 0; n < quantas; n += 1) await criar({ provedor, cliente }, LINHAS + n);
  await api.container.write(AUTOR, provedor, async (w) => w.touch(...tags));
}

const paginaDe = async (lista: Lista, chave: string, pagina: number, processo = 0, filtro = '') =>
  (await api.get(`/${lista}?por_pagina=${POR_PAGINA}&pagina=${pagina}${filtro}`, { chave, processo })).corpo;
const idsDe = (corpo: { dados: { id: number }[] }): number[] => corpo.dados.map(({ id }) => id);

for (const lista of Object.keys(LISTAS) as Lista[]) {
  for (const filtro of ['', `&situacao=${{ clientes: 'ativo', faturas: 'aberta', chamados: 'aberto' }[lista]}`]) {
    test.serial(`/${lista}${filtro}: quem lê página por página não pula nem repete o que já existia`, async (t) => {
      const dados = await cenario(lista);
      const vistos: number[] = [];
      for (let pagina = 1; ; pagina += 1) {
        // Of another process each time, so that the place is not one process's own.
        const corpo = await paginaDe(lista, dados.chave, pagina, pagina % 2, filtro);
        vistos.push(...idsDe(corpo));
        if (corpo.dados.length < POR_PAGINA) break;
        await chegam(lista, dados, pagina < 5 ? 3 : 0);
      }
      t.deepEqual(
        vistos.filter((id) => dados.ids.includes(id)),
        dados.ids,
      );
      t.is(new Set(vistos).size, vistos.length);
    });
  }

  test.serial(`/${lista}: cada leitor tem o seu lugar`, async (t) => {
    const dados = await cenario(lista);
    const primeira = [...idsDe(await paginaDe(lista, dados.chave, 1)), ...idsDe(await paginaDe(lista, dados.chave, 2))];
    await chegam(lista, dados, 3);
    // The other begins now, and comes past where the first one is.
    for (let pagina = 1; pagina <= 5; pagina += 1) await paginaDe(lista, dados.outra, pagina);
    primeira.push(...idsDe(await paginaDe(lista, dados.chave, 3)));
    t.deepEqual(primeira, dados.ids.slice(0, 3 * POR_PAGINA));
  });

  test.serial(`/${lista}: quem começa de novo lê o que há agora`, async (t) => {
    const dados = await cenario(lista);
    for (let pagina = 1; pagina <= 4; pagina += 1) await paginaDe(lista, dados.chave, pagina);
    await chegam(lista, dados, 2);
    const todas = await api.get(`/${lista}?por_pagina=100`, { chave: dados.outra });
    const novas = [...idsDe(await paginaDe(lista, dados.chave, 1)), ...idsDe(await paginaDe(lista, dados.chave, 2))];
    t.deepEqual(novas, idsDe(todas.corpo).slice(0, 2 * POR_PAGINA));
    // A page that nobody has read up to is counted off from the first.
    t.deepEqual(idsDe(await paginaDe(lista, dados.outra, 6)), idsDe(todas.corpo).slice(5 * POR_PAGINA, 6 * POR_PAGINA));
  });

  test.serial(`/${lista}: o total é contado uma vez, e de novo quando algo mudou`, async (t) => {
    const dados = await cenario(lista);
    const contagens: string[] = [];
    const anotar = ({ sql }: { sql: string }): void => {
      if (/count\(\*\)/.test(sql)) contagens.push(sql);
    };
    api.container.db.on('query', anotar);
    try {
      for (let pagina = 1; pagina <= 5; pagina += 1) {
        t.is((await paginaDe(lista, dados.chave, pagina)).paginacao.total, LINHAS);
      }
      t.is((await paginaDe(lista, dados.outra, 3)).paginacao.total, LINHAS);
      t.is(contagens.length, 1);
      await chegam(lista, dados, 2);
      t.is((await paginaDe(lista, dados.chave, 6)).paginacao.total, LINHAS + 2);
      t.is(contagens.length, 2);
    } finally {
      api.container.db.removeListener('query', anotar);
    }
  });
}

test.serial('sem o Redis, as páginas são contadas desde a primeira, e o total também', async (t) => {
  const dados = await cenario('faturas');
  const so = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00Z'), bancoDe: api, redis: 'redis://127.0.0.1:1' });
  try {
    const vistos: number[] = [];
    for (let pagina = 1; pagina <= 10; pagina += 1) {
      const { corpo } = await so.get(`/faturas?por_pagina=${POR_PAGINA}&pagina=${pagina}`, { chave: dados.chave });
      t.is(corpo.paginacao.total, LINHAS);
      vistos.push(...idsDe(corpo));
    }
    t.deepEqual(vistos, dados.ids);
  } finally {
    await so.fechar();
  }
});
