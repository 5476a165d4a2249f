import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import type { DanfeParaImprimir } from '../../../workers/threads/danfe-com/contract.ts';
import { codigoBarras } from '../../../src/brazil/boleto/boleto.ts';
import { pngDe } from '../../support/imagens.ts';
import { codigosDaImagem, codigosDoPdf, imagensDoPdf, palavrasDoPdf, textoDoPdf } from '../../support/leitores.ts';
import type { Palavra } from '../../support/leitores.ts';
import { LINHA_DE_EXEMPLO, PIX_DE_EXEMPLO, QR_DE_EXEMPLO, nfcomDeExemplo } from '../../support/nfcom/autorizada.ts';

const threads = createThreads({ maxThreads: 1 });

test.after.always(() => threads.close());

const CONSULTA = 'https://dfe-portal.svrs.rs.gov.br/NFCom/consulta';

const imprimir = async (xml: Buffer, mudancas: Partial<DanfeParaImprimir> = {}): Promise<Buffer> =>
  buffer(threads.stream('danfe-com', { xml, situacao: 'autorizada', consulta: CONSULTA, logo: null, ...mudancas }));

const barras = codigoBarras(LINHA_DE_EXEMPLO)!;

/** Pairs of words that are written one over the other. The watermark runs below all of them, in letters much larger. */
function sobrepostas(palavras: readonly Palavra[]): string[] {
  const letras = palavras
    .map(({ pagina, texto, caixa: [x1, y1, x2, y2] }) => {
      const altura = y2 - y1;
      return { pagina, texto, altura, x1: x1 + 0.3, x2: x2 - 0.3, y1: y1 + 0.3 * altura, y2: y2 - 0.25 * altura };
    })
    .filter(({ altura }) => altura < 25);
  return letras.flatMap((a, n) =>
    letras
      .slice(n + 1)
      .filter((b) => a.pagina === b.pagina && a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2)
      .map((b) => `página ${a.pagina}: ${a.texto} sobre ${b.texto}`),
  );
}

test('o DANFE-COM traz cada campo dos oito blocos, e o leitor lê o QR code, o PIX e o código de barras do XML', async (t) => {
  const pdf = await imprimir(nfcomDeExemplo({ ambiente: 1 }), {
    logo: { tipo: 'image/png', bytes: pngDe({ largura: 40, altura: 20 }) },
  });
  const texto = (await textoDoPdf(pdf)).replaceAll(/\s+/g, ' ');
  const trechos = [
    'DOCUMENTO AUXILIAR DA NOTA FISCAL FATURA DE SERVIÇOS DE COMUNICAÇÃO ELETRÔNICA|PROVEDOR TESTE LTDA',
    'CNPJ 11.222.333/0001-81|IE 110042490114|RUA DAS FIBRAS, 100|CAMPINAS/SP - CEP 13010-000|(19) 3000-0000',
    "Maria D'Ávila & Filhos|CPF 529.982.247-25|RUA DO ASSINANTE, S/N, CASA 2|CEP 13020-000|(19) 99999-0000",
    'CÓDIGO DO CLIENTE|000123|2026-000123|REFERÊNCIA|11/2026|PERÍODO|01/11/2026 a 30/11/2026|VENCIMENTO|10/12/2026',
    'TOTAL A PAGAR (R$)|1.119,90|NOTA FISCAL FATURA Nº|000.000.101|SÉRIE|001|DATA DE EMISSÃO|20/11/2026|10:00:00|FOLHA 1/1',
    `CONSULTE PELA CHAVE DE ACESSO EM:|${CONSULTA}|3526 1111 2223 3300 0181 6200 1000 0001 0110 3141 5922`,
    'PROTOCOLO DE AUTORIZAÇÃO|3352600000000001 - 20/11/2026 - 10:00:05|IMPOSTOS RETIDOS|0,13|0,60|0,20|1,44',
    'ITENS DA FATURA|UN|QUANT|PREÇO UNIT|VALOR TOTAL|PIS/COFINS|BC ICMS|ALÍQ|VALOR ICMS|INTERNET FIBRA 500 MEGA|109,90',
    'Desconto 10,00|99,90|3,65|18,00%|17,98|FCP 2,00%: 2,00|Classe 0400401|CFOP 5.307|SERVICO DE VALOR ADICIONADO|20,00',
    'VALOR TOTAL NFF|TOTAL BASE DE CÁLCULO|VALOR ISENTO|VALOR OUTROS|INFORMAÇÃO DOS TRIBUTOS|FUST|0,78|FUNTTEL|0,39',
    'IBS (UF)|0,08|CBS|0,90%|0,70|RESERVADO AO FISCO|Recado do Fisco|INFORMAÇÕES COMPLEMENTARES|Obrigado por ser nosso cliente.',
    'ÁREA DO CONTRIBUINTE E DETERMINAÇÕES DA ANATEL|Central de atendimento da ANATEL: 1331.|LINHA DIGITÁVEL',
    '00190.00009 01234.567004 00000.101170 5 16560000011990|PAGUE COM PIX',
  ];
  for (const trecho of trechos.join('|').split('|')) t.true(texto.includes(trecho), `${trecho}\n${texto}`);
  t.false(/SEM VALOR FISCAL|CONTINGÊNCIA|CANCELADA|SUBSTITUÍDA/.test(texto), texto);
  t.deepEqual(await codigosDoPdf(pdf, 150), [[PIX_DE_EXEMPLO, barras, QR_DE_EXEMPLO].toSorted()]);
  t.deepEqual(sobrepostas(await palavrasDoPdf(pdf)), []);
  t.is(
    Buffer.compare(
      pdf,
      await imprimir(nfcomDeExemplo({ ambiente: 1 }), {
        logo: { tipo: 'image/png', bytes: pngDe({ largura: 40, altura: 20 }) },
      }),
    ),
    0,
  );
});

test('o DANFE-COM de homologação, em contingência, cancelado ou substituído o diz, e os códigos se leem', async (t) => {
  const qr = `${QR_DE_EXEMPLO}&sign=${'VgWUNbzdZsCv8PKMyfZOA8y0HcOqIfX7Va1aOJnQZnhwiFoLN/8NJslIV7w3E5nh5U8smrvtKS3uYh6'.repeat(4)}==`;
  const casos = [
    [{ ambiente: 2 }, 'autorizada', /SEM VALOR FISCAL/],
    [{ ambiente: 1, tpEmis: 2, qr }, 'autorizada', /EMITIDA EM CONTINGÊNCIA/],
    [{ ambiente: 1 }, 'cancelada', /NFCom CANCELADA/],
    [{ ambiente: 1 }, 'substituida', /NFCom SUBSTITUÍDA/],
  ] as const;
  for (const [nota, situacao, marca] of casos) {
    const pdf = await imprimir(nfcomDeExemplo(nota), { situacao });
    const texto = await textoDoPdf(pdf);
    t.regex(texto, marca);
    // The justification of a contingency is not printed (MOC, 11.1).
    t.false(texto.includes('Sem resposta da SEFAZ'));
    const lidos = await codigosDoPdf(pdf, 150);
    t.deepEqual(lidos, [[PIX_DE_EXEMPLO, barras, 'qr' in nota ? qr : QR_DE_EXEMPLO].toSorted()], String(marca));
  }
});

test('muitos itens e textos longos passam a outras folhas, cada uma com a nota, a chave e o seu número', async (t) => {
  const pdf = await imprimir(
    nfcomDeExemplo({
      itens: 120,
      nome: 'ASSOCIACAO COMUNITARIA DOS MORADORES E AMIGOS DO CONJUNTO JD',
      infAdFisco: 'Texto ao fisco, que pode ser longo. '.repeat(50).trim(),
      infCpl: Array.from({ length: 5 }, () => 'Mensagem do provedor ao seu cliente, sem fim. '.repeat(60).trim()),
    }),
  );
  const folhas = (await textoDoPdf(pdf)).split('\f').slice(0, -1);
  t.true(folhas.length > 3);
  for (const [n, folha] of folhas.entries()) {
    t.true(folha.includes(`FOLHA ${n + 1}/${folhas.length}`), folha);
    t.true(folha.includes('000.000.101') && folha.includes('5922') && folha.includes('SEM VALOR FISCAL'), folha);
  }
  const texto = folhas.join('\n');
  t.is(texto.split('INTERNET FIBRA 500 MEGA').length - 1, 120);
  t.is(texto.replaceAll(/\s+/g, ' ').split('Mensagem do provedor').length - 1, 300);
  const imagens = await imagensDoPdf(pdf, 150, 'ppm');
  t.deepEqual(await codigosDaImagem(imagens[0]!), [QR_DE_EXEMPLO]);
  t.deepEqual(await codigosDaImagem(imagens.at(-1)!), [PIX_DE_EXEMPLO, barras].toSorted());
  t.deepEqual(sobrepostas(await palavrasDoPdf(pdf)), []);
});

test('sem PIX, sem IBS e CBS e com linha que não é de boleto, o DANFE-COM só traz o que há; o que não é NFCom não se desenha', async (t) => {
  const pdf = await imprimir(nfcomDeExemplo({ pix: null, ibsCbs: false, linha: '123456', infCpl: [] }));
  const texto = await textoDoPdf(pdf);
  t.true(texto.includes('123456'));
  t.false(/PIX|IBS|ANATEL: 1331|COMPLEMENTARES/.test(texto), texto);
  t.deepEqual(await codigosDoPdf(pdf, 150), [[QR_DE_EXEMPLO]]);
  await t.throwsAsync(imprimir(Buffer.from('<NFe/>')), { message: /não é de uma NFCom/ });
});
