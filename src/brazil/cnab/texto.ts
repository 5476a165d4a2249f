/** Letters that Unicode does not take apart into one of A to Z and a mark. */
const LETRAS: Readonly<Record<string, string>> = {
  Ø: 'O',
  Ł: 'L',
  Đ: 'D',
  Æ: 'AE',
  Œ: 'OE',
  Þ: 'TH',
  Ð: 'D',
  ª: 'A',
  º: 'O',
};

/**
 * A text as banks take it: upper case, ASCII letters and digits with `. - / &` and single blanks. Accents go, other
 * signs become blanks.
 */
export function textoDoBanco(texto: string): string {
  return texto
    .toUpperCase()
    .replaceAll(/[ØŁĐÆŒÞÐªº]/g, (letra) => LETRAS[letra] ?? ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/['’`´]/g, '')
    .replaceAll(/[^A-Z0-9./&-]+/g, ' ')
    .trim();
}

/** At most `tamanho` of a text of {@link textoDoBanco}. A word with a digit is kept whole or left out. */
export function cortarTexto(texto: string, tamanho: number): string {
  if (texto.length <= tamanho) return texto;
  const cortado = texto.slice(0, tamanho);
  const inicio = cortado.lastIndexOf(' ') + 1;
  const fim = texto.indexOf(' ', tamanho);
  const palavra = texto.slice(inicio, fim < 0 ? texto.length : fim);
  const cortouPalavra = texto.charAt(tamanho) !== ' ';
  return (cortouPalavra && /\d/.test(palavra) ? cortado.slice(0, inicio) : cortado).trim();
}

/**
 * A street with number and complement in at most `tamanho`: first words of the complement go, then the end of the
 * street's name; the number stays whole.
 */
export function cortarEndereco(endereco: string, tamanho: number): string {
  const inteiro = textoDoBanco(endereco);
  if (inteiro.length <= tamanho) return inteiro;
  const { rua, numero, resto } = partesDoEndereco(endereco);
  if (numero === '') return cortarTexto(inteiro, tamanho);
  while (resto.length > 0 && [rua, numero, ...resto].join(' ').length > tamanho) resto.pop();
  const ruaCabe = cortarTexto(rua, Math.max(0, tamanho - numero.length - 1));
  return cortarTexto([ruaCabe, numero, ...resto].filter(Boolean).join(' '), tamanho);
}

/** Where there is a comma the number is after it; else it is the last word with a digit after the second word. */
function partesDoEndereco(endereco: string): { rua: string; numero: string; resto: string[] } {
  const virgula = endereco.indexOf(',');
  if (virgula > 0) {
    const [numero = '', ...resto] = textoDoBanco(endereco.slice(virgula + 1)).split(' ');
    return { rua: textoDoBanco(endereco.slice(0, virgula)), numero, resto };
  }
  const palavras = textoDoBanco(endereco).split(' ');
  const n = palavras.findIndex((palavra, i) => i > 1 && /\d/.test(palavra));
  if (n < 0) return { rua: palavras.join(' '), numero: '', resto: [] };
  return { rua: palavras.slice(0, n).join(' '), numero: palavras[n] ?? '', resto: palavras.slice(n + 1) };
}

const PARTICULAS = new Set(['DE', 'DA', 'DO', 'DAS', 'DOS', 'E']);

/**
 * A person's or company's name in at most `tamanho`: where it is longer, middle names become initials, from the last
 * one on, and then go. First and last name stay: null when they are too long, or has no letter that banks read.
 */
export function nomeQueCabe(nome: string, tamanho: number): string | null {
  const limpo = textoDoBanco(nome);
  if (!/[A-Z]/.test(limpo)) return null;
  if (limpo.length <= tamanho) return limpo;
  const palavras = limpo.split(' ').filter((palavra, n) => n === 0 || !PARTICULAS.has(palavra));
  for (let n = palavras.length - 2; n > 0 && palavras.join(' ').length > tamanho; n -= 1) {
    if (/^[A-Z]/.test(palavras[n] ?? '')) palavras[n] = (palavras[n] ?? '').charAt(0);
  }
  while (palavras.length > 2 && palavras.join(' ').length > tamanho) palavras.splice(-2, 1);
  const curto = palavras.join(' ');
  return curto.length <= tamanho ? curto : null;
}
