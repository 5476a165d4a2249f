import test from 'ava';
import { createContagemDeUso } from '../../src/domain/chaves/uso/contagem.ts';
import type { UsoDoDia } from '../../src/domain/chaves/uso/uso.queries.ts';
import { untracked } from '../../src/platform/cache/trail.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';
import type { Fabrica } from '../support/fabrica.ts';
import { relogioEm } from '../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ processos: 2, relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

const gravar = async (): Promise<void> => {
  for (const { usoDasChaves } of api.containers) await usoDasChaves.gravar();
};
const linhas = async (provedor: number): Promise<unknown[]> =>
  (await api.dono('chaves_uso').where({ provedor_id: provedor }).orderBy(['chave_id', 'dia'])).map(
    ({ chave_id, dia, pedidos }) => [chave_id, dia, pedidos],
  );
async function lidas(provedor: number) {
  const { provedores, readTenant } = api.container;
  const dele = await provedores.exigirPorId(provedor);
  return readTenant(dele, untracked, { reader: 'teste', whole: false }, async ({ chaves }) => ({
    todas: await chaves.listar(),
    serie: async (id: number, dias: number) => chaves.serie(id, dias),
  }));
}

test.serial(
  'cada pedido admitido conta uma vez, de todos os processos, e nada é escrito enquanto se responde',
  async (t) => {
    const provedor = await fabrica.provedor();
    const [uma, outra] = [await api.criarChave(provedor), await api.criarChave(provedor)];
    const escritas: string[] = [];
    const ouvir = ({ sql }: { sql: string }): void => void escritas.push(sql);
    api.container.db.on('query', ouvir);
    for (const processo of [0, 1, 0]) t.is((await api.get('/status', { chave: uma.texto, processo })).status, 200);
    t.is((await api.get('/status', { chave: outra.texto })).status, 200);
    api.container.db.off('query', ouvir);
    t.deepEqual(
      escritas.filter((sql) => sql.includes('chaves_uso')),
      [],
    );
    t.deepEqual(await linhas(provedor), []);
    await gravar();
    await gravar();
    const dia = '2026-11-20';
    t.deepEqual(await linhas(provedor), [
      [uma.id, dia, 3],
      [outra.id, dia, 1],
    ]);

    await api.get('/status', { chave: uma.texto });
    await gravar();
    t.deepEqual((await linhas(provedor))[0], [uma.id, dia, 4]);
  },
);

test.serial('o que se recusa não conta, e o dia é o do provedor', async (t) => {
  const provedor = await fabrica.provedor();
  const { id, texto } = await api.criarChave(provedor, { limitePorMinuto: 1 });
  // Still the 20th in São Paulo.
  relogio.definir('2026-11-21T02:30:00.000Z');
  t.is((await api.get('/status', { chave: texto })).status, 200);
  t.is((await api.get('/status', { chave: texto })).status, 429);
  await gravar();
  t.deepEqual(await linhas(provedor), [[id, '2026-11-20', 1]]);
});

test.serial('a equipe vê o último uso, os pedidos de 30 dias e os de cada dia', async (t) => {
  const provedor = await fabrica.provedor();
  const { id } = await api.criarChave(provedor);
  const parada = await api.criarChave(provedor);
  const doDia = (dia: string, pedidos: number) => ({
    provedor_id: provedor,
    chave_id: id,
    dia,
    pedidos,
    ultimo_em: `${dia} 12:00:00.000`,
  });
  await api.dono('chaves_uso').insert([doDia('2026-10-21', 100), doDia('2026-10-22', 10), doDia('2026-11-19', 1)]);
  const { todas, serie } = await lidas(provedor);
  t.like(todas[1], { id, pedidos30Dias: 11, ultimoUsoEm: new Date('2026-11-19T12:00:00.000Z'), estado: 'ativa' });
  t.like(todas[0], { id: parada.id, pedidos30Dias: 0, ultimoUsoEm: null, criadaPor: null });
  t.deepEqual(await serie(id, 3), [
    { dia: '2026-11-18', pedidos: 0 },
    { dia: '2026-11-19', pedidos: 1 },
    { dia: '2026-11-20', pedidos: 0 },
  ]);
});

test.serial('de uma chave apagada por SQL o uso se perde, e o das outras se grava', async (t) => {
  const provedor = await fabrica.provedor();
  const [apagada, outra] = [await api.criarChave(provedor), await api.criarChave(provedor)];
  for (const { texto } of [apagada, outra]) await api.get('/status', { chave: texto });
  await api.dono('auditoria').where({ provedor_id: provedor }).update({ chave_id: null });
  await api.dono('chaves_api').where({ id: apagada.id }).delete();
  await gravar();
  t.deepEqual(await linhas(provedor), [[outra.id, '2026-11-20', 1]]);
});

/** A counter whose database can be away. */
function contador(maximo?: number) {
  const banco = { fora: false, somas: [] as UsoDoDia[][] };
  const contagem = createContagemDeUso({
    relogio,
    ...(maximo === undefined ? {} : { maximo }),
    somar: async (usos) => {
      if (banco.fora) throw new Error('sem banco');
      banco.somas.push([...usos]);
    },
  });
  return { banco, ...contagem };
}
const chave = (id: number) =>
  ({ chave: { id }, provedor: { id: 1, fusoHorario: 'America/Sao_Paulo' } }) as Parameters<
    ReturnType<typeof createContagemDeUso>['contar']
  >[0];

test.serial('sem banco, o que se contou espera, cada dia no seu, e é somado depois', async (t) => {
  const { banco, contar, gravar: guardar } = contador();
  banco.fora = true;
  contar(chave(1));
  await t.throwsAsync(guardar(), { message: 'sem banco' });
  contar(chave(1));
  await t.throwsAsync(guardar());
  relogio.avancar(86_400_000);
  contar(chave(1));
  banco.fora = false;
  await guardar();
  t.deepEqual(
    banco.somas.flat().map(({ chaveId, dia, pedidos }) => [chaveId, dia, pedidos]),
    [
      [1, '2026-11-20', 2],
      [1, '2026-11-21', 1],
    ] as unknown[],
  );
  await guardar();
  t.is(banco.somas.length, 1, 'nada se grava duas vezes');
});

test.serial('o que espera tem um limite: das chaves além dele não se conta', async (t) => {
  const { banco, contar, gravar: guardar } = contador(2);
  banco.fora = true;
  for (const id of [1, 2, 3]) contar(chave(id));
  await t.throwsAsync(guardar());
  relogio.avancar(86_400_000);
  for (const id of [1, 2]) contar(chave(id));
  await t.throwsAsync(guardar());
  banco.fora = false;
  await guardar();
  t.deepEqual(
    banco.somas.flat().map(({ chaveId, dia }) => [chaveId, dia]),
    [
      [1, '2026-11-20'],
      [2, '2026-11-20'],
    ] as unknown[],
  );
});

test.serial('contar um pedido de uma chave já vista não ocupa memória nova', (t) => {
  const { contar } = contador();
  const uma = chave(1);
  const vezes = 200_000;
  for (let n = 0; n < vezes; n += 1) contar(uma);
  const antes = process.memoryUsage().heapUsed;
  for (let n = 0; n < vezes; n += 1) contar(uma);
  // An object for each would be millions of bytes.
  t.true(process.memoryUsage().heapUsed - antes < vezes);
});
