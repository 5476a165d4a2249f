import test from 'ava';
import * as fc from 'fast-check';
import { criarCalendarioBancario } from '../../../src/brazil/calendario/calendario-bancario.ts';
import { hojeEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { calcularEncargos } from '../../../src/brazil/dinheiro/encargos.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { INTEIRA, quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { pix } from '../recebimentos/assinante.ts';
import { criarDevedor } from './apoio.ts';

// Payments by PIX and by hand, discounts, credits and their undoing, in random order and on random days: after each step every invoice is
// what a replay of what is in force says, reckoned here apart from the program, and each centavo has its place.

const FUSO = 'America/Sao_Paulo';
const INICIO = '2026-11-05T12:00:00.000Z';
const NACIONAL = criarCalendarioBancario(null);
const relogio = relogioEm(INICIO);
let api: Api;
test.before(async () => {
  api = await criarApi({ relogio });
});
test.after.always(() => api.fechar());

/** What is in force of an invoice. */
interface Entrada {
  readonly fatura: number;
  readonly meio: 'pix' | 'manual' | 'desconto' | 'credito';
  readonly id: number;
  readonly em: string;
  readonly valor: number;
  readonly origem?: number;
}

interface Regras {
  readonly multaPercentual: number;
  readonly jurosMensalPercentual: number;
  readonly carenciaDias: number;
  readonly tolerancia: number;
}

const passo = fc.record({
  acao: fc.constantFrom('pix', 'pix', 'baixar', 'baixar', 'desfazer', 'desconto', 'dado', 'credito', 'desajustar'),
  fatura: fc.nat({ max: 1 }),
  /** Of what is owed: all, a part, more; or a centavo less. */
  quanto: fc.constantFrom('tudo', 'tudo', 'parte', 'mais', 'menos'),
  milesimos: fc.integer({ min: 1, max: 999 }),
  diasAtras: fc.constantFrom(0, 0, 0, 1, 2, 9),
  horas: fc.nat({ max: 90 }),
  qual: fc.nat({ max: 20 }),
});

const historia = fc.record({
  regras: fc.record({
    multaPercentual: fc.constantFrom(0, 200),
    jurosMensalPercentual: fc.constantFrom(0, 100),
    carenciaDias: fc.constantFrom(0, 3),
    tolerancia: fc.nat({ max: 3 }),
  }),
  valores: fc.tuple(fc.integer({ min: 100, max: 30_000 }), fc.integer({ min: 100, max: 30_000 })),
  vencimentos: fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 20 })),
  passos: fc.array(passo, { minLength: 3, maxLength: 12 }),
});

const chave = ({ em, meio, id }: Entrada): string =>
  `${em} ${{ desconto: 'A', credito: 'A', pix: 'E', manual: 'M' }[meio]}${String(id).padStart(20, '0')}`;

function replay(valor: number, vencimento: Data, entradas: readonly Entrada[], { tolerancia, ...regras }: Regras) {
  const emOrdem = entradas.toSorted((a, b) => (chave(a) < chave(b) ? -1 : 1));
  const dia = ({ em }: Entrada): Data => hojeEm(FUSO, new Date(`${em.replace(' ', 'T')}Z`));
  const conta = (ate: readonly Entrada[], em: Data) =>
    calcularEncargos({
      valor: centavos(valor),
      vencimento,
      hoje: em,
      regras: { ...regras, calendario: NACIONAL },
      pagamentos: ate.map((uma) => ({ em: dia(uma) < em ? dia(uma) : em, valor: centavos(uma.valor) })),
    });
  const soma = (quais: readonly Entrada[], ...meios: string[]): number =>
    quais.filter(({ meio }) => meios.includes(meio)).reduce((total, uma) => total + uma.valor, 0);
  const valorPago = soma(entradas, 'pix', 'manual');
  const abatido = soma(entradas, 'desconto', 'credito');
  for (const [n, uma] of emOrdem.entries()) {
    const antes = emOrdem.slice(0, n);
    const dias = Array.from({ length: (uma.meio === 'pix' ? tolerancia : 0) + 1 }, (_, i) => somarDias(dia(uma), -i));
    if (uma.valor < Math.min(...dias.map((dela) => conta(antes, dela).total))) continue;
    const perdoado = Math.max(0, conta(antes, dia(uma)).total - uma.valor);
    const { multa, juros } = conta([...antes, uma], dia(uma));
    const descontos = soma(
      emOrdem.filter(({ em }) => em <= uma.em),
      'desconto',
    );
    const dinheiro = soma(entradas, 'pix', 'manual', 'credito');
    const excedente = Math.min(dinheiro, Math.max(0, dinheiro + descontos + perdoado - valor - multa - juros));
    return { paga: true, pago_em: uma.em, valorPago, abatido, excedente, deve: () => 0 };
  }
  return { paga: false, pago_em: null, valorPago, abatido, excedente: 0, deve: (em: Data) => conta(emOrdem, em).total };
}

test('em qualquer ordem, cada fatura é o que dela está em vigor, e cada centavo tem o seu lugar', async (t) => {
  t.timeout(30 * 60_000);
  const feitas: Record<string, number> = {};
  const contar = (nome: string): void => void (feitas[nome] = (feitas[nome] ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(historia, async ({ regras, valores, vencimentos, passos }) => {
      relogio.definir(INICIO);
      const a = await criarDevedor(
        api,
        {},
        {
          multa_percentual: regras.multaPercentual / 100,
          juros_mensal_percentual: regras.jurosMensalPercentual / 100,
          carencia_dias: regras.carenciaDias,
          tolerancia_pix_dias: regras.tolerancia,
        },
      );
      const vence = vencimentos.map((dias) => somarDias('2026-11-03' as Data, dias));
      const faturas = await Promise.all(
        [0, 1].map(async (n) => a.fatura({ valor: escreverDinheiro(centavos(valores[n]!)), vencimento: vence[n]! })),
      );
      let vigor: Entrada[] = [];
      const por = (n: number) => vigor.filter(({ fatura }) => fatura === n);
      const excedenteLivre = (n: number): number =>
        replay(valores[n]!, vence[n]!, por(n), regras).excedente -
        vigor.filter(({ origem }) => origem === n).reduce((soma, { valor }) => soma + valor, 0);

      for (const [n, um] of passos.entries()) {
        relogio.avancar(um.horas * 3_600_000 + 1);
        const agora = toDatabaseTime(relogio.agora());
        const hoje = hojeEm(FUSO, relogio.agora());
        const { id, txid } = faturas[um.fatura]!;
        const antes = replay(valores[um.fatura]!, vence[um.fatura]!, por(um.fatura), regras);
        const devido = antes.deve(hoje);
        const base = devido === 0 ? 5000 : devido;
        const parte = Math.ceil((base * um.milesimos) / 1000);
        const valor = Math.max(1, { tudo: base, parte, mais: base + parte, menos: base - 1 }[um.quanto]);
        const texto = escreverDinheiro(centavos(valor));
        // Noon, as of what is registered; of a PIX an instant of its own, since those of one instant are ordered by their own random ids.
        const ms = um.acao === 'pix' ? String(n + 1).padStart(3, '0') : '000';
        const em = um.diasAtras === 0 ? agora : `${somarDias(hoje, -um.diasAtras)} 15:00:00.${ms}`;
        const entrar = (meio: Entrada['meio'], ida: number, mais: Partial<Entrada> = {}): void => {
          contar(meio);
          vigor.push({ fatura: um.fatura, meio, id: ida, em: agora, valor, ...mais });
        };
        const tentar = async (fazer: () => Promise<void>, pode: boolean): Promise<void> => {
          try {
            await fazer();
          } catch (error) {
            if (pode) throw error;
            contar('recusado');
            return;
          }
          if (!pode) throw new Error(`${um.acao} devia ser recusado`);
        };
        if (um.acao === 'pix') {
          await a.avisar(pix(txid, texto, { horario: `${em.replace(' ', 'T')}Z` }));
          const [linha] = await a.linhas('pix_recebidos').clearOrder().orderBy('id', 'desc').limit(1);
          entrar('pix', linha.id, { em });
        } else if (um.acao === 'baixar') {
          const pago_em = somarDias(hoje, -um.diasAtras);
          await tentar(async () => {
            const dados = { forma: 'cartao', valor: texto, pago_em };
            entrar('manual', (await a.escrever(async ({ baixas }) => baixas.registrar(id, dados))).id, { em });
          }, !antes.paga);
        } else if (um.acao === 'desconto' || um.acao === 'dado') {
          const dados = { valor: texto, motivo: 'x' };
          await tentar(
            async () => {
              const feito = await a.escrever(async ({ ajustes }) =>
                um.acao === 'desconto' ? ajustes.darDesconto(id, dados) : ajustes.aplicarCredito(id, dados),
              );
              entrar('desconto', feito.id);
            },
            !antes.paga && valor <= devido,
          );
        } else if (um.acao === 'credito') {
          const origem = 1 - um.fatura;
          const livre = excedenteLivre(origem);
          await tentar(
            async () => {
              const dados = { origem: faturas[origem]!.id };
              const feito = await a.escrever(async ({ ajustes }) => ajustes.aplicarCredito(id, dados));
              t.is(
                Number(feito.valor),
                Math.min(livre, devido),
                JSON.stringify({ regras, valores, vencimentos, passos, um, vigor }),
              );
              entrar('credito', feito.id, { valor: feito.valor, origem });
            },
            !antes.paga && livre > 0,
          );
        } else {
          const baixas = um.acao === 'desfazer';
          const quais = vigor.filter(({ meio }) => (baixas ? meio === 'manual' : /^(?:desconto|credito)$/.test(meio)));
          const alvo = quais[um.qual % Math.max(1, quais.length)];
          if (alvo === undefined) continue;
          // What became credit of the other invoice must still be there.
          const excedenteDe = (dela: readonly Entrada[]): number =>
            replay(valores[alvo.fatura]!, vence[alvo.fatura]!, dela, regras).excedente;
          const usado = vigor.filter(({ origem }) => origem === alvo.fatura).reduce((soma, uma) => soma + uma.valor, 0);
          const sobraria = excedenteDe(por(alvo.fatura).filter((uma) => uma !== alvo));
          const pode = sobraria >= usado || sobraria >= excedenteDe(por(alvo.fatura));
          if (!pode) contar('crédito usado');
          await tentar(async () => {
            await a.escrever(async (escritas) =>
              baixas
                ? escritas.baixas.desfazer(alvo.id, { motivo: 'x' })
                : escritas.ajustes.desfazer(alvo.id, { motivo: 'x' }),
            );
            contar('desfeito');
            vigor = vigor.filter((uma) => uma !== alvo);
          }, pode);
        }

        const dito = JSON.stringify({ regras, valores, vencimentos, passos, um, vigor });
        let sobra = 0;
        for (const [qual, { id: faturaId, lancamentos }] of faturas.entries()) {
          const esperada = replay(valores[qual]!, vence[qual]!, por(qual), regras);
          const linha = await a.linhaDe(faturaId);
          t.is(linha.situacao === 'paga', esperada.paga, dito);
          t.is(linha.pago_em, esperada.pago_em, dito);
          t.is(linha.valor_pago, escreverDinheiro(centavos(esperada.valorPago)), dito);
          t.is(linha.abatido, escreverDinheiro(centavos(esperada.abatido)), dito);
          t.is(await a.deve(faturaId), esperada.deve(hoje), dito);
          const lancado = (await lancamentos())['excedente'] ?? '0.00';
          t.is(lancado, escreverDinheiro(centavos(esperada.excedente)), dito);
          sobra += Math.max(0, excedenteLivre(qual));
          if (esperada.paga) contar('paga');
          if (esperada.excedente > 0) contar('com excedente');
        }
        const { avisado, baixado, aplicado, excedente, diferenca } = await a.conferir();
        const veio = (meio: string) =>
          vigor.filter((uma) => uma.meio === meio).reduce((soma, { valor: cada }) => soma + cada, 0);
        t.deepEqual([Number(avisado), Number(baixado)], [veio('pix'), veio('manual')], dito);
        t.is(Number(excedente), sobra, dito);
        t.deepEqual([diferenca + 0, aplicado + excedente], [0, avisado + baixado], dito);
      }
    }),
    { numRuns: quanto(15, 400) },
  );
  t.log(feitas);
  // A sample may have none of the rare ones.
  const raras = INTEIRA ? ['credito', 'desfeito', 'crédito usado'] : [];
  for (const nome of ['pix', 'manual', 'desconto', 'recusado', 'paga', 'com excedente', ...raras]) {
    t.true((feitas[nome] ?? 0) > 0, nome);
  }
});
