import { createSheet } from '../paper/sheet.ts';
import type { Paper, Sheet } from '../paper/sheet.ts';

/** The area of a page that is printed, in millimetres. */
export const AREA = { x: 10, top: 9, width: 190, bottom: 286 } as const;

export const INK = { label: '#4a4f57', line: '#b4b9c1', head: '#e9ecef', soft: '#f5f6f8' } as const;

const GAP = 2;
const TITLE = 4.6;
const TEXT = { size: 7, step: 3 } as const;

export type Flow = ReturnType<typeof createFlow>;

interface FlowOptions {
  readonly paper: Paper;
  /** Draws the head of a page after the first one, and returns where the rest of it begins. */
  readonly head: (sheet: Sheet) => number;
}

/**
 * Blocks below one another, on as many pages as they need. Pages are written when all of them are known, because each
 * says how many there are.
 */
export function createFlow({ paper, head }: FlowOptions) {
  const pages: Sheet[] = [createSheet(paper)];
  let y: number = AREA.top;

  const sheet = (): Sheet => {
    const last = pages.at(-1);
    if (last === undefined) throw new RangeError('não há páginas');
    return last;
  };

  function turn(): void {
    pages.push(createSheet(paper));
    y = head(sheet());
  }

  /** Takes so many millimetres, on the next page when this one has no room; returns where they begin. */
  function take(height: number): number {
    if (y + height > AREA.bottom) turn();
    y += height;
    return y - height;
  }

  function title(text: string, below: number): void {
    if (y + GAP + TITLE + below > AREA.bottom) turn();
    else y += GAP;
    const top = take(TITLE);
    blockTitle(sheet(), text, { x: AREA.x, y: top, width: AREA.width });
  }

  return {
    sheet,
    take,
    title,
    at: (): number => y,
    fits: (height: number): boolean => y + height <= AREA.bottom,
    gap(height: number = GAP): void {
      y += height;
    },

    /** Moves down so that the next block of this height ends with the page. */
    toBottom(height: number): void {
      if (y + height > AREA.bottom) turn();
      y = Math.max(y, AREA.bottom - height);
    },

    /** Paragraphs below a title, over as many pages as they need; nothing where there are none. */
    paragraphs(heading: string, paragraphs: readonly string[]): void {
      if (paragraphs.length === 0) return;
      title(heading, 2 * TEXT.step + 1);
      take(0.8);
      for (const paragraph of paragraphs) {
        for (const line of sheet().lines(paragraph, AREA.width - 3, TEXT.size)) {
          const top = take(TEXT.step);
          sheet().text(line, AREA.x + 1.5, top + 2.3, AREA.width - 3, { size: TEXT.size, smallest: TEXT.size });
        }
        y += 0.8;
      }
    },

    pages: (): readonly Sheet[] => pages,
  };
}

/** The band that begins a block. */
export function blockTitle(
  sheet: Sheet,
  text: string,
  { x, y, width }: { readonly x: number; readonly y: number; readonly width: number },
): void {
  sheet.fill({ x, y, width, height: TITLE - 0.4 }, INK.head);
  sheet.text(text, x + 1.5, y + 3, width - 3, { size: 6.5, bold: true });
}

/** A value below its label. */
export function labelled(
  sheet: Sheet,
  label: string,
  value: string,
  at: { readonly x: number; readonly y: number; readonly width: number },
  style: { readonly size?: number; readonly bold?: boolean; readonly align?: 'left' | 'center' | 'right' } = {},
): void {
  const { size = 8, bold = false, align = 'left' } = style;
  sheet.text(label, at.x, at.y + 2.3, at.width, { size: 5.5, smallest: 5, color: INK.label, align });
  sheet.text(value, at.x, at.y + 2.6 + size * 0.42, at.width, { size, smallest: 6, bold, align });
}
