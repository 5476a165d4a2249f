import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { BOLETO, boletoDe, criarCobrado, pedirPagina, pixDoPsp, TXID_DO_PSP } from '../../support/cobrancas.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { codigosDoPdf, textoDoPdf } from '../../support/leitores.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { relogioEm } from '../../support/relogio.ts';

/** Friday, a bank holiday; noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00.000Z';

/** Of a utility: 99.90 to be paid. */
const CONTA = '836600000001999004810019809756573105015896360805';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

const cobrado = (doProvedor: Record<string, unknown> = {}) => criarCobrado(api, fabrica, doProvedor);

/** What a page says, without its marks; spaces that do not break become plain ones. */
function dito(texto: string): string {
  const corpo = /<main>([^]*)<\/main>/.exec(texto)?.[1] ?? '';
  return corpo
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .trim();
}

const codigoDa = (texto: string): string | undefined => /<textarea id="pix"[^>]*>([^<]*)</.exec(texto)?.[1];

/** As the reader of printed codes gives them. */
const emOrdem = (...textos: string[]): string[] => textos.toSorted();

/** Asks again while too many wait, as the answer says: on a busy machine the last of many waits for longer than it may. */
async function pdfDe(caminho: string): Promise<Buffer> {
  for (;;) {
    const resposta = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`http://127.0.0.1:${api.porta}${caminho}`, resolve).on('error', reject);
    });
    const bytes = await buffer(resposta);
    if (resposta.statusCode === 200) return bytes;
    if (resposta.statusCode !== 503) throw new Error(`${caminho}: ${resposta.statusCode}`);
    await sleep(1000);
  }
}

// What the pages show

test.serial(
  'a página do PIX mostra valor, multa, juros, total, vencimento e quem recebe, e o código de hoje',
  async (t) => {
    const a = await cobrado();
    const { id, token, txid } = await a.fatura();
    const resposta = await pedirPagina(api, `/pix/${token}`);
    t.is(resposta.status, 200);
    for (const trecho of [
      'Pagar com PIX',
      'R$ 102,23 a pagar hoje, 20/11/2026',
      'Fatura Mensalidade 11/2026',
      'Quem recebe SERRA AZUL TELECOM',
      'CNPJ 11.222.333/0001-81',
      'Vencimento 10/11/2026',
      'Valor R$ 99,90',
      'Multa R$ 2,00',
      'Juros R$ 0,33',
      'Total R$ 102,23',
    ]) {
      t.true(dito(resposta.texto).includes(trecho), `${trecho}: ${dito(resposta.texto)}`);
    }
    const codigo = codigoDa(resposta.texto)!;
    t.like(getPixPayloadInfo(codigo), { amount: 102.23, txid });
    t.is(codigo, (await a.ler(id)).segunda_via.pix_copia_cola);
    t.regex(resposta.texto, /<svg [^>]*role="img"/);
  },
);

test.serial('a página do que ainda não venceu diz até quando pagar, sem encargos', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura({ vencimento: '2026-12-10' });
  const texto = dito((await pedirPagina(api, `/pix/${token}`)).texto);
  t.true(texto.includes('R$ 99,90 a pagar até 10/12/2026'), texto);
  t.false(texto.includes('Multa'));
});

test.serial(
  'o que venceu no sábado se paga sem encargos até a segunda, e a página e o boleto dizem isso',
  async (t) => {
    t.teardown(() => relogio.definir(AGORA));
    const a = await cobrado();
    const { token } = await a.fatura({
      vencimento: '2026-11-21',
      tipo: 'boleto',
      ...boletoDe({ vencimento: '2026-11-21' }),
    });
    relogio.definir('2026-11-22T15:00:00.000Z');
    for (const caminho of ['pix', 'pagar']) {
      const texto = dito((await pedirPagina(api, `/${caminho}/${token}`)).texto);
      t.true(texto.includes('R$ 99,90 a pagar até 23/11/2026'), texto);
      t.true(texto.includes('Vencimento 21/11/2026'), texto);
      t.notRegex(texto, /Multa|Juros|encargos/i);
    }
    t.regex(await textoDoPdf(await pdfDe(`/boleto/${token}`)), /23\/11\/2026/);
    relogio.definir('2026-11-24T15:00:00.000Z');
    t.true(dito((await pedirPagina(api, `/pix/${token}`)).texto).includes('R$ 101,93 a pagar hoje, 24/11/2026'));
  },
);

test.serial('a página de pagamento traz os meios que a fatura tem, e só eles', async (t) => {
  const a = await cobrado();
  for (const [linha, pix, boleto] of [
    [{ tipo: 'pix' }, true, false],
    [{ tipo: 'boleto', ...BOLETO }, true, true],
    [{ tipo: 'boleto', pix_txid: null, ...BOLETO }, false, true],
  ] as const) {
    const { id, token } = await a.fatura(linha);
    const { status, texto } = await pedirPagina(api, `/pagar/${token}`);
    t.is(status, 200);
    const { segunda_via } = await a.ler(id);
    t.is(codigoDa(texto) ?? null, segunda_via.pix_copia_cola);
    t.is(texto.includes(`href="/pix/${token}"`), pix);
    t.is(texto.includes(`href="/boleto/${token}"`), boleto);
    t.is(texto.includes('23793.38128 60083.013528 85600.006333 2 16260000009990'), boleto);
    t.is(segunda_via.link_pagamento.endsWith(`/pagar/${token}`), true);
  }
});

for (const [situacao, titulo, frase] of [
  ['paga', 'Fatura paga', 'Mensalidade 11/2026: recebemos R$ 102,23 em 20/11/2026. Obrigado!'],
  ['cancelada', 'Fatura cancelada', 'não precisa ser paga'],
  ['processando', 'Pagamento em processamento', 'Não é preciso pagar de novo'],
  ['estornada', 'Pagamento devolvido', 'foi devolvido a quem pagou'],
] as const) {
  test.serial(`uma fatura ${situacao} diz que está, com gentileza e sem código`, async (t) => {
    const a = await cobrado();
    const paga = situacao === 'paga' ? { valor_pago: '102.23', pago_em: '2026-11-20 14:00:00.000' } : {};
    const { token } = await a.fatura({ situacao, ...BOLETO, ...paga });
    for (const pagina of ['pix', 'pagar', 'boleto']) {
      const resposta = await pedirPagina(api, `/${pagina}/${token}`);
      t.is(resposta.status, pagina === 'boleto' ? 410 : 200, pagina);
      t.is(resposta.headers['content-type'], 'text/html; charset=utf-8');
      t.true(dito(resposta.texto).startsWith(titulo), dito(resposta.texto));
      t.true(dito(resposta.texto).includes(frase), dito(resposta.texto));
      t.notRegex(resposta.texto, /<textarea|<svg/);
    }
  });
}

test.serial('o que não se paga por link diz como pagar; o que não tem valor, que nada há a pagar', async (t) => {
  const a = await cobrado();
  const carteira = await a.fatura({ pix_txid: null });
  t.true(dito((await pedirPagina(api, `/pagar/${carteira.token}`)).texto).startsWith('Pagamento por outro meio'));
  const zerada = await a.fatura({ valor: '0.00' });
  t.true(dito((await pedirPagina(api, `/pix/${zerada.token}`)).texto).startsWith('Nada a pagar'));
  // Without PIX, its address shows the other ways.
  const soBoleto = await a.fatura({ pix_txid: null, ...BOLETO });
  t.true(dito((await pedirPagina(api, `/pix/${soBoleto.token}`)).texto).includes('Linha digitável'));
});

// The same amount everywhere, at every moment

for (const fuso of ['America/Noronha', 'America/Sao_Paulo', 'America/Manaus', 'America/Rio_Branco']) {
  test.serial(
    `API, página, boleto e código PIX dizem o mesmo valor em volta da meia-noite local: ${fuso}`,
    async (t) => {
      t.teardown(() => relogio.definir(AGORA));
      const a = await cobrado({ fuso_horario: fuso });
      const { id, token } = await a.fatura({
        tipo: 'boleto',
        vencimento: '2026-11-18',
        ...boletoDe({ vencimento: '2026-11-18' }),
      });
      const desvio = { 'America/Noronha': 2, 'America/Sao_Paulo': 3, 'America/Manaus': 4, 'America/Rio_Branco': 5 }[
        fuso
      ];
      for (const [dia, antes, depois] of [
        ['19', 99.9, 101.93],
        ['20', 101.93, 101.97],
      ] as const) {
        const meiaNoite = Date.parse(`2026-11-${dia}T0${desvio}:00:00.000Z`);
        for (const [instante, valor] of [
          [meiaNoite - 1, antes],
          [meiaNoite, depois],
        ] as const) {
          relogio.definir(new Date(instante).toISOString());
          for (const processo of [0, 1]) {
            const { dados } = (await api.get(`/faturas/${id}`, { chave: a.chave, processo })).corpo;
            t.is(dados.valor_atualizado ?? dados.valor, valor);
            t.is(getPixPayloadInfo(dados.segunda_via.pix_copia_cola)?.amount, valor);
            for (const pagina of ['pix', 'pagar']) {
              const { texto } = await pedirPagina(api, `/${pagina}/${token}`, { processo });
              t.is(codigoDa(texto), dados.segunda_via.pix_copia_cola);
              t.true(dito(texto).includes(`R$ ${valor.toFixed(2).replace('.', ',')}`));
            }
          }
        }
      }
      const [[barras, pix] = []] = await codigosDoPdf(await pdfDe(`/boleto/${token}`), 150);
      const { segunda_via } = await a.ler(id);
      t.deepEqual([barras, pix], emOrdem(segunda_via.codigo_barras, segunda_via.pix_copia_cola));
    },
  );
}

test.serial('um pagamento, e um pagamento de parte, aparecem na página como na API', async (t) => {
  const a = await cobrado();
  const { id, txid, token } = await a.fatura();
  const psp = criarPsp(api);
  const pagar = (valor: string) => psp.avisar(a.segredo, [{ endToEndId: novoFimAFim(), txid, valor, horario: AGORA }]);
  const situacao = async () => JSON.parse((await pedirPagina(api, `/pix/${token}/situacao`)).texto).estado;
  const aberta = await situacao();
  t.is(await situacao(), aberta);
  await pagar('100.00');
  const emParte = await situacao();
  t.not(emParte, aberta);
  const { texto } = await pedirPagina(api, `/pix/${token}`);
  t.true(dito(texto).includes('Já recebido − R$ 100,00 Total R$ 2,23'), dito(texto));
  t.is(codigoDa(texto), (await a.ler(id)).segunda_via.pix_copia_cola);
  await pagar('2.23');
  t.not(await situacao(), emParte);
  t.true(dito((await pedirPagina(api, `/pix/${token}`)).texto).includes('recebemos R$ 102,23'));
});

test.serial('a situação muda também com o dia: a página aberta à meia-noite se refaz', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const a = await cobrado();
  const { token } = await a.fatura();
  const situacao = async () => (await pedirPagina(api, `/pagar/${token}/situacao`)).texto;
  const hoje = await situacao();
  relogio.definir('2026-11-21T03:00:00Z');
  t.not(await situacao(), hoje);
});

// Who may see

test.serial('um token forjado, alterado ou de outro provedor dá a mesma página 404, e nada conta', async (t) => {
  const [a, b] = [await cobrado({ panel_host: 'a.pagina.test' }), await cobrado({ panel_host: 'b.pagina.test' })];
  const { token } = await a.fatura({ ...BOLETO, descricao: 'SEGREDO' });
  await b.fatura();
  const trocar = (i: number) => `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
  const errados = [
    ...Array.from({ length: 22 }, (_, i) => trocar(i)),
    'x',
    token.slice(1),
    `${token}A`,
    token.toLowerCase(),
    `${token.slice(0, 11)}%`,
    `${token.slice(0, 11)}___________`,
    `${token.slice(0, 11)}zzzzzzzzzzz`,
    '%00'.repeat(22),
    'A'.repeat(22),
    '.'.repeat(22),
    '../pix',
    `${token}/`,
    `${token}/outra`,
    'á'.repeat(22).replaceAll('á', '%C3%A1'),
  ];
  const vistas = new Set<string>();
  for (const pagina of ['pix', 'pagar', 'boleto']) {
    for (const errado of errados) {
      const { status, texto, headers } = await pedirPagina(api, `/${pagina}/${errado}`);
      t.is(status, 404, errado);
      t.is(headers['content-type'], 'text/html; charset=utf-8');
      vistas.add(texto);
    }
    const alheia = await pedirPagina(api, `/${pagina}/${token}`, { headers: { host: 'b.pagina.test' } });
    t.is(alheia.status, 404);
    vistas.add(alheia.texto);
    t.is((await pedirPagina(api, `/${pagina}/${token}`, { headers: { host: 'a.pagina.test' } })).status, 200);
  }
  t.is(vistas.size, 1, 'a página é sempre a mesma');
  const situacao = await pedirPagina(api, `/pix/${trocar(21)}/situacao`);
  t.deepEqual([situacao.status, situacao.texto], [404, '{}']);
  t.is((await pedirPagina(api, `/boleto/${token}/situacao`)).status, 404);
});

test.serial('a página não diz quem deve, nem leva mais do que precisa', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura(BOLETO);
  for (const pagina of ['pix', 'pagar']) {
    const { texto, headers } = await pedirPagina(api, `/${pagina}/${token}`);
    t.notRegex(texto, /Maria|529\.?982|cliente/i);
    t.like(headers, {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    });
    const politica = String(headers['content-security-policy']).split('; ');
    for (const regra of ["default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      t.true(politica.includes(regra), regra);
    }
    t.false(
      politica.some((regra) => /unsafe|\*|https?:/.test(regra)),
      politica.join(),
    );
    for (const elemento of ['style', 'script']) {
      const conteudo = new RegExp(`<${elemento}>([^]*?)</${elemento}>`).exec(texto)![1]!;
      const resumo = createHash('sha256').update(conteudo).digest('base64');
      t.true(politica.includes(`${elemento}-src 'sha256-${resumo}'`), elemento);
    }
    t.notRegex(texto, / on\w+=| style=/);
  }
});

test.serial('o que a fatura e o provedor dizem aparece como texto, e não como HTML', async (t) => {
  const ataque = '<script>alert(1)</script>"\'&';
  const a = await cobrado({ nome: ataque });
  const { token } = await a.fatura({ descricao: ataque, ...BOLETO });
  for (const pagina of ['pix', 'pagar']) {
    const { texto } = await pedirPagina(api, `/${pagina}/${token}`);
    t.is(texto.split('<script>').length - 1, 1);
    t.true(texto.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;'));
  }
});

test.serial('outros métodos são 405, sem Host é 400, e o link não vence', async (t) => {
  t.teardown(() => relogio.definir(AGORA));
  const a = await cobrado();
  const { token } = await a.fatura();
  const post = await pedirPagina(api, `/pix/${token}`, { metodo: 'POST' });
  t.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
  t.is((await pedirPagina(api, `/pix/${token}`, { metodo: 'HEAD' })).texto, '');
  relogio.definir('2036-11-20T15:00:00Z');
  t.is((await pedirPagina(api, `/pix/${token}`)).status, 200);
});

// Branding

test.serial('a página tem o nome, a cor, o logo e os contatos do provedor', async (t) => {
  const a = await cobrado({ nome: 'Rio Negro Fibra' });
  const logo = Buffer.from('89504e470d0a1a0a', 'hex');
  await createTenantWriter(api.dono, a.provedor).insert('provedores_identidade', {
    razao_social: 'Rio Negro Fibra S.A.',
    cor: '#f2b705',
    logo,
    logo_tipo: 'image/png',
    telefone: '9232340177',
    whatsapp: '5592999990177',
    email: 'ola@rionegro.test',
    site: 'rionegro.test',
  });
  const { token } = await a.fatura();
  const { texto } = await pedirPagina(api, `/pix/${token}`);
  t.true(texto.includes(':root{--cor:#f2b705;--sobre:#000000;--borda:#000000}'));
  t.true(texto.includes(`src="data:image/png;base64,${logo.toString('base64')}"`));
  for (const link of [
    'href="tel:+559232340177">(92) 3234-0177<',
    'href="https://wa.me/5592999990177" rel="noreferrer">(92) 99999-0177<',
    'href="mailto:ola@rionegro.test">ola@rionegro.test<',
    'href="https://rionegro.test" rel="noreferrer">rionegro.test<',
  ]) {
    t.true(texto.includes(link), link);
  }
});

// On paper

test.serial('o boleto sai em PDF, com os campos que a API tem, e o mesmo conteúdo é feito uma vez', async (t) => {
  const a = await cobrado();
  const { id, token } = await a.fatura({ tipo: 'boleto', ...BOLETO, nosso_numero: '0000000042' });
  const resposta = await pedirPagina(api, `/boleto/${token}`);
  t.is(resposta.status, 200);
  t.like(resposta.headers, {
    'content-type': 'application/pdf',
    'content-disposition': `inline; filename="boleto-${id}.pdf"`,
    'cache-control': 'private, no-cache',
  });
  const pdf = await pdfDe(`/boleto/${token}`);
  const { segunda_via } = await a.ler(id);
  const [lidos = []] = await codigosDoPdf(pdf, 150);
  t.deepEqual(lidos, emOrdem(segunda_via.codigo_barras, segunda_via.pix_copia_cola));
  const texto = await textoDoPdf(pdf);
  for (const trecho of [
    '23793.38128 60083.013528 85600.006333 2 16260000009990',
    'Maria José da Conceição',
    '529.982.247-25',
    '11.222.333/0001-81',
    '10/11/2026',
    '99,90',
    '0000000042',
    'multa de 2,00%',
    '102,23',
  ]) {
    t.true(texto.includes(trecho), trecho);
  }
  t.is(Buffer.compare(pdf, await pdfDe(`/boleto/${token}`)), 0);
  const etag = String(resposta.headers.etag);
  const igual = await pedirPagina(api, `/boleto/${token}`, { headers: { 'if-none-match': `"x", ${etag}` } });
  t.deepEqual([igual.status, igual.texto], [304, '']);
  const cabeca = await pedirPagina(api, `/boleto/${token}`, { metodo: 'HEAD' });
  t.deepEqual([cabeca.status, cabeca.texto, cabeca.headers.etag], [200, '', etag]);
});

test.serial('um carnê imprime as parcelas em aberto, cada uma com o seu código', async (t) => {
  const a = await cobrado();
  const escrita = createTenantWriter(api.dono, a.provedor);
  const carne = await escrita.insert('carnes', {
    cliente_id: a.cliente,
    parcelas: 4,
    emitido_em: '2026-10-01 00:00:00.000',
  });
  const nova = (parcela: number, linha: { vencimento?: string; [coluna: string]: unknown }) =>
    a.fatura({
      tipo: 'carne',
      carne_id: carne,
      parcela,
      ...boletoDe({ vencimento: linha.vencimento ?? '2026-11-10' }),
      ...linha,
    });
  await nova(1, { situacao: 'paga', valor_pago: '99.90', vencimento: '2026-10-10' });
  const abertas = [
    await nova(2, {}),
    await nova(3, { vencimento: '2026-12-10' }),
    await nova(4, { vencimento: '2027-01-10', situacao: 'pendente' }),
  ];
  const pdf = await pdfDe(`/boleto/${abertas[1]!.token}`);
  const pix: string[] = [];
  for (const { id } of abertas) pix.push((await a.ler(id)).segunda_via.pix_copia_cola);
  const [lidos = []] = await codigosDoPdf(pdf, 200);
  t.deepEqual(
    lidos.filter((codigo) => codigo.startsWith('0002')),
    emOrdem(...pix),
  );
  const texto = await textoDoPdf(pdf);
  for (const parcela of ['2/4', '3/4', '4/4']) t.true(texto.includes(parcela), parcela);
  t.false(texto.includes('1/4'));
});

async function comCarne(parcelas: number) {
  const a = await cobrado();
  const escrita = createTenantWriter(api.dono, a.provedor);
  const carne = await escrita.insert('carnes', {
    cliente_id: a.cliente,
    parcelas,
    emitido_em: '2026-10-01 00:00:00.000',
  });
  const vencimento = '2026-12-10';
  const lamina = async (parcela: number, linha: object = {}) =>
    a.fatura({ tipo: 'carne', carne_id: carne, parcela, vencimento, ...boletoDe({ vencimento }), ...linha });
  return { ...a, lamina };
}

/** Which slips are on a paper, each told by its number of how many. */
async function laminasDe(token: string): Promise<string[]> {
  const texto = await textoDoPdf(await pdfDe(`/boleto/${token}`));
  return [...new Set(texto.match(/\b\d+\/(?:3|70)(?=\s)/g))];
}

test.serial('a lâmina que só tem a linha é impressa com as outras, e a de outro cliente não', async (t) => {
  const a = await comCarne(3);
  const codigo = gerarCodigoBarras({
    banco: '237',
    vencimento: '2026-12-10' as Data,
    valor: centavos(9990),
    campoLivre: '2949600000000004030006001',
  });
  const { token } = await a.lamina(1, { linha_digitavel: linhaDigitavel(codigo), codigo_barras: null });
  await a.lamina(2);
  const outro = await fabrica.cliente(a.provedor, { nome: 'Outra pessoa' });
  await a.lamina(3, { cliente_id: outro, contrato_id: null });
  t.deepEqual(await laminasDe(token), ['1/3', '2/3']);
});

test.serial('um carnê imprime até 60 lâminas, entre elas a que se pediu', async (t) => {
  const a = await comCarne(70);
  const tokens: string[] = [];
  for (let n = 1; n <= 70; n += 1) tokens.push((await a.lamina(n)).token);
  const primeiras = await laminasDe(tokens[0]!);
  t.deepEqual([primeiras.length, primeiras.at(-1)], [60, '60/70']);
  const ultimas = await laminasDe(tokens[69]!);
  t.deepEqual([ultimas.length, ultimas.at(-1)], [60, '70/70']);
});

for (const [oque, linha, meios] of [
  ['se pagou em parte', { valor_pago: '60.00' }, 'Falta pagar R$ 40,83'],
  ['não tem ficha de compensação', { linha_digitavel: CONTA, codigo_barras: null }, 'Falta pagar R$ 102,23'],
] as const) {
  test.serial(`o que ${oque} não tem boleto, e a página diz como pagar`, async (t) => {
    const a = await cobrado();
    const { id, token } = await a.fatura({ tipo: 'boleto', ...BOLETO, ...linha });
    const { status, texto, headers } = await pedirPagina(api, `/boleto/${token}`);
    t.deepEqual([status, headers['content-type']], [410, 'text/html; charset=utf-8']);
    t.true(dito(texto).includes(meios), dito(texto));
    t.true(texto.includes(`href="/pagar/${token}"`));
    t.is((await a.ler(id)).segunda_via.pdf, null);
    const pagar = await pedirPagina(api, `/pagar/${token}`);
    t.is(pagar.status, 200);
    t.false(pagar.texto.includes(`/boleto/`));
    t.is(pagar.texto.includes('Linha digitável'), !('valor_pago' in linha));
  });
}

test.serial('a conta de arrecadação é mostrada em quatro campos, e não é impressa', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura({ linha_digitavel: CONTA });
  const { texto } = await pedirPagina(api, `/pagar/${token}`);
  t.true(texto.includes('>83660000000-1 99900481001-9 80975657310-5 01589636080-5<'));
  t.is((await pedirPagina(api, `/boleto/${token}`)).status, 410);
});

// What is not the invoice's

for (const [oque, linha, motivo] of [
  ['o valor mudou depois do boleto', { valor: '109.90' }, 'o boleto emitido não confere com ela e foi retirado'],
  ['o vencimento mudou depois do boleto', { vencimento: '2026-11-11' }, 'não confere com ela'],
] as const) {
  test.serial(`onde ${oque}, nenhuma página o mostra, e o endereço dele diz por quê`, async (t) => {
    const a = await cobrado();
    const { token } = await a.fatura({ tipo: 'boleto', ...BOLETO, ...linha });
    const { status, texto, headers } = await pedirPagina(api, `/boleto/${token}`);
    t.deepEqual([status, headers['content-type']], [410, 'text/html; charset=utf-8']);
    t.true(dito(texto).includes(motivo), dito(texto));
    for (const pagina of ['pix', 'pagar']) {
      const vista = await pedirPagina(api, `/${pagina}/${token}`);
      t.is(vista.status, 200);
      t.notRegex(vista.texto, /23793|Linha digitável|\/boleto\//);
      t.truthy(codigoDa(vista.texto));
    }
  });
}

test.serial('uma página aberta se refaz quando o boleto que ela mostra é retirado', async (t) => {
  const a = await cobrado();
  const { id, token } = await a.fatura({ tipo: 'boleto', pix_txid: null, ...BOLETO });
  const situacao = async () => (await pedirPagina(api, `/pagar/${token}/situacao`)).texto;
  const antes = await situacao();
  t.notRegex(antes, /102|10223/);
  await api
    .dono('faturas')
    .where({ id })
    .update({ codigo_barras: boletoDe({ valor: 19_990 }).codigo_barras });
  t.not(await situacao(), antes);
});

test.serial('um carnê imprime só as lâminas que conferem com as suas faturas', async (t) => {
  const a = await comCarne(3);
  const { token } = await a.lamina(1);
  await a.lamina(2, { valor: '109.90' });
  await a.lamina(3);
  t.deepEqual(await laminasDe(token), ['1/3', '3/3']);
});

test.serial('o papel só diz a agência e a carteira que são do banco da linha', async (t) => {
  const a = await cobrado();
  const dados = { agenciaCodigo: '3069 / 828190', carteira: '17' };
  await api.container.configuracao.configurar(TERMINAL, a.provedor, dados);
  const sicoob = boletoDe({ banco: '756', campoLivre: '1306901082819000512020001' });
  const { token } = await a.fatura({ tipo: 'boleto', ...sicoob });
  const recusado = await pedirPagina(api, `/boleto/${token}`);
  t.is(recusado.status, 410);
  t.true(dito(recusado.texto).includes('o boleto não pode ser impresso, mas a linha digitável dele vale'));
  t.true((await pedirPagina(api, `/pagar/${token}`)).texto.includes('75691.30698'));
  await api.container.configuracao.configurar(TERMINAL, a.provedor, { carteira: '1' });
  t.true((await textoDoPdf(await pdfDe(`/boleto/${token}`))).includes('3069 / 828190'));
  // Of a bank whose free field nobody knows, only the provider can say that it is this one's.
  const outro = await a.fatura({ tipo: 'boleto', ...boletoDe({ banco: '085' }) });
  const papel = async () => textoDoPdf(await pdfDe(`/boleto/${outro.token}`));
  t.false((await papel()).includes('3069 / 828190'));
  await api.container.configuracao.configurar(TERMINAL, a.provedor, { banco: '085' });
  t.true((await papel()).includes('3069 / 828190'));
  t.is((await pedirPagina(api, `/boleto/${token}`)).status, 410);
});

for (const [quando, vencimento, comBoleto] of [
  ['vencida', '2026-11-10', true],
  ['em dia', '2026-12-10', true],
  ['em dia e sem boleto', '2026-12-10', false],
] as const) {
  test.serial(`um código do PSP sem valor é mostrado sem valor algum: ${quando}`, async (t) => {
    const a = await cobrado();
    const { id, token } = await a.fatura({
      tipo: 'boleto',
      vencimento,
      pix_txid: TXID_DO_PSP,
      pix_copia_cola: pixDoPsp(),
      ...(comBoleto ? boletoDe({ vencimento }) : {}),
    });
    const pix = await pedirPagina(api, `/pix/${token}`);
    t.is(codigoDa(pix.texto), pixDoPsp());
    t.is((await a.ler(id)).segunda_via.pix_copia_cola, pixDoPsp());
    t.notRegex(dito(pix.texto), /R\$|Multa|Juros|Total|refeito/);
    t.regex(dito(pix.texto), /O valor a pagar aparece no aplicativo do seu banco.*Quem recebe BARBARA PELE/);
    const pagar = await pedirPagina(api, `/pagar/${token}`);
    t.is(codigoDa(pagar.texto), pixDoPsp());
    // The boleto's own face value, and nothing beside the code.
    t.is(dito(pagar.texto).split('R$').length - 1, comBoleto ? 1 : 0);
    t.is(dito(pagar.texto).includes('O boleto é de R$ 99,90'), comBoleto);
    t.notRegex(dito(pagar.texto), /Multa R|Juros R|Total/);
    if (!comBoleto) return;
    const pdf = await pdfDe(`/boleto/${token}`);
    t.true((await codigosDoPdf(pdf, 150)).flat().includes(pixDoPsp()));
    t.notRegex(await textoDoPdf(pdf), /se pago até|102,23/);
  });
}

test.serial('um código do PSP que não confere não está em página nem papel algum', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura({
    tipo: 'boleto',
    ...BOLETO,
    pix_txid: TXID_DO_PSP,
    pix_copia_cola: pixDoPsp({ valor: '99.90' }),
  });
  for (const pagina of ['pix', 'pagar']) {
    const { texto } = await pedirPagina(api, `/${pagina}/${token}`);
    t.is(codigoDa(texto), undefined);
    t.true(dito(texto).includes('Linha digitável'));
  }
  const [[barras, ...outros] = []] = await codigosDoPdf(await pdfDe(`/boleto/${token}`), 150);
  t.deepEqual([barras, outros], [BOLETO.codigo_barras, []]);
});

test.serial('antes do vencimento, o que já se recebeu sem data está descontado na página', async (t) => {
  const a = await cobrado();
  const { id, token } = await a.fatura({ vencimento: '2026-12-10', valor_pago: '60.00' });
  const { texto } = await pedirPagina(api, `/pix/${token}`);
  t.true(dito(texto).includes('R$ 39,90 a pagar até 10/12/2026'), dito(texto));
  t.true(dito(texto).includes('Já recebido − R$ 60,00 Total R$ 39,90'), dito(texto));
  t.is(codigoDa(texto), (await a.ler(id)).segunda_via.pix_copia_cola);
});

test.serial('quinhentos pedidos do mesmo boleto ao mesmo tempo recebem os mesmos bytes', async (t) => {
  const a = await cobrado();
  const { token } = await a.fatura({ tipo: 'boleto', ...BOLETO });
  const pdfs = await Promise.all(Array.from({ length: 500 }, () => pdfDe(`/boleto/${token}`)));
  t.is(new Set(pdfs.map((pdf) => createHash('sha256').update(pdf).digest('hex'))).size, 1);
  t.true(pdfs[0]!.subarray(0, 5).equals(Buffer.from('%PDF-')));
});

test.serial(
  'duzentos boletos diferentes pedidos ao mesmo tempo são todos feitos, cada um com o seu código',
  async (t) => {
    const a = await cobrado();
    const faturas: Awaited<ReturnType<typeof a.fatura>>[] = [];
    for (let n = 0; n < 200; n += 1) faturas.push(await a.fatura({ tipo: 'boleto', ...BOLETO }));
    const pdfs = await Promise.all(faturas.map(async ({ token }) => pdfDe(`/boleto/${token}`)));
    for (const [n, pdf] of pdfs.entries()) {
      t.true(pdf.subarray(0, 5).equals(Buffer.from('%PDF-')) && pdf.subarray(-6).includes('%%EOF'));
      if (n % 50 === 0) t.true((await textoDoPdf(pdf)).includes(`${faturas[n]!.id}`));
    }
    t.is(new Set(pdfs.map((pdf) => createHash('sha256').update(pdf).digest('hex'))).size, 200);
  },
);
