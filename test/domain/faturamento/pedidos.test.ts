import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
/** More than two parts of a run. */
const CONTRATOS = 1200;
const WORKER = atorDaTarefa('faturamento.executar');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function casa() {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const w = createTenantWriter(api.dono, id);
  await w.insert('faturamento_configuracoes', { desde: '2027-03-01', antecedencia: 5, atualizado_em: '2027-01-01' });
  const plano_id = await fabrica.plano(id);
  const cliente_id = await fabrica.cliente(id);
  await w.insert(
    'contratos',
    Array.from({ length: CONTRATOS }, (_, n) => ({
      cliente_id,
      plano_id,
      situacao: 'ativo',
      login: `p${id}n${n}`,
      tipo_cobranca: 'pre_pago',
      dia_vencimento: 10 + (n % 15),
      valor: '99.90',
      ativado_em: '2026-06-01',
      criado_em: '2026-06-01 12:00:00',
    })),
  );
  const provedor = await api.container.provedores.exigirPorId(id);
  const mudar = async <V>(fazer: (e: Escritas) => Promise<V>): Promise<V> =>
    api.container.changeTenant(AUTOR, provedor, async (_, e) => fazer(e));
  const ler = async <V>(fazer: (d: Dominio) => Promise<V>): Promise<V> =>
    api.container.changeTenant(AUTOR, provedor, async (d) => fazer(d));
  const pedir = async (tipo: 'previa' | 'faturas', mes = '2027-03') =>
    mudar(async ({ faturamento }) => faturamento.pedir(tipo, { mes }));
  /** The worker; `ate`: it dies once it has come so far. */
  async function executar(ate = Infinity) {
    const morte = new AbortController();
    const andou: number[] = [];
    const opcoes = {
      signal: morte.signal,
      aoAvancar({ feitas }: { readonly feitas: number }) {
        andou.push(feitas);
        if (feitas >= ate) morte.abort(new Error('morreu'));
      },
    };
    const feito = api.container.execucaoDoFaturamento.executarPedidos(WORKER, id, opcoes);
    return { andou, feito: await feito.then(({ pedidos }) => pedidos) };
  }
  const contar = async (tabela: string): Promise<number> => (await api.dono(tabela).where({ provedor_id: id })).length;
  const pedidos = async () => api.dono('faturamento_pedidos').where({ provedor_id: id }).orderBy('id');
  return { id, ler, pedir, executar, contar, pedidos };
}

test.serial(
  'quem aperta muitas vezes começa uma só, e cada contrato é cobrado uma vez, também por dois workers',
  async (t) => {
    const c = await casa();
    const ids = await Promise.all(Array.from({ length: 6 }, async () => c.pedir('faturas')));
    t.is(new Set(ids).size, 1);
    t.is(await c.contar('faturas'), 0);
    const [um, outro] = await Promise.all([c.executar(), c.executar()]);
    t.is(um.feito + outro.feito, 1);
    t.is(await c.contar('faturas'), CONTRATOS);
    t.is(await c.contar('faturamento_cobrancas'), CONTRATOS);
    const [pedido] = await c.pedidos();
    t.like(pedido, { vistos: CONTRATOS, total: CONTRATOS, faturas: CONTRATOS, motivo: null });
    t.truthy(pedido.terminado_em);
    const [vez] = await api.dono('faturamentos').where({ provedor_id: c.id });
    t.is(vez.autor, pedido.autor);
    // Asked for again, there is nothing left to be made.
    t.not(await c.pedir('faturas'), ids[0]);
    await c.executar();
    t.is(await c.contar('faturas'), CONTRATOS);
  },
);

test.serial('o worker que morre no meio deixa partes inteiras, e o seguinte vai daí até o fim', async (t) => {
  const c = await casa();
  await c.pedir('faturas');
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  const feitas = await c.contar('faturas');
  t.true(feitas > 0 && feitas < CONTRATOS, String(feitas));
  t.like((await c.pedidos())[0], { vistos: feitas, faturas: feitas, terminado_em: null });
  const id = await c.pedir('faturas');
  t.is((await c.pedidos())[0].id, id);
  const { andou } = await c.executar();
  t.true(andou.every((vistos) => vistos > feitas));
  t.is(await c.contar('faturas'), CONTRATOS);
  t.like((await c.pedidos())[0], { vistos: CONTRATOS, faturas: CONTRATOS });
});

test.serial('a prévia do worker é a mesma, mostra quanto falta, e recomeça depois de uma morte', async (t) => {
  const c = await casa();
  await Promise.all([c.pedir('previa'), c.pedir('previa')]);
  await t.throwsAsync(c.executar(500), { message: 'morreu' });
  const [no_meio] = await c.ler(async ({ faturamento }) => faturamento.pedidos('previa', 3));
  t.like(no_meio, { total: CONTRATOS, terminadoEm: null, resultado: null });
  const { andou } = await c.executar();
  t.true(andou.length > 1 && andou.at(-1) === CONTRATOS);
  const [pedido, ...outros] = await c.ler(async ({ faturamento }) => faturamento.pedidos('previa', 3));
  t.is(outros.length, 0);
  const direta = await c.ler(async ({ faturamento }) => faturamento.previa({ mes: '2027-03' }));
  t.deepEqual(pedido!.resultado, direta);
  t.is(direta.faturas, CONTRATOS);
  t.is(await c.contar('faturas'), 0);
});

test.serial('o que não se pode mais fazer termina com o motivo, e não trava o que vem depois', async (t) => {
  const c = await casa();
  await c.pedir('faturas');
  await c.pedir('previa', '2027-04');
  relogio.definir('2027-04-02T12:00:00.000Z');
  t.is((await c.executar()).feito, 2);
  const [fatura, previa] = await c.pedidos();
  t.regex(fatura.motivo, /mês/);
  t.truthy(fatura.terminado_em);
  t.is(previa.motivo, null);
  t.is(await c.contar('faturas'), 0);
});
