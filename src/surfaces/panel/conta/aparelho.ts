const NAVEGADORES: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SISTEMAS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** A browser and its device in words, from what it says of itself: enough to tell one's own apart. */
export function aparelhoDe(agente: string): string {
  const navegador = NAVEGADORES.find(([padrao]) => padrao.test(agente))?.[1];
  const sistema = SISTEMAS.find(([padrao]) => padrao.test(agente))?.[1];
  if (navegador === undefined && sistema === undefined) return 'Aparelho desconhecido';
  return [navegador ?? 'Navegador', ...(sistema === undefined ? [] : [`no ${sistema}`])].join(' ');
}
