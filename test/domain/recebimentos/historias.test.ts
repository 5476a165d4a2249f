import { setImmediate as pausa } from 'node:timers/promises';
import test from 'ava';
import * as fc from 'fast-check';
import { hojeEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { quanto } from '../../support/prova.ts';
import { FUSO, criarMemoria, devidoEm, emCentavos, historias, somasDe } from './apoio.ts';
import type { FaturaNaMemoria, Historia, Memoria, Passo } from './apoio.ts';

// A test of each two thousand, as none may take minutes.
const HISTORIAS = quanto(1000, 100_000);
const POR_TESTE = 2000;
const lotes = Array.from({ length: Math.ceil(HISTORIAS / POR_TESTE) }, (_, n) => ({
  lote: n === 0 ? '' : `, lote ${n + 1}`,
  numRuns: Math.min(POR_TESTE, HISTORIAS - n * POR_TESTE),
}));

/** Goes through a history, looking at the sum after each step; resolves to what is left of it. */
function percorrer(t: { true(certo: boolean, dito: string): void }, historia: Historia, passos: readonly Passo[]) {
  const { memoria, dar, identificar } = criarMemoria(historia);
  const outras = historia.faturas.map(({ semData }) => semData);
  const avisados = new Map<string, number>();
  const conferir = (): void => {
    const somas = somasDe(memoria, outras);
    const dito = JSON.stringify({ somas, historia });
    const total = [...avisados.values()].reduce((soma, valor) => soma + valor, 0);
    t.true(somas.avisado === total, dito);
    const { aplicado, excedente, naoIdentificado, devolvido } = somas;
    t.true(total === aplicado + excedente + naoIdentificado + devolvido, dito);
    t.true(Math.min(aplicado, excedente, naoIdentificado, devolvido) >= 0, dito);
  };
  for (const passo of passos) {
    dar(passo);
    if ('aviso' in passo) avisados.set(passo.aviso.endToEndId, passo.aviso.valor);
    conferir();
  }
  identificar();
  conferir();
  return memoria;
}

/** The payments of an invoice that count, by their day, first to last. */
function pagamentosDe({ pix }: Memoria, fatura: number) {
  return [...pix.values()]
    .filter(({ fatura_id, valor, devolvido }) => fatura_id === fatura && valor !== devolvido)
    .map((um) => ({
      em: hojeEm(FUSO, fromDatabaseTime(um.pago_em)),
      valor: centavos(emCentavos(um.valor) - emCentavos(um.tomado)),
      chave: `${um.pago_em} ${um.end_to_end_id}`,
      pago_em: um.pago_em,
      doBanco: (um.txid?.length ?? 0) > 25 && um.tomado === '0.00',
    }))
    .filter(({ valor }) => valor > 0)
    .toSorted((a, b) => (a.chave < b.chave ? -1 : 1));
}

/** When an invoice is paid by the rule as written: by the first payment not below the least owed on its day or on one of the N before. */
function quandoQuita(historia: Historia, memoria: Memoria, n: number): string | null {
  const fatura = historia.faturas[n]!;
  const pagamentos = pagamentosDe(memoria, n);
  for (const [k, pagamento] of pagamentos.entries()) {
    const antes = pagamentos.slice(0, k);
    const dias = Array.from({ length: historia.regras.toleranciaPixDias + 1 }, (_, i) => somarDias(pagamento.em, -i));
    const menor = Math.min(...dias.map((dia) => devidoEm(fatura, antes, historia.regras, dia)));
    if (pagamento.valor >= menor || pagamento.doBanco) return pagamento.pago_em;
  }
  return null;
}

const resumo = ({ faturas, pix }: Memoria): string =>
  JSON.stringify([
    // Which of the two an open one is, the date says.
    [...faturas.values()]
      .map((fatura) => ({ ...fatura, situacao: fatura.situacao === 'vencida' ? 'pendente' : fatura.situacao }))
      .toSorted((a, b) => a.id - b.id),
    [...pix.values()]
      .map(({ devolucoes, ...um }) => ({
        ...um,
        id: 0,
        devolucoes: devolucoes.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      }))
      .toSorted((a, b) => (a.end_to_end_id < b.end_to_end_id ? -1 : 1)),
  ]);

for (const { lote, numRuns } of lotes) {
  test(`em quaisquer histórias e ordens, o avisado é sempre o aplicado, o excedente, o não identificado e o devolvido${lote}`, async (t) => {
    // What was found so far is said meanwhile.
    await pausa();
    const vistas: Record<string, number> = {};
    fc.assert(
      fc.property(historias, (historia) => {
        // AVA counts assertions one by one: only what fails is told to it.
        const so = { true: (certo: boolean, dito: string) => (certo ? undefined : t.fail(dito)) };
        const uma = percorrer(so, historia, historia.passos);
        const outra = percorrer(so, historia, historia.outraOrdem);
        if (resumo(uma) !== resumo(outra)) t.is(resumo(uma), resumo(outra));
        for (const [n, fatura] of uma.faturas) {
          vistas[fatura.situacao] = (vistas[fatura.situacao] ?? 0) + 1;
          if (fatura.desconto > 0) vistas['com desconto'] = (vistas['com desconto'] ?? 0) + 1;
          if (fatura.excedente > 0) vistas['com excedente'] = (vistas['com excedente'] ?? 0) + 1;
          const erro = erroDe(historia, uma, n, fatura);
          if (erro !== null) t.fail(`${erro}: ${JSON.stringify({ fatura, historia })}`);
        }
      }),
      { numRuns },
    );
    t.log(numRuns, 'histórias', vistas);
    for (const nome of ['paga', 'pendente', 'vencida', 'estornada', 'cancelada', 'com desconto', 'com excedente']) {
      t.true((vistas[nome] ?? 0) > 0, nome);
    }
  });
}

/** What an invoice is that it should not be. */
function erroDe(historia: Historia, memoria: Memoria, n: number, fatura: FaturaNaMemoria): string | null {
  if (fatura.situacao === 'cancelada') return null;
  const esperada = quandoQuita(historia, memoria, n);
  if (fatura.situacao === 'paga') {
    if (esperada !== fatura.pago_em) return `devia estar paga em ${esperada}`;
  } else if (esperada !== null) return `devia estar paga em ${esperada}`;
  else if (fatura.desconto + fatura.excedente > 0) return 'desconto ou excedente sem quitação';
  return null;
}

for (const { lote, numRuns } of lotes) {
  test(`o que se devia no dia ou até N dias antes quita, com desconto da diferença; um centavo menos que o menor, não${lote}`, async (t) => {
    // What was found so far is said meanwhile.
    await pausa();
    const caso = fc.record({
      historia: historias,
      diasAntes: fc.nat({ max: 7 }),
      atraso: fc.integer({ min: -5, max: 60 }),
      parte: fc.nat({ max: 900 }),
    });
    let comDesconto = 0;
    fc.assert(
      fc.property(caso, ({ historia: { regras, faturas }, diasAntes, atraso, parte }) => {
        const fatura = { ...faturas[0]!, txid: 'ESTATICO', cancelada: false };
        const em = somarDias(fatura.vencimento, atraso);
        const cedo = somarDias(em, -3);
        const entrada = centavos(Math.floor((fatura.valor * parte) / 1000));
        const antes = entrada > 0 ? [{ em: cedo, valor: entrada }] : [];
        const devido = (n: number) => devidoEm(fatura, antes, regras, somarDias(em, -n));
        const n = Math.min(diasAntes, regras.toleranciaPixDias);
        const menor = Math.min(...Array.from({ length: regras.toleranciaPixDias + 1 }, (_, i) => devido(i)));
        for (const [valor, quita] of [
          [devido(n), true],
          [menor - 1, false],
        ] as const) {
          if (valor < 1) continue;
          const { memoria, dar } = criarMemoria({ regras, faturas: [fatura] });
          const base = { txid: fatura.txid, devolucoes: [] };
          dar({ fatura: 0 });
          if (entrada > 0)
            dar({ aviso: { ...base, endToEndId: 'A', valor: entrada, horario: new Date(`${cedo}T15:00Z`) } });
          // A part may be all that was owed some days before, but for a centavo.
          if (memoria.faturas.get(0)!.situacao === 'paga') continue;
          dar({ aviso: { ...base, endToEndId: 'B', valor: centavos(valor), horario: new Date(`${em}T15:00Z`) } });
          const { situacao, desconto } = memoria.faturas.get(0)!;
          if ((situacao === 'paga') !== quita) t.fail(JSON.stringify({ valor, quita, fatura, regras, em, entrada }));
          if (quita && desconto !== Math.max(0, devido(0) - valor)) t.fail(JSON.stringify({ desconto, valor, fatura }));
          if (desconto > 0) comDesconto += 1;
        }
      }),
      { numRuns },
    );
    t.log(numRuns, 'casos,', comDesconto, 'com desconto');
    t.true(comDesconto > 0);
  });
}
