import { escreverData, escreverLinhaDigitavel, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { ParcelaImpressa } from './contract.ts';
import { desenharQr } from './codigos.ts';
import { assunto, cabecalhoDoBanco, campoDeParte, desenharFicha, frasesDoPix, linhaDeCampos } from './ficha.ts';
import type { MedidasDaFicha } from './ficha.ts';
import { criarFolha, MM } from './folha.ts';
import type { Folha, Impressao } from './folha.ts';
import { escreverDocumento } from './textos.ts';

const X = 12;
const LARGURA = 186;
const CORTE = 176;
const DEMONSTRATIVO = { y: 82, altura: 80 } as const;
const PIX = { largura: 62, lado: 46 } as const;
const CORPO = 8;

const MEDIDAS: MedidasDaFicha = {
  cabecalho: 9,
  linha: 7,
  linhaDeValor: 7,
  linhaDupla: 10.5,
  direita: 48,
  banco: 54,
  corpo: CORPO,
  linhaDigitavel: 11,
  antesDasBarras: 3,
  qr: null,
};

/** One page: the payer's receipt above, and below, after the cut, the slip for the bank (ficha de compensação). */
export function desenharBoleto(impressao: Impressao, parcela: ParcelaImpressa): void {
  impressao.doc.addPage();
  const recibo = criarFolha(impressao);
  desenharEmitente(impressao, recibo);
  desenharRecibo(impressao, recibo, parcela);
  recibo.imprimir('Recibo do pagador');

  const ficha = criarFolha(impressao);
  ficha.texto('Corte na linha pontilhada', X, CORTE - 1, LARGURA, { tamanho: 5.5, alinhar: 'direita' });
  ficha.corte(X, CORTE, X + LARGURA, CORTE);
  desenharFicha(impressao, ficha, parcela, { x: X, y: CORTE + 3, largura: LARGURA }, MEDIDAS);
  ficha.imprimir('Ficha de compensação');
}

function desenharEmitente({ doc, boletos: { beneficiario }, logo }: Impressao, folha: Folha): void {
  const x = logo === null ? X : X + 46;
  const largura = X + LARGURA - x;
  folha.texto(beneficiario.nome, x, 16, largura, { tamanho: 12, minimo: 7, negrito: true });
  const linhas = [escreverDocumento(beneficiario.documento), beneficiario.endereco ?? '', beneficiario.contato ?? ''];
  for (const [n, linha] of linhas.filter((texto) => texto !== '').entries()) {
    folha.texto(linha, x, 20.5 + n * 3.7, largura, { tamanho: 8 });
  }
  if (logo === null) return;
  folha.figura(`Logo: ${beneficiario.nome}`, () => {
    doc.image(logo, X * MM, 10 * MM, { fit: [42 * MM, 19 * MM], valign: 'center' });
  });
}

function desenharRecibo(impressao: Impressao, folha: Folha, parcela: ParcelaImpressa): void {
  const { beneficiario, pagador } = impressao.boletos;
  const { direita, linha, linhaDupla } = MEDIDAS;
  const esquerda = LARGURA - direita;
  const cabecalho = { x: X, y: 32, largura: LARGURA, altura: 9 };
  cabecalhoDoBanco(folha, cabecalho, MEDIDAS, { parcela, titulo: 'RECIBO DO PAGADOR', tamanho: 10 });

  const partes = [
    ['Beneficiário', beneficiario, 'Vencimento', escreverData(parcela.vencimento), 41],
    ['Pagador', pagador, '(=) Valor do documento', escreverValor(parcela.valor), 41 + linhaDupla],
  ] as const;
  for (const [rotulo, parte, nome, valor, y] of partes) {
    const caixa = { x: X, y, largura: LARGURA, altura: linhaDupla };
    campoDeParte(folha, rotulo, parte, { ...caixa, largura: esquerda }, CORPO);
    linhaDeCampos(
      folha,
      caixa,
      [
        { rotulo: '', valor: '', largura: esquerda },
        { rotulo: nome, valor, largura: direita, alinhar: 'direita', negrito: true },
      ],
      10,
    );
  }
  const y = 41 + 2 * linhaDupla;
  linhaDeCampos(
    folha,
    { x: X, y, largura: LARGURA, altura: linha },
    [
      { rotulo: 'Nosso número', valor: parcela.nossoNumero ?? '', largura: 48 },
      { rotulo: 'Nº do documento', valor: parcela.numeroDocumento, largura: 48 },
      { rotulo: 'Data do documento', valor: escreverData(parcela.emissao), largura: 42 },
      {
        rotulo: 'Agência / Código do beneficiário',
        valor: parcela.agenciaCodigo ?? '',
        largura: direita,
        alinhar: 'direita',
      },
    ],
    CORPO,
  );
  linhaDeCampos(
    folha,
    { x: X, y: y + linha, largura: LARGURA, altura: linha },
    [
      {
        rotulo: 'Linha digitável',
        valor: escreverLinhaDigitavel(parcela.linhaDigitavel),
        largura: esquerda,
        negrito: true,
      },
      { rotulo: '(=) Valor cobrado', valor: '', largura: direita },
    ],
    9,
  );
  desenharDemonstrativo(impressao, folha, parcela);
  folha.texto('Autenticação mecânica', X, DEMONSTRATIVO.y + DEMONSTRATIVO.altura + 3, LARGURA, {
    tamanho: 6,
    alinhar: 'direita',
  });
}

function desenharDemonstrativo({ doc }: Impressao, folha: Folha, parcela: ParcelaImpressa): void {
  const { y, altura } = DEMONSTRATIVO;
  const { pix } = parcela;
  const largura = LARGURA - (pix === null ? 0 : PIX.largura);
  folha.campo('Demonstrativo', '', { x: X, y, largura, altura }, { tamanho: CORPO });
  folha.paragrafos(
    [...assunto(parcela), ...parcela.instrucoes],
    { x: X + 1, y: y + 3.5, largura: largura - 4, altura: altura - 5 },
    [9, 8, 7, 6, 5],
  );
  if (pix === null) return;
  const x = X + largura;
  const [chamada, valor] = frasesDoPix(pix);
  const centro = { alinhar: 'centro' } as const;
  const direita = X + LARGURA;
  folha.texto(chamada, x + 2, y + 8, PIX.largura - 4, { tamanho: 12, negrito: true, ...centro });
  folha.figura(`QR code do PIX: ${valor}`, () =>
    desenharQr(doc, pix.codigo, x + (PIX.largura - PIX.lado) / 2, y + 10, PIX.lado),
  );
  folha.texto(valor, x + 2, y + 61, PIX.largura - 4, { tamanho: 10, negrito: true, ...centro });
  folha.texto('Aponte a câmera do aplicativo do seu banco.', x + 2, y + 66, PIX.largura - 4, { tamanho: 7, ...centro });
  folha.texto('Pague por um só meio: o PIX ou o boleto.', x + 2, y + 69.5, PIX.largura - 4, { tamanho: 7, ...centro });
  for (const lado of [x, direita]) folha.risco(lado, y + 2, lado, y + 73);
  for (const borda of [y + 2, y + 73]) folha.risco(x, borda, direita, borda);
}
