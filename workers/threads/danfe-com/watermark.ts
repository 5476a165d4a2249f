import { MM } from '../paper/sheet.ts';
import { marksOf } from './head.ts';
import type { Danfe } from './head.ts';

const CENTER = { x: 105, y: 165 } as const;
const SIZE = 62;

/** Across the page, behind all that is printed and pale enough for the codes to be read: a copy of the page cannot be taken for a note. */
export function drawWatermark(printing: Danfe): void {
  const [mark] = marksOf(printing);
  const word = /CANCELADA|SUBSTITUÍDA|SEM VALOR FISCAL/.exec(mark ?? '')?.[0];
  if (word === undefined) return;
  const { doc } = printing;
  doc.markContent('Artifact', { type: 'Layout' });
  doc.save();
  doc.rotate(-50, { origin: [CENTER.x * MM, CENTER.y * MM] });
  doc.font('Helvetica-Bold', SIZE).fillColor('#f0f0f0');
  const width = doc.widthOfString(word);
  doc.text(word, CENTER.x * MM - width / 2, CENTER.y * MM, { lineBreak: false, baseline: 'middle' });
  doc.restore();
  doc.fillColor('black');
  doc.endMarkedContent();
}
