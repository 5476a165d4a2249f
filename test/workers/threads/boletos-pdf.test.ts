import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { buffer } from 'node:stream/consumers';
import { deflateSync } from 'node:zlib';
import test from 'ava';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import type { Beneficiario, BoletosParaImprimir } from '../../../workers/threads/boletos-pdf/contract.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { boletosDeExemplo, carneDeExemplo, parcelaDeExemplo } from '../../support/boletos.ts';
import { codigosDoPdf, imagensDoPdf, palavrasDoPdf, textoDoPdf } from '../../support/leitores.ts';
import type { Palavra } from '../../support/leitores.ts';

const threads = createThreads({ maxThreads: 1 });

test.after.always(() => threads.close());

const imprimir = (boletos: BoletosParaImprimir): Promise<Buffer> => buffer(threads.stream('boletos-pdf', boletos));

/** What a scanner should read on each page, so many slips on each. */
function codigosDe({ parcelas }: BoletosParaImprimir, porPagina = 1): string[][] {
  const paginas = Array.from({ length: Math.ceil(parcelas.length / porPagina) }, (_, n) =>
    parcelas.slice(n * porPagina, (n + 1) * porPagina),
  );
  return paginas.map((pagina) =>
    pagina.flatMap(({ codigoBarras, pix }) => (pix === null ? [codigoBarras] : [codigoBarras, pix.codigo])).toSorted(),
  );
}

/** Pairs of words of a page that are written one over the other. The letters fill the middle of a word's box. */
function sobrepostas(palavras: readonly Palavra[]): string[] {
  const letras = palavras.map(({ pagina, texto, caixa: [x1, y1, x2, y2] }) => {
    const altura = y2 - y1;
    return { pagina, texto, x1: x1 + 0.3, x2: x2 - 0.3, y1: y1 + 0.3 * altura, y2: y2 - 0.25 * altura };
  });
  return letras.flatMap((a, n) =>
    letras
      .slice(n + 1)
      .filter((b) => a.pagina === b.pagina && a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2)
      .map((b) => `página ${a.pagina}: ${a.texto} sobre ${b.texto}`),
  );
}

const LONGO = 'Associação Comunitária dos Moradores e Amigos do Conjunto Habitacional Governador José Richa '.repeat(4);

/** Everything as long as it may come, and longer. */
function piorCaso(formato: BoletosParaImprimir['formato']): BoletosParaImprimir {
  const parte = { nome: LONGO, documento: '12ABC34501DE35', endereco: LONGO + 'x'.repeat(300) };
  const parcelas = [1, 2, 3].map((n) =>
    parcelaDeExemplo(n, {
      numeroDocumento: '1234567890123456789012345',
      agenciaCodigo: '1234567890-5 / 00123456789012-6',
      carteira: 'CARTEIRA SIMPLES 109',
      nossoNumero: '00000000000000000001234567-X',
      descricao: LONGO,
      parcela: '119/120',
      valor: centavos(9_999_999_999),
      instrucoes: Array.from({ length: 12 }, () => LONGO),
      // The longest account information that fits its field.
      pix: {
        codigo: `00020126990014br.gov.bcb.pix0177${'k'.repeat(77)}52040000530398654111234567.8${n}5802BR5925${'N'.repeat(25)}6015${'C'.repeat(15)}62290525${'T'.repeat(25)}6304ABCD`,
        quanto: { valor: centavos(9_999_999_999), validoAte: '2026-11-21' as Data },
      },
    }),
  );
  return boletosDeExemplo({
    formato,
    titulo: LONGO,
    parcelas,
    pagador: parte,
    beneficiario: {
      ...parte,
      contato: LONGO,
      logo: null,
    },
  });
}

test('um boleto traz a linha digitável, as partes, as datas e os valores, e o leitor lê o código de barras e o PIX', async (t) => {
  const boletos = boletosDeExemplo();
  const pdf = await imprimir(boletos);
  const texto = await textoDoPdf(pdf);
  const { linhaDigitavel } = boletos.parcelas[0]!;
  const grupos = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/.exec(linhaDigitavel)!.slice(1);
  const linha = `${grupos[0]}.${grupos[1]} ${grupos[2]}.${grupos[3]} ${grupos[4]}.${grupos[5]} ${grupos[6]} ${grupos[7]}`;
  t.is(texto.split(linha).length - 1, 2, texto);
  for (const vezes of ['Banco Bradesco S.A.', '237-2', '12.ABC.345/01DE-35', '529.982.247-25', '10/11/2026', '99,90']) {
    t.true(texto.split(vezes).length - 1 >= 2, vezes);
  }
  const trechos = [
    'RECIBO DO PAGADOR|FICHA DE COMPENSAÇÃO|Autenticação mecânica|Malha Telecomunicações Ltda|João da Silva Conceição',
    'Rua das Flores, 123|Avenida Paulista, 1000|(11) 4002-8922|01/11/2026|1234-5 / 0012345-6|09/00000000001-P|FAT-1001',
    'Internet fibra 600 Mega|multa de 2,00%|Pague também com PIX|R$ 102,23 se pago até 21/11/2026',
  ];
  for (const trecho of trechos.join('|').split('|')) {
    t.true(texto.includes(trecho), trecho);
  }
  t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(boletos));
  t.deepEqual(sobrepostas(await palavrasDoPdf(pdf)), []);
  t.true(pdf.length < 30_000, `${pdf.length} bytes`);
});

test('sem PIX, e com tudo o que pode faltar faltando, o boleto não fala de PIX e se lê', async (t) => {
  const { beneficiario } = boletosDeExemplo();
  const nada = { documento: null, endereco: null };
  const boletos = boletosDeExemplo({
    beneficiario: { ...beneficiario, ...nada, contato: null },
    pagador: { nome: 'Maria', ...nada },
    parcelas: [
      parcelaDeExemplo(1, {
        pix: null,
        agenciaCodigo: null,
        carteira: null,
        nossoNumero: null,
        descricao: null,
        instrucoes: [],
      }),
    ],
  });
  const pdf = await imprimir(boletos);
  const texto = await textoDoPdf(pdf);
  t.notRegex(texto, /PIX|null|undefined/);
  t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(boletos));
});

for (const formato of ['boleto', 'carne'] as const) {
  test(`um ${formato} não diz quanto se paga por um PIX que não leva valor`, async (t) => {
    const codigo =
      '00020126740014br.gov.bcb.pix2552payload.psp.com/3ec9d2f9-5f03-4e0e-820d-63a81e769e875204000053039865802BR' +
      '5912BARBARA PELE6015SAO MIGUEL DO O62070503***63040433';
    const boletos = boletosDeExemplo({ formato, parcelas: [parcelaDeExemplo(1, { pix: { codigo, quanto: null } })] });
    const pdf = await imprimir(boletos);
    const texto = await textoDoPdf(pdf);
    t.regex(texto, /Pague também com PIX[^]*O aplicativo do seu banco mostra o valor/);
    t.notRegex(texto, /se pago até|R\$ \d/);
    t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(boletos));
    t.deepEqual(sobrepostas(await palavrasDoPdf(pdf)), []);
  });
}

test('um carnê de sete lâminas tem três páginas, e o leitor lê os sete códigos de barras e os sete PIX', async (t) => {
  const carne = carneDeExemplo(7);
  const pdf = await imprimir(carne);
  t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(carne, 3));
  const palavras = await palavrasDoPdf(pdf);
  t.deepEqual(sobrepostas(palavras), []);
  const texto = await textoDoPdf(pdf);
  for (const [n, { numeroDocumento }] of carne.parcelas.entries()) {
    t.true(texto.includes(`${n + 1}/7`));
    t.is(texto.split(numeroDocumento).length - 1, 2, 'no canhoto e na ficha');
  }
});

for (const formato of ['boleto', 'carne'] as const) {
  test(`com textos longos demais, nada se sobrepõe nem sai da página e tudo se lê: ${formato}`, async (t) => {
    const boletos = piorCaso(formato);
    const pdf = await imprimir(boletos);
    const palavras = await palavrasDoPdf(pdf);
    t.deepEqual(sobrepostas(palavras), []);
    for (const { caixa, texto } of palavras) t.true(caixa[0] > 14 && caixa[2] < 581 && caixa[3] < 835, texto);
    const texto = await textoDoPdf(pdf);
    for (const { linhaDigitavel } of boletos.parcelas) {
      t.true(texto.replace(/[ .]/g, '').includes(linhaDigitavel));
    }
    t.true(texto.split('99.999.999,99').length - 1 >= 6);
    t.true(texto.split('CNPJ 12.ABC.345/01DE-35').length - 1 >= 6);
    t.deepEqual(await codigosDoPdf(pdf, 200), codigosDe(boletos, formato === 'carne' ? 3 : 1));
  });
}

test('o dígito do código de cada banco é o que ele imprime', async (t) => {
  const codigos = ['001-9', '033-7', '077-9', '085-1', '104-0', '237-2', '341-7', '748-X', '756-0', '999-7'];
  const parcelas = codigos.map((codigo) => parcelaDeExemplo(1, { banco: codigo.slice(0, 3), pix: null }));
  const texto = await textoDoPdf(await imprimir(boletosDeExemplo({ parcelas })));
  for (const [n, pagina] of texto.split('\f').slice(0, -1).entries())
    t.true(pagina.includes(` ${codigos[n]!} `), pagina);
  t.true(texto.includes('Banco 999'), 'um banco desconhecido tem ao menos o seu número');
});

test('o que as fontes não escrevem é transliterado, e nada do PDF se perde por isso', async (t) => {
  const boletos = boletosDeExemplo({
    titulo: 'Fatura de Łukasz & Cia <1> 😀',
    pagador: {
      nome: 'Łukasz Żółć 😀 Đặng Νίκος Ωmega “Müller” 李\u{d800}',
      documento: '52998224725',
      endereco: 'Rua\ttab\nlinha \u200b1º andar — nº 5 e\u0301',
    },
  });
  const pdf = await imprimir(boletos);
  const texto = await textoDoPdf(pdf);
  t.true(texto.includes('Lukasz Zólc Dang Nikos Omega “Müller” ?'), texto);
  t.true(texto.includes('Rua tab linha 1º andar — nº 5 é'), texto);
  t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(boletos));
});

test('a mesma entrada dá os mesmos bytes, em qualquer thread, e o título e a língua vão no arquivo', async (t) => {
  const outras = createThreads({ maxThreads: 1 });
  for (const boletos of [boletosDeExemplo(), carneDeExemplo(4)]) {
    const primeiro = await imprimir(boletos);
    t.is(Buffer.compare(primeiro, await imprimir(boletos)), 0);
    t.is(Buffer.compare(primeiro, await buffer(outras.stream('boletos-pdf', boletos))), 0);
    t.true(primeiro.includes('/Lang (pt-BR)') && primeiro.includes('/DisplayDocTitle true'));
  }
  t.true((await imprimir(boletosDeExemplo())).includes('(Boleto FAT-1001)'));
  await outras.close();
});

test('um logo que se lê é impresso uma vez só por arquivo, e um que não se lê é como se não houvesse', async (t) => {
  type Logo = readonly ['image/png' | 'image/jpeg', Uint8Array];
  const comLogo = ([tipo, bytes]: Logo, de = boletosDeExemplo()): BoletosParaImprimir => ({
    ...de,
    beneficiario: { ...de.beneficiario, logo: { tipo, bytes } } satisfies Beneficiario,
  });
  const semLogo = await imprimir(boletosDeExemplo());
  const [png] = await imagensDoPdf(semLogo, 20);
  const [jpeg] = await imagensDoPdf(semLogo, 20, 'jpeg');
  const transparente = pngTransparente();
  for (const logo of [
    ['image/png', png!],
    ['image/png', transparente],
    ['image/jpeg', jpeg!],
  ] satisfies Logo[]) {
    const boletos = comLogo(logo, carneDeExemplo(4));
    const pdf = await imprimir(boletos);
    t.true(pdf.includes('/Subtype /Image'));
    t.is(pdf.toString('latin1').split('/Subtype /Image').length - 1, logo[1] === transparente ? 2 : 1);
    t.deepEqual(await codigosDoPdf(pdf, 150), codigosDe(boletos, 3));
  }
  const estragado = Buffer.from(transparente);
  estragado.fill(0x55, 60, 80);
  for (const logo of [
    ['image/png', Buffer.alloc(0)],
    ['image/png', Buffer.from('<html>404</html>')],
    ['image/png', png!.subarray(0, png!.length / 2)],
    ['image/png', estragado],
    ['image/png', jpeg!],
    ['image/jpeg', jpeg!.subarray(0, 200)],
    ['image/jpeg', jpeg!.subarray(0, jpeg!.length - 2)],
    ['image/jpeg', png!],
  ] satisfies Logo[]) {
    t.is(Buffer.compare(await imprimir(comLogo(logo)), semLogo), 0);
  }
});

test('sem parcelas não há o que imprimir', async (t) => {
  await t.throwsAsync(imprimir(boletosDeExemplo({ parcelas: [] })), { instanceOf: RangeError });
});

test('só a thread que desenha tem a prioridade mais baixa', async (t) => {
  if (platform() !== 'linux') {
    t.pass();
    return;
  }
  await imprimir(boletosDeExemplo());
  const nices = readdirSync('/proc/self/task').map((tarefa) => {
    const campos = readFileSync(`/proc/self/task/${tarefa}/stat`, 'latin1').split(') ')[1]!.split(' ');
    return { tarefa, nice: Number(campos[16]) };
  });
  t.is(nices.filter(({ nice }) => nice === 19).length, 1);
  t.is(nices.find(({ tarefa }) => tarefa === String(process.pid))?.nice, 0);
});

/** An image that pdfkit has to open, to part its transparency from its colours. */
function pngTransparente(): Buffer {
  const lado = 32;
  const linha = Buffer.concat([Buffer.of(0), Buffer.alloc(4 * lado, Buffer.of(10, 90, 200, 128))]);
  const cabecalho = Buffer.from([0, 0, 0, lado, 0, 0, 0, lado, 8, 6, 0, 0, 0]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: lado }, () => linha)));
  const bloco = (tipo: string, dados: Buffer): Buffer => {
    const tamanho = Buffer.alloc(4);
    tamanho.writeUInt32BE(dados.length);
    return Buffer.concat([tamanho, Buffer.from(tipo, 'latin1'), dados, Buffer.alloc(4)]);
  };
  const assinatura = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([assinatura, bloco('IHDR', cabecalho), bloco('IDAT', pixels), bloco('IEND', Buffer.alloc(0))]);
}
