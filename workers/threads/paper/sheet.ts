import { toWinAnsi } from './texts.ts';

/** A PDF document that is being drawn. */
export interface Paper {
  readonly doc: PDFKit.PDFDocument;
  /** The root element of the tagged PDF. */
  readonly root: PDFKit.PDFStructureElement;
}

/** In millimetres from the upper left corner of the page. Only font sizes are in points. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Style {
  readonly size: number;
  /** The smallest font size to which a long text is reduced. If it still does not fit, it is cut with an ellipsis. */
  readonly smallest?: number;
  readonly bold?: boolean;
  readonly align?: 'left' | 'center' | 'right';
  /** Black unless told otherwise. */
  readonly color?: string;
}

export type Sheet = ReturnType<typeof createSheet>;

export const MM = 72 / 25.4;
const MARGIN = 1;
const LABEL = { size: 5.5, smallest: 4.5 } as const;
const SMALLEST = 5.5;
const LEADING = 1.18;

/**
 * Collects the strokes, texts and figures of a part of the page, and writes them together. In the tagged PDF the
 * strokes are artifacts, which a screen reader skips. The rest is read in the order in which it was added.
 */
export function createSheet({ doc, root }: Paper) {
  const strokes: (() => void)[] = [];
  const texts: (() => void)[] = [];
  const figures: { readonly alt: string; readonly draw: () => void }[] = [];

  function measure(text: string, bold: boolean): number {
    // Measured at size 1000 and divided by it, which gives the width at size 1.
    return doc.font(bold ? 'Helvetica-Bold' : 'Helvetica', 1000).widthOfString(text) / 1000 / MM;
  }

  /** The text, or its longest beginning that fits, with an ellipsis. */
  function cut(text: string, width: number, size: number, bold: boolean): string {
    if (measure(text, bold) * size <= width) return text;
    let fitted = 0;
    // The narrowest letter is 0.19 of the font size wide, so no longer text can fit. A huge text is not measured as a
    // whole.
    let tooLong = Math.min(text.length, Math.ceil((width * MM) / (size * 0.15)));
    while (tooLong - fitted > 1) {
      const middle = Math.floor((fitted + tooLong) / 2);
      if (measure(`${text.slice(0, middle).trimEnd()}…`, bold) * size <= width) fitted = middle;
      else tooLong = middle;
    }
    return `${text.slice(0, fitted).trimEnd()}…`;
  }

  /** Breaks the text into lines, between words or inside a word that is too long for a line. */
  function* wrap(text: string, width: number, size: number): Generator<string> {
    let line = '';
    for (const word of text.split(' ')) {
      const joined = line === '' ? word : `${line} ${word}`;
      if (measure(joined, false) * size <= width) {
        line = joined;
        continue;
      }
      if (line !== '') yield line;
      line = word;
      while (measure(line, false) * size > width) {
        const piece = cut(line, width, size, false).slice(0, -1);
        if (piece === '') break;
        yield piece;
        line = line.slice(piece.length);
      }
    }
    if (line !== '') yield line;
  }

  /** The lines of the texts, at most one more than there is room for: that is enough to know that they do not fit. */
  function linesUpTo(room: number, cleanTexts: readonly string[], width: number, size: number): string[] {
    const lines: string[] = [];
    for (const text of cleanTexts) {
      for (const line of wrap(text, width, size)) {
        if (lines.push(line) > room) return lines;
      }
    }
    return lines;
  }

  function write(text: string, x: number, base: number, width: number, style: Style): void {
    const clean = toWinAnsi(text);
    if (clean === '') return;
    const { bold = false, align = 'left', smallest = SMALLEST, color = 'black' } = style;
    const whole = measure(clean, bold);
    const size = Math.max(Math.min(style.size, width / whole), Math.min(smallest, style.size));
    // Measuring, with the kerning of each pair of letters, costs most of a boleto's time. A text that fits is measured
    // once.
    const fitted = whole * size <= width + 0.01 ? clean : cut(clean, width, size, bold);
    const slack = width - (fitted === clean ? whole : measure(fitted, bold)) * size;
    const indent = { left: 0, center: slack / 2, right: slack }[align];
    texts.push(() => {
      if (color !== 'black') doc.fillColor(color);
      doc
        .font(bold ? 'Helvetica-Bold' : 'Helvetica', size)
        // The space separates this text from the next one when it is copied or read aloud.
        .text(`${fitted} `, (x + indent) * MM, base * MM, { lineBreak: false, baseline: 'alphabetic' });
      if (color !== 'black') doc.fillColor('black');
    });
  }

  return {
    rule(x1: number, y1: number, x2: number, y2: number, thickness = 0.2, color = 'black'): void {
      strokes.push(() => {
        doc
          .lineWidth(thickness * MM)
          .moveTo(x1 * MM, y1 * MM)
          .lineTo(x2 * MM, y2 * MM)
          .stroke(color);
      });
    },

    /** A filled rectangle, below what is added after it. */
    fill({ x, y, width, height }: Box, color: string): void {
      strokes.push(() => {
        doc.save();
        doc
          .rect(x * MM, y * MM, width * MM, height * MM)
          .fill(color)
          .restore();
      });
    },

    /** Any other drawing that says nothing to who cannot see it. */
    ornament(draw: () => void): void {
      strokes.push(draw);
    },

    /** The lines into which a text breaks at a width in millimetres. */
    lines(text: string, width: number, size: number): string[] {
      return [...wrap(toWinAnsi(text), width, size)];
    },

    /** A dashed line along which the paper is cut. */
    cutLine(x1: number, y1: number, x2: number, y2: number): void {
      strokes.push(() => {
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

    /** A line of text; `base` is the position of its baseline. */
    text: write,

    /** A value below its small label, as in the boxes of a boleto. */
    field(label: string, value: string, box: Box, style: Style): void {
      const x = box.x + MARGIN;
      const width = box.width - 2 * MARGIN;
      write(label, x, box.y + 2.2, width, LABEL);
      write(value, x, box.y + box.height - 1.3, width, style);
    },

    /**
     * Paragraphs inside a box. The font becomes smaller until all of them fit. What does not fit at the last size is
     * cut.
     */
    paragraphs(list: readonly string[], box: Box, sizes: readonly number[]): void {
      const cleanTexts = list.map(toWinAnsi).filter((text) => text !== '');
      for (const [n, size] of sizes.entries()) {
        const step = (size * LEADING) / MM;
        const room = Math.floor(box.height / step);
        const lines = linesUpTo(room, cleanTexts, box.width, size);
        const isLast = n === sizes.length - 1;
        if (lines.length > room && !isLast) continue;
        const visible = lines.slice(0, room);
        if (lines.length > room) visible.push(`${visible.pop() ?? ''}…`);
        for (const [i, line] of visible.entries()) {
          write(line, box.x, box.y + step * (i + 0.8), box.width, { size, smallest: size });
        }
        return;
      }
    },

    /** @param alt - what a screen reader says instead of the figure. */
    figure(alt: string, draw: () => void): void {
      figures.push({ alt, draw });
    },

    print(title: string): void {
      doc.markContent('Artifact', { type: 'Layout' });
      for (const draw of strokes) draw();
      doc.endMarkedContent();
      const section = doc.struct('Sect', { title });
      root.add(section);
      section.add(
        doc.struct('P', {}, () => {
          for (const writeText of texts) writeText();
        }),
      );
      for (const { alt, draw } of figures) section.add(doc.struct('Figure', { alt }, draw));
      section.end();
    },
  };
}
