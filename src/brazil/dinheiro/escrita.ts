import type { Data } from '../calendario/datas.ts';
import { escreverDinheiro, type Centavos } from './dinheiro.ts';

// As people read it, on pages and paper; what programs read is written by each subject.

/** 123450 centavos are '1.234,50'. */
export function escreverValor(c: Centavos): string {
  return escreverDinheiro(c)
    .replace('.', ',')
    .replaceAll(/\B(?=(?:\d{3})+,)/g, '.');
}

/** 123450 centavos are 'R$ 1.234,50', with a space that does not break. */
export function escreverReais(c: Centavos): string {
  return `R$\u00A0${escreverValor(c)}`;
}

/** '2026-11-21' is '21/11/2026'. */
export function escreverData(d: Data): string {
  return `${d.slice(8)}/${d.slice(5, 7)}/${d.slice(0, 4)}`;
}

/** A normalized CPF or CNPJ, with the usual punctuation. */
export function escreverCpfCnpj(n: string): string {
  return n.length === 11
    ? `${n.slice(0, 3)}.${n.slice(3, 6)}.${n.slice(6, 9)}-${n.slice(9)}`
    : `${n.slice(0, 2)}.${n.slice(2, 5)}.${n.slice(5, 8)}/${n.slice(8, 12)}-${n.slice(12)}`;
}

/** A phone number of 10 to 13 digits: '(35) 3421-0000'; the country's 55 is not shown. */
export function escreverTelefone(digitos: string): string {
  const local = digitos.length > 11 && digitos.startsWith('55') ? digitos.slice(2) : digitos;
  return `(${local.slice(0, 2)}) ${local.slice(2, -4)}-${local.slice(-4)}`;
}

/**
 * A typed line in its fields: of a cobrança, 47 digits, '23792.94909 60000.000004 03000.658009 5 14940000009990'; of an
 * arrecadação, 48, '83640000001-1 33120138000-2 81288462711-6 08013618155-1'.
 */
export function escreverLinhaDigitavel(linha: string): string {
  if (linha.length === 48) {
    return [0, 12, 24, 36].map((de) => `${linha.slice(de, de + 11)}-${linha.slice(de + 11, de + 12)}`).join(' ');
  }
  const campo = (de: number, ate: number): string => `${linha.slice(de, de + 5)}.${linha.slice(de + 5, ate)}`;
  return `${campo(0, 10)} ${campo(10, 21)} ${campo(21, 32)} ${linha.slice(32, 33)} ${linha.slice(33)}`;
}

/** An address in one line; null when nothing of it is known. */
export function escreverEndereco(e: {
  readonly logradouro: string | null;
  readonly numero: string | null;
  readonly complemento: string | null;
  readonly bairro: string | null;
  readonly cidade: string | null;
  readonly uf: string | null;
  readonly cep: string | null;
}): string | null {
  const rua = juntar(', ', e.logradouro, e.numero, e.complemento);
  const cep = e.cep === null ? null : `CEP ${e.cep.slice(0, 5)}-${e.cep.slice(5)}`;
  return juntar(' - ', rua, e.bairro, juntar('/', e.cidade, e.uf), cep);
}

function juntar(separador: string, ...partes: readonly (string | null)[]): string | null {
  const ditas = partes.filter((parte) => parte !== null && parte !== '');
  return ditas.length === 0 ? null : ditas.join(separador);
}
