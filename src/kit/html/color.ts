// With any background, either pure black or pure white has a contrast of at least 4.58 (WCAG 2.2, 1.4.3 asks for 4.5).
const DARK = '#000000';
const LIGHT = '#ffffff';

/** The least contrast of the edge of a control (WCAG 2.2, 1.4.11). */
const LEAST_OF_EDGE = 3;

/** The colours of the text on a background, and of its edge on a white page. Both are readable with any `#rrggbb`. */
export function colorsOn(background: string): { text: string; edge: string } {
  const text = contrast(background, LIGHT) >= contrast(background, DARK) ? LIGHT : DARK;
  return { text, edge: contrast(background, LIGHT) >= LEAST_OF_EDGE ? background : DARK };
}

/** The contrast ratio of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2). */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((i) => Number.parseInt(color.slice(i, i + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
