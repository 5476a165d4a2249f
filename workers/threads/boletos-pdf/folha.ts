import type { BoletosParaImprimir } from './contract.ts';
import { emWinAnsi } from './textos.ts';

/** O documento em que se desenha e o que se desenha nele. */
export interface Impressao {
  readonly doc: PDFKit.PDFDocument;
  /** O elemento que contém todos os outros do PDF marcado. */
  readonly raiz: PDFKit.PDFStructureElement;
  readonly boletos: BoletosParaImprimir;
  /** URL `data:` de uma imagem que se pode desenhar. */
  readonly logo: string | null;
}

/** Tudo em milímetros desde o canto superior esquerdo da página, menos as letras, que são em pontos. */
export interface Caixa {
  readonly x: number;
  readonly y: number;
  readonly largura: number;
  readonly altura: number;
}

export interface Estilo {
  readonly tamanho: number;
  /** Até onde a letra diminui para o texto caber; depois disso ele é cortado com reticências. */
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
 * Recebe os traços, textos e figuras de uma parte da página e os escreve juntos: no PDF marcado os traços são
 * artefatos, que um leitor de tela salta, e o resto é lido na ordem em que foi pedido.
 */
export function criarFolha({ doc, raiz }: Impressao) {
  const tracos: (() => void)[] = [];
  const textos: (() => void)[] = [];
  const figuras: { readonly alt: string; readonly desenhar: () => void }[] = [];

  function medir(texto: string, negrito: boolean): number {
    // Medido grande, para dividir pelo tamanho que for.
    return doc.font(negrito ? 'Helvetica-Bold' : 'Helvetica', 1000).widthOfString(texto) / 1000 / MM;
  }

  /** O maior começo do texto que cabe, com reticências. */
  function cortar(texto: string, largura: number, tamanho: number, negrito: boolean): string {
    if (medir(texto, negrito) * tamanho <= largura) return texto;
    let cabe = 0;
    // A letra mais estreita tem 0,19 do tamanho: além disto nada cabe, e um texto enorme não é medido inteiro.
    let naoCabe = Math.min(texto.length, Math.ceil((largura * MM) / (tamanho * 0.15)));
    while (naoCabe - cabe > 1) {
      const meio = Math.floor((cabe + naoCabe) / 2);
      if (medir(`${texto.slice(0, meio).trimEnd()}…`, negrito) * tamanho <= largura) cabe = meio;
      else naoCabe = meio;
    }
    return `${texto.slice(0, cabe).trimEnd()}…`;
  }

  /** O texto quebrado em linhas entre palavras, ou dentro de uma palavra que sozinha não cabe. */
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

  /** As linhas dos textos, até uma a mais do que as que cabem: com isso se sabe que não cabem, e basta. */
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
    // Medir, com o espaço de cada par de letras, é o que mais custa em um boleto: uma vez só, se o texto couber.
    const cabe = inteiro * tamanho <= largura + 0.01 ? limpo : cortar(limpo, largura, tamanho, negrito);
    const sobra = largura - (cabe === limpo ? inteiro : medir(cabe, negrito)) * tamanho;
    const recuo = { esquerda: 0, centro: sobra / 2, direita: sobra }[alinhar];
    textos.push(() => {
      doc
        .font(negrito ? 'Helvetica-Bold' : 'Helvetica', tamanho)
        // O espaço separa este texto do seguinte para quem o copia ou ouve.
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

    /** Onde se corta o papel. */
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

    /** Uma linha de texto; `base` é a altura em que as letras se apoiam. */
    texto: escrever,

    /** Um valor sob o seu rótulo pequeno, como nas caixas de um boleto. */
    campo(rotulo: string, valor: string, caixa: Caixa, estilo: Estilo): void {
      const x = caixa.x + MARGEM;
      const largura = caixa.largura - 2 * MARGEM;
      escrever(rotulo, x, caixa.y + 2.2, largura, ROTULO);
      escrever(valor, x, caixa.y + caixa.altura - 1.3, largura, estilo);
    },

    /** Parágrafos dentro de uma caixa: a letra diminui até todos caberem, e o que ainda sobra é cortado. */
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

    /** @param alt - o que um leitor de tela diz no lugar da figura. */
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
