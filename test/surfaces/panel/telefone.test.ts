import test from 'ava';
import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { escreverData } from '../../../src/brazil/dinheiro/escrita.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';

// What is done while somebody is on the phone.

let api: Api;
let f: Fabrica;
test.before(async () => {
  api = await criarApi({ env: { MALHA_SMTP_URL: 'smtp://127.0.0.1:9' } });
  f = criarFabrica(api.dono);
});
test.after.always(async () => api.fechar());

async function cenario(regras: object) {
  const provedor = await f.provedor({}, { ...regras });
  const plano = await f.plano(provedor);
  const cliente = await f.cliente(provedor, { email: 'maria@malha.test' });
  const contrato = await f.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  return { provedor, cliente, contrato };
}

test('quem deve promete pagar ao telefone: a equipe anota o dia, e a ficha o mostra', async (t) => {
  const { provedor, cliente, contrato } = await cenario({ promessa_dias: 10 });
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  const fuso = 'America/Sao_Paulo';
  const hoje = hojeEm(fuso, new Date());
  const botao = `href="/painel/contratos/${contrato}/promessa"`;
  t.false((await pessoa.get(`/clientes/${cliente}`)).texto.includes(botao), 'nada deve');
  t.is((await pessoa.post(`/contratos/${contrato}/promessa`, { data: hoje })).status, 422);
  await f.fatura(provedor, { cliente_id: cliente, contrato_id: contrato, vencimento: '2026-01-10' });
  t.true((await pessoa.get(`/clientes/${cliente}`)).texto.includes(botao));
  const longe = await pessoa.post(`/contratos/${contrato}/promessa`, { data: '2099-01-10' });
  t.is(longe.status, 422);
  t.regex(longe.texto, /além do prazo/);
  t.regex(longe.texto, /value="2099-01-10"/, 'o que se digitou fica');
  const feito = await pessoa.post(`/contratos/${contrato}/promessa`, { data: hoje });
  t.is(feito.status, 303);
  t.regex(String(feito.headers['location']), new RegExp(`/clientes/${cliente}\\?`));
  const { texto } = await pessoa.get(`/clientes/${cliente}`);
  t.regex(texto, new RegExp(`pagar até ${escreverData(hoje)}`));
  t.false(texto.includes(botao), 'uma por vez');
  t.regex((await pessoa.get(`/contratos/${contrato}/promessa`)).texto, /Já prometeu pagar até/);
  t.is((await pessoa.post(`/contratos/${contrato}/promessa`, { data: hoje })).status, 422);
});

test('onde o provedor não aceita promessas, nada as oferece', async (t) => {
  const { provedor, cliente, contrato } = await cenario({ promessa_dias: 0 });
  await f.fatura(provedor, { cliente_id: cliente, contrato_id: contrato, vencimento: '2026-01-10' });
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  for (const tela of [`/clientes/${cliente}`, `/contratos/${contrato}`]) {
    t.false((await pessoa.get(tela)).texto.includes('/promessa"'), tela);
  }
  t.regex((await pessoa.get(`/contratos/${contrato}/promessa`)).texto, /não aceita promessas/);
});

test('a segunda via vai ao e-mail do cadastro por um botão da fatura, cinco vezes por hora', async (t) => {
  const { provedor, cliente, contrato } = await cenario({});
  const pessoa = await entrarNoPainel(api, provedor, 'atendimento');
  const linha = { cliente_id: cliente, contrato_id: contrato, vencimento: '2026-01-10' };
  const fatura = await f.fatura(provedor, { ...linha, pix_txid: 'TELEFONE1' });
  t.regex((await pessoa.get(`/faturas/${fatura}`)).texto, /Enviar por e-mail/);
  // What is not sent, for want of an address or because nothing is owed, is not counted.
  const { email } = (await api.dono('clientes').where('id', cliente).first('email'))!;
  await api.dono('clientes').where('id', cliente).update({ email: null });
  for (let n = 0; n < 11; n += 1) t.is((await pessoa.post(`/faturas/${fatura}/enviar`)).status, 422);
  await api.dono('clientes').where('id', cliente).update({ email });
  for (let n = 0; n < 5; n += 1) {
    const { status, headers } = await pessoa.post(`/faturas/${fatura}/enviar`);
    t.deepEqual([status, headers['location']], [303, `/painel/faturas/${fatura}?feito=segunda_via_enviada`]);
  }
  const pedidas = api.dono('eventos').where({ provedor_id: provedor, tipo: 'fatura.segunda_via_por_email' });
  t.is((await pedidas).length, 5);
  const demais = await pessoa.post(`/faturas/${fatura}/enviar`);
  t.is(demais.status, 429);
  t.regex(demais.texto, /Já se pediu várias vezes/);
  const segundos = Number(demais.headers['retry-after']);
  t.true(segundos > 0 && segundos <= 3600, String(demais.headers['retry-after']));
  t.true(demais.texto.includes(`espere ${Math.ceil(segundos / 60)} minutos e peça de novo`));
  t.notRegex(demais.texto, /senha certa/);
  const paga = await f.fatura(provedor, { ...linha, situacao: 'paga' });
  t.notRegex((await pessoa.get(`/faturas/${paga}`)).texto, /Enviar por e-mail/);
  for (let n = 0; n < 6; n += 1) t.is((await pessoa.post(`/faturas/${paga}/enviar`)).status, 422);
});
