import test from 'ava';
import type { Dominio } from '../../../src/domain/dominio.ts';
import type { FiltroDeClientes, FiltroDeContratos } from '../../../src/domain/listas/listas.types.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarMudar } from '../clientes/apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00Z');
let api: Api;
let fabrica: Fabrica;
const mudar = criarMudar(() => api);
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  p = await povoar();
});
test.after.always(async () => api.fechar());

const ler = async <T>(provedor: number, fazer: (listas: Dominio['listas']) => Promise<T>): Promise<T> =>
  mudar(provedor, async (_escritas, { listas }) => fazer(listas));

/** 120 clients, one contract each: named in the order opposite to their ids, two by two alike. */
async function povoar() {
  const provedor = await fabrica.provedor();
  const planos = [await fabrica.plano(provedor, { nome: 'Um' }), await fabrica.plano(provedor, { nome: 'Dois' })];
  const clientes: number[] = [];
  const contratos: number[] = [];
  for (let n = 0; n < 120; n += 1) {
    const cliente = await fabrica.cliente(provedor, {
      nome: `Nome ${String(500 - Math.floor(n / 2)).padStart(3, '0')}`,
      cidade: n % 3 === 0 ? 'Alfenas' : 'Machado',
      situacao: n % 10 === 0 ? 'bloqueado' : 'ativo',
    });
    clientes.push(cliente);
    const contrato = await fabrica.contrato(provedor, {
      cliente_id: cliente,
      plano_id: planos[n % 2],
      situacao: n % 10 === 0 ? 'bloqueado' : 'ativo',
      cidade: n % 3 === 0 ? 'Alfenas' : null,
      dia_vencimento: n % 4 === 0 ? 5 : 20,
    });
    contratos.push(contrato);
    if (n % 5 !== 4) {
      const nas = n % 4 === 0 ? '10.0.0.1' : '10.0.0.2';
      const ouvida_em = n % 5 === 0 ? '2026-11-20 12:00:00.000' : '2026-11-20 14:59:00.000';
      await fabrica.conexao(provedor, { contrato_id: contrato, ouvida_em, intervalo_segundos: 300, nas });
    }
  }
  return { provedor, planos, clientes, contratos };
}
type Povoado = Awaited<ReturnType<typeof povoar>>;
let p: Povoado;

/** All ids of a list by its pages onwards, then back. */
async function percorrer(
  pagina: (cursor: string | undefined) => Promise<{
    readonly itens: readonly { readonly id: number }[];
    readonly proxima: string | null;
    readonly anterior: string | null;
  }>,
): Promise<{ ida: number[][]; volta: number[][] }> {
  const ida: number[][] = [];
  const volta: number[][] = [];
  let lida = await pagina(undefined);
  for (; ; lida = await pagina(lida.proxima)) {
    ida.push(lida.itens.map(({ id }) => id));
    if (lida.proxima === null) break;
  }
  for (; ; lida = await pagina(lida.anterior)) {
    volta.unshift(lida.itens.map(({ id }) => id));
    if (lida.anterior === null) break;
  }
  return { ida, volta };
}

for (const ordem of ['nome', 'id', 'recentes'] as const) {
  test(`clientes por ${ordem}, de página em página para a frente e para trás, cada um uma vez`, async (t) => {
    const { ida, volta } = await percorrer(async (cursor) =>
      ler(p.provedor, async (listas) => listas.clientes({}, { cursor, ordem })),
    );
    const porNome = p.clientes.toSorted((a, b) => {
      const [i, j] = [p.clientes.indexOf(a), p.clientes.indexOf(b)];
      return Math.floor(j / 2) - Math.floor(i / 2) || a - b;
    });
    const esperada = { nome: porNome, id: p.clientes, recentes: p.clientes.toReversed() }[ordem];
    t.deepEqual(ida.flat(), esperada);
    t.deepEqual(
      ida.map(({ length }) => length),
      [50, 50, 20],
    );
    t.deepEqual(volta, ida);
  });
}

test('contratos do mais novo ao mais antigo, para a frente e para trás', async (t) => {
  const { ida, volta } = await percorrer(async (cursor) =>
    ler(p.provedor, async (listas) => listas.contratos({}, { cursor })),
  );
  t.deepEqual(ida.flat(), p.contratos.toReversed());
  t.deepEqual(volta, ida);
});

const DE_CLIENTES: readonly (readonly [filtro: (de: Povoado) => FiltroDeClientes, n: (n: number) => boolean])[] = [
  [() => ({ situacao: 'bloqueado' }), (n) => n % 10 === 0],
  [() => ({ cidade: 'Alfenas' }), (n) => n % 3 === 0],
  [({ planos }) => ({ planoId: planos[1] }), (n) => n % 2 === 1],
  [() => ({ conexao: 'online' }), (n) => n % 5 !== 4 && n % 5 !== 0],
  [() => ({ conexao: 'offline' }), (n) => n % 5 === 0],
  [() => ({ conexao: 'bloqueado' }), (n) => n % 10 === 0],
  [({ planos }) => ({ planoId: planos[0], cidade: 'Alfenas', situacao: 'ativo' }), (n) => n % 6 === 0 && n % 10 !== 0],
  [() => ({ cidade: 'Machado', conexao: 'bloqueado' }), (n) => n % 10 === 0 && n % 3 !== 0],
  [() => ({ cidade: 'Outra' }), () => false],
];
for (const [filtro, serve] of DE_CLIENTES) {
  test(`clientes por ${JSON.stringify(filtro({ provedor: 0, planos: [1, 2], clientes: [], contratos: [] }))}`, async (t) => {
    const esperados = p.clientes.filter((_, n) => serve(n));
    const todos: number[] = [];
    let total: unknown;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const pagina = await ler(p.provedor, async (listas) =>
        listas.clientes(filtro(p), { cursor: cursor ?? undefined, ordem: 'id' }),
      );
      todos.push(...pagina.itens.map(({ id }) => id));
      ({ total } = pagina);
      cursor = pagina.proxima;
    }
    t.deepEqual(todos, esperados);
    t.deepEqual(total, { quantos: esperados.length, exato: true });
    const exportados: number[] = [];
    await ler(p.provedor, async (listas) => {
      for await (const { id } of listas.todosOsClientes(filtro(p))) exportados.push(id);
    });
    t.deepEqual(exportados, esperados);
    const porNome = await ler(p.provedor, async (listas) => listas.clientes(filtro(p)));
    t.is(porNome.itens.length, Math.min(50, esperados.length));
  });
}

const DE_CONTRATOS: readonly (readonly [filtro: (de: Povoado) => FiltroDeContratos, n: (n: number) => boolean])[] = [
  [() => ({ situacao: 'bloqueado' }), (n) => n % 10 === 0],
  [({ planos }) => ({ planoId: planos[0] }), (n) => n % 2 === 0],
  [() => ({ cidade: 'Alfenas' }), (n) => n % 3 === 0],
  [() => ({ diaVencimento: 5 }), (n) => n % 4 === 0],
  [() => ({ servidor: '10.0.0.1' }), (n) => n % 4 === 0 && n % 5 !== 4],
  [() => ({ servidor: '10.0.0.2', situacao: 'bloqueado' }), (n) => n % 10 === 0 && n % 4 !== 0],
  [() => ({ servidor: '10.0.0.1', conexao: 'online' }), (n) => n % 4 === 0 && n % 5 !== 4 && n % 5 !== 0],
  [() => ({ conexao: 'online' }), (n) => n % 5 !== 4 && n % 5 !== 0],
  [() => ({ conexao: 'offline', cidade: 'Alfenas', diaVencimento: 20 }), (n) => n % 15 === 0 && n % 4 !== 0],
];
for (const [filtro, serve] of DE_CONTRATOS) {
  test(`contratos por ${JSON.stringify(filtro({ provedor: 0, planos: [1, 2], clientes: [], contratos: [] }))}`, async (t) => {
    const esperados = p.contratos.filter((_, n) => serve(n));
    const { itens, total } = await ler(p.provedor, async (listas) => listas.contratos(filtro(p), { ordem: 'id' }));
    t.deepEqual(
      itens.map(({ id }) => id),
      esperados.slice(0, 50),
    );
    t.deepEqual(total, { quantos: esperados.length, exato: true });
  });
}

test('cada cliente vem com telefones, contratos em vigor, plano do primeiro e se deve', async (t) => {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor, { nome: 'Fibra' });
  const cliente = await fabrica.cliente(provedor, { nome: 'Ana', cidade: 'Alfenas' });
  for (const numero of ['35999990002', '35999990001'])
    await fabrica.telefone(provedor, { cliente_id: cliente, numero });
  const daqui = { cliente_id: cliente, plano_id: plano };
  await fabrica.contrato(provedor, { ...daqui, situacao: 'cancelado' });
  await fabrica.contrato(provedor, daqui);
  await fabrica.contrato(provedor, daqui);
  const primeiro = async () => (await ler(provedor, async (listas) => listas.clientes({}))).itens[0];
  await fabrica.fatura(provedor, { cliente_id: cliente, vencimento: '2026-11-20' });
  t.like(await primeiro(), { contratos: 2, plano: { id: plano, nome: 'Fibra' }, vencida: false });
  t.deepEqual((await primeiro())?.telefones, ['35999990002', '35999990001']);
  await fabrica.fatura(provedor, { cliente_id: cliente, vencimento: '2026-11-19' });
  t.true((await primeiro())?.vencida);
});

test('as escolhas são as cidades e os planos do provedor, e nada de outro', async (t) => {
  const outro = await fabrica.provedor();
  const daqui = await ler(p.provedor, async (listas) => listas.escolhas());
  t.deepEqual(daqui.cidadesDosClientes, ['Alfenas', 'Machado']);
  t.deepEqual(daqui.cidadesDosContratos, ['Alfenas']);
  t.deepEqual(
    daqui.planos.map(({ nome }) => nome),
    ['Dois', 'Um'],
  );
  const dele = await ler(outro, async (listas) => listas.escolhas());
  t.deepEqual(dele, { cidadesDosClientes: [], cidadesDosContratos: [], planos: [], servidores: [] });
  t.deepEqual((await ler(outro, async (listas) => listas.clientes({}))).itens, []);
});

test('um cursor que não é desta lista é o começo dela', async (t) => {
  const comeco = await ler(p.provedor, async (listas) => listas.clientes({}));
  for (const cursor of ['', 'x', '%%%', Buffer.from('[0,{"a":1},2]').toString('base64url'), 'a'.repeat(5000)]) {
    t.deepEqual(await ler(p.provedor, async (listas) => listas.clientes({}, { cursor })), comeco, cursor);
  }
});

test.serial('uma página custa os mesmos comandos, por mais que tenha', async (t) => {
  const um = await fabrica.provedor();
  const plano = await fabrica.plano(um);
  await fabrica.contrato(um, { cliente_id: await fabrica.cliente(um, { cidade: 'Alfenas' }), plano_id: plano });
  const contar = async (provedor: number, planoId: number | undefined): Promise<number> => {
    const dono = await api.container.provedores.exigirPorId(provedor);
    let feitos = 0;
    const ouvir = (): void => void (feitos += 1);
    api.container.db.on('query', ouvir);
    const como = { reader: 'teste', whole: false };
    await api.container.readTenant(dono, untracked, como, async ({ listas }) => {
      await listas.clientes({ cidade: 'Alfenas', planoId });
      await listas.contratos({ planoId });
    });
    api.container.db.off('query', ouvir);
    return feitos;
  };
  // What stands whole on the first page is not counted beside it.
  const DO_TOTAL = 2;
  t.is(await contar(p.provedor, p.planos[0]), (await contar(um, plano)) + DO_TOTAL);
});

test('de várias condições comuns acha também os poucos que têm todas', async (t) => {
  const provedor = await fabrica.provedor();
  const [um, outro] = [await fabrica.plano(provedor), await fabrica.plano(provedor)];
  const PRIMEIRO = 50_000_000;
  const n = (id: number): number => id - PRIMEIRO;
  const ids = Array.from({ length: 10_400 }, (_, i) => PRIMEIRO + i);
  // Those of the first half are active and of one plan, the others neither; but for three at the end.
  const ativo = (id: number): boolean => n(id) < 5200 || n(id) >= 10_397;
  await api.dono.batchInsert(
    'clientes',
    ids.map((id) => ({
      provedor_id: provedor,
      id,
      nome: `Nome ${id}`,
      tipo: 'pf',
      cpf_cnpj: String(id).padStart(11, '0'),
      situacao: ativo(id) ? 'ativo' : 'observacao',
    })),
    2000,
  );
  await api.dono.batchInsert(
    'contratos',
    ids.map((id) => ({
      provedor_id: provedor,
      id,
      cliente_id: id,
      plano_id: n(id) < 5200 ? um : outro,
      situacao: 'ativo',
      login: `comum-${id}`,
      tipo_cobranca: 'pos_pago',
      dia_vencimento: n(id) % 2 === 0 ? 5 : 10,
      valor: '99.90',
    })),
    2000,
  );
  await api.dono.batchInsert(
    'conexoes',
    ids.map((id) => ({
      provedor_id: provedor,
      contrato_id: id,
      ouvida_em: n(id) < 5200 ? '2026-11-20 14:59:00.000' : '2026-11-20 12:00:00.000',
      intervalo_segundos: 300,
    })),
    2000,
  );
  const achados = ids.slice(10_397);
  for (const ordem of ['nome', 'id', 'recentes'] as const) {
    const poucos = await ler(provedor, async (listas) =>
      listas.clientes({ situacao: 'ativo', planoId: outro }, { ordem }),
    );
    t.deepEqual(
      poucos.itens.map(({ id }) => id).toSorted((a, b) => a - b),
      achados,
      ordem,
    );
    t.deepEqual(poucos.total, { quantos: 3, exato: true });
    const muitos = await ler(provedor, async (listas) =>
      listas.clientes({ situacao: 'ativo', planoId: um }, { ordem }),
    );
    t.deepEqual(
      muitos.itens.map(({ id }) => id),
      ordem === 'recentes' ? ids.slice(5150, 5200).toReversed() : ids.slice(0, 50),
    );
  }
  const offline = await ler(provedor, async (listas) => listas.clientes({ planoId: outro, conexao: 'offline' }));
  t.deepEqual(
    offline.itens.map(({ id }) => id),
    ids.slice(5200, 5250),
  );
  const online = await ler(provedor, async (listas) => listas.contratos({ planoId: um, conexao: 'online' }));
  t.deepEqual(
    online.itens.map(({ id }) => id),
    ids.slice(5150, 5200).toReversed(),
  );
  const nenhum = await ler(provedor, async (listas) => listas.contratos({ planoId: outro, conexao: 'online' }));
  t.deepEqual([nenhum.itens, nenhum.total], [[], { quantos: 0, exato: true }]);
});
