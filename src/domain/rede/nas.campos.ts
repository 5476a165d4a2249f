import { bem, exigido, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { escolha, id, inteiro, ipv4, ouNulo, texto } from '../campos/leitores.ts';
import { USOS_DE_COA } from './rede.types.ts';

/** Widths of the columns of FreeRADIUS's table `nas`. */
export const MAIOR_SEGREDO = 60;
export const MAIOR_NOME = 32;
export const MAIOR_FIM_DE_PORTA = 16;

export const segredoValido = (segredo: string): boolean =>
  /^[\x21-\x7e]+$/.test(segredo) && segredo.length <= MAIOR_SEGREDO;

/** Says nothing of the secret itself. */
const segredo: Leitor<string> = (valor) =>
  typeof valor === 'string' && segredoValido(valor)
    ? bem(valor)
    : mal(`deve ter de 1 a ${MAIOR_SEGREDO} letras, números e sinais, sem espaços nem acentos`);

/** What of a server may be changed; what is not said stays as it is. */
export const FORMA_DA_MUDANCA_DE_SERVIDOR = {
  nome: opcional(ouNulo(texto(1, MAIOR_NOME))),
  porta_coa: opcional(inteiro(1, 65_535)),
  coa: opcional(escolha(USOS_DE_COA)),
  segredo: opcional(segredo),
  /** The text at which a port's name ends in NAS-Port-Id; `*`: the whole of it; null: ports are not told apart. */
  porta_ate: opcional(ouNulo(texto(1, MAIOR_FIM_DE_PORTA))),
  /** Where it stands; null: nowhere that is known. */
  pop_id: opcional(ouNulo(id)),
} as const;

/** A server, as it is typed. */
export const FORMA_DE_SERVIDOR = {
  ...FORMA_DA_MUDANCA_DE_SERVIDOR,
  endereco: exigido(ipv4),
  segredo: exigido(segredo),
} as const;
