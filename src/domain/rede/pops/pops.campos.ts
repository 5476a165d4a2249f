import { bem, exigido, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { ouNulo, texto, uf } from '../../campos/leitores.ts';

/** Degrees with up to six places, as a number or a decimal text; a comma is read as a point. */
function graus(maximo: number): Leitor<number> {
  return (valor) => {
    const escrito = typeof valor === 'number' ? String(valor) : valor;
    const numero =
      typeof escrito === 'string' && /^\s*[-+]?\d{1,3}(?:[.,]\d+)?\s*$/.test(escrito)
        ? Number(escrito.replace(',', '.'))
        : NaN;
    if (Number.isNaN(numero)) return mal('deve ser um número em graus, como -22.224512');
    if (Math.abs(numero) > maximo) return mal(`deve ser de -${maximo} a ${maximo}`);
    return bem(Math.round(numero * 1e6) / 1e6);
  };
}

/** A POP, as it is typed. */
export const FORMA_DE_POP = {
  nome: exigido(texto(1, 80)),
  cidade: exigido(texto(1, 80)),
  uf: exigido(uf),
  endereco: opcional(ouNulo(texto(1, 200))),
  latitude: opcional(ouNulo(graus(90))),
  longitude: opcional(ouNulo(graus(180))),
} as const;
