import test from 'ava';
import * as fc from 'fast-check';
import { somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../src/domain/erros.ts';
import { desfazerBoletos, receberBoletos } from '../../../src/domain/recebimentos/boletos/boletos.service.ts';
import type { BoletoPago } from '../../../src/domain/recebimentos/boletos/boletos.types.ts';
import { createLivroService, somarLivro } from '../../../src/domain/recebimentos/conciliacao/livro.service.ts';
import { creditarExcedentes } from '../../../src/domain/recebimentos/creditos/creditos.service.ts';
import { createDevolucoesPendentesService } from '../../../src/domain/recebimentos/devolucoes/pendentes.service.ts';
import { registrarResposta } from '../../../src/domain/recebimentos/devolucoes/respostas.service.ts';
import { createTenantDb } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarDevedor } from '../faturas/apoio.ts';
import { BLOQUEADO, devolucao, pix } from './assinante.ts';

const AGORA = '2026-11-21T15:00:00.000Z';
const relogio = relogioEm(AGORA);
const PERIODO = { de: '2026-10-01', ate: '2026-12-31', conta: null } as { de: Data; ate: Data; conta: null };
let api: Api;
let serie = 0;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

async function criar(doContrato: object = {}, regras: Record<string, unknown> = {}) {
  const a = await criarDevedor(api, doContrato, regras);
  const [cobrador = 0] = await api.dono('cobradores').insert({ provedor_id: a.provedor, nome: 'Banco', padrao: 0 });
  const escrever = api.container.write;
  const agora = relogio.agora();
  const boleto = (faturaId: number | null, valor: string, mais: Partial<BoletoPago> = {}): BoletoPago => ({
    chave: `001 ${(serie += 1)}`,
    faturaId,
    cobradorId: cobrador,
    nossoNumero: String(serie),
    valor: lerDinheiro(valor),
    tarifa: centavos(150),
    pagoEm: '2026-11-20' as Data,
    creditadoEm: null,
    arquivoId: null,
    linha: 1,
    ...mais,
  });
  return {
    ...a,
    boleto,
    receber: async (...pagos: BoletoPago[]): Promise<string[]> => {
      const feitos = await escrever(TERMINAL, a.provedor, async (w) => receberBoletos(w, a.dono, pagos, agora));
      return feitos.map(({ resultado }) => resultado);
    },
    desfazer: async (...chaves: string[]): Promise<string[]> => {
      const feitos = await escrever(TERMINAL, a.provedor, async (w) => desfazerBoletos(w, a.dono, chaves, agora));
      return feitos.map(({ resultado }) => resultado);
    },
    responder: async (id: number, situacao: 'enviada' | 'devolvida' | 'nao_realizada'): Promise<boolean> =>
      escrever(TERMINAL, a.provedor, async (w) => registrarResposta(w, a.dono, id, { situacao }, agora)),
    creditar: async (): Promise<number> =>
      escrever(TERMINAL, a.provedor, async (w) => creditarExcedentes(w, a.dono, [a.cliente], agora)),
    pendentes: async () =>
      createDevolucoesPendentesService({ db: api.dono }).listar(createTenantDb(api.dono, a.provedor), 50),
    livro: async () => a.escrever(async (_, { livro }) => livro.livro(PERIODO)),
    ultimo: async (tabela: string): Promise<any> => (await a.linhas(tabela)).at(-1),
  };
}
type Casa = Awaited<ReturnType<typeof criar>>;

/** The sum of all and the ledger of the period hold, and say the same, whatever there is. */
async function fecha(a: Casa): Promise<string | null> {
  const { avisado, boletos, baixado, aplicado, excedente, naoIdentificado, devolvido, diferenca } = await a.conferir();
  const livro = await a.livro();
  const total = somarLivro(livro);
  const linhas = await Promise.all(
    ['pix_recebidos', 'boletos_recebidos', 'recebimentos_manuais'].map(async (tabela) => a.linhas(tabela)),
  );
  const entrou = linhas
    .flat()
    .filter(({ desfeito_em }: { desfeito_em?: string | null }) => (desfeito_em ?? null) === null)
    .reduce((soma: number, { valor }: { valor: string }) => soma + lerDinheiro(valor), 0);
  const certo =
    diferenca === 0 &&
    livro.diferenca === 0 &&
    avisado + boletos + baixado === entrou &&
    entrou === aplicado + excedente + naoIdentificado + devolvido &&
    Math.min(aplicado, excedente, naoIdentificado, devolvido) >= 0 &&
    total.avisado === entrou &&
    total.devolvido === devolvido &&
    total.naoIdentificado === naoIdentificado &&
    total.aplicado + total.excedente === aplicado + excedente &&
    total.avisado === total.aplicado + total.excedente + total.naoIdentificado + total.devolvido;
  return certo ? null : JSON.stringify({ entrou, diferenca, aplicado, excedente, naoIdentificado, devolvido, livro });
}

// Boletos

test('o boleto pago com o valor da fatura quita, libera o contrato e conta uma vez, por mais que o banco o diga', async (t) => {
  const a = await criar(BLOQUEADO);
  const [uma, outra] = [await a.fatura(), await a.fatura()];
  const pagos = [a.boleto(uma.id, '150.00'), a.boleto(outra.id, '153.10')];
  t.deepEqual(await a.receber(...pagos, pagos[0]!), ['quitada', 'quitada', 'repetida']);
  t.deepEqual(await a.receber(...pagos), ['repetida', 'repetida']);
  t.is(await a.situacaoDoContrato(), 'ativo');
  t.like(await uma.ler(), { situacao: 'paga', valor_pago: 150 });
  t.is((await a.linhas('boletos_recebidos')).length, 2);
  t.is(await fecha(a), null);
  // What the bank did not ask for is a discount of ours; its fee is off nobody's debt.
  t.true(lerDinheiro((await uma.lancamentos())['desconto'] ?? '0.00') > 0);
});

test('o que sobra soma o mesmo, lido de uma vez ou de duas em duas faturas', async (t) => {
  const a = await criar();
  for (let n = 0; n < 5; n += 1) {
    const fatura = await a.fatura();
    await a.receber(a.boleto(fatura.id, '150.00'), a.boleto(fatura.id, `${n + 1}0.00`));
  }
  const tenant = createTenantDb(api.dono, a.provedor);
  let leituras = 0;
  const contar = ({ sql }: { sql: string }): void => {
    if (sql.includes('faturas_lancamentos_tipo')) leituras += 1;
  };
  api.dono.on('query', contar);
  t.teardown(() => void api.dono.off('query', contar));
  const inteiro = somarLivro(await createLivroService(tenant, a.dono).livro(PERIODO));
  const lancados = await api.dono('faturas_lancamentos').where({ provedor_id: a.provedor, tipo: 'excedente' });
  t.is(lancados.length, 5);
  t.is(inteiro.excedente, somarDinheiro(...lancados.map(({ valor }) => lerDinheiro(valor))));
  t.is(leituras, 1);
  t.deepEqual(somarLivro(await createLivroService(tenant, a.dono, 2).livro(PERIODO)), inteiro);
  t.is(leituras, 1 + 3);
  t.is(await fecha(a), null);
});

test('menos que a fatura é parte dela; o que nada devia sobra; sem fatura espera; de outro provedor é como nenhuma', async (t) => {
  const a = await criar();
  const b = await criar();
  const fatura = await a.fatura();
  const alheia = await b.fatura();
  t.deepEqual(await a.receber(a.boleto(fatura.id, '149.99')), ['parcial']);
  t.is((await fatura.ler()).situacao, 'vencida');
  t.deepEqual(await a.receber(a.boleto(fatura.id, '150.00'), a.boleto(null, '10.00'), a.boleto(alheia.id, '150.00')), [
    'quitada',
    'nao_identificada',
    'nao_identificada',
  ]);
  t.deepEqual(await a.receber(a.boleto(fatura.id, '20.00')), ['excedente']);
  t.is(await fecha(a), null);
  t.like(await a.conferir(), { boletos: 47_999, naoIdentificado: 16_000 });
  t.deepEqual(await a.notificacoes(), [
    'fatura.paga_em_parte',
    'fatura.paga_a_mais',
    'boleto_recebido.nao_identificado',
    'boleto_recebido.nao_identificado',
    'fatura.paga_a_mais',
  ]);
});

test('o que o banco desfaz é como se nunca tivesse entrado; desfeito não volta por si', async (t) => {
  const a = await criar();
  const fatura = await a.fatura();
  const pago = a.boleto(fatura.id, '160.00');
  await a.receber(pago);
  t.deepEqual(await a.desfazer(pago.chave, pago.chave, 'nenhuma'), ['desfeita', 'desfeita', 'desconhecida']);
  t.deepEqual(await a.desfazer(pago.chave), ['repetida']);
  t.deepEqual(await a.receber(pago), ['repetida']);
  t.like(await fatura.ler(), { situacao: 'vencida', valor_pago: 0 });
  t.is(await fecha(a), null);
});

test('o que se paga num sábado conta como na segunda', async (t) => {
  const a = await criar();
  const fatura = await a.fatura({ vencimento: '2026-11-13' });
  await a.receber(a.boleto(fatura.id, '150.00', { pagoEm: '2026-11-14' as Data }));
  t.is((await a.ultimo('boletos_recebidos')).pago_em, '2026-11-16 15:00:00.000');
});

// Returns

test('duas devoluções ao mesmo tempo nunca passam do que resta; a mesma chave é uma só', async (t) => {
  const a = await criar();
  await a.avisar(pix('NINGUEM', '100.00'));
  const { id } = await a.ultimo('pix_recebidos');
  const pedir = (valor: string, chave: string) =>
    a.recusa(({ devolucoes }) => devolucoes.devolver('pix', id, { valor, motivo: 'Pago por engano', chave }));
  const feitas = await Promise.all([pedir('60.00', 'a'), pedir('60.00', 'b'), pedir('60.00', 'c')]);
  t.deepEqual(feitas.toSorted(), ['feito', 'valor_acima_do_que_resta', 'valor_acima_do_que_resta']);
  const repetidas = await Promise.all([pedir('40.00', 'd'), pedir('40.00', 'd')]);
  t.deepEqual(repetidas, ['feito', 'feito']);
  t.is((await a.linhas('devolucoes_pedidas')).length, 2);
  t.is(await a.recusa(({ vinculos }) => vinculos.vincular('pix', id, 1)), 'nao_encontrado');
  const { id: fatura } = await a.fatura();
  t.is(await a.recusa(({ vinculos }) => vinculos.vincular('pix', id, fatura)), 'devolucao_em_curso');
  t.is(await fecha(a), null);
});

test('a resposta do banco e o aviso da devolução contam uma vez, em qualquer ordem; o recusado fica livre, e a equipe sabe', async (t) => {
  for (const primeiro of ['resposta', 'aviso'] as const) {
    const a = await criar();
    const pago = pix('NINGUEM', '100.00');
    await a.avisar(pago);
    const { id } = await a.ultimo('pix_recebidos');
    await a.escrever(({ devolucoes }) => devolucoes.devolver('pix', id, { valor: '30.00', motivo: 'x' }));
    await a.escrever(({ devolucoes }) => devolucoes.devolver('pix', id, { valor: '70.00', motivo: 'y' }));
    t.true((await createDevolucoesPendentesService({ db: api.dono }).provedores()).includes(a.provedor));
    const [uma, outra] = await a.pendentes();
    t.true(await a.responder(uma!.id, 'enviada'));
    t.is(await a.recusa(({ devolucoes }) => devolucoes.desistir(uma!.id)), 'devolucao_enviada');
    const avisar = () => a.avisar({ ...pago, devolucoes: [devolucao('30.00', 'ORIGINAL', uma!.devolucao)] });
    if (primeiro === 'aviso') await avisar();
    t.is(await a.responder(uma!.id, 'devolvida'), primeiro === 'resposta');
    await avisar();
    t.false(await a.responder(uma!.id, 'devolvida'));
    t.like(await a.conferir(), { devolvido: 3000, naoIdentificado: 7000, diferenca: 0 });
    t.true(await a.responder(outra!.id, 'nao_realizada'));
    t.false(await a.responder(outra!.id, 'nao_realizada'));
    t.true((await a.notificacoes()).includes('devolucao.nao_realizada'));
    t.is(await a.recusa(({ devolucoes }) => devolucoes.devolver('pix', id, { valor: '70.00', motivo: 'z' })), 'feito');
    t.is(await fecha(a), null);
  }
});

test('do que pagou só se devolve dizendo que se sabe; do que virou crédito não se devolve; valor nenhum ou negativo não passa', async (t) => {
  const a = await criar();
  const uma = await a.fatura();
  const outra = await a.fatura({ valor: '10.00' });
  await a.avisar(pix(uma.txid, '200.00'));
  const { id } = await a.ultimo('pix_recebidos');
  const devolver = (valor: string, mais: object = {}) =>
    a.recusa(({ devolucoes }) => devolucoes.devolver('pix', id, { valor, motivo: 'x', ...mais }));
  t.is(await devolver('-1.00'), 'valor');
  t.is(await devolver('0.00'), 'valor');
  t.is(await devolver('1.001'), 'valor');
  t.is(await devolver('100.00'), 'ciente');
  t.is(await devolver('5.00'), 'feito');
  t.is(await a.creditar(), 1);
  t.is((await outra.ler()).situacao, 'paga');
  t.is(await devolver('100.00', { ciente: true }), 'excedente_usado');
  t.is(await fecha(a), null);
});

test('um PIX de mais de 90 dias não vai ao banco, e o que se devolveu à mão diz como', async (t) => {
  const a = await criar();
  await a.avisar(pix('NINGUEM', '10.00', { horario: '2026-07-01T15:00:00.000Z' }));
  const { id } = await a.ultimo('pix_recebidos');
  const devolver = (mais: object) =>
    a.recusa(({ devolucoes }) => devolucoes.devolver('pix', id, { valor: '10.00', motivo: 'x', ...mais }));
  t.is(await devolver({}), 'prazo_da_devolucao');
  t.is(await devolver({ forma: 'transferencia' }), 'feito');
  t.like(await a.conferir(), { devolvido: 1000, naoIdentificado: 0, diferenca: 0 });
});

test('o PIX que se devolveu à mão, e que o PSP conta com o id dele, foi devolvido uma vez', async (t) => {
  const a = await criar();
  const endToEndId = 'E0041696820261120150000000amao01';
  const chegou = { ...pix('NINGUEM', '10.00'), endToEndId };
  const devolvida = (id: string, valor: string, mais: object = {}) => ({
    id,
    rtrId: 'D0041696820261120150000000000001',
    valor,
    horario: { solicitacao: '2026-11-20T15:00:00.000Z' },
    status: 'DEVOLVIDO',
    ...mais,
  });
  await a.avisar(chegou);
  const { id } = await a.ultimo('pix_recebidos');
  const devolver = async (valor: string, forma: string) =>
    a.recusa(({ devolucoes }) => devolucoes.devolver('pix', id, { valor, motivo: 'x', forma }));
  t.is(await devolver('4.00', 'pix'), 'feito');
  for (let vez = 0; vez < 2; vez += 1) {
    await a.avisar({ ...chegou, devolucoes: [devolvida('doPsp1', '4.00', { natureza: 'ORIGINAL' })] });
    t.like(await a.conferir(), { devolvido: 400, naoIdentificado: 600, diferenca: 0 });
  }
  const duas = [devolvida('doPsp1', '4.00'), devolvida('doPsp2', '4.00')];
  await a.avisar({ ...chegou, devolucoes: duas });
  t.like(await a.conferir(), { devolvido: 800, naoIdentificado: 200, diferenca: 0 }, 'a segunda é outra');
  t.is(await devolver('1.00', 'dinheiro'), 'feito');
  await a.avisar({ ...chegou, devolucoes: [...duas, devolvida('doPsp3', '1.00')] });
  t.like(await a.conferir(), { devolvido: 1000, naoIdentificado: 0 }, 'em dinheiro o PSP não conta');
});

// Proposals and credits

test('as propostas dizem por quê, e a mais provável vem primeiro', async (t) => {
  const a = await criar();
  const doValor = await a.fatura({ valor: '88.80', vencimento: '2026-11-19' });
  const doCodigo = await a.fatura({ valor: '70.00', vencimento: '2026-11-01' });
  await a.fatura({ valor: '12.00', vencimento: '2026-11-19' });
  await api.dono('faturas').where({ id: doCodigo.id }).update({ nosso_numero: '00012345' });
  await a.receber(a.boleto(null, '88.80', { nossoNumero: '000123457' }));
  const { id } = await a.ultimo('boletos_recebidos');
  const propor = async () => a.escrever(async (_, { livro }) => livro.propostas((await livro.buscar('boleto', id))!));
  const [primeira, segunda, ...outras] = await propor();
  t.is(primeira?.faturaId, doCodigo.id);
  t.is(segunda?.faturaId, doValor.id);
  t.true(segunda?.razoes.includes('o valor é o da fatura'));
  t.deepEqual(outras, []);
  t.is(await a.recusa(({ vinculos }) => vinculos.vincular('boleto', id, doValor.id)), 'feito');
  t.is((await doValor.ler()).situacao, 'vencida');
  t.is(await a.recusa(({ vinculos }) => vinculos.vincular('boleto', id, doCodigo.id)), 'recebimento_vinculado');
  t.is(await a.recusa(({ vinculos }) => vinculos.desvincular('boleto', id)), 'feito');
  t.is(await fecha(a), null);
});

test('onde o provedor quer, o que sobrou vira crédito da fatura que se emite à mão; o que se pediu de volta, não', async (t) => {
  const a = await criar({}, { excedente_vira_credito: 1 });
  const paga = await a.fatura();
  await a.avisar(pix(paga.txid, '200.00'));
  const { id } = await a.ultimo('pix_recebidos');
  const sobrou = lerDinheiro((await paga.lancamentos())['excedente'] ?? '0.00');
  await a.escrever(({ devolucoes }) => devolucoes.devolver('pix', id, { valor: '10.00', motivo: 'x' }));
  const nova = await a.escrever(({ faturas }) =>
    faturas.criar({
      cliente_id: a.cliente,
      descricao: 'x',
      valor: '100.00',
      vencimento: '2026-12-10',
      tipo: 'carteira',
    }),
  );
  t.is(await a.deve(nova), 10_000 - (sobrou - 1000));
  t.is(await fecha(a), null);
});

// Random histories

const passo = fc.record({
  acao: fc.constantFrom(
    'pix',
    'pix',
    'solto',
    'boleto',
    'boleto',
    'boleto solto',
    'baixar',
    'vincular',
    'desvincular',
    'devolver',
    'devolver',
    'responder',
    'med',
    'creditar',
    'desfazer boleto',
    'desfazer baixa',
    'desajustar',
    'desistir',
  ),
  fatura: fc.nat({ max: 2 }),
  qual: fc.nat({ max: 30 }),
  quanto: fc.constantFrom('tudo', 'parte', 'dobro', 'menos'),
  milesimos: fc.integer({ min: 1, max: 999 }),
  dias: fc.nat({ max: 20 }),
});

test('em histórias quaisquer de PIX, boletos, baixas, sobras, créditos, devoluções, MED e desfeitos, a soma fecha a cada passo', async (t) => {
  const vistas: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(fc.array(passo, { minLength: 5, maxLength: 14 }), async (passos) => {
      const a = await criar();
      const faturas = [
        await a.fatura({ valor: '100.00' }),
        await a.fatura({ valor: '33.33', vencimento: '2026-11-25' }),
        await a.fatura({ valor: '75.01', vencimento: '2026-12-05' }),
      ];
      const avisos = new Map<string, ReturnType<typeof pix>>();
      const um = async (tabela: string, qual: number): Promise<any> => {
        const todas = await a.linhas(tabela);
        return todas.length === 0 ? null : todas[qual % todas.length];
      };
      for (const [n, { acao, fatura: qualFatura, qual, quanto: tanto, milesimos, dias }] of passos.entries()) {
        const fatura = faturas[qualFatura]!;
        const deve = Math.max(100, await a.deve(fatura.id));
        const cem = { tudo: deve, dobro: deve * 2, menos: deve - 1, parte: Math.ceil((deve * milesimos) / 1000) }[
          tanto
        ];
        const valor = escreverDinheiro(centavos(cem));
        const dia = somarDias('2026-11-21' as Data, -dias);
        const horario = `${dia}T12:00:00.000Z`;
        const fazer: Record<typeof acao, () => Promise<unknown>> = {
          pix: async () => {
            const dito = pix(fatura.txid, valor, { horario });
            avisos.set(dito.endToEndId, dito);
            return a.avisar(dito);
          },
          solto: async () => {
            const dito = pix(`SOLTO${n}`, valor, { horario });
            avisos.set(dito.endToEndId, dito);
            return a.avisar(dito);
          },
          boleto: async () => a.receber(a.boleto(fatura.id, valor, { pagoEm: dia })),
          'boleto solto': async () => a.receber(a.boleto(null, valor, { pagoEm: dia })),
          baixar: async () =>
            a.escrever(({ baixas }) => baixas.registrar(fatura.id, { forma: 'dinheiro', valor, pago_em: dia })),
          async vincular() {
            const meio = qual % 2 === 0 ? 'pix' : 'boleto';
            const dele = await um(meio === 'pix' ? 'pix_recebidos' : 'boletos_recebidos', qual);
            if (dele !== null) await a.escrever(({ vinculos }) => vinculos.vincular(meio, dele.id, fatura.id));
          },
          async desvincular() {
            const meio = qual % 2 === 0 ? 'pix' : 'boleto';
            const dele = await um(meio === 'pix' ? 'pix_recebidos' : 'boletos_recebidos', qual);
            if (dele !== null) await a.escrever(({ vinculos }) => vinculos.desvincular(meio, dele.id));
          },
          async devolver() {
            const [meio, tabela] = (
              [
                ['pix', 'pix_recebidos'],
                ['boleto', 'boletos_recebidos'],
                ['manual', 'recebimentos_manuais'],
              ] as const
            )[qual % 3]!;
            const dele = await um(tabela, qual);
            if (dele === null) return;
            const parte = Math.max(1, Math.floor((lerDinheiro(dele.valor) * milesimos) / 1000));
            const quantia = tanto === 'tudo' ? dele.valor : escreverDinheiro(centavos(parte));
            const forma = meio === 'pix' && milesimos % 2 === 0 ? {} : { forma: 'dinheiro' };
            await a.escrever(({ devolucoes }) =>
              devolucoes.devolver(meio, dele.id, { valor: quantia, motivo: 'x', ciente: milesimos % 3 > 0, ...forma }),
            );
          },
          async responder() {
            const dela = await um('devolucoes_pedidas', qual);
            if (dela === null || dela.meio !== 'pix') return;
            const respostas = ['enviada', 'devolvida', 'devolvida', 'nao_realizada'] as const;
            await a.responder(dela.id, respostas[milesimos % 4]!);
          },
          async med() {
            const dele = await um('pix_recebidos', qual);
            const dito = dele === null ? undefined : avisos.get(dele.end_to_end_id);
            if (dito === undefined) return;
            const parte = Math.max(1, Math.floor((lerDinheiro(dele.valor) * milesimos) / 1000));
            const natureza = milesimos % 2 === 0 ? 'MED_FRAUDE' : 'ORIGINAL';
            await a.avisar({ ...dito, devolucoes: [devolucao(escreverDinheiro(centavos(parte)), natureza, `M${n}`)] });
          },
          creditar: a.creditar,
          async 'desfazer boleto'() {
            const dele = await um('boletos_recebidos', qual);
            if (dele !== null) await a.desfazer(dele.chave);
          },
          async 'desfazer baixa'() {
            const dele = await um('recebimentos_manuais', qual);
            if (dele !== null) await a.escrever(({ baixas }) => baixas.desfazer(dele.id, { motivo: 'x' }));
          },
          async desajustar() {
            const dele = await um('faturas_ajustes', qual);
            if (dele !== null) await a.escrever(({ ajustes }) => ajustes.desfazer(dele.id, { motivo: 'x' }));
          },
          async desistir() {
            const dela = await um('devolucoes_pedidas', qual);
            if (dela !== null) await a.escrever(({ devolucoes }) => devolucoes.desistir(dela.id));
          },
        };
        let feito = acao as string;
        try {
          await fazer[acao]();
        } catch (error) {
          if (!(error instanceof Recusa) && !(error instanceof CamposInvalidos)) throw error;
          feito = `${acao} recusado`;
        }
        vistas[feito] = (vistas[feito] ?? 0) + 1;
        const erro = await fecha(a);
        if (erro !== null) t.fail(`passo ${n}, ${feito}: ${erro} ${JSON.stringify(passos)}`);
      }
    }),
    { numRuns: quanto(12, 300) },
  );
  t.log(vistas);
  t.pass();
});
