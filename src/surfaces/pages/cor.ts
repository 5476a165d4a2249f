// Of the two, pure as they are, one has a contrast of 4.58 or more with any colour (WCAG 2.2, 1.4.3 asks for 4.5).
const ESCURO = '#000000';
const CLARO = '#ffffff';

/** Contrast that the edge of a control needs (WCAG 2.2, 1.4.11). */
const MINIMO_DE_BORDA = 3;

/** What stands on a colour, and what edges it on a white page, whichever colour a provider has chosen. */
export function coresSobre(fundo: string): { texto: string; borda: string } {
  const texto = contraste(fundo, CLARO) >= contraste(fundo, ESCURO) ? CLARO : ESCURO;
  return { texto, borda: contraste(fundo, CLARO) >= MINIMO_DE_BORDA ? fundo : ESCURO };
}

/** Of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2, contrast ratio). */
function contraste(a: string, b: string): number {
  const [clara = 0, escura = 0] = [luminancia(a), luminancia(b)].toSorted((x, y) => y - x);
  return (clara + 0.05) / (escura + 0.05);
}

function luminancia(cor: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((i) => Number.parseInt(cor.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
