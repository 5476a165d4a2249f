import { getPixPayloadInfo, isValidPixPayload } from '@brazilian-utils/brazilian-utils';
import test from 'ava';
import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { apurarFaturas } from '../../../src/domain/faturas/apuracao.service.ts';
import type { FaturaRow } from '../../../src/domain/faturas/faturas.types.ts';
import { createTenantDb, createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import type { Api } from '../../support/api.ts';
import { boletoDe } from '../../support/cobrancas.ts';
import { RECEBEDOR } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { povoarAssinantes, provarFiltrosPorId, provarLista } from '../../support/listas.ts';
import type { Assinantes } from '../../support/listas.ts';
import { relogioEm } from '../../support/relogio.ts';

/** Friday, a bank holiday; noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00Z';
/** Of 99.90 due on the 10th of December. */
const LINHA = '23793381286008301352885600006333616560000009990';
const BARRAS = '23796165600000099903381260083013528560000633';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let meu: Povoado;
let alheio: Povoado;
let chave: string;

type Povoado = Assinantes & { readonly linhas: Record<string, number> };

let serie = 0;
const faturasCriadas = (): number => (serie += 1);

/** Invoices that each filter tells apart, newest first by name; the second provider's look the same. */
async function povoar(fazer: Fabrica): Promise<Povoado> {
  const assinantes = await povoarAssinantes(fazer);
  const { provedor, maria, joao, casa, loja, sitio } = assinantes;
  const linhas: Record<string, number> = {};
  async function criar(nome: string, dia: string, vencimento: string, situacao: string, contrato: number | null) {
    linhas[nome] = await fazer.fatura(provedor, {
      cliente_id: contrato === casa || contrato === loja ? maria : joao,
      contrato_id: contrato,
      situacao,
      vencimento,
      emitida_em: `2026-${dia} 09:00:00.000`,
      // What is stored beside the state must not decide what a read shows.
      pix_txid: `TX${faturasCriadas()}`,
      pix_copia_cola: 'de outro dia',
    });
  }
  await criar('estornada', '09-01', '2026-09-10', 'estornada', casa);
  await criar('sem contrato', '08-01', '2026-08-10', 'paga', null);
  await criar('a vencer', '11-10', '2026-12-10', 'pendente', casa);
  await criar('vence hoje', '11-09', '2026-11-20', 'pendente', loja);
  await criar('venceu ontem, gravada pendente', '11-08', '2026-11-19', 'pendente', sitio);
  await criar('gravada vencida, vence hoje', '11-07', '2026-11-20', 'vencida', casa);
  await criar('gravada vencida, a vencer', '11-06', '2026-11-30', 'vencida', sitio);
  await criar('venceu há dez dias', '11-05', '2026-11-10', 'vencida', casa);
  await criar('paga', '11-04', '2026-11-10', 'paga', casa);
  await criar('processando', '10-03', '2026-10-10', 'processando', casa);
  await criar('cancelada', '10-02', '2026-10-10', 'cancelada', sitio);
  return { ...assinantes, linhas };
}

const DA_MAIS_NOVA = [
  'a vencer',
  'vence hoje',
  'venceu ontem, gravada pendente',
  'gravada vencida, vence hoje',
  'gravada vencida, a vencer',
  'venceu há dez dias',
  'paga',
  'processando',
  'cancelada',
  'estornada',
  'sem contrato',
];

const listadas = provarLista({
  caminho: '/faturas',
  relogio,
  povoar,
  ordem: DA_MAIS_NOVA,
  ordenada: 'da emitida_em mais nova para a mais antiga',
  filtros: ({ joao }) => ({
    'situacao=aberta': 6,
    'situacao=pendente': 4,
    'situacao=vencida': 2,
    [`cliente_id=${joao}`]: 4,
    'vencimento_de=2026-11-20&vencimento_ate=2026-11-20': 2,
  }),
  comecar(cena) {
    ({ api, fabrica, meu, alheio, chave } = cena);
  },
});
provarFiltrosPorId('/faturas', listadas, () => ({ meu, alheio }));

interface Assinante {
  readonly provedor: number;
  readonly cliente: number;
  readonly contrato: number;
  readonly chave: string;
  /** Writes an invoice and reads it through the API. */
  fatura(linha?: Record<string, unknown>): Promise<{ readonly id: number; readonly ler: () => Promise<any> }>;
}

/** A provider of its own, with one client and contract. */
async function assinante(
  linha: Record<string, unknown> = {},
  regras: Record<string, unknown> = {},
): Promise<Assinante> {
  const provedor = await fabrica.provedor(linha, regras);
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const { texto } = await api.criarChave(provedor);
  return {
    provedor,
    cliente,
    contrato,
    chave: texto,
    async fatura(dados = {}) {
      const id = await fabrica.fatura(provedor, { cliente_id: cliente, contrato_id: contrato, ...dados });
      return {
        id,
        async ler() {
          const { status, corpo } = await api.get(`/faturas/${id}`, { chave: texto });
          if (status !== 200) throw new Error(JSON.stringify(corpo));
          return corpo.dados;
        },
      };
    },
  };
}

// Order and filters

test('GET /faturas: emitidas no mesmo instante vêm do id maior para o menor', async (t) => {
  const a = await assinante();
  const ids: number[] = [];
  for (let i = 0; i < 3; i++) ids.push((await a.fatura()).id);
  const velha = await a.fatura({ emitida_em: '2026-11-01 08:59:59.999' });
  const { dados } = (await api.get('/faturas', { chave: a.chave })).corpo;
  t.deepEqual(
    dados.map(({ id }: { id: number }) => id),
    [...ids.toReversed(), velha.id],
  );
});

const ABERTAS = DA_MAIS_NOVA.slice(0, 6);
const PENDENTES = ['a vencer', 'vence hoje', 'gravada vencida, vence hoje', 'gravada vencida, a vencer'];
const VENCIDAS = ['venceu ontem, gravada pendente', 'venceu há dez dias'];
for (const [situacao, o_que, esperadas] of [
  ['aberta', 'as pendentes mais as vencidas', ABERTAS],
  ['pendente', 'as em aberto que vencem hoje ou depois, como quer que estejam gravadas', PENDENTES],
  ['vencida', 'as em aberto que venceram antes de hoje, como quer que estejam gravadas', VENCIDAS],
  ['paga', 'as pagas', ['paga', 'sem contrato']],
  ['cancelada', 'as canceladas', ['cancelada']],
  ['estornada', 'as estornadas', ['estornada']],
  ['todas', 'todas, também as em processamento', DA_MAIS_NOVA],
] as const) {
  test(`GET /faturas: situacao=${situacao} traz ${o_que}`, async (t) => {
    t.deepEqual(await listadas(`?situacao=${situacao}`), esperadas);
    const { corpo } = await api.get(`/faturas?situacao=${situacao}`, { chave });
    t.is(corpo.paginacao.total, esperadas.length);
    for (const fatura of corpo.dados) {
      if (situacao === 'aberta') t.true(['pendente', 'vencida'].includes(fatura.situacao));
      else if (situacao !== 'todas') t.is(fatura.situacao, situacao);
    }
  });
}

test('GET /faturas: situacao tem padrão todas', async (t) => {
  const semFiltro = await api.get('/faturas', { chave });
  const todas = await api.get('/faturas?situacao=todas', { chave });
  t.is(semFiltro.texto, todas.texto);
});

test('GET /faturas: cliente_id traz só as do cliente', async (t) => {
  t.deepEqual(await listadas(`?cliente_id=${meu.joao}`), [
    'venceu ontem, gravada pendente',
    'gravada vencida, a vencer',
    'cancelada',
    'sem contrato',
  ]);
});

test('GET /faturas: contrato_id traz só as do contrato', async (t) => {
  t.deepEqual(await listadas(`?contrato_id=${meu.loja}`), ['vence hoje']);
  t.deepEqual(await listadas(`?contrato_id=${meu.sitio}`), [
    'venceu ontem, gravada pendente',
    'gravada vencida, a vencer',
    'cancelada',
  ]);
});

test('GET /faturas: vencimento_de filtra a partir do dia, inclusive', async (t) => {
  t.deepEqual(await listadas('?vencimento_de=2026-11-30'), ['a vencer', 'gravada vencida, a vencer']);
  t.deepEqual(await listadas('?vencimento_de=2026-12-01'), ['a vencer']);
  t.deepEqual(await listadas('?vencimento_de=2026-12-11'), []);
});

test('GET /faturas: vencimento_ate filtra até o dia, inclusive', async (t) => {
  t.deepEqual(await listadas('?vencimento_ate=2026-09-10'), ['estornada', 'sem contrato']);
  t.deepEqual(await listadas('?vencimento_ate=2026-09-09'), ['sem contrato']);
  t.deepEqual(await listadas('?vencimento_ate=2026-08-09'), []);
});

test('GET /faturas: vencimento_de e vencimento_ate iguais trazem o que vence naquele dia', async (t) => {
  t.deepEqual(await listadas('?vencimento_de=2026-11-20&vencimento_ate=2026-11-20'), [
    'vence hoje',
    'gravada vencida, vence hoje',
  ]);
});

test('GET /faturas: os filtros se combinam com E', async (t) => {
  const { maria, joao, casa, loja, sitio } = meu;
  t.deepEqual(await listadas(`?cliente_id=${maria}&situacao=aberta`), [
    'a vencer',
    'vence hoje',
    'gravada vencida, vence hoje',
    'venceu há dez dias',
  ]);
  t.deepEqual(await listadas(`?cliente_id=${maria}&contrato_id=${casa}&situacao=vencida`), ['venceu há dez dias']);
  t.deepEqual(await listadas(`?cliente_id=${maria}&contrato_id=${sitio}`), []);
  t.deepEqual(await listadas(`?contrato_id=${loja}&situacao=vencida`), []);
  t.deepEqual(await listadas(`?cliente_id=${joao}&vencimento_de=2026-11-01`), [
    'venceu ontem, gravada pendente',
    'gravada vencida, a vencer',
  ]);
  t.deepEqual(await listadas('?situacao=paga&vencimento_de=2026-11-01'), ['paga']);
  t.deepEqual(await listadas('?situacao=vencida&vencimento_ate=2026-11-15'), ['venceu há dez dias']);
  t.deepEqual(await listadas('?situacao=vencida&vencimento_de=2026-11-20'), []);
  t.deepEqual(await listadas('?situacao=pendente&vencimento_ate=2026-11-19'), []);
  t.deepEqual(
    await listadas(
      `?cliente_id=${maria}&contrato_id=${casa}&situacao=pendente&vencimento_de=2026-11-20&vencimento_ate=2026-11-30`,
    ),
    ['gravada vencida, vence hoje'],
  );
});

// Fields

test('Fatura: todos os campos, na lista e na leitura de uma', async (t) => {
  const a = await assinante({ panel_host: 'painel.serra.test' });
  const { id, ler } = await a.fatura({
    descricao: 'Mensalidade 11/2026',
    situacao: 'pendente',
    tipo: 'boleto',
    valor: '99.90',
    vencimento: '2026-12-10',
    emitida_em: '2026-11-01 09:00:00.123',
    token: 'tokenDaFatura123456789',
    linha_digitavel: LINHA,
    codigo_barras: BARRAS,
  });
  const esperada = {
    id,
    cliente_id: a.cliente,
    contrato_id: a.contrato,
    descricao: 'Mensalidade 11/2026',
    situacao: 'pendente',
    tipo: 'boleto',
    valor: 99.9,
    valor_atualizado: null,
    valor_pago: 0,
    valor_a_pagar: 99.9,
    multa: 0,
    juros: 0,
    dias_atraso: 0,
    pago_parcialmente: false,
    vencimento: '2026-12-10',
    emitida_em: '2026-11-01T09:00:00.123Z',
    pago_em: null,
    boleto_situacao: null,
    segunda_via: {
      link_pagamento: 'https://painel.serra.test/pagar/tokenDaFatura123456789',
      pdf: 'https://painel.serra.test/boleto/tokenDaFatura123456789',
      pagina_pix: null,
      pix_copia_cola: null,
      linha_digitavel: LINHA,
      codigo_barras: BARRAS,
    },
  };
  t.deepEqual(await ler(), esperada);
  t.deepEqual((await api.get('/faturas', { chave: a.chave })).corpo.dados, [esperada]);
});

test('Fatura: contrato_id, descricao, tipo, valor_atualizado, pago_em e segunda_via sem informação são nulos, nunca omitidos', async (t) => {
  const a = await assinante();
  const { ler } = await a.fatura({ contrato_id: null, situacao: 'cancelada' });
  const dados = await ler();
  for (const campo of ['contrato_id', 'descricao', 'tipo', 'valor_atualizado', 'pago_em', 'segunda_via']) {
    t.is(dados[campo], null, campo);
  }
});

test('Fatura: paga diz quando em pago_em e quanto em valor_pago; sem pagamento valor_pago é 0.00', async (t) => {
  const a = await assinante();
  const paga = await a.fatura({ situacao: 'paga', valor_pago: '102.23', pago_em: '2026-11-19 23:30:00.007' });
  t.like(await paga.ler(), { situacao: 'paga', valor_pago: 102.23, pago_em: '2026-11-19T23:30:00.007Z' });
  const aberta = await a.fatura();
  const resposta = await api.get(`/faturas/${aberta.id}`, { chave: a.chave });
  t.true(resposta.texto.includes('"valor_pago":0.00,'));
});

for (const tipo of ['boleto', 'pix', 'carne', 'carteira', null]) {
  test(`Fatura.tipo pode ser ${tipo ?? 'nulo'}`, async (t) => {
    const a = await assinante();
    t.is((await (await a.fatura({ tipo })).ler()).tipo, tipo);
  });
}

for (const situacao of ['pendente', 'vencida', 'paga', 'cancelada', 'estornada', 'processando']) {
  test(`Fatura.situacao pode ser ${situacao}`, async (t) => {
    const a = await assinante();
    const vencimento = situacao === 'pendente' ? '2026-12-10' : '2026-11-10';
    t.is((await (await a.fatura({ situacao, vencimento })).ler()).situacao, situacao);
  });
}

// Overdue by the provider's own day

for (const [nome, situacao] of Object.entries({
  'vence hoje': 'pendente',
  'venceu ontem, gravada pendente': 'vencida',
  'gravada vencida, vence hoje': 'pendente',
  'gravada vencida, a vencer': 'pendente',
  'venceu há dez dias': 'vencida',
})) {
  test(`Fatura.situacao é a de hoje, não a gravada: ${nome} → ${situacao}`, async (t) => {
    const { dados } = (await api.get(`/faturas/${meu.linhas[nome]}`, { chave })).corpo;
    t.is(dados.situacao, situacao);
    const lista = (await api.get('/faturas', { chave })).corpo.dados;
    t.deepEqual(
      lista.find(({ id }: { id: number }) => id === dados.id),
      dados,
    );
  });
}

test('Fatura.situacao não vira vencida quando a fatura não está em aberto', async (t) => {
  for (const nome of ['paga', 'processando', 'cancelada', 'estornada']) {
    const { dados } = (await api.get(`/faturas/${meu.linhas[nome]}`, { chave })).corpo;
    t.is(dados.situacao, nome);
    t.is(dados.valor_atualizado, null);
  }
});

for (const [fuso, meiaNoite] of Object.entries({
  'America/Noronha': '2026-11-19T02:00:00.000Z',
  'America/Sao_Paulo': '2026-11-19T03:00:00.000Z',
  'America/Manaus': '2026-11-19T04:00:00.000Z',
  'America/Rio_Branco': '2026-11-19T05:00:00.000Z',
})) {
  test.serial(`uma fatura é vencida desde a meia-noite local depois do vencimento: ${fuso}`, async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await assinante({ fuso_horario: fuso });
    // Due on a Wednesday, with Thursday a business day.
    const gravadaPendente = await a.fatura({ vencimento: '2026-11-18', situacao: 'pendente', pix_txid: 'PENDENTE' });
    const gravadaVencida = await a.fatura({ vencimento: '2026-11-18', situacao: 'vencida', pix_txid: 'VENCIDA' });
    const ids = [gravadaVencida.id, gravadaPendente.id];
    const listadasPor = async (situacao: string) =>
      (await api.get(`/faturas?situacao=${situacao}`, { chave: a.chave })).corpo.dados.map(
        ({ id }: { id: number }) => id,
      );

    relogio.definir(new Date(new Date(meiaNoite).getTime() - 1).toISOString());
    for (const { ler } of [gravadaPendente, gravadaVencida]) {
      const fatura = await ler();
      t.is(fatura.situacao, 'pendente');
      t.is(fatura.valor_atualizado, null);
      t.not(fatura.segunda_via, null);
    }
    t.deepEqual(await listadasPor('pendente'), ids);
    t.deepEqual(await listadasPor('vencida'), []);
    t.deepEqual(await listadasPor('aberta'), ids);

    relogio.definir(meiaNoite);
    for (const { ler } of [gravadaPendente, gravadaVencida]) {
      const fatura = await ler();
      t.is(fatura.situacao, 'vencida');
      t.is(fatura.valor_atualizado, 101.93);
      t.not(fatura.segunda_via, null);
    }
    t.deepEqual(await listadasPor('pendente'), []);
    t.deepEqual(await listadasPor('vencida'), ids);
    t.deepEqual(await listadasPor('aberta'), ids);
  });
}

test.serial('na mesma hora, a fatura já venceu no fuso de um provedor e ainda não no de outro', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const leste = await (await assinante({ fuso_horario: 'America/Sao_Paulo' })).fatura({ vencimento: '2026-11-18' });
  const oeste = await (await assinante({ fuso_horario: 'America/Rio_Branco' })).fatura({ vencimento: '2026-11-18' });
  relogio.definir('2026-11-19T04:00:00Z');
  t.is((await leste.ler()).situacao, 'vencida');
  t.is((await oeste.ler()).situacao, 'pendente');
});

// What to pay today

test('Fatura.valor_atualizado: 99.90 com multa de 2 % e juros de 1 % ao mês, 10 dias de atraso, é 102.23', async (t) => {
  const a = await assinante();
  const { id, ler } = await a.fatura({ valor: '99.90', vencimento: '2026-11-10' });
  t.is((await ler()).valor_atualizado, 102.23);
  for (const caminho of [`/faturas/${id}`, '/faturas']) {
    const { texto } = await api.get(caminho, { chave: a.chave });
    t.true(texto.includes('"valor":99.90,"valor_atualizado":102.23,"valor_pago":0.00,'), texto);
  }
});

test('Fatura.valor_atualizado é nulo a menos que vencida', async (t) => {
  const a = await assinante();
  for (const [situacao, vencimento] of [
    ['pendente', '2026-12-10'],
    ['pendente', '2026-11-20'],
    ['vencida', '2026-11-20'],
    ['paga', '2026-11-10'],
    ['cancelada', '2026-11-10'],
    ['estornada', '2026-11-10'],
    ['processando', '2026-11-10'],
  ]) {
    t.is((await (await a.fatura({ situacao, vencimento })).ler()).valor_atualizado, null, `${situacao} ${vencimento}`);
  }
});

for (const [multa, juros, esperado] of [
  ['0.00', '0.00', null],
  ['2.00', '0.00', 101.9],
  ['0.00', '1.00', 100.23],
  ['1.50', '0.50', 101.57],
  ['2.00', '3.00', 102.9],
] as const) {
  test(`Fatura.valor_atualizado com multa de ${multa} % e juros de ${juros} % é ${esperado ?? 'nulo'}`, async (t) => {
    const a = await assinante({}, { multa_percentual: multa, juros_mensal_percentual: juros });
    const fatura = await (await a.fatura({ vencimento: '2026-11-10' })).ler();
    t.is(fatura.situacao, 'vencida');
    t.is(fatura.valor_atualizado, esperado);
  });
}

test('Fatura.valor_atualizado: multa e juros são arredondados ao centavo, metade para cima, cada um uma vez', async (t) => {
  const a = await assinante({}, { multa_percentual: '2.00', juros_mensal_percentual: '3.00' });
  const valores = async (valor: string, vencimento: string) =>
    (await (await a.fatura({ valor, vencimento })).ler()).valor_atualizado;
  // 0.005 of fine is a cent, 0.00025 of interest is none.
  t.is(await valores('0.25', '2026-11-19'), 0.26);
  // 0.0048 of fine is no cent, nor is interest: nothing to add.
  t.is(await valores('0.24', '2026-11-19'), null);
  // 0.50 at 3 % over 10 days: 0.01 of fine and 0.005 of interest, rounded each, not their sum.
  t.is(await valores('0.50', '2026-11-10'), 0.52);
});

test('Fatura.valor_atualizado é o de hoje: a multa é uma só e os juros crescem a cada dia', async (t) => {
  const a = await assinante();
  for (const [vencimento, esperado] of [
    ['2026-11-19', 101.93],
    ['2026-11-18', 101.97],
    ['2026-10-21', 102.9],
    // 20/11/2025 is a holiday too, so it counts from the 21st: 364 days, 12.12 of interest.
    ['2025-11-20', 114.02],
  ] as const) {
    const fatura = await (await a.fatura({ vencimento })).ler();
    t.is(fatura.valor_atualizado, esperado, vencimento);
  }
});

test.serial('Fatura.valor_atualizado muda à meia-noite local, sem que job algum rode', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const a = await assinante();
  const { ler } = await a.fatura({ situacao: 'vencida', vencimento: '2026-11-10' });
  relogio.definir('2026-11-20T02:59:59.999Z');
  t.is((await ler()).valor_atualizado, 102.2);
  relogio.definir('2026-11-20T03:00:00.000Z');
  t.is((await ler()).valor_atualizado, 102.23);
  relogio.definir('2026-11-21T03:00:00.000Z');
  t.is((await ler()).valor_atualizado, 102.27);
});

test.serial(
  'vencimento em fim de semana pode ser pago no dia útil seguinte sem encargos, e o atraso conta dele',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await assinante();
    // Saturday 14; Sunday 15 is a holiday as well; Monday 16 is a business day.
    const { ler } = await a.fatura({ vencimento: '2026-11-14' });
    for (const [dia, situacao, valor_atualizado] of [
      ['2026-11-14', 'pendente', null],
      ['2026-11-15', 'vencida', null],
      ['2026-11-16', 'vencida', null],
      ['2026-11-17', 'vencida', 101.93],
      ['2026-11-18', 'vencida', 101.97],
    ] as const) {
      relogio.definir(`${dia}T15:00:00Z`);
      t.like(await ler(), { situacao, valor_atualizado }, dia);
    }
  },
);

test.serial(
  'vencimento em feriado bancário pode ser pago no dia útil seguinte sem encargos, e o atraso conta dele',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await assinante();
    // Friday 20 is a holiday: Saturday, Sunday and Monday 23 are without charges.
    const { ler } = await a.fatura({ vencimento: '2026-11-20' });
    for (const [dia, situacao, valor_atualizado] of [
      ['2026-11-20', 'pendente', null],
      ['2026-11-21', 'vencida', null],
      ['2026-11-23', 'vencida', null],
      ['2026-11-24', 'vencida', 101.93],
    ] as const) {
      relogio.definir(`${dia}T15:00:00Z`);
      t.like(await ler(), { situacao, valor_atualizado }, dia);
    }
  },
);

test('carencia_dias: dentro dela não há encargos; passada, contam desde o vencimento', async (t) => {
  const a = await assinante({}, { carencia_dias: 10 });
  const dentro = await (await a.fatura({ vencimento: '2026-11-10' })).ler();
  t.is(dentro.situacao, 'vencida');
  t.is(dentro.valor_atualizado, null);
  const fora = await (await a.fatura({ vencimento: '2026-11-09' })).ler();
  t.is(fora.valor_atualizado, 102.27);
});

test('as regras de cobrança são as do provedor da fatura', async (t) => {
  const cobra = await assinante();
  const perdoa = await assinante({}, { multa_percentual: '0.00', juros_mensal_percentual: '0.00' });
  t.is((await (await cobra.fatura()).ler()).valor_atualizado, 102.23);
  t.is((await (await perdoa.fatura()).ler()).valor_atualizado, null);
});

for (const [oQue, linha, esperada] of [
  ['a vencer', { vencimento: '2026-12-10' }, [99.9, 0, 0, 0, false]],
  ['vencida há dez dias', {}, [102.23, 2, 0.33, 10, false]],
  ['vencida e paga em parte, sem data', { valor_pago: '50.00' }, [51.07, 1, 0.17, 10, true]],
  ['paga', { situacao: 'paga', valor_pago: '102.23' }, [0, 0, 0, 0, false]],
  ['cancelada', { situacao: 'cancelada' }, [0, 0, 0, 0, false]],
  ['estornada', { situacao: 'estornada' }, [0, 0, 0, 0, false]],
  ['em processamento', { situacao: 'processando' }, [0, 0, 0, 0, false]],
] as const) {
  test(`Fatura ${oQue}: valor_a_pagar, multa, juros, dias_atraso e pago_parcialmente são ${esperada.join(', ')}`, async (t) => {
    const a = await assinante();
    const dita = await (await a.fatura({ vencimento: '2026-11-10', ...linha })).ler();
    const { valor_a_pagar, multa, juros, dias_atraso, pago_parcialmente } = dita;
    t.deepEqual([valor_a_pagar, multa, juros, dias_atraso, pago_parcialmente], [...esperada]);
  });
}

test('Fatura.dias_atraso conta do dia útil do vencimento, também dentro da carência, que só perdoa os encargos', async (t) => {
  const a = await assinante({}, { carencia_dias: 5 });
  const deSabado = await (await a.fatura({ vencimento: '2026-11-14' })).ler();
  t.like(deSabado, { situacao: 'vencida', dias_atraso: 4, multa: 0, juros: 0, valor_a_pagar: 99.9 });
});

// Second copy

const BOLETO = { linha_digitavel: LINHA, codigo_barras: BARRAS };
const comTudo = (vencimento = '2026-12-10') => ({
  vencimento,
  pix_txid: `TX${faturasCriadas()}`,
  ...boletoDe({ vencimento }),
});

/** What a library that we did not write reads in a PIX code. */
function lido(codigo: string) {
  const { key, merchantName, merchantCity, amount, txid } = getPixPayloadInfo(codigo)!;
  return { valido: isValidPixPayload(codigo), key, merchantName, merchantCity, amount, txid };
}
const esperado = (amount: number, txid: string) => ({
  valido: true,
  key: RECEBEDOR.chave,
  merchantName: RECEBEDOR.nome,
  merchantCity: RECEBEDOR.cidade,
  amount,
  txid,
});

for (const [situacao, vencimento, aPagar] of [
  ['pendente', '2026-12-10', 99.9],
  ['vencida', '2026-11-10', 102.23],
] as const) {
  test(`Fatura.segunda_via vem preenchida quando a fatura está ${situacao}`, async (t) => {
    const a = await assinante();
    const codigos = comTudo(vencimento);
    const fatura = await (await a.fatura({ situacao, ...codigos })).ler();
    t.is(fatura.situacao, situacao);
    t.deepEqual(lido(fatura.segunda_via.pix_copia_cola), esperado(aPagar, codigos.pix_txid));
    t.is(fatura.segunda_via.linha_digitavel, codigos.linha_digitavel);
    t.is(fatura.segunda_via.codigo_barras, codigos.codigo_barras);
  });
}

for (const situacao of ['paga', 'cancelada', 'estornada', 'processando']) {
  test(`Fatura.segunda_via é nula quando a fatura está ${situacao}`, async (t) => {
    const a = await assinante();
    const { id, ler } = await a.fatura({ situacao, ...comTudo() });
    t.is((await ler()).segunda_via, null);
    const lista = (await api.get('/faturas', { chave: a.chave })).corpo.dados;
    t.is(lista.find((fatura: { id: number }) => fatura.id === id).segunda_via, null);
  });
}

test('GET /faturas: as abertas trazem segunda_via, e as outras não', async (t) => {
  const { dados } = (await api.get('/faturas', { chave })).corpo;
  t.is(dados.length, DA_MAIS_NOVA.length);
  for (const fatura of dados) {
    t.is(fatura.segunda_via !== null, ['pendente', 'vencida'].includes(fatura.situacao), fatura.situacao);
  }
});

/** Of a boleto whose amount the payer types, without a due date. */
const SEM_NADA = { linha_digitavel: '23793381286008301352885600006333900000000000000', codigo_barras: null };

const COM_TODOS = { link_pagamento: 'pagar', pdf: 'boleto', pagina_pix: 'pix' };
const SEM_LINKS = { link_pagamento: null, pdf: null, pagina_pix: null };
for (const [tipo, codigos, links] of [
  ['boleto', BOLETO, { ...COM_TODOS, pagina_pix: null }],
  ['boleto', { ...BOLETO, pix_txid: 'TX' }, COM_TODOS],
  ['pix', { pix_txid: 'TX' }, { ...COM_TODOS, pdf: null }],
  ['carne', { ...BOLETO, pix_txid: 'TX' }, COM_TODOS],
  ['carteira', {}, SEM_LINKS],
  [null, {}, SEM_LINKS],
] as const) {
  const meios = Object.keys(codigos).join(', ') || 'sem código algum';
  test(`Fatura.segunda_via de tipo ${tipo ?? 'nulo'} com ${meios}: o que não há é nulo, os links são do panel_host em https`, async (t) => {
    // Hosts and tokens are unique, and this file's tests share a database.
    const nome = `${tipo}-${Object.keys(codigos).length}`;
    const host = `${nome}.painel.test`;
    const token = nome.padEnd(22, '_');
    const a = await assinante({ panel_host: host });
    const { segunda_via } = await (await a.fatura({ tipo, token, vencimento: '2026-12-10', ...codigos })).ler();
    const link = (pagina: string | null) => (pagina === null ? null : `https://${host}/${pagina}/${token}`);
    const { pix_copia_cola: pix, ...resto } = segunda_via;
    t.deepEqual(resto, {
      link_pagamento: link(links.link_pagamento),
      pdf: link(links.pdf),
      pagina_pix: link(links.pagina_pix),
      ...('linha_digitavel' in codigos ? BOLETO : { linha_digitavel: null, codigo_barras: null }),
    });
    if ('pix_txid' in codigos) t.deepEqual(lido(pix), esperado(99.9, 'TX'));
    else t.is(pix, null);
  });
}

for (const [oque, provedor, fatura] of [
  ['sem chave PIX do provedor', { pix_chave: null }, {}],
  ['com uma chave que não cabe num código', { pix_chave: 'chave com espaços' }, {}],
  ['sem cidade do recebedor', { pix_cidade: null }, {}],
  ['sem nada a pagar', {}, { valor: '0.00' }],
  ['com mais do que um PIX leva', {}, { valor: '9999999999.99', vencimento: '2026-11-01' }],
] as const) {
  test(`Fatura.segunda_via ${oque} não tem PIX, e o resto fica`, async (t) => {
    const a = await assinante(provedor);
    // A line that carries neither amount nor date contradicts none.
    const { segunda_via } = await (await a.fatura({ ...comTudo(), ...SEM_NADA, ...fatura })).ler();
    t.is(segunda_via.pix_copia_cola, null);
    t.is(segunda_via.pagina_pix, null);
    t.is(segunda_via.linha_digitavel, SEM_NADA.linha_digitavel);
  });
}

test('Fatura.segunda_via: o código de um txid do PSP (26 a 35) é o que o PSP deu', async (t) => {
  const a = await assinante();
  const codigo =
    '00020126740014br.gov.bcb.pix2552payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e875204000053039865802BR' +
    '5912BARBARA PELE6015SAO MIGUEL DO O62070503***63040433';
  const { segunda_via } = await (
    await a.fatura({ pix_txid: '7978c0c97ea847e78e8849634473c1f1', pix_copia_cola: codigo })
  ).ler();
  t.is(segunda_via.pix_copia_cola, codigo);
});

const DAS_BARRAS = gerarCodigoBarras({
  banco: '237',
  vencimento: '2026-12-10' as Data,
  valor: centavos(9990),
  campoLivre: '2949600000000004030006001',
});
const DE_VERDADE = linhaDigitavel(DAS_BARRAS);
/** Of a utility; its third digit says that the number in the place of the amount is another. */
const ARRECADACAO = '837800000064678004810019809756573105015896360805';
const DA_ARRECADACAO = '83780000006678004810018097565731001589636080';
for (const [oque, codigos, barras, temPdf] of [
  ['só a linha guardada, as barras saem dela', { linha_digitavel: DE_VERDADE }, DAS_BARRAS, true],
  [
    'barras que não são dígitos, também',
    { linha_digitavel: DE_VERDADE, codigo_barras: 'x'.repeat(44) },
    DAS_BARRAS,
    true,
  ],
  ['uma linha de arrecadação, não há ficha de compensação', { linha_digitavel: ARRECADACAO }, DA_ARRECADACAO, false],
] as const) {
  test(`Fatura.segunda_via: com ${oque}`, async (t) => {
    const { segunda_via } = await (await (await assinante()).fatura({ vencimento: '2026-12-10', ...codigos })).ler();
    t.is(segunda_via.linha_digitavel, codigos.linha_digitavel);
    t.is(segunda_via.codigo_barras, barras);
    t.is(segunda_via.pdf !== null, temPdf);
    t.truthy(segunda_via.link_pagamento);
  });
}

test('Fatura.segunda_via: uma linha ou um código do PSP vazios são nulos', async (t) => {
  const a = await assinante();
  const pix_txid = '7978c0c97ea847e78e8849634473c1f2';
  const { segunda_via } = await (await a.fatura({ pix_txid, pix_copia_cola: '', linha_digitavel: '' })).ler();
  for (const [campo, valor] of Object.entries(segunda_via)) t.is(valor, null, campo);
});

for (const [vencimento, resto] of [
  ['2026-12-10', 39.9],
  ['2026-11-10', 40.83],
] as const) {
  test(`Fatura.segunda_via do que se pagou em parte tem PIX do resto, e não o boleto do valor inteiro: ${vencimento}`, async (t) => {
    const a = await assinante();
    const { segunda_via } = await (await a.fatura({ valor_pago: '60.00', ...comTudo(vencimento) })).ler();
    t.like(segunda_via, { pdf: null, linha_digitavel: null, codigo_barras: null });
    t.is(getPixPayloadInfo(segunda_via.pix_copia_cola)?.amount, resto);
  });
}

test('Fatura: um pagamento que entra entre as duas leituras não deixa uma fatura aberta sem nada a pagar', async (t) => {
  const a = await assinante();
  const { id } = await a.fatura({
    situacao: 'paga',
    valor_pago: '99.90',
    pago_em: '2026-11-09 12:00:00.000',
    ...comTudo(),
  });
  const tenant = createTenantDb(api.container.db, a.provedor);
  for (const [n, valor] of ['50.00', '49.90'].entries()) {
    await createTenantWriter(api.dono, a.provedor).insert('pix_recebidos', {
      fatura_id: id,
      end_to_end_id: `E${n}`.padEnd(32, '0'),
      valor,
      pago_em: '2026-11-09 12:00:00.000',
      criado_em: '2026-11-09 12:00:00.000',
    });
  }
  const provedor = (await api.container.provedores.buscarPorId(a.provedor))!;
  const row: FaturaRow = await tenant.from('faturas').where({ id }).first();
  const deAntes: FaturaRow = { ...row, situacao: 'pendente', valor_pago: '50.00', pago_em: null };
  const [fatura] = await apurarFaturas(tenant, provedor, '2026-11-09' as Data, [deAntes]);
  t.like(fatura, { situacao: 'paga', aPagar: 0, valorPago: 9990, segundaVia: null });
});

test('Fatura.segunda_via: os links são do host do provedor da fatura, não o da requisição', async (t) => {
  const a = await assinante({ panel_host: 'painel.terceiro.test' });
  const { id } = await a.fatura(comTudo());
  const { corpo } = await api.get(`/faturas/${id}`, { chave: a.chave, headers: { host: 'balanceador.interno:8080' } });
  for (const campo of ['link_pagamento', 'pdf', 'pagina_pix']) {
    t.true(corpo.dados.segunda_via[campo].startsWith('https://painel.terceiro.test/'), campo);
  }
});

test('Fatura.segunda_via: duas faturas têm links diferentes, e os mesmos a cada leitura', async (t) => {
  const a = await assinante();
  const [uma, outra] = [await a.fatura(comTudo()), await a.fatura(comTudo())];
  const primeira = (await uma.ler()).segunda_via;
  t.deepEqual((await uma.ler()).segunda_via, primeira);
  const segunda = (await outra.ler()).segunda_via;
  for (const campo of ['link_pagamento', 'pdf', 'pagina_pix']) t.not(primeira[campo], segunda[campo]);
});
