import { escreverData, escreverValor } from '../../../src/brazil/dinheiro/escrita.ts';
import type { ParcelaImpressa } from './contract.ts';
import { bancoDoCodigo } from './bancos.ts';
import { desenharFicha, linhaDeCampos } from './ficha.ts';
import type { MedidasDaFicha } from './ficha.ts';
import { criarFolha, MM } from './folha.ts';
import type { Folha, Impressao } from './folha.ts';
import { escreverDocumento } from './textos.ts';

/** Slips on a page. */
const LAMINAS = 3;
const ALTURA = 297 / LAMINAS;
const CANHOTO = { x: 7, largura: 38 } as const;
const CORTE = 47.5;
const FICHA = { x: 50, largura: 153 } as const;
const CORPO = 7;

const MEDIDAS: MedidasDaFicha = {
  cabecalho: 7,
  linha: 6.1,
  linhaDeValor: 6.4,
  linhaDupla: 8.5,
  direita: 36,
  banco: 34,
  corpo: CORPO,
  linhaDigitavel: 10,
  antesDasBarras: 2,
  qr: 32,
};

/** Three slips on a page, each a stub that the receiver keeps and the ficha de compensação. */
export function desenharCarne(impressao: Impressao): void {
  for (const [n, parcela] of impressao.boletos.parcelas.entries()) {
    const posicao = n % LAMINAS;
    if (posicao === 0) impressao.doc.addPage();
    const y = posicao * ALTURA + 4;
    const folha = criarFolha(impressao);
    if (posicao > 0) folha.corte(5, posicao * ALTURA, 205, posicao * ALTURA);
    folha.corte(CORTE, y, CORTE, y + ALTURA - 9);
    desenharCanhoto(impressao, folha, parcela, y);
    desenharFicha(impressao, folha, parcela, { ...FICHA, y }, MEDIDAS);
    folha.imprimir(parcela.parcela === null ? `Boleto ${parcela.numeroDocumento}` : `Parcela ${parcela.parcela}`);
  }
}

function desenharCanhoto(impressao: Impressao, folha: Folha, parcela: ParcelaImpressa, y: number): void {
  const { doc, logo } = impressao;
  const { beneficiario, pagador } = impressao.boletos;
  const { x, largura } = CANHOTO;
  const { cabecalho, linha } = MEDIDAS;
  const { codigo } = bancoDoCodigo(parcela.codigoBarras);
  folha.texto(codigo, x, y + cabecalho - 1.8, 16, { tamanho: 12, negrito: true });
  folha.texto('RECIBO DO PAGADOR', x + 16, y + cabecalho - 1.8, largura - 16, {
    tamanho: 6,
    negrito: true,
    alinhar: 'direita',
  });
  folha.risco(x, y + cabecalho, x + largura, y + cabecalho, 0.5);

  const campos: readonly (readonly [rotulo: string, valor: string, negrito?: boolean])[] = [
    ['Vencimento', escreverData(parcela.vencimento), true],
    ['Agência / Código do beneficiário', parcela.agenciaCodigo ?? ''],
    ['Nosso número', parcela.nossoNumero ?? ''],
    ['Nº do documento', parcela.numeroDocumento],
    ['(=) Valor do documento', escreverValor(parcela.valor), true],
    ['(-) Desconto / (+) Mora / Multa', ''],
    ['(=) Valor cobrado', ''],
  ];
  let topo = y + cabecalho;
  const descer = (altura: number) => {
    topo += altura;
    return { x, y: topo - altura, largura, altura };
  };
  const [primeiro, ...demais] = campos;
  const [rotulo, valor] = primeiro ?? ['', ''];
  linhaDeCampos(
    folha,
    descer(linha),
    [
      { rotulo: 'Parcela', valor: parcela.parcela ?? '', largura: 15, negrito: true },
      { rotulo, valor, largura: largura - 15, alinhar: 'direita', negrito: true },
    ],
    CORPO + 0.5,
  );
  for (const [nome, conteudo, negrito = false] of demais) {
    linhaDeCampos(
      folha,
      descer(linha),
      [{ rotulo: nome, valor: conteudo, largura, alinhar: 'direita', negrito }],
      CORPO,
    );
  }
  for (const [papel, parte] of [
    ['Beneficiário', beneficiario],
    ['Pagador', pagador],
  ] as const) {
    const caixa = descer(MEDIDAS.linhaDupla);
    linhaDeCampos(folha, caixa, [{ rotulo: papel, valor: '', largura }], CORPO);
    folha.texto(parte.nome, x + 1, caixa.y + 4.8, largura - 2, { tamanho: CORPO - 0.5 });
    folha.texto(escreverDocumento(parte.documento), x + 1, caixa.y + 7.5, largura - 2, { tamanho: CORPO - 0.5 });
  }
  if (logo === null) return;
  const altura = y + ALTURA - 10 - topo - 1;
  folha.figura(`Logo: ${beneficiario.nome}`, () => {
    doc.image(logo, x * MM, (topo + 1) * MM, { fit: [largura * MM, altura * MM], align: 'center', valign: 'center' });
  });
}
