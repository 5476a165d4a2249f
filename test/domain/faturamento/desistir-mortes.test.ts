import test from 'ava';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createExecucaoDoFaturamentoService } from '../../../src/domain/faturamento/pedidos/execucao.service.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { falharCobrancas } from '../../support/falha-de-cobranca.ts';
import { relogioEm } from '../../support/relogio.ts';
import { execucao } from './apoio.ts';
import { criarCasaDoWorker } from './casa-do-worker.ts';

const AGORA = '2027-03-02T12:00:00.000Z';
const relogio = relogioEm(AGORA);
const CONTRATOS = 1100;
const WORKER = atorDaTarefa('faturamento.executar');
const ERRO = 'banco de dados: ER_SIGNAL_EXCEPTION';
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

/** What a database sees of a process that dies in the middle of a write: its connection ends, and nothing is heard of it again. */
class Morte extends Error {}

/** Has a worker do what is ordered, which is killed where it cancels one of some invoices; says whether it was. */
async function trabalhar(provedorId: number, matam: readonly number[]): Promise<boolean> {
  const { db, provedores } = api.container;
  const write = createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} });
  let morrer = (): void => {};
  const morreu = new Promise<true>((resolve) => {
    morrer = () => resolve(true);
  });
  const worker = createExecucaoDoFaturamentoService({
    db,
    write: async (actor, id, fazer, ...resto) => {
      try {
        return await write(
          actor,
          id,
          async (w) => {
            const feito = await fazer(w);
            const mortas = w.from('faturas').whereIn('id', matam).where('situacao', 'cancelada');
            if ((await mortas.select('id')).length > 0) throw new Morte();
            return feito;
          },
          ...resto,
        );
      } catch (error) {
        if (!(error instanceof Morte)) throw error;
        morrer();
        return new Promise(() => {});
      }
    },
    relogio,
    provedores,
    descansoMs: () => 0,
    ritmo: () => ({ linhas: 500, descansoMs: 0 }),
    leituraDe: () => ({ previa: async () => Promise.reject(new Error('sem prévia')), quantosFaltam: async () => 0 }),
  });
  return Promise.race([morreu, worker.executarPedidos(WORKER, provedorId, execucao).then(() => false)]);
}

/** One whose undone month was given up: the database refuses some of its invoices, by their place. */
async function casaQueDesiste(falham: readonly number[]) {
  const c = await criarCasaDoWorker(api, CONTRATOS);
  await c.pedir('faturas');
  await c.executar();
  const [{ id: vez }] = await c.linhas('faturamentos');
  const faturas = (await c.linhas('faturas')).map(({ id }): number => id).toSorted((a, b) => a - b);
  const { pedido } = await c.mudar(async ({ faturamento }) => faturamento.desfazer(vez));
  const falhou = { falhas: 3, falhou_em: '2027-03-02 11:00:00', erro: 'x', proxima_em: '2027-03-02 11:30:00' };
  await api.dono('faturamento_pedidos').where('id', pedido).update(falhou);
  await c.mudar(async ({ faturamento }) => faturamento.desistir(pedido!));
  const presas = falham.map((n) => faturas[n]!);
  const mendar = await falharCobrancas(api, 'UPDATE', `NEW.fatura_id IN (${presas.join(', ')})`);
  const fim = async () => (await c.ler(async ({ faturamento }) => faturamento.pedido(pedido!)))!;
  /** Workers, one after the other, until one lives; resolves to how many died. */
  async function mortes(matam: readonly number[]): Promise<number> {
    let quantas = 0;
    while (await trabalhar(c.id, matam)) quantas += 1;
    return quantas;
  }
  return { ...c, faturas, presas, mendar, fim, mortes };
}

test.serial('a morte numa fatura não se diz das que só falham antes dela, por mais que sejam', async (t) => {
  const c = await casaQueDesiste([2, 3, 4]);
  t.teardown(c.mendar);
  const mata = c.faturas[5]!;
  // The first of them had cancelled those before, and so counts for itself.
  t.is(await c.mortes([mata]), 3);
  const { desfeito, terminadoEm, falha } = await c.fim();
  t.is(falha, null);
  t.truthy(terminadoEm);
  t.like(desfeito, { desfeitas: CONTRATOS - 4, ficaram: 4 });
  t.deepEqual(
    desfeito!.quais.map(({ fatura, porque }) => [fatura, porque]),
    [
      ...c.presas.map((fatura) => [fatura, `não se conseguiu cancelar (${ERRO})`]),
      [
        mata,
        'não se conseguiu cancelar (o processo que o fazia morreu, mais de uma vez seguida, antes de acabar uma parte)',
      ],
    ],
  );
});
