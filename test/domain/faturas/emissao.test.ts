import test from 'ava';
import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { BLOQUEADO, pix } from '../recebimentos/assinante.ts';
import { criarDevedor } from './apoio.ts';

const relogio = relogioEm('2026-11-20T15:00:00.000Z');
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

const novo = async (doContrato: object = {}) => criarDevedor(api, doContrato);
const AVULSA = { descricao: 'Visita técnica', valor: '80.00', vencimento: '2026-12-05' };

function linhaDe(valor: number, vencimento: string): string {
  const campoLivre = '2949600000000004030006001';
  return linhaDigitavel(
    gerarCodigoBarras({ banco: '237', vencimento: vencimento as Data, valor: centavos(valor), campoLivre }),
  );
}

test('uma fatura avulsa nasce com token e txid próprios, é paga pelo seu código, e diz que nasceu', async (t) => {
  const a = await novo();
  const dados = { ...AVULSA, cliente_id: a.cliente, contrato_id: a.contrato, codigo_externo: 'ixc:9' };
  const id = await a.escrever(async ({ faturas }) => faturas.criar(dados));
  const linha = await a.linhaDe(id);
  t.like(linha, { situacao: 'pendente', tipo: 'pix', valor: '80.00', codigo_externo: 'ixc:9', valor_pago: '0.00' });
  t.regex(linha.token, /^[\w-]{22}$/);
  t.regex(linha.pix_txid, /^[A-Z0-9]{25}$/);
  const [criada] = await a.eventos();
  t.deepEqual(criada, {
    tipo: 'fatura.criada',
    dados: { cliente: a.cliente, contrato: a.contrato, valor: '80.00' },
  });
  t.deepEqual(await a.avisar(pix(linha.pix_txid, '80.00')), ['quitada']);
  t.is(await a.recusa(async ({ faturas }) => faturas.criar(dados)), 'codigo_externo_em_uso');
});

test('o que falta ou não serve de uma fatura se diz pelo nome do campo, e nada fica', async (t) => {
  const [a, outro] = [await novo(), await novo()];
  const base = { ...AVULSA, cliente_id: a.cliente };
  const boleto = { ...base, tipo: 'boleto', linha_digitavel: linhaDe(8000, '2026-12-05') };
  const casos: readonly (readonly [object, string])[] = [
    [{}, 'cliente_id,descricao,valor,vencimento'],
    [{ ...base, valor: '0.00' }, 'valor'],
    [{ ...base, valor: '-1' }, 'valor'],
    [{ ...base, vencimento: '2026-11-19' }, 'vencimento'],
    [{ ...base, vencimento: '2036-11-19' }, 'vencimento'],
    [{ ...base, vencimento: '2026-02-30' }, 'vencimento'],
    [{ ...base, tipo: 'carne' }, 'tipo'],
    [{ ...base, descricao: '' }, 'descricao'],
    [{ ...base, cor: 'azul' }, 'cor'],
    [{ ...base, linha_digitavel: linhaDe(8000, '2026-12-05') }, 'linha_digitavel'],
    [{ ...base, tipo: 'boleto' }, 'linha_digitavel'],
    [{ ...boleto, linha_digitavel: '123' }, 'linha_digitavel'],
    [{ ...boleto, linha_digitavel: linhaDe(8001, '2026-12-05') }, 'linha_digitavel'],
    [{ ...boleto, linha_digitavel: linhaDe(8000, '2026-12-06') }, 'linha_digitavel'],
    [{ ...base, cliente_id: outro.cliente }, 'nao_encontrado'],
    [{ ...base, contrato_id: outro.contrato }, 'contrato_invalido'],
  ];
  for (const [dados, dito] of casos) {
    t.is(await a.recusa(async ({ faturas }) => faturas.criar(dados)), dito, JSON.stringify(dados));
  }
  t.deepEqual(await a.linhas('faturas'), []);
  t.deepEqual(await a.tipos(), []);
  const id = await a.escrever(async ({ faturas }) => faturas.criar(boleto));
  const fatura = await a.escrever(async (_, { faturas }) => faturas.buscarPorId(id));
  t.is(fatura?.segundaVia?.boleto?.linhaDigitavel, boleto.linha_digitavel);
});

test('sem quem receba PIX uma fatura é de carteira, e de pix não pode ser; de quem foi apagado não pode ser nenhuma', async (t) => {
  const a = await novo();
  await api.dono('provedores').where({ id: a.provedor }).update({ pix_chave: null });
  const dono = (await api.container.provedores.buscarPorId(a.provedor))!;
  const { TERMINAL } = await import('../../../src/domain/actor.ts');
  const criar = async (dados: object) =>
    api.container.changeTenant(TERMINAL, dono, async (_, { faturas }) =>
      faturas.criar({ ...AVULSA, cliente_id: a.cliente, ...dados }),
    );
  const id = await criar({});
  t.like(await a.linhaDe(id), { tipo: 'carteira', pix_txid: null });
  await t.throwsAsync(criar({ tipo: 'pix' }), { message: /não disse quem recebe PIX/ });
  await api.dono('clientes').where({ id: a.cliente }).update({ situacao: 'cancelado' });
  await t.notThrowsAsync(criar({}));
  await api.dono('clientes').where({ id: a.cliente }).update({ apagado_em: '2026-11-20' });
  await t.throwsAsync(criar({}), { message: /foram apagados/ });
});

test('com outro vencimento o boleto deixa de ser oferecido até a linha do novo, e o que atrasava deixa de bloquear', async (t) => {
  const a = await novo(BLOQUEADO);
  const linha = linhaDe(15_000, '2026-11-10');
  const { id } = await a.fatura({ tipo: 'boleto', linha_digitavel: linha });
  t.is(await a.deve(id), 15_350);
  await a.escrever(async ({ faturas }) => faturas.alterar(id, { vencimento: '2026-12-01' }));
  t.is(await a.deve(id), 15_000);
  t.is(await a.situacaoDoContrato(), 'ativo');
  const ler = async () => a.escrever(async (_, { faturas }) => (await faturas.buscarPorId(id))!);
  t.like(await ler(), { situacao: 'pendente', segundaVia: { boleto: null, retirado: { boleto: 'outro_vencimento' } } });
  t.is(await a.recusa(async ({ faturas }) => faturas.alterar(id, { linha_digitavel: linha })), 'linha_digitavel');
  const nova = linhaDe(15_000, '2026-12-01');
  await a.escrever(async ({ faturas }) => faturas.alterar(id, { linha_digitavel: nova }));
  t.is((await ler()).segundaVia?.boleto?.linhaDigitavel, nova);
  t.deepEqual(
    (await a.eventos()).filter(({ tipo }) => tipo === 'fatura.alterada').map(({ dados }) => dados.campos),
    [['vencimento'], ['linha_digitavel']],
  );
  // What says the same again says nothing.
  const antes = (await a.eventos()).length;
  await a.escrever(async ({ faturas }) => faturas.alterar(id, { vencimento: '2026-12-01' }));
  t.is((await a.eventos()).length, antes);
});

test('um vencimento adiado quita o que só faltava em encargos; o código do banco, que não diz quando vence, sai', async (t) => {
  const a = await novo(BLOQUEADO);
  const { id, txid } = await a.fatura();
  t.deepEqual(await a.avisar(pix(txid, '150.00')), ['parcial']);
  await a.escrever(async ({ faturas }) => faturas.alterar(id, { vencimento: '2026-11-20' }));
  t.like(await a.linhaDe(id), { situacao: 'paga', valor_pago: '150.00' });
  t.is(await a.situacaoDoContrato(), 'ativo');
  const doBanco = await a.fatura({ pix_txid: 'B'.repeat(30), pix_copia_cola: '000201' });
  await a.escrever(async ({ faturas }) => faturas.alterar(doBanco.id, { vencimento: '2026-11-25' }));
  t.like(await a.linhaDe(doBanco.id), { pix_copia_cola: null, pix_txid: 'B'.repeat(30) });
});

test('cancelar diz por quê, e libera o contrato que nada mais deve em atraso', async (t) => {
  const a = await novo(BLOQUEADO);
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const cancelar = async (id: number) =>
    a.escrever(async ({ faturas }) => faturas.cancelar(id, { motivo: 'Não instalou', motivo_codigo: 'erro' }));
  await cancelar(uma.id);
  t.is(await a.situacaoDoContrato(), 'bloqueado');
  await cancelar(outra.id);
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.like(await a.linhaDe(outra.id), { situacao: 'cancelada', motivo: 'Não instalou', motivo_codigo: 'erro' });
  const [historico] = await a.linhas('contratos_historico');
  t.is(historico.descricao, `Liberado pelo cancelamento da fatura ${outra.id}.`);
  // What is paid all the same is surplus.
  t.deepEqual(await a.avisar(pix(outra.txid, '150.00')), ['excedente']);
  t.like(await a.conferir(), { excedente: 15_000, aplicado: 0, diferenca: 0 });
});

// State × action: what may be done to an invoice.

const SITUACOES = ['pendente', 'vencida', 'processando', 'paga', 'cancelada', 'estornada'] as const;
type Mover = (escritas: Escritas, fatura: number, cliente: number) => Promise<unknown>;
const MOVIMENTOS: Readonly<Record<string, readonly [Mover, Partial<Record<(typeof SITUACOES)[number], string>>]>> = {
  alterar: [
    async ({ faturas }, id) => faturas.alterar(id, { vencimento: '2026-12-20' }),
    { pendente: 'pendente', vencida: 'pendente' },
  ],
  cancelar: [
    async ({ faturas }, id) => faturas.cancelar(id, { motivo: 'x' }),
    { pendente: 'cancelada', vencida: 'cancelada' },
  ],
  'baixar tudo': [
    async ({ baixas }, id) => baixas.registrar(id, { forma: 'dinheiro', valor: '153.50' }),
    { pendente: 'paga', vencida: 'paga', processando: 'paga' },
  ],
  'baixar parte': [
    async ({ baixas }, id) => baixas.registrar(id, { forma: 'cartao', valor: '10.00' }),
    { pendente: 'pendente', vencida: 'vencida', processando: 'vencida' },
  ],
  'dar desconto': [
    async ({ ajustes }, id) => ajustes.darDesconto(id, { valor: '10.00', motivo: 'x' }),
    { pendente: 'pendente', vencida: 'vencida' },
  ],
  'dar crédito': [
    async ({ ajustes }, id) => ajustes.aplicarCredito(id, { valor: '10.00', motivo: 'x' }),
    { pendente: 'pendente', vencida: 'vencida' },
  ],
  renegociar: [
    async ({ renegociacoes }, id, cliente_id) =>
      renegociacoes.criar({ cliente_id, faturas: [id], parcelas: 2, primeiro_vencimento: '2026-12-10' }),
    // Overdue by the date, whatever is stored.
    { pendente: 'cancelada', vencida: 'cancelada' },
  ],
};

for (const [nome, [mover, leva]] of Object.entries(MOVIMENTOS)) {
  for (const situacao of SITUACOES) {
    const destino = leva[situacao];
    test(`de ${situacao}, ${nome} ${destino === undefined ? 'é recusado' : `leva a ${destino}`}`, async (t) => {
      const a = await novo();
      const { id } = await a.fatura({ situacao });
      const dito = await a.recusa(async (escritas) => mover(escritas, id, a.cliente));
      t.is(dito, destino === undefined ? 'fatura_nao_aberta' : 'feito');
      t.is((await a.linhaDe(id)).situacao, destino ?? situacao);
      if (destino === undefined) t.deepEqual(await a.tipos(), []);
    });
  }
}

test('do que não há nada se faz: de outro provedor, de outro cliente, ou de ninguém', async (t) => {
  const [a, outro] = [await novo(), await novo()];
  const { id } = await outro.fatura();
  for (const [nome, [mover]] of Object.entries(MOVIMENTOS)) {
    t.is(await a.recusa(async (escritas) => mover(escritas, id, a.cliente)), 'nao_encontrado', nome);
  }
  for (const desfazer of ['baixas', 'ajustes'] as const) {
    t.is(await a.recusa(async (escritas) => escritas[desfazer].desfazer(999_999, { motivo: 'x' })), 'nao_encontrado');
  }
  const fabrica = criarFabrica(api.dono);
  const vizinho = await fabrica.cliente(a.provedor);
  const dele = await fabrica.fatura(a.provedor, { cliente_id: vizinho });
  const acordo = { cliente_id: a.cliente, faturas: [dele], parcelas: 1, primeiro_vencimento: '2026-12-10' };
  t.is(await a.recusa(async ({ renegociacoes }) => renegociacoes.criar(acordo)), 'nao_encontrado');
});
