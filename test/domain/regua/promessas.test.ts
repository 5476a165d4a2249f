import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { DIA, cenarios, faturaConjunta, ir, relogio } from './apoio.ts';

// How long promises of payment hold the ladder back.

let api: Api;
let cenario: ReturnType<typeof cenarios>;

test.before(async () => {
  api = await criarApi({ relogio });
  cenario = cenarios(api);
});
test.after.always(async () => api.fechar());

type Cenario = Awaited<ReturnType<typeof cenario>>;

/** What the night's work makes of promises, at five past midnight. */
async function conferir(c: Cenario, dia: Data): Promise<void> {
  relogio.definir(`${dia}T03:05:00Z`);
  const semParar = { signal: new AbortController().signal, aoAvancar: () => {} };
  await api.container.tarefas.executar(TERMINAL, { tarefa: 'promessas.conferir', provedorId: c.id, dia }, semParar);
}

const prometer = async (c: Cenario, contrato: number, data: Data) =>
  c.mudar(async ({ promessas }) => promessas.registrar(contrato, data));

const promessas = async (c: Cenario): Promise<string[]> =>
  api.dono('promessas_pagamento').where({ provedor_id: c.id }).orderBy('id').pluck('situacao');

/** A client with two contracts that answer for one invoice. */
async function comConjunta(c: Cenario) {
  const { cliente, contrato } = await c.devedor();
  const fabrica = criarFabrica(api.dono);
  const outro = await fabrica.contrato(c.id, { cliente_id: cliente, plano_id: c.plano_id });
  const fatura = await faturaConjunta(api, c.id, cliente, [contrato, outro]);
  return { contrato, outro, fatura };
}

test.serial('quem quebra a promessa não a repete antes da hora da régua, e é bloqueado', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  const fatura = await dever('2027-02-10');
  await c.rodar(DIA(1));
  ir(DIA(15), 13);
  await prometer(c, contrato, DIA(16));
  await c.rodar(DIA(16));
  t.is(await c.situacao(contrato), 'ativo');
  await conferir(c, DIA(17));
  t.deepEqual(await promessas(c), ['quebrada']);
  ir(DIA(17), 10);
  const recusa = await t.throwsAsync(async () => prometer(c, contrato, DIA(20)), { instanceOf: Recusa });
  t.is(recusa.motivo, 'fatura_anterior_em_aberto');
  await c.rodar(DIA(17));
  t.is(await c.situacao(contrato), 'bloqueado');
  // Of another invoice, once that one is paid.
  await c.mudar(async ({ baixas }) => baixas.registrar(fatura, { forma: 'dinheiro', valor: '400.00' }));
  await dever(DIA(17));
  await prometer(c, contrato, DIA(20));
  t.deepEqual(await promessas(c), ['quebrada', 'aberta']);
});

test.serial('a fatura de vários contratos que um prometeu, e não pagou, nenhum dos outros promete', async (t) => {
  const c = await cenario();
  const { contrato, outro } = await comConjunta(c);
  await c.rodar(DIA(1));
  ir(DIA(15), 13);
  await prometer(c, contrato, DIA(16));
  await conferir(c, DIA(17));
  ir(DIA(17), 10);
  const recusa = await t.throwsAsync(async () => prometer(c, outro, DIA(20)), { instanceOf: Recusa });
  t.is(recusa.motivo, 'fatura_anterior_em_aberto');
  await c.rodar(DIA(17));
  t.deepEqual([await c.situacao(contrato), await c.situacao(outro)], ['bloqueado', 'bloqueado']);
});

test.serial('a fatura de vários contratos não se adia com a promessa de um depois da do outro', async (t) => {
  const c = await cenario();
  const { contrato, outro, fatura } = await comConjunta(c);
  await c.rodar(DIA(1));
  ir(DIA(15), 13);
  await prometer(c, contrato, DIA(16));
  ir(DIA(16), 10);
  const recusa = await t.throwsAsync(async () => prometer(c, outro, DIA(20)), { instanceOf: Recusa });
  t.is(recusa.motivo, 'fatura_anterior_em_aberto');
  // For as long as the other one it holds nothing back that was not.
  await prometer(c, outro, DIA(16));
  await conferir(c, DIA(17));
  await c.rodar(DIA(17));
  t.deepEqual([await c.situacao(contrato), await c.situacao(outro)], ['bloqueado', 'bloqueado']);
  // What was promised in common is paid: each promises what it owes alone.
  await c.mudar(async ({ baixas }) => baixas.registrar(fatura, { forma: 'dinheiro', valor: '400.00' }));
  const { id: cliente_id } = (await api.dono('contratos').where({ id: outro }).select({ id: 'cliente_id' }))[0];
  for (const contrato_id of [contrato, outro])
    await criarFabrica(api.dono).fatura(c.id, { cliente_id, contrato_id, vencimento: DIA(17), situacao: 'vencida' });
  await prometer(c, contrato, DIA(18));
  await prometer(c, outro, DIA(20));
  t.deepEqual(await promessas(c), ['quebrada', 'quebrada', 'aberta', 'aberta']);
});

test.serial('o que quem tinha o contrato antes prometeu não impede a promessa de quem o tem agora', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  await dever('2027-02-10');
  ir(DIA(15), 13);
  await prometer(c, contrato, DIA(16));
  await conferir(c, DIA(17));
  const novo = await criarFabrica(api.dono).cliente(c.id, { cpf_cnpj: '11144477735' });
  await api.dono('contratos').where({ id: contrato }).update({ cliente_id: novo });
  await dever('2027-02-11', { cliente_id: novo });
  ir(DIA(17), 13);
  await prometer(c, contrato, DIA(20));
  t.deepEqual(await promessas(c), ['quebrada', 'aberta']);
});

test.serial('sobre nada que vença até o dia não há promessa, nem se conta uma por cumprida', async (t) => {
  const c = await cenario();
  const { contrato, dever } = await c.devedor();
  await dever(DIA(10), { situacao: 'pendente' });
  ir(DIA(1), 13);
  const recusa = await t.throwsAsync(async () => prometer(c, contrato, DIA(7)), { instanceOf: Recusa });
  t.is(recusa.motivo, 'nada_a_pagar');
  t.deepEqual(await promessas(c), []);
});
