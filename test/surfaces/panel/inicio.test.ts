import test from 'ava';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarDevedor } from '../../domain/faturas/apoio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { entrarNoPainel } from '../../support/painel.ts';
import { relogioEm } from '../../support/relogio.ts';

let api: Api;
test.before(async () => {
  api = await criarApi({ relogio: relogioEm('2026-11-20T15:00:00.000Z') });
});
test.after.always(async () => api.fechar());

const lido = (texto: string): string =>
  texto
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('\u00A0', ' ')
    .replace(/\s+/g, ' ');

test('um provedor novo vê os primeiros passos, com o que já fez; quem tem clientes não os vê', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const pessoa = await entrarNoPainel(api, provedor);
  const { texto } = await pessoa.get('');
  const novo = lido(texto);
  t.regex(novo, /Primeiros passos A fazer: Dizer quem é o provedor/);
  t.regex(novo, /Feito: Dizer quem recebe o PIX/);
  t.regex(novo, /A fazer: Criar os planos/);
  t.regex(novo, /A fazer: Convidar a equipe/);
  t.regex(texto, /href="\/painel\/configuracoes\/importacao"/);
  await fabrica.plano(provedor);
  await entrarNoPainel(api, provedor, 'tecnico');
  t.regex(lido((await pessoa.get('')).texto), /Feito: Criar os planos.*Feito: Convidar a equipe/);
  await fabrica.cliente(provedor);
  t.notRegex(lido((await pessoa.get('')).texto), /Primeiros passos/);
});

test('os números levam às listas, e quem não pode ver uma lista não vê o seu número', async (t) => {
  const a = await criarDevedor(api);
  await a.fatura();
  const fabrica = criarFabrica(api.dono);
  const assunto = 'Sem <sinal>';
  const chamado = await fabrica.chamado(a.provedor, { cliente_id: a.cliente, assunto });
  const pessoa = await entrarNoPainel(api, a.provedor);
  const { texto } = await pessoa.get('');
  t.regex(lido(texto), /R\$ 153,50 vencido, de 1 cliente/);
  t.regex(texto, /href="\/painel\/faturas\?situacao=vencida"/);
  t.regex(texto, /href="\/painel\/faturas\?pago_de=2026-11-20&amp;pago_ate=2026-11-20"/);
  t.regex(texto, /href="\/painel\?aba=rede"><strong>0<\/strong><span>quedas na última hora/);
  t.regex(texto, new RegExp(`/painel/chamados/${chamado}"`));
  t.regex(texto, /Sem &lt;sinal&gt;/);
  t.regex(lido(texto), /Tarefas que já deviam estar prontas/);
  const tecnico = await entrarNoPainel(api, a.provedor, 'tecnico');
  const dele = (await tecnico.get('')).texto;
  t.notRegex(dele, /vencido, de/);
  t.notRegex(dele, /aba=financeiro/);
  t.notRegex(dele, /Tarefas que já deviam/);
  t.regex(dele, /aba=atendimento/);
  t.notRegex(lido((await tecnico.get('?aba=financeiro')).texto), /Previsto para/);
});

test('os chamados de um dia levam à lista deles, abertos ou não, e à dos solucionados nele', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const chamado = async (assunto: string, aberto_em: string, fechado_em: string | null = null) =>
    fabrica.chamado(provedor, {
      cliente_id: cliente,
      assunto,
      aberto_em,
      ...(fechado_em === null ? {} : { situacao: 'solucionado', fechado_em }),
    });
  // Of the provider's day, which ends at three in the morning by UTC.
  await chamado('Aberto no dia', '2026-11-19 03:00:00.000');
  await chamado('Resolvido no dia', '2026-11-19 12:00:00.000', '2026-11-20 02:59:59.000');
  await chamado('Resolvido depois', '2026-11-20 02:59:59.000', '2026-11-20 03:00:00.000');
  await chamado('Da véspera', '2026-11-19 02:59:59.000');
  const pessoa = await entrarNoPainel(api, provedor);
  const { texto } = await pessoa.get('?aba=atendimento');
  const listas = {
    '/chamados?visao=dia&dia=2026-11-19': ['Resolvido depois', 'Resolvido no dia', 'Aberto no dia'],
    '/chamados?visao=fechados&situacao=solucionado&dia=2026-11-19': ['Resolvido no dia'],
  };
  for (const [endereco, assuntos] of Object.entries(listas)) {
    t.true(texto.includes(`href="/painel${endereco.replaceAll('&', '&amp;')}">${assuntos.length}</a>`), endereco);
    const lista = (await pessoa.get(endereco)).texto;
    t.deepEqual(
      [...lista.matchAll(/data-linha[^>]*>.*?<\/span>\s*([^<]*?)\s*<\/a/gs)].map(([, assunto]) => assunto),
      assuntos,
      endereco,
    );
  }
  // Without a day it is today's.
  t.regex((await pessoa.get('/chamados?visao=dia')).texto, /name="dia"[^>]*value="2026-11-20"/);
});

test('o financeiro diz em palavras o que cada figura mostra, e a tabela diz o mesmo', async (t) => {
  const a = await criarDevedor(api);
  const { id } = await a.fatura();
  await a.fatura({ vencimento: '2026-12-01', valor: '80.00' });
  await a.escrever(async ({ baixas }) => baixas.registrar(id, { forma: 'dinheiro', valor: '100.00' }));
  const pessoa = await entrarNoPainel(api, a.provedor, 'financeiro');
  const { texto } = await pessoa.get('?aba=financeiro');
  const dito = lido(texto);
  t.regex(dito, /Recebidos R\$ 100,00 em 30 dias, 67 % do que venceu \(R\$ 150,00\)/);
  t.regex(dito, /R\$ 80,00 em aberto vencem em 30 dias; o maior dia é 01\/12\/2026/);
  t.regex(dito, /R\$ 53,50 em 1 fatura vencida, 0 % há mais de 30 dias/);
  t.regex(dito, /Do que venceu no dia 10, 36 % continua em aberto/);
  t.regex(texto, /href="\/painel\/faturas\?pago_de=2026-11-20&amp;pago_ate=2026-11-20">R\$/);
  const atrasadas =
    /href="\/painel(\/faturas\?situacao=vencida&amp;vencimento_de=2026-11-05&amp;vencimento_ate=2026-11-19)"/.exec(
      texto,
    );
  const daFaixa = await pessoa.get(atrasadas?.[1]?.replaceAll('&amp;', '&') ?? '/nada');
  t.true(daFaixa.texto.includes(`/painel/faturas/${id}"`));
  for (const situacao of ['todas', 'vencida']) {
    const doDia = `situacao=${situacao}&amp;vencimento_de=2026-11-10&amp;vencimento_ate=2026-11-10`;
    t.true(texto.slice(texto.indexOf('Dia do mês')).includes(`href="/painel/faturas?${doDia}"`), situacao);
  }
  t.is([...texto.matchAll(/<svg width="100%"/g)].length, 4);
  t.notRegex(texto, / style=/);
});

test('o atendimento diz quantos abrem e fecham, quanto se espera, e de onde vêm', async (t) => {
  const a = await criarDevedor(api);
  const fabrica = criarFabrica(api.dono);
  await fabrica.chamado(a.provedor, { cliente_id: a.cliente, categoria: 'TECNICO', aberto_em: '2026-11-19 12:00:00' });
  await fabrica.chamado(a.provedor, {
    cliente_id: a.cliente,
    categoria: 'TECNICO',
    situacao: 'solucionado',
    aberto_em: '2026-11-18 12:00:00',
    fechado_em: '2026-11-18 15:00:00',
  });
  const pessoa = await entrarNoPainel(api, a.provedor, 'atendimento');
  const { texto } = await pessoa.get('?aba=atendimento');
  const dito = lido(texto);
  t.regex(texto, /href="\/painel\/chamados\?categoria=TECNICO&amp;origem=\w+">2<\/a>/);
  t.regex(texto, /href="\/painel\/chamados\?visao=fechados"/);
  t.regex(dito, /2 chamados abertos e 1 solucionado em 30 dias/);
  t.regex(dito, /solução em até 3 h, de 1 chamado fechado/);
  t.regex(dito, /Técnico é a categoria de 100 % dos 2 chamados/);
});

test('o início e as tarefas dizem que webhooks não entregam, a quem os pode ver', async (t) => {
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor();
  const pessoa = await entrarNoPainel(api, provedor);
  const agora = '2026-11-19 12:00:00.000';
  const comum = {
    eventos: '["*"]',
    segredo: Buffer.alloc(1),
    segredo_fim: 'abcd',
    criado_em: agora,
    atualizado_em: agora,
  };
  const tenant = createTenantWriter(api.dono, provedor);
  await tenant.insert('webhooks', { ...comum, url: 'https://crm.exemplo.com.br/malha', descricao: 'CRM' });
  t.notRegex((await pessoa.get('')).texto, /Webhooks que não entregam/);
  await tenant.insert('webhooks', {
    ...comum,
    url: 'https://erp.exemplo.com.br/malha',
    falhando_desde: '2026-11-20 03:00:00.000',
  });
  t.regex(lido((await pessoa.get('')).texto), /Webhooks que não entregam: erp\.exemplo\.com\.br falhando/);
  t.regex(lido((await pessoa.get('/tarefas')).texto), /CRM ativo 0 nenhum erp\.exemplo\.com\.br falhando 0 nenhum/);
  const financeiro = await entrarNoPainel(api, provedor, 'financeiro');
  for (const tela of ['', '/tarefas']) t.notRegex((await financeiro.get(tela)).texto, /exemplo\.com\.br/);
});
