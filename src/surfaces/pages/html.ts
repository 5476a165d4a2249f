const marca = Symbol('html');

/** Text that is HTML already: made by `html`, which escapes what it is given, or out of a constant of ours. */
export interface Html {
  readonly [marca]: string;
}

type Trecho = Html | string | number | null | readonly Html[];

const ENTIDADES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of HTML in which every text put between is escaped, for an element's content and for a quoted attribute. */
export function html(textos: TemplateStringsArray, ...trechos: readonly Trecho[]): Html {
  return {
    [marca]: textos.map((texto, i) => texto + (i < trechos.length ? escrever(trechos[i] ?? null) : '')).join(''),
  };
}

/** A constant of ours that is not to be escaped, such as a style sheet. Never what came from outside. */
export function constante(texto: string): Html {
  return { [marca]: texto };
}

export function paraTexto(trecho: Html): string {
  return trecho[marca];
}

function escrever(trecho: Trecho): string {
  if (trecho === null) return '';
  if (typeof trecho === 'string') return trecho.replaceAll(/[&<>"']/g, (c) => ENTIDADES[c] ?? c);
  if (typeof trecho === 'number') return String(trecho);
  return marca in trecho ? trecho[marca] : trecho.map(paraTexto).join('');
}
