const mark = Symbol('html');

/** Text that is HTML already. It is made by `html`, which escapes its values, or from a constant of our own code. */
export interface Html {
  readonly [mark]: string;
}

type Piece = Html | string | number | null | readonly Html[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Makes HTML from a template. Every inserted text is escaped, for the content of elements and for quoted attributes.
 */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return {
    [mark]: texts.map((text, i) => text + (i < pieces.length ? write(pieces[i] ?? null) : '')).join(''),
  };
}

/** Marks a constant of our own code as HTML, such as a style sheet. It must never be used for input. */
export function constant(text: string): Html {
  return { [mark]: text };
}

export function toText(piece: Html): string {
  return piece[mark];
}

function write(piece: Piece): string {
  if (piece === null) return '';
  if (typeof piece === 'string') return piece.replaceAll(/[&<>"']/g, (c) => ENTITIES[c] ?? c);
  if (typeof piece === 'number') return String(piece);
  return mark in piece ? piece[mark] : piece.map(toText).join('');
}
