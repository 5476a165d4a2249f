const mark = Symbol('html');

/** Text that is HTML already: made by `html`, which escapes what it is given, or out of a constant of ours. */
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

/** A piece of HTML in which every text put between is escaped, for an element's content and for a quoted attribute. */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return {
    [mark]: texts.map((text, i) => text + (i < pieces.length ? write(pieces[i] ?? null) : '')).join(''),
  };
}

/** A constant of ours that is not to be escaped, such as a style sheet. Never what came from outside. */
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
