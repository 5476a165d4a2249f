import { escreverData, escreverLinhaDigitavel, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { Parte, ParcelaImpressa } from './contract.ts';
import { bancoDoCodigo } from './bancos.ts';
import { BARRAS, desenharBarras, desenharQr } from './codigos.ts';
import type { Caixa, Estilo, Folha, Impressao } from './folha.ts';
import { escreverDocumento } from './textos.ts';

/** The measures, in millimetres, in which the slip of a whole page and that of a carnê differ. */
export interface MedidasDaFicha {
  readonly cabecalho: number;
  readonly linha: number;
  /** Of each of the five beside the instructions. */
  readonly linhaDeValor: number;
  /** Of a row of two lines of text. */
  readonly linhaDupla: number;
  /** Width of the column of amounts. */
  readonly direita: number;
  readonly banco: number;
  readonly corpo: number;
  readonly linhaDigitavel: number;
  /** From the last rule to the bars. */
  readonly antesDasBarras: number;
  /** Side of the PIX's QR code within the area of instructions; null where it stands elsewhere. */
  readonly qr: number | null;
}

interface Campo {
  readonly rotulo: string;
  readonly valor: string;
  readonly largura: number;
  readonly alinhar?: Estilo['alinhar'];
  readonly negrito?: boolean;
}

const LOCAL_DE_PAGAMENTO = 'Pagável em qualquer banco, pelo aplicativo, caixa eletrônico, correspondente ou lotérica';

/** Fields side by side, with the rules between them and the one that closes them below. */
export function linhaDeCampos(folha: Folha, caixa: Caixa, campos: readonly Campo[], tamanho: number): void {
  let { x } = caixa;
  for (const { rotulo, valor, largura, alinhar = 'esquerda', negrito = false } of campos) {
    folha.campo(rotulo, valor, { ...caixa, x, largura }, { tamanho, alinhar, negrito });
    folha.risco(x, caixa.y, x, caixa.y + caixa.altura);
    x += largura;
  }
  folha.risco(x, caixa.y, x, caixa.y + caixa.altura);
  folha.risco(caixa.x, caixa.y + caixa.altura, x, caixa.y + caixa.altura);
}

/** Name and code of the bank and, on the right, the typed line or the name of the copy. */
export function cabecalhoDoBanco(
  folha: Folha,
  caixa: Caixa,
  medidas: MedidasDaFicha,
  { parcela, titulo, tamanho }: { parcela: ParcelaImpressa; titulo: string; tamanho: number },
): void {
  const banco = bancoDoCodigo(parcela.codigoBarras);
  const base = caixa.y + caixa.altura - 1.8;
  const codigo = caixa.x + medidas.banco;
  const depois = codigo + 18;
  folha.texto(banco.nome, caixa.x, base, medidas.banco - 2, { tamanho: 10, minimo: 6, negrito: true });
  folha.texto(banco.codigo, codigo, base, 18, { tamanho: 14, negrito: true, alinhar: 'centro' });
  folha.texto(titulo, depois + 2, base, caixa.largura - (depois + 2 - caixa.x), {
    tamanho,
    negrito: true,
    alinhar: 'direita',
  });
  for (const x of [codigo, depois]) folha.risco(x, caixa.y + 1, x, caixa.y + caixa.altura, 0.5);
  folha.risco(caixa.x, caixa.y + caixa.altura, caixa.x + caixa.largura, caixa.y + caixa.altura, 0.5);
}

/** Name and document in one line, address in the other: the document is never cut. */
export function campoDeParte(folha: Folha, rotulo: string, parte: Parte, caixa: Caixa, corpo: number): void {
  const documento = 38;
  const [x, largura] = [caixa.x + 1, caixa.largura - 2];
  folha.campo(rotulo, '', caixa, { tamanho: corpo });
  const nome = caixa.y + 2.2 + (corpo * 1.12 * 25.4) / 72;
  folha.texto(parte.nome, x, nome, largura - documento - 1, { tamanho: corpo });
  folha.texto(escreverDocumento(parte.documento), x + largura - documento, nome, documento, {
    tamanho: corpo,
    alinhar: 'direita',
  });
  folha.texto(parte.endereco ?? '', x, caixa.y + caixa.altura - 1.1, largura, { tamanho: corpo - 1 });
}

/** What is said of the PIX: how much, and until when that amount holds. */
export function frasesDoPix({
  quanto,
}: NonNullable<ParcelaImpressa['pix']>): readonly [chamada: string, valor: string] {
  const valor =
    quanto === null
      ? 'O aplicativo do seu banco mostra o valor'
      : `R$ ${escreverValor(quanto.valor)} se pago até ${escreverData(quanto.validoAte)}`;
  return ['Pague também com PIX', valor];
}

/** What the instructions say before the beneficiary's own. */
export function assunto({ descricao, parcela }: ParcelaImpressa): string[] {
  const partes = [descricao, parcela === null ? null : `Parcela ${parcela}`].filter((parte) => parte !== null);
  return partes.length === 0 ? [] : [partes.join(' - ')];
}

/** The ficha de compensação, as banks print it (FEBRABAN), from the corner (x, y) and of the given width. */
export function desenharFicha(
  { doc, boletos: { beneficiario, pagador } }: Impressao,
  folha: Folha,
  parcela: ParcelaImpressa,
  { x, y, largura }: Omit<Caixa, 'altura'>,
  medidas: MedidasDaFicha,
): void {
  const { linha, linhaDeValor, linhaDupla, direita, corpo } = medidas;
  const esquerda = largura - direita;
  const titulo = escreverLinhaDigitavel(parcela.linhaDigitavel);
  const emissao = escreverData(parcela.emissao);
  let topo = y;
  const descer = (altura: number): Caixa => {
    topo += altura;
    return { x, y: topo - altura, largura, altura };
  };
  const valor = (rotulo: string, conteudo: string, negrito = false): Campo => ({
    rotulo,
    valor: conteudo,
    largura: direita,
    alinhar: 'direita',
    negrito,
  });
  const campos = (...lista: readonly Campo[]): void => linhaDeCampos(folha, descer(linha), lista, corpo);
  /** Fields of proportional widths that add up to the left column. */
  const proporcionais = (...lista: readonly (readonly [rotulo: string, valor: string, partes: number])[]): Campo[] => {
    const partes = lista.reduce((soma, [, , n]) => soma + n, 0);
    return lista.map(([rotulo, conteudo, n]) => ({ rotulo, valor: conteudo, largura: (esquerda * n) / partes }));
  };

  cabecalhoDoBanco(folha, descer(medidas.cabecalho), medidas, { parcela, titulo, tamanho: medidas.linhaDigitavel });
  campos(
    { rotulo: 'Local de pagamento', valor: LOCAL_DE_PAGAMENTO, largura: esquerda },
    valor('Vencimento', escreverData(parcela.vencimento), true),
  );
  const caixa = descer(linhaDupla);
  campoDeParte(folha, 'Beneficiário', beneficiario, { ...caixa, largura: esquerda }, corpo);
  linhaDeCampos(
    folha,
    caixa,
    [
      { rotulo: '', valor: '', largura: esquerda },
      valor('Agência / Código do beneficiário', parcela.agenciaCodigo ?? ''),
    ],
    corpo,
  );
  campos(
    ...proporcionais(
      ['Data do documento', emissao, 22],
      ['Nº do documento', parcela.numeroDocumento, 32],
      ['Espécie doc.', 'DS', 14],
      ['Aceite', 'N', 11],
      ['Data do processamento', emissao, 24],
    ),
    valor('Nosso número', parcela.nossoNumero ?? ''),
  );
  campos(
    ...proporcionais(
      ['Uso do banco', '', 22],
      ['Carteira', parcela.carteira ?? '', 18],
      ['Espécie', 'R$', 14],
      ['Quantidade', '', 25],
      ['(x) Valor', '', 24],
    ),
    valor('(=) Valor do documento', escreverValor(parcela.valor), true),
  );
  instrucoes(doc, folha, parcela, { x, y: topo, largura: esquerda, altura: 5 * linhaDeValor }, medidas);
  for (const rotulo of [
    '(-) Desconto / Abatimento',
    '(-) Outras deduções',
    '(+) Mora / Multa',
    '(+) Outros acréscimos',
    '(=) Valor cobrado',
  ]) {
    linhaDeCampos(folha, { ...descer(linhaDeValor), x: x + esquerda }, [valor(rotulo, '')], corpo);
  }
  const doPagador = descer(linhaDupla);
  folha.risco(x, doPagador.y, x + esquerda, doPagador.y);
  linhaDeCampos(folha, doPagador, [{ rotulo: '', valor: '', largura }], corpo);
  campoDeParte(folha, 'Pagador', pagador, { ...doPagador, largura: esquerda }, corpo);
  folha.texto('Cód. baixa', x + esquerda + 1, topo - 1.1, direita - 2, { tamanho: 5.5 });

  const barras = topo + medidas.antesDasBarras;
  folha.figura(`Código de barras: ${titulo}`, () => desenharBarras(doc, parcela.codigoBarras, x + 5, barras));
  const resto = x + BARRAS.largura + 12;
  const via = { tamanho: 7, negrito: true, alinhar: 'direita' } as const;
  folha.texto('FICHA DE COMPENSAÇÃO', resto, topo + 3.4, x + largura - resto, via);
  folha.texto('Autenticação mecânica', resto, topo + 6.2, x + largura - resto, { tamanho: 6, alinhar: 'direita' });
}

function instrucoes(
  doc: PDFKit.PDFDocument,
  folha: Folha,
  parcela: ParcelaImpressa,
  caixa: Caixa,
  { qr }: MedidasDaFicha,
): void {
  const { pix } = parcela;
  folha.risco(caixa.x, caixa.y, caixa.x, caixa.y + caixa.altura);
  const doQr = pix === null || qr === null ? 0 : qr;
  const texto = { ...caixa, largura: caixa.largura - doQr };
  folha.campo('Instruções (texto de responsabilidade do beneficiário)', '', texto, { tamanho: 7 });
  const chamada = doQr === 0 ? 0 : 8;
  folha.paragrafos(
    [...assunto(parcela), ...parcela.instrucoes],
    { x: texto.x + 1, y: texto.y + 3, largura: texto.largura - 2, altura: texto.altura - 3.5 - chamada },
    [7.5, 7, 6.5, 6, 5.5, 5],
  );
  if (pix === null || qr === null) return;
  const base = caixa.y + caixa.altura - 1.6;
  const [titulo, valor] = frasesDoPix(pix);
  folha.texto(titulo, texto.x + 1, base - 3.6, texto.largura - 2, { tamanho: 8, negrito: true, alinhar: 'direita' });
  folha.texto(valor, texto.x + 1, base, texto.largura - 2, { tamanho: 8, alinhar: 'direita' });
  folha.figura(`QR code do PIX: ${valor}`, () =>
    desenharQr(doc, pix.codigo, texto.x + texto.largura, caixa.y + (caixa.altura - qr) / 2, qr),
  );
}
