import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { hojeEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { createValorDoDia } from '../../../src/domain/faturas/valor-do-dia.ts';
import type { LugarDaFatura } from '../../../src/domain/faturas/faturas.types.ts';
import type { FaturaDoLote } from '../../../src/domain/faturas/noturno.queries.ts';
import { vencimento } from '../../../src/domain/faturas/vencimento.ts';
import { EntradaInvalida } from '../../../src/domain/erros.ts';
import { createTarefasService } from '../../../src/domain/tarefas/tarefas.service.ts';
import { TAREFAS_DIARIAS } from '../../../src/domain/tarefas/tarefas.types.ts';
import type { TarefaDoDia, Trabalho } from '../../../src/domain/tarefas/tarefas.types.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { lidas } from '../../support/leituras.ts';
import { relogioEm } from '../../support/relogio.ts';

const HOJE = '2026-11-20' as Data;
/** Noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00Z';
const NUNCA = new AbortController().signal;
const SEM_PARAR = { signal: NUNCA, aoAvancar: () => {} };

const relogio = relogioEm(AGORA);
const threads = createThreads({ maxThreads: 1 });
const recalculo = createValorDoDia({ threads });

/** A dynamic code that carries no amount. */
const CODIGO_DO_PSP =
  '00020126740014br.gov.bcb.pix2552payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e87' +
  '5204000053039865802BR5912BARBARA PELE6015SAO MIGUEL DO O62070503***63040433';

let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
});
test.after.always(async () => {
  await api.fechar();
  await threads.close();
});
test.beforeEach(() => relogio.definir(AGORA));

/** The service with chunks of three invoices, so that a few of them are many chunks. */
function tarefas(
  trocar: Partial<Record<'faturas.vencer' | 'pix.recalcular', Trabalho>> = {},
  ritmo = { linhas: 3, descansoMs: 0 },
) {
  const { db, write, provedores } = api.container;
  const trabalhos = {
    'faturas.vencer': vencimento,
    'faturas.gerar': vencimento,
    'promessas.conferir': vencimento,
    'excedentes.creditar': vencimento,
    'pix.recalcular': recalculo,
    'remessas.gerar': vencimento,
    'pix.cobrar': vencimento,
    'notas.pedir': vencimento,
    'regua.aplicar': vencimento,
    'somas.fechar': vencimento,
    'extratos.gerar': vencimento,
    ...trocar,
  };
  return createTarefasService({ db, write, relogio, provedores, trabalhos, ritmo: () => ritmo });
}

/** The recomputation, with something before and after each chunk is written. */
function espiao(
  antes: (faturas: readonly FaturaDoLote[]) => Promise<unknown>,
  depois: () => Promise<unknown> = async () => {},
): Trabalho<FaturaDoLote, LugarDaFatura> {
  return {
    ...recalculo,
    async preparar(tenant, provedor, dia, faturas) {
      const escrever = await recalculo.preparar(tenant, provedor, dia, faturas);
      return async (w) => {
        await antes(faturas);
        const feitas = await escrever(w);
        await depois();
        return feitas;
      };
    },
  };
}

/** A provider with invoices around today; part of them paid in part, some closed, some of a PSP's own code. */
async function carteira(quantas = 20) {
  const provedorId = await fabrica.provedor();
  const clienteId = await fabrica.cliente(provedorId);
  for (let n = 0; n < quantas; n += 1) {
    const vencimentoDela = somarDias(HOJE, 3 - ((n * 7) % 40));
    const vencida = vencimentoDela < HOJE ? 'vencida' : 'pendente';
    // Where a part was paid, the API withdraws a code that carries no amount.
    const doPsp = n % 7 === 0 && n % 6 !== 2;
    const id = await fabrica.fatura(provedorId, {
      cliente_id: clienteId,
      valor: `${50 + n}.${10 + n}`,
      vencimento: vencimentoDela,
      situacao: ['pendente', vencida, 'pendente', 'paga', 'processando'][n % 5],
      emitida_em: `2026-${String(1 + (n % 9)).padStart(2, '0')}-01 09:00:00.000`,
      pix_txid: n % 4 === 0 ? null : doPsp ? `${'D'.repeat(26)}${n}` : `T${n}`,
      pix_copia_cola: doPsp ? CODIGO_DO_PSP : null,
    });
    if (n % 6 === 2) {
      await api.dono('faturas').where({ id }).update({ valor_pago: '20.00' });
      await api.dono('pix_recebidos').insert({
        provedor_id: provedorId,
        fatura_id: id,
        end_to_end_id: `E${String(id).padStart(31, '0')}`,
        valor: '15.00',
        pago_em: '2026-11-05 12:00:00.000',
        criado_em: '2026-11-05 12:00:00.000',
      });
    }
  }
  return provedorId;
}

const doDia = (provedorId: number, tarefa: TarefaDoDia['tarefa'] = 'pix.recalcular', dia = HOJE): TarefaDoDia => ({
  tarefa,
  provedorId,
  dia,
});

const faturasDe = (provedorId: number): Promise<any[]> =>
  api.dono('faturas').where('provedor_id', provedorId).orderBy('id');
const eventosDe = async (provedorId: number, tipo: string): Promise<number> =>
  (await api.dono('eventos').where({ provedor_id: provedorId, tipo })).length;

test.serial('o que a tarefa grava é o que a API responde, fatura a fatura', async (t) => {
  const provedorId = await carteira(60);
  const { texto: chave } = await api.criarChave(provedorId);
  t.is((await tarefas().executar(AUTOR, doDia(provedorId, 'faturas.vencer'), SEM_PARAR)).desfecho, 'concluida');
  const marcadas = await faturasDe(provedorId);
  const { linhas } = await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR);
  let apuradas = 0;
  for (const [n, row] of (await faturasDe(provedorId)).entries()) {
    // What an invoice asks for changes every day of itself; this says when the invoice changed.
    t.is(row.atualizado_em, marcadas[n].atualizado_em);
    const { dados } = (await api.get(`/faturas/${row.id}`, { chave })).corpo;
    t.is(row.situacao, dados.situacao);
    if (dados.situacao !== 'vencida') {
      t.is(row.apurada_em, null);
      continue;
    }
    apuradas += 1;
    t.is(row.apurada_em, HOJE);
    t.is(row.valor_atualizado === null ? null : Number(row.valor_atualizado), dados.valor_atualizado);
    t.is(row.pix_copia_cola ?? null, dados.segunda_via.pix_copia_cola);
  }
  t.true(apuradas > 10);
  t.is(linhas, apuradas);
});

test.serial('a fatura que não se apura não impede as outras, e a API também a lê', async (t) => {
  const provedorId = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedorId);
  const { texto: chave } = await api.criarChave(provedorId);
  const valores = ['9999999999.99', '-5.00', '0.00', '10.00'];
  for (const [n, valor] of valores.entries()) {
    await fabrica.fatura(provedorId, { cliente_id, valor, vencimento: '2026-10-01', pix_txid: `T${n}` });
  }
  // Typed wrong: 0026 for 2026.
  await fabrica.fatura(provedorId, { cliente_id, valor: '1.00', vencimento: '0026-10-01', pix_txid: 'T9' });
  await tarefas().executar(AUTOR, doDia(provedorId, 'faturas.vencer'), SEM_PARAR);
  t.deepEqual(await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR), { desfecho: 'concluida', linhas: 5 });
  const rows = await faturasDe(provedorId);
  t.deepEqual(
    rows.slice(0, 4).map(({ valor_atualizado, pix_copia_cola }) => [valor_atualizado, pix_copia_cola !== null]),
    [
      [null, false],
      [null, false],
      [null, false],
      ['10.37', true],
    ],
  );
  const { dados: lista } = (await api.get('/faturas', { chave })).corpo;
  t.is(lista.length, 5);
  for (const row of rows) {
    const { dados } = (await api.get(`/faturas/${row.id}`, { chave })).corpo;
    // What does not fit the column is told by the API all the same.
    if (row.valor !== '9999999999.99') {
      t.is(row.valor_atualizado === null ? null : Number(row.valor_atualizado), dados.valor_atualizado);
    } else t.true(dados.valor_atualizado > 9_999_999_999.99);
    t.is(row.pix_copia_cola, dados.segunda_via.pix_copia_cola);
  }
});

test.serial('outra vez no mesmo dia não muda nada, e no dia seguinte muda tudo', async (t) => {
  const provedorId = await carteira();
  await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR);
  const antes = await faturasDe(provedorId);
  t.deepEqual(await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR), { desfecho: 'ja_feita', linhas: 0 });
  t.deepEqual(await faturasDe(provedorId), antes);
  t.is(await eventosDe(provedorId, 'faturas.recalculadas'), 1);

  relogio.definir('2026-11-21T15:00:00Z');
  t.is(
    (await tarefas().executar(AUTOR, doDia(provedorId, 'pix.recalcular', somarDias(HOJE, 1)), SEM_PARAR)).desfecho,
    'concluida',
  );
  const depois = await faturasDe(provedorId);
  for (const [n, row] of antes.entries()) {
    if (row.apurada_em !== null) t.is(depois[n].apurada_em, '2026-11-21');
  }
  // An earlier day would bring older amounts back.
  t.deepEqual(await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR), { desfecho: 'superada', linhas: 0 });
  t.deepEqual(await faturasDe(provedorId), depois);
});

test.serial('duas execuções ao mesmo tempo fazem o dia uma vez só', async (t) => {
  for (let vez = 0; vez < 5; vez += 1) {
    const provedorId = await carteira();
    const feitos = await Promise.all(
      [1, 2, 3].map(async () => tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR)),
    );
    const desfechos = feitos.map(({ desfecho }) => desfecho);
    t.is(desfechos.filter((desfecho) => desfecho === 'concluida').length, 1, desfechos.join());
    t.is(await eventosDe(provedorId, 'faturas.recalculadas'), 1);
    const [linha] = await api.dono('tarefas_diarias').where({ provedor_id: provedorId });
    t.is(linha.linhas, (await faturasDe(provedorId)).filter(({ apurada_em }) => apurada_em !== null).length);
  }
});

test.serial('quem ainda faz um dia para quando o seguinte começa, e não grava por cima dele', async (t) => {
  const provedorId = await carteira(40);
  const novo = tarefas({}, { linhas: 50, descansoMs: 0 });
  let dia: Promise<unknown> | undefined;
  const atrasado = espiao(async () => {
    if (dia !== undefined) return;
    relogio.definir('2026-11-21T15:00:00Z');
    dia = novo.executar(AUTOR, doDia(provedorId, 'pix.recalcular', somarDias(HOJE, 1)), SEM_PARAR);
  });
  const velho = await tarefas({ 'pix.recalcular': atrasado }, { linhas: 3, descansoMs: 20 }).executar(
    AUTOR,
    doDia(provedorId),
    SEM_PARAR,
  );
  t.is(velho.desfecho, 'de_outro');
  t.like(await dia, { desfecho: 'concluida' });
  const apuradas = (await faturasDe(provedorId)).map(({ apurada_em }) => apurada_em).filter((em) => em !== null);
  t.deepEqual([...new Set(apuradas)], [somarDias(HOJE, 1)]);
});

test.serial('uma execução cortada continua de onde parou', async (t) => {
  const provedorId = await carteira(40);
  const inteira = await carteira(40);
  await tarefas().executar(AUTOR, doDia(inteira), SEM_PARAR);
  const vistas: number[] = [];
  for (let cortes = 0; ; cortes += 1) {
    const corte = new AbortController();
    const cortado = espiao(
      async (faturas) => vistas.push(...faturas.map(({ id }) => id)),
      async () => corte.abort(new Error('corte')),
    );
    const execucao = tarefas({ 'pix.recalcular': cortado }).executar(AUTOR, doDia(provedorId), {
      ...SEM_PARAR,
      signal: corte.signal,
    });
    try {
      t.is((await execucao).desfecho, 'concluida');
      t.true(cortes > 2);
      break;
    } catch (error) {
      t.is((error as Error).message, 'corte');
    }
  }
  t.is(new Set(vistas).size, vistas.length);
  const resultado = async (id: number) =>
    (await faturasDe(id)).map(({ valor_atualizado, apurada_em, pix_copia_cola }) => ({
      valor_atualizado,
      apurada_em,
      pix_copia_cola,
    }));
  t.deepEqual(await resultado(provedorId), await resultado(inteira));
});

test.serial('faturas.vencer olha só para as que vencem neste dia, por mais que haja vencidas', async (t) => {
  const provedorId = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedorId);
  const velhas = Array.from({ length: 3000 }, (_, n) => ({
    provedor_id: provedorId,
    cliente_id,
    valor: '10.00',
    vencimento: '2025-01-10',
    situacao: ['vencida', 'paga', 'cancelada'][n % 3]!,
    emitida_em: '2025-01-01 09:00:00.000',
    token: String(n).padStart(22, 'v'),
  }));
  await api.dono.batchInsert('faturas', velhas, 500);
  const novas: number[] = [];
  for (const dia of ['2026-11-19', '2026-11-18', '2026-11-19'])
    novas.push(await fabrica.fatura(provedorId, { cliente_id, vencimento: dia, situacao: 'pendente' }));
  // These two are due soon, and that is said of them once; the third is left to its day.
  const proximas: number[] = [];
  for (const dia of ['2026-11-20', '2026-11-21'])
    proximas.push(await fabrica.fatura(provedorId, { cliente_id, vencimento: dia, situacao: 'pendente' }));
  await fabrica.fatura(provedorId, { cliente_id, vencimento: '2026-12-21', situacao: 'pendente' });

  const uma = createDatabase({ url: api.databaseUrl, pool: 1 });
  t.teardown(() => uma.destroy());
  const tenant = createTenantDb(uma, provedorId);
  await api.dono.raw('ANALYZE TABLE faturas');
  const contadas = await lidas(uma, async () => vencimento.contar(tenant, HOJE, null));
  t.true(contadas < 20, `leu ${contadas} para contar`);
  const achar = async () => vencimento.proximas(tenant, HOJE, null, 2000);
  const achadas = await lidas(uma, achar);
  t.true(achadas < 20, `leu ${achadas} para achar`);
  t.deepEqual(
    (await achar()).map(({ id }) => id),
    [novas[1]!, novas[0]!, novas[2]!, ...proximas],
  );

  t.deepEqual(await tarefas().executar(AUTOR, doDia(provedorId, 'faturas.vencer'), SEM_PARAR), {
    desfecho: 'concluida',
    linhas: 3,
  });
  t.is(await eventosDe(provedorId, 'faturas.vencidas'), 1);
  t.deepEqual(await achar(), []);
});

test.serial('faturas.vencer cortada não deixa nenhuma para trás, também a de uma versão com outra ordem', async (t) => {
  const provedorId = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedorId);
  const ids: number[] = [];
  // The later they are due, the earlier they were issued.
  for (let n = 0; n < 20; n += 1) {
    const emitida_em = `2026-${String(1 + (n % 10)).padStart(2, '0')}-01 09:00:00.000`;
    const vencimentoDela = somarDias(HOJE, -1 - (n % 10));
    const fatura = { cliente_id, vencimento: vencimentoDela, situacao: 'pendente', emitida_em };
    ids.push(await fabrica.fatura(provedorId, fatura));
  }
  const corte = new AbortController();
  const cortado: Trabalho<FaturaDoLote, LugarDaFatura> = {
    ...vencimento,
    async preparar(tenant, provedor, dia, faturas) {
      const escrever = await vencimento.preparar(tenant, provedor, dia, faturas);
      return async (w) => {
        const feitas = await escrever(w);
        corte.abort(new Error('corte'));
        return feitas;
      };
    },
  };
  const cortada = tarefas({ 'faturas.vencer': cortado }).executar(AUTOR, doDia(provedorId, 'faturas.vencer'), {
    ...SEM_PARAR,
    signal: corte.signal,
  });
  await t.throwsAsync(cortada, { message: 'corte' });
  const estados = async () =>
    api.dono('faturas').whereIn('id', ids).where('situacao', 'pendente').pluck<number[]>('id');
  const restam = (await estados()).length;
  t.true(restam > 0 && restam < 20);
  // As an earlier release notes it: up to which moment of emission it has done.
  await api
    .dono('tarefas_diarias')
    .where({ provedor_id: provedorId })
    .update({
      cursor_em: JSON.stringify(['2026-10-01 09:00:00.000', Math.max(...ids)]),
    });
  t.deepEqual(await tarefas().executar(AUTOR, doDia(provedorId, 'faturas.vencer'), SEM_PARAR), {
    desfecho: 'concluida',
    linhas: 20,
  });
  t.deepEqual(await estados(), []);
  t.is(await eventosDe(provedorId, 'faturas.vencidas'), 1);
});

test.serial('uma falha no meio deixa os lotes de antes, e nenhum dos de depois', async (t) => {
  const provedorId = await carteira(40);
  let lotes = 0;
  const falho = espiao(async () => {
    lotes += 1;
    if (lotes === 3) {
      await sleep(30);
      throw new Error('caiu');
    }
  });
  await t.throwsAsync(tarefas({ 'pix.recalcular': falho }).executar(AUTOR, doDia(provedorId), SEM_PARAR), {
    message: 'caiu',
  });
  const apuradas = (await faturasDe(provedorId)).filter(({ apurada_em }) => apurada_em !== null);
  t.is(apuradas.length, 6);
  t.is((await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR)).desfecho, 'concluida');
});

test.serial('um pagamento que chega no meio não é desfeito nem apurado de menos', async (t) => {
  const provedorId = await carteira(12);
  const [primeira] = (await faturasDe(provedorId)).filter((row) => row.situacao !== 'paga' && row.vencimento < HOJE);
  const pago = espiao(async () =>
    api.dono('faturas').where({ id: primeira.id }).update({ situacao: 'paga', valor_pago: primeira.valor }),
  );
  await tarefas({ 'pix.recalcular': pago }).executar(AUTOR, doDia(provedorId), SEM_PARAR);
  const depois = (await faturasDe(provedorId)).find(({ id }) => id === primeira.id);
  t.is(depois.situacao, 'paga');
  t.is(depois.apurada_em, null);
});

test.serial('o progresso cresce até o total, e o descanso é respeitado', async (t) => {
  const provedorId = await carteira(30);
  const passos: { feitas: number; total: number }[] = [];
  const antes = performance.now();
  await tarefas({}, { linhas: 5, descansoMs: 20 }).executar(AUTOR, doDia(provedorId), {
    signal: NUNCA,
    aoAvancar: (passo) => passos.push(passo),
  });
  t.true(performance.now() - antes >= 20 * passos.length);
  t.true(passos.length >= 3);
  t.deepEqual(
    passos,
    passos.toSorted((a, b) => a.feitas - b.feitas),
  );
  t.is(passos.at(-1)!.feitas, passos.at(-1)!.total);
});

test.serial('o dia começa às 00:05 de cada fuso, também onde o relógio pula a meia-noite ou a repete', async (t) => {
  const fusos = ['America/Noronha', 'America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco'];
  const ids = await Promise.all(fusos.map(async (fuso_horario) => fabrica.provedor({ fuso_horario })));
  const diaDe = async (n: number): Promise<string | undefined> =>
    (await tarefas().pendentes()).find(({ provedorId, tarefa }) => provedorId === ids[n] && tarefa === 'pix.recalcular')
      ?.dia;
  for (const [n, horas] of [2, 3, 4, 5].entries()) {
    relogio.definir(`2026-11-20T0${horas}:04:59.999Z`);
    t.is(await diaDe(n), '2026-11-19');
    relogio.definir(`2026-11-20T0${horas}:05:00Z`);
    t.is(await diaDe(n), '2026-11-20');
  }
  // 2018-11-04 began at 01:00 in São Paulo (03:00 UTC); 2019-02-16 had 25 hours and ended at 03:00 UTC.
  for (const [instante, dia] of [
    ['2018-11-04T03:04:59Z', '2018-11-03'],
    ['2018-11-04T03:05:00Z', '2018-11-04'],
    ['2019-02-17T02:30:00Z', '2019-02-16'],
    ['2019-02-17T03:04:59Z', '2019-02-16'],
    ['2019-02-17T03:05:00Z', '2019-02-17'],
  ] as const) {
    relogio.definir(instante);
    t.is(await diaDe(1), dia, instante);
  }
});

test.serial('por mais que o relógio pule, cada dia de cada provedor é feito uma vez', async (t) => {
  const provedores = await Promise.all(
    ['America/Noronha', 'America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco'].map(async (fuso_horario) => {
      const provedorId = await fabrica.provedor({ fuso_horario });
      const cliente_id = await fabrica.cliente(provedorId);
      await fabrica.fatura(provedorId, { cliente_id, vencimento: '2018-10-01', pix_txid: 'T1' });
      return { provedorId, fuso: fuso_horario };
    }),
  );
  const nossos = new Set(provedores.map(({ provedorId }) => provedorId));
  const feitas = new Map<string, number>();
  // Across the day that daylight saving began, in steps of twenty minutes, with a jump back of up to three hours now and then.
  let instante = new Date('2018-11-02T12:00:00Z').getTime();
  for (let passo = 0; passo < 320; passo += 1) {
    instante += 20 * 60_000;
    const salto = passo % 11 === 0 ? -((passo * 7919) % 180) * 60_000 : 0;
    relogio.definir(new Date(instante + salto).toISOString());
    const pendentes = (await tarefas().pendentes()).filter(({ provedorId }) => nossos.has(provedorId));
    const vezes = pendentes.map(({ tarefa }) => TAREFAS_DIARIAS.indexOf(tarefa));
    t.deepEqual(
      vezes,
      vezes.toSorted((a, b) => a - b),
    );
    // Two schedulers queue the same work.
    for (const tarefa of [...pendentes, ...pendentes]) {
      const { desfecho } = await tarefas().executar(AUTOR, tarefa, SEM_PARAR);
      const nome = `${tarefa.tarefa} ${tarefa.provedorId} ${tarefa.dia}`;
      if (desfecho === 'concluida') feitas.set(nome, (feitas.get(nome) ?? 0) + 1);
    }
  }
  t.deepEqual(
    [...feitas].filter(([, vezes]) => vezes !== 1),
    [],
  );
  for (const { provedorId, fuso } of provedores) {
    const [fatura] = await faturasDe(provedorId);
    t.is(fatura.apurada_em, hojeEm(fuso, relogio.agora()));
    for (const dia of ['2018-11-03', '2018-11-04', '2018-11-05', '2018-11-06']) {
      t.is(feitas.get(`pix.recalcular ${provedorId} ${dia}`), 1);
      t.is(feitas.get(`faturas.vencer ${provedorId} ${dia}`), 1);
    }
  }
});

test.serial('o que um relógio adiantado fez é refeito quando o dia chega', async (t) => {
  const provedorId = await carteira();
  relogio.definir('2027-03-01T15:00:00Z');
  await tarefas().executar(AUTOR, doDia(provedorId, 'pix.recalcular', '2027-03-01' as Data), SEM_PARAR);
  relogio.definir(AGORA);
  t.is((await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR)).desfecho, 'concluida');
  const vencidas = (await faturasDe(provedorId)).filter(
    ({ grupo, vencimento: ate }) => grupo === 'aberta' && ate < HOJE,
  );
  t.true(vencidas.length > 5);
  t.true(vencidas.every(({ apurada_em }) => apurada_em === HOJE));
  relogio.definir('2027-03-01T15:00:00Z');
  t.is(
    (await tarefas().executar(AUTOR, doDia(provedorId, 'pix.recalcular', '2027-03-01' as Data), SEM_PARAR)).desfecho,
    'concluida',
  );
});

test.serial('um dia que não começou e um provedor que não há são recusados', async (t) => {
  const provedorId = await carteira(1);
  await t.throwsAsync(tarefas().executar(AUTOR, doDia(provedorId, 'pix.recalcular', '2026-11-21' as Data), SEM_PARAR), {
    instanceOf: EntradaInvalida,
    message: /2026-11-21/,
  });
  await t.throwsAsync(tarefas().executar(AUTOR, doDia(999_999), SEM_PARAR), { instanceOf: EntradaInvalida });
});

test.serial('outra chave PIX ou outra multa fazem o dia de novo; outro nome, não', async (t) => {
  const provedorId = await carteira();
  const { configuracao } = api.container;
  const pendente = async (): Promise<boolean> =>
    (await tarefas().pendentes()).some((uma) => uma.provedorId === provedorId && uma.tarefa === 'pix.recalcular');
  await configuracao.configurar(TERMINAL, provedorId, { pixChave: 'antes@malha.test' });
  t.true(await pendente());
  await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR);
  await configuracao.configurar(TERMINAL, provedorId, { nome: 'Outro Nome' });
  t.false(await pendente());

  await configuracao.configurar(TERMINAL, provedorId, { pixChave: 'nova@malha.test', multa: '1' });
  t.true(await pendente());
  t.is((await tarefas().executar(AUTOR, doDia(provedorId), SEM_PARAR)).desfecho, 'concluida');
  const { texto: chave } = await api.criarChave(provedorId);
  const apuradas = (await faturasDe(provedorId)).filter(({ apurada_em }) => apurada_em !== null);
  t.true(apuradas.some(({ pix_copia_cola }) => pix_copia_cola?.includes('nova@malha.test')));
  for (const { id, pix_copia_cola, valor_atualizado } of apuradas) {
    const { dados } = (await api.get(`/faturas/${id}`, { chave })).corpo;
    t.is(pix_copia_cola, dados.segunda_via.pix_copia_cola);
    t.is(valor_atualizado === null ? null : Number(valor_atualizado), dados.valor_atualizado);
  }

  // Half-way through, by what was there before: who goes on stops, and the next run begins anew.
  relogio.definir('2026-11-21T15:00:00Z');
  const amanha = doDia(provedorId, 'pix.recalcular', '2026-11-21' as Data);
  let mudou = false;
  const interrompido = espiao(
    async () => {},
    async () => {
      if (mudou) return;
      mudou = true;
      await configuracao.configurar(TERMINAL, provedorId, { pixChave: 'meio@malha.test' });
    },
  );
  t.is((await tarefas({ 'pix.recalcular': interrompido }).executar(AUTOR, amanha, SEM_PARAR)).desfecho, 'de_outro');
  t.is((await tarefas().executar(AUTOR, amanha, SEM_PARAR)).desfecho, 'concluida');
  const codigos = (await faturasDe(provedorId)).map(({ pix_copia_cola }) => pix_copia_cola ?? '');
  t.false(codigos.some((codigo) => codigo.includes('nova@malha.test')));
});

test.serial('a chave PIX que muda logo antes de o dia se abrir é a que ele grava', async (t) => {
  const provedorId = await carteira();
  const { db, write, provedores, configuracao } = api.container;
  await configuracao.configurar(TERMINAL, provedorId, { pixChave: 'antes@malha.test' });
  let mudou = false;
  const servico = createTarefasService({
    db,
    relogio,
    provedores,
    trabalhos: {
      'faturas.vencer': vencimento,
      'faturas.gerar': vencimento,
      'promessas.conferir': vencimento,
      'excedentes.creditar': vencimento,
      'pix.recalcular': recalculo,
      'remessas.gerar': vencimento,
      'pix.cobrar': vencimento,
      'notas.pedir': vencimento,
      'regua.aplicar': vencimento,
      'somas.fechar': vencimento,
      'extratos.gerar': vencimento,
    },
    ritmo: () => ({ linhas: 3, descansoMs: 0 }),
    // The provider has been read by the first write, which opens the day.
    async write(actor, id, trabalho) {
      if (!mudou) {
        mudou = true;
        await configuracao.configurar(TERMINAL, provedorId, { pixChave: 'depois@malha.test' });
      }
      return write(actor, id, trabalho);
    },
  });
  t.is((await servico.executar(AUTOR, doDia(provedorId), SEM_PARAR)).desfecho, 'concluida');
  const codigos = (await faturasDe(provedorId)).map(({ pix_copia_cola }) => pix_copia_cola ?? '');
  t.true(codigos.some((codigo) => codigo.includes('depois@malha.test')));
  t.false(codigos.some((codigo) => codigo.includes('antes@malha.test')));
});

interface ClienteDoLote {
  readonly id: number;
  readonly nome: string;
}

/** Rows of another table, in an order of their own, with a place that is no invoice's. */
function dosClientes(
  aoGravar: (clientes: readonly ClienteDoLote[]) => void,
): Trabalho<ClienteDoLote, { nome: string }> {
  return {
    evento: 'faturas.vencidas',
    etiquetas: ['provedor'],
    retoma: true,
    lugar: ({ nome }) => ({ nome }),
    contar: async (tenant) => (await tenant.from('clientes').select('id')).length,
    proximas: async (tenant, _dia, depoisDe, limite) =>
      tenant
        .from('clientes')
        .where('nome', '>', depoisDe?.nome ?? '')
        .orderBy('nome')
        .limit(limite)
        .select<ClienteDoLote[]>('id', 'nome'),
    preparar: async (_tenant, _provedor, dia, clientes) => async (w) => {
      aoGravar(clientes);
      const ids = clientes.map(({ id }) => id);
      return w.update('clientes', (q) => void q.whereIn('id', ids), { bairro: `g-${dia}` });
    },
  };
}

test.serial('a tarefa de um dia é de quaisquer linhas, e retoma do lugar que é o dela', async (t) => {
  const provedorId = await fabrica.provedor();
  for (const nome of ['g', 'c', 'a', 'f', 'b', 'e', 'd']) await fabrica.cliente(provedorId, { nome });
  const parar = new AbortController();
  const cortado = tarefas({ 'faturas.vencer': dosClientes(() => parar.abort()) }, { linhas: 3, descansoMs: 1 });
  await t.throwsAsync(
    cortado.executar(AUTOR, doDia(provedorId, 'faturas.vencer'), { signal: parar.signal, aoAvancar: () => {} }),
  );
  const [linha] = await api.dono('tarefas_diarias').where({ provedor_id: provedorId, tarefa: 'faturas.vencer' });
  const guardado: unknown = typeof linha.cursor_em === 'string' ? JSON.parse(linha.cursor_em) : linha.cursor_em;
  t.deepEqual(guardado, { nome: 'c' });

  const gravados: string[] = [];
  const inteiro = tarefas({
    'faturas.vencer': dosClientes((clientes) => gravados.push(...clientes.map(({ nome }) => nome))),
  });
  t.deepEqual(await inteiro.executar(AUTOR, doDia(provedorId, 'faturas.vencer'), SEM_PARAR), {
    desfecho: 'concluida',
    linhas: 7,
  });
  t.deepEqual(gravados, ['d', 'e', 'f', 'g']);
  const bairros = await api.dono('clientes').where({ provedor_id: provedorId }).distinct('bairro');
  t.deepEqual(bairros, [{ bairro: `g-${HOJE}` }]);
  const evento = await api.dono('eventos').where({ provedor_id: provedorId, tipo: 'faturas.vencidas' }).first();
  t.deepEqual(typeof evento.etiquetas === 'string' ? JSON.parse(evento.etiquetas) : evento.etiquetas, ['provedor']);
});
