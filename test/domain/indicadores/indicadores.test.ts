import test from 'ava';
import { createTenantDb, createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { createListaDeFaturasService } from '../../../src/domain/faturas/lista/lista.service.ts';
import type { FiltroDaLista } from '../../../src/domain/faturas/lista/lista.types.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { createResumoFinanceiroService } from '../../../src/domain/faturas/lista/resumo.service.ts';
import { createIndicadoresService } from '../../../src/domain/indicadores/indicadores.service.ts';
import { esperaDe } from '../../../src/domain/indicadores/atendimento.service.ts';
import { createMemoria } from '../../../src/domain/indicadores/memoria.service.ts';
import { exemploDeEncargos } from '../../../src/domain/provedores/efeitos/encargos.regras.ts';
import { createEfeitosService } from '../../../src/domain/provedores/efeitos/efeitos.service.ts';
import { createFaturasService } from '../../../src/domain/faturas/faturas.service.ts';
import { untracked } from '../../../src/platform/cache/trail.ts';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const relogio = relogioEm(AGORA);
const EXECUCAO = { signal: new AbortController().signal, aoAvancar: () => {} };
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));

async function cenario() {
  const id = await fabrica.provedor();
  const plano = await fabrica.plano(id);
  const cliente = await fabrica.cliente(id);
  const contrato = await fabrica.contrato(id, { cliente_id: cliente, plano_id: plano });
  const provedor = await api.container.provedores.exigirPorId(id);
  const tenant = createTenantDb(api.container.db, id);
  const memoria = createMemoria(relogio);
  const deps = { tenant, provedor, relogio, memoria };
  const fatura = async (linha: object) => fabrica.fatura(id, { cliente_id: cliente, contrato_id: contrato, ...linha });
  const pagar = async (fatura_id: number, valor: string, pago_em: string) =>
    createTenantWriter(api.dono, id).insert('recebimentos_manuais', {
      fatura_id,
      forma: 'dinheiro',
      valor,
      pago_em,
      criado_em: relogio.agora().toISOString().slice(0, 23).replace('T', ' '),
      autor: 'Ana',
    });
  const indicadores = createIndicadoresService({ ...deps, intervaloPadraoSegundos: 300 });
  const fechar = async () =>
    api.container.tarefas.executar(
      atorDaTarefa('somas.fechar'),
      { tarefa: 'somas.fechar', provedorId: id, dia: '2026-11-20' },
      EXECUCAO,
    );
  return { id, cliente, contrato, provedor, deps, fatura, pagar, indicadores, fechar };
}

test('um pagamento de ontem que se desfaz depois do fecho sai da soma de ontem', async (t) => {
  const { id, fatura, pagar, indicadores, fechar } = await cenario();
  const paga = await fatura({ vencimento: '2026-11-25' });
  // 22:00 of the 19th there is the 20th in UTC.
  relogio.definir('2026-11-20T01:30:00.000Z');
  await pagar(paga, '30.00', '2026-11-20 01:00:00.000');
  const desfeito = await pagar(paga, '20.00', '2026-11-20 01:10:00.000');
  relogio.definir(AGORA);
  await pagar(paga, '5.00', '2026-11-20 14:00:00.000');
  t.is((await fechar()).desfecho, 'concluida');
  const ultimos = async () => (await indicadores.financeiro()).recebido.valor.slice(-2).map(({ valor }) => valor);
  t.deepEqual(await ultimos(), [centavos(5000), centavos(500)]);
  const guardada = await api
    .dono('somas_diarias')
    .where({ provedor_id: id, nome: 'recebido', dia: '2026-11-19' })
    .first();
  t.is(guardada.valor, '50.00');

  relogio.avancar(3_600_000);
  await api.dono('recebimentos_manuais').where({ id: desfeito }).update({ desfeito_em: '2026-11-20 15:30:00.000' });
  t.deepEqual(await ultimos(), [centavos(3000), centavos(500)]);
  await pagar(paga, '7.00', '2026-11-19 15:00:00.000');
  t.deepEqual(await ultimos(), [centavos(3700), centavos(500)]);
});

test('o vencido é a soma do que cada fatura vencida pede hoje, paga em parte ou não', async (t) => {
  const { cliente, deps, fatura, pagar, indicadores } = await cenario();
  const ids = [
    await fatura({ vencimento: '2026-11-10', valor: '99.90' }),
    await fatura({ vencimento: '2026-10-03', valor: '33.33' }),
    await fatura({ vencimento: '2026-07-01', valor: '0.01' }),
    await fatura({ vencimento: '2026-11-05', valor: '80.00', valor_pago: '20.00' }),
  ];
  await pagar(ids[3]!, '20.00', '2026-11-08 15:00:00.000');
  await fatura({ vencimento: '2026-11-20' });
  await fatura({ vencimento: '2026-11-01', situacao: 'cancelada' });
  const faturas = createFaturasService({ ...deps, trail: untracked, leitorDe: () => null });
  const devidas = await Promise.all(ids.map(async (um) => (await faturas.buscarPorId(um))?.aPagar ?? 0));
  const soma = devidas.reduce<number>((a, b) => a + b, 0);
  const { vencido } = await indicadores.geral();
  t.deepEqual(vencido.valor, { valor: centavos(soma), faturas: 4, clientes: 1 });
  const { atraso, previsto } = await indicadores.financeiro();
  t.deepEqual(
    atraso.valor.map(({ quantidade }) => quantidade),
    [2, 0, 1, 0, 1],
  );
  t.is(previsto.valor[0]?.valor, centavos(9990));
  const resumo = await createResumoFinanceiroService(deps).buscar(cliente);
  t.deepEqual(resumo.vencido, { valor: centavos(soma), faturas: 4, desde: '2026-07-01' });
  const totais = await createListaDeFaturasService(deps).totais({ situacao: 'vencida' });
  t.deepEqual([totais.quantas, totais.vencido], [4, centavos(9990 + 3333 + 1 + 6000)]);
  const efeitos = createEfeitosService(deps);
  t.is((await efeitos.faturasAfetadas(deps.provedor.regras)).valor, 0);
  const carencia = { ...deps.provedor.regras, carenciaDias: 30 };
  t.is((await efeitos.faturasAfetadas(carencia)).valor, 2);
});

test('a lista anda página a página sem repetir nem saltar, em cada ordem', async (t) => {
  const { id, deps, cliente } = await cenario();
  for (let n = 0; n < 120; n += 1) {
    const paga = n % 2 === 0 ? { situacao: 'paga', pago_em: `2026-11-0${1 + (n % 7)} 12:00:00.000` } : {};
    await fabrica.fatura(id, { cliente_id: cliente, vencimento: `2026-11-1${n % 3}`, ...paga });
  }
  const lista = createListaDeFaturasService(deps);
  const casos: readonly (readonly [FiltroDaLista, number])[] = [
    [{}, 120],
    [{ situacao: 'vencida' }, 60],
    [{ vencimentoDe: '2026-11-10' as Data, vencimentoAte: '2026-11-12' as Data }, 120],
    [{ pagoDe: '2026-11-01' as Data, pagoAte: '2026-11-07' as Data }, 60],
    [{ clienteId: cliente }, 120],
  ];
  for (const [filtro, quantas] of casos) {
    const vistas: number[] = [];
    let proxima: string | null = null;
    do {
      const pagina = await lista.listar(filtro, proxima);
      vistas.push(...pagina.itens.map((um) => um.id));
      proxima = pagina.proxima;
    } while (proxima !== null);
    t.is(vistas.length, quantas, JSON.stringify(filtro));
    t.is(new Set(vistas).size, quantas);
    t.is((await lista.totais(filtro)).quantas, quantas);
  }
});

test('chamados: abertos e solucionados por dia, esperas, e quem espera há mais tempo', async (t) => {
  const { id, cliente, indicadores } = await cenario();
  const respondido = await fabrica.chamado(id, { cliente_id: cliente, aberto_em: '2026-11-19 12:00:00.000' });
  await fabrica.historico(id, {
    chamado_id: respondido,
    acao: 'comentario',
    autor: 'Ana',
    ocorrido_em: '2026-11-19 12:10:00.000',
  });
  const esperando = await fabrica.chamado(id, { cliente_id: cliente, aberto_em: '2026-11-18 12:00:00.000' });
  await api
    .dono('chamados')
    .where({ id: respondido })
    .update({ situacao: 'solucionado', fechado_em: '2026-11-19 13:00:00.000' });
  const geral = await indicadores.geral();
  t.deepEqual(
    geral.esperando.map((um) => um.id),
    [esperando],
  );
  t.is(geral.chamadosAbertos.valor, 1);
  const { porDia, esperas } = await indicadores.atendimento();
  t.deepEqual(
    porDia.valor.slice(-3).map(({ abertos, solucionados }) => [abertos, solucionados]),
    [
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  );
  t.deepEqual(esperas.valor, {
    primeiraResposta: { mediana: 600, p90: 600 },
    solucao: { mediana: 3600, p90: 3600 },
    medidos: 1,
  });
  t.deepEqual(esperaDe([5, 1, 4, 2, 3, 6, 7, 8, 9, 10]), { mediana: 5, p90: 9 });
});

test('o exemplo de encargos: 99,90 com 10 dias de atraso', (t) => {
  const regras = { multaPercentual: 200, jurosMensalPercentual: 100, carenciaDias: 0 };
  t.deepEqual(exemploDeEncargos(regras, centavos(9990), 10), {
    multa: centavos(200),
    juros: centavos(33),
    total: centavos(10_223),
  });
});
