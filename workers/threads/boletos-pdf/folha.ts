import type { BoletosParaImprimir } from './contract.ts';
import { emWinAnsi } from './textos.ts';

/** The document that is drawn in, and what is drawn in it. */
export interface Impressao {
  readonly doc: PDFKit.PDFDocument;
  /** The element that holds all others of the tagged PDF. */
  readonly raiz: PDFKit.PDFStructureElement;
  readonly boletos: BoletosParaImprimir;
  /** `data:` URL of an image that can be drawn. */
  readonly logo: string | null;
}

/** All in millimetres from the page's upper left corner, save letters, which are in points. */
export interface Caixa {
  readonly x: number;
  readonly y: number;
  readonly largura: number;
  readonly altura: number;
}

export interface Estilo {
  readonly tamanho: number;
  /** How small the letters become to make the text fit; beyond that it is cut with an ellipsis. */
  readonly minimo?: number;
  readonly negrito?: boolean;
  readonly alinhar?: 'esquerda' | 'centro' | 'direita';
}

export type Folha = ReturnType<typeof criarFolha>;

export const MM = 72 / 25.4;
const MARGEM = 1;
const ROTULO = { tamanho: 5.5, minimo: 4.5 } as const;
const MINIMO = 5.5;
const ENTRELINHA = 1.18;

/**
 * Takes the rules, texts and figures of a part of the page and writes them together: in the tagged PDF rules are
 * artifacts, which a screen reader passes over, and the rest is read in the order in which it was asked for.
 */
export function criarFolha({ doc, raiz }: Impressao) {
  const tracos: (() => void)[] = [];
  const textos: (() => void)[] = [];
  const figuras: { readonly alt: string; readonly desenhar: () => void }[] = [];

  function medir(texto: string, negrito: boolean): number {
    // Measured large, to be divided for any size.
    return doc.font(negrito ? 'Helvetica-Bold' : 'Helvetica', 1000).widthOfString(texto) / 1000 / MM;
  }

  /** The longest beginning of the text that fits, with an ellipsis. */
  function cortar(texto: string, largura: number, tamanho: number, negrito: boolean): string {
    if (medir(texto, negrito) * tamanho <= largura) return texto;
    let cabe = 0;
    // The narrowest letter takes 0.19 of its size: more characters never fit, and a huge text is not measured whole.
    let naoCabe = Math.min(texto.length, Math.ceil((largura * MM) / (tamanho * 0.15)));
    while (naoCabe - cabe > 1) {
      const meio = Math.floor((cabe + naoCabe) / 2);
      if (medir(`${texto.slice(0, meio).trimEnd()}…`, negrito) * tamanho <= largura) cabe = meio;
      else naoCabe = meio;
    }
    return `${texto.slice(0, cabe).trimEnd()}…`;
  }

  /** The text broken into lines between words, or within a word that does not fit by itself. */
  function* quebrar(texto: string, largura: number, tamanho: number): Generator<string> {
    let linha = '';
    for (const palavra of texto.split(' ')) {
      const junto = linha === '' ? palavra : `${linha} ${palavra}`;
      if (medir(junto, false) * tamanho <= largura) {
        linha = junto;
        continue;
      }
      if (linha !== '') yield linha;
      linha = palavra;
      while (medir(linha, false) * tamanho > largura) {
        const pedaco = cortar(linha, largura, tamanho, false).slice(0, -1);
        if (pedaco === '') break;
        yield pedaco;
        linha = linha.slice(pedaco.length);
      }
    }
    if (linha !== '') yield linha;
  }

  /** The lines of the texts, up to one more than fit: that is enough to know that they do not. */
  function linhasAte(cabem: number, textosLimpos: readonly string[], largura: number, tamanho: number): string[] {
    const linhas: string[] = [];
    for (const texto of textosLimpos) {
      for (const linha of quebrar(texto, largura, tamanho)) {
        if (linhas.push(linha) > cabem) return linhas;
      }
    }
    return linhas;
  }

  function escrever(texto: string, x: number, base: number, largura: number, estilo: Estilo): void {
    const limpo = emWinAnsi(texto);
    if (limpo === '') return;
    const { negrito = false, alinhar = 'esquerda', minimo = MINIMO } = estilo;
    const inteiro = medir(limpo, negrito);
    const tamanho = Math.max(Math.min(estilo.tamanho, largura / inteiro), Math.min(minimo, estilo.tamanho));
    // Measuring, with the kerning of each pair of letters, costs a boleto most: done once where the text fits.
    const cabe = inteiro * tamanho <= largura + 0.01 ? limpo : cortar(limpo, largura, tamanho, negrito);
    const sobra = largura - (cabe === limpo ? inteiro : medir(cabe, negrito)) * tamanho;
    const recuo = { esquerda: 0, centro: sobra / 2, direita: sobra }[alinhar];
    textos.push(() => {
      doc
        .font(negrito ? 'Helvetica-Bold' : 'Helvetica', tamanho)
        // The space tells this text from the next for whoever copies or hears it.
        .text(`${cabe} `, (x + recuo) * MM, base * MM, { lineBreak: false, baseline: 'alphabetic' });
    });
  }

  return {
    risco(x1: number, y1: number, x2: number, y2: number, espessura = 0.2): void {
      tracos.push(() => {
        doc
          .lineWidth(espessura * MM)
          .moveTo(x1 * MM, y1 * MM)
          .lineTo(x2 * MM, y2 * MM)
          .stroke('black');
      });
    },

    /** Where the paper is cut. */
    corte(x1: number, y1: number, x2: number, y2: number): void {
      tracos.push(() => {
        doc.save();
        doc
          .lineWidth(0.2 * MM)
          .dash(MM, { space: MM })
          .moveTo(x1 * MM, y1 * MM)
          .lineTo(x2 * MM, y2 * MM)
          .stroke('black')
          .restore();
      });
    },

    /** One line of text; `base` is the height on which the letters stand. */
    texto: escrever,

    /** A value below its small label, as in the boxes of a boleto. */
    campo(rotulo: string, valor: string, caixa: Caixa, estilo: Estilo): void {
      const x = caixa.x + MARGEM;
      const largura = caixa.largura - 2 * MARGEM;
      escrever(rotulo, x, caixa.y + 2.2, largura, ROTULO);
      escrever(valor, x, caixa.y + caixa.altura - 1.3, largura, estilo);
    },

    /** Paragraphs in a box: the letters become smaller until all fit, and what is still too long is cut. */
    paragrafos(lista: readonly string[], caixa: Caixa, tamanhos: readonly number[]): void {
      const limpos = lista.map(emWinAnsi).filter((texto) => texto !== '');
      for (const [n, tamanho] of tamanhos.entries()) {
        const passo = (tamanho * ENTRELINHA) / MM;
        const cabem = Math.floor(caixa.altura / passo);
        const linhas = linhasAte(cabem, limpos, caixa.largura, tamanho);
        const ultimo = n === tamanhos.length - 1;
        if (linhas.length > cabem && !ultimo) continue;
        const visiveis = linhas.slice(0, cabem);
        if (linhas.length > cabem) visiveis.push(`${visiveis.pop() ?? ''}…`);
        for (const [i, linha] of visiveis.entries()) {
          escrever(linha, caixa.x, caixa.y + passo * (i + 0.8), caixa.largura, { tamanho, minimo: tamanho });
        }
        return;
      }
    },

    /** @param alt - what a screen reader says in place of the figure. */
    figura(alt: string, desenhar: () => void): void {
      figuras.push({ alt, desenhar });
    },

    imprimir(titulo: string): void {
      doc.markContent('Artifact', { type: 'Layout' });
      for (const tracar of tracos) tracar();
      doc.endMarkedContent();
      const parte = doc.struct('Sect', { title: titulo });
      raiz.add(parte);
      parte.add(
        doc.struct('P', {}, () => {
          for (const escreverTexto of textos) escreverTexto();
        }),
      );
      for (const { alt, desenhar } of figuras) parte.add(doc.struct('Figure', { alt }, desenhar));
      parte.end();
    },
  };
}
