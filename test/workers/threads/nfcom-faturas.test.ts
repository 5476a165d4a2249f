import test from 'ava';
import type { DadosDaNota } from '../../../src/brazil/nfcom/base/nota.types.ts';
import { montarDados } from '../../../src/domain/nfcom/nota/montagem.regras.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import type { ArquivoPfx, CertificadoLido } from '../../../workers/threads/certificado-a1/contract.ts';
import type { DocumentoAssinado, LoteDeNotas } from '../../../workers/threads/nfcom/contract.ts';
import { diferencas } from '../../support/nfcom/conta.ts';
import { faturaSorteada } from '../../support/nfcom/faturas-sorteadas.ts';
import { xmllint, xmlsec1 } from '../../support/nfcom/juizes.ts';
import { amostra, SENHA_DA_AMOSTRA } from '../../support/nfcom/notas.ts';
import { CLASSE_DO_SCM } from '../../support/nfcom/provedor-sorteado.ts';
import { quanto } from '../../support/prova.ts';

// From an invoice to its signed notes: a month's charges, their split and discounts, and what the authority's programs say of the result.

const FATURAS = quanto(200, 10_000);
const LOTE = 250;

const threads = createThreads({ maxThreads: 1 });
test.after.always(() => threads.close());

async function assinar(dados: readonly DadosDaNota[], esquema: LoteDeNotas['esquema']): Promise<DocumentoAssinado[]> {
  const lido = await threads.run<ArquivoPfx, CertificadoLido>('certificado-a1', {
    pfx: amostra('test-a1.pfx'),
    senha: SENHA_DA_AMOSTRA,
  });
  if (!lido.certo) throw new Error(lido.motivo);
  const { chavePem, certificadoPem } = lido.certificado;
  return threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', {
    chave: { chavePem, certificadoPem },
    esquema,
    documentos: dados.map((uma) => ({ tipo: 'nota', dados: uma })),
  });
}

/** In centavos, of all that a tag says. */
const somaDe = (xml: string, tag: string): number =>
  [...xml.matchAll(new RegExp(`<${tag}>(\\d+)\\.(\\d\\d)</${tag}>`, 'g'))].reduce(
    (soma, [, reais = '', cents = '']) => soma + Number(reais + cents),
    0,
  );
const totalDe = (xml: string): string => /<total>.*<\/total>/s.exec(xml)?.[0] ?? '';

test('cada fatura sorteada tem notas que os esquemas, a assinatura e outra conta confirmam, e que somam a fatura', async (t) => {
  t.timeout(1_800_000);
  const esquemas = ['NT2025.001', 'NT2026.002'] as const;
  let notas = 0;
  let adicionais = 0;
  const regimes = new Set<string>();
  for (let primeira = 0; primeira < FATURAS; primeira += LOTE) {
    const faturas = Array.from({ length: Math.min(LOTE, FATURAS - primeira) }, (_, n) => faturaSorteada(primeira + n));
    const montadas = faturas.map(({ provedor, contexto, notas: suas }) =>
      suas.map((nota) => montarDados(provedor, contexto, nota)),
    );
    const dados = montadas.map((suas) =>
      suas.map((uma) => {
        if (!uma.certo) throw new Error(JSON.stringify(uma.motivos));
        return uma.dados;
      }),
    );
    const assinadas = await assinar(dados.flat(), esquemas[(primeira / LOTE) % 2] ?? 'NT2025.001');
    t.deepEqual(
      assinadas.flatMap((uma) => (uma.certo ? [] : uma.recusas)),
      [],
    );
    const xmls = assinadas.map((uma) => (uma.certo ? uma.xml : ''));
    for (const esquema of esquemas) t.is(await xmllint(xmls, esquema), null);
    t.is(await xmlsec1(xmls), null);
    let daVez = 0;
    for (const [n, { valor, desconto, linha, comPlano, notas: suas }] of faturas.entries()) {
      const semente = `semente ${primeira + n}`;
      const dela = xmls.slice(daVez, (daVez += suas.length));
      for (const [m, xml] of dela.entries()) {
        t.deepEqual(diferencas(dados[n]![m]!, xml), [], semente);
        t.is(/<codBarras>(\d+)</.exec(xml)?.[1], linha, semente);
        const montada = montadas[n]![m]!;
        const temPlano = montada.certo && comPlano.has(montada.contratoId);
        if (temPlano) t.true(xml.includes(`<cClass>${CLASSE_DO_SCM}<`), semente);
        if (/<cClass>(?:0800601|1000701)</.test(xml)) adicionais += 1;
        regimes.add(/<CRT>(\d)/.exec(xml)?.[1] ?? '');
      }
      // What the invoice asks for is what its notes amount to, before what the client retains, less what was forgiven.
      const soma = (tag: string): number => dela.reduce((ate, xml) => ate + somaDe(totalDe(xml), tag), 0);
      t.is(soma('vProd'), valor - desconto, semente);
      t.is(soma('vDesc'), desconto, semente);
      const retido = ['vRetPIS', 'vRetCofins', 'vRetCSLL', 'vIRRF'].reduce((ate, tag) => ate + soma(tag), 0);
      t.is(soma('vNF'), valor - desconto - retido, semente);
      t.is(
        dela.reduce((ate, xml) => ate + somaDe(xml, 'vItem'), 0),
        valor,
        semente,
      );
    }
    notas += xmls.length;
  }
  t.deepEqual([...regimes].toSorted(), ['1', '2', '3']);
  t.true(adicionais > FATURAS / 10 && notas > FATURAS);
  t.log(`${FATURAS} faturas, ${notas} notas, ${adicionais} com itens adicionais: 0 diferenças`);
});
