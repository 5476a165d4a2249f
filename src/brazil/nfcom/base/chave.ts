import { cpfCnpjValido } from '../../pessoa/cpf-cnpj.ts';
import { CODIGO_DA_UF, UF_DO_CODIGO } from './ufs.ts';

/** What a note's access key (chave de acesso) is made of. */
export interface PartesDaChave {
  readonly uf: string;
  /** Year and month of the emission, 'AAMM'. */
  readonly mes: string;
  readonly cnpj: string;
  readonly serie: number;
  readonly numero: number;
  /** 1 normal, 2 contingency. */
  readonly tipoDeEmissao: 1 | 2;
  readonly siteAutorizador: number;
  /** Seven digits. */
  readonly codigoNumerico: string;
}

const CHAVE = /^\d{6}[A-Z0-9]{12}\d{26}$/;

/**
 * The 44 characters of the key of a note: UF 2, AAMM 4, CNPJ 14, '62', series 3, number 9, type of emission 1, site 1,
 * random 7, check digit (MOC 1.00a, 2.2.6.1).
 */
export function montarChave(partes: PartesDaChave): string {
  const { uf, mes, cnpj, serie, numero, tipoDeEmissao, siteAutorizador, codigoNumerico } = partes;
  const sem =
    `${CODIGO_DA_UF.get(uf) ?? '00'}${mes}${cnpj}62${String(serie).padStart(3, '0')}${String(numero).padStart(9, '0')}` +
    `${tipoDeEmissao}${siteAutorizador}${codigoNumerico}`;
  return sem + digitoDaChave(sem);
}

/** The check digit of the first 43 characters: modulo 11, weights 2 to 9; a letter counts its ASCII code less 48. */
export function digitoDaChave(sem: string): string {
  let soma = 0;
  for (let i = sem.length - 1, peso = 2; i >= 0; i -= 1, peso = peso === 9 ? 2 : peso + 1) {
    soma += (sem.charCodeAt(i) - 48) * peso;
  }
  const resto = soma % 11;
  return String(resto < 2 ? 0 : 11 - resto);
}

/** Whether a text is the key of an NFCom: its form, its model, its UF and all its check digits. */
export const chaveValida = (chave: string): boolean => lerChave(chave) !== null;

/** Takes a key apart; null when it is none. */
export function lerChave(chave: string): PartesDaChave | null {
  if (!CHAVE.test(chave) || chave.slice(20, 22) !== '62') return null;
  const uf = UF_DO_CODIGO.get(chave.slice(0, 2));
  const cnpj = chave.slice(6, 20);
  const tipoDeEmissao = chave.charAt(34) === '1' ? 1 : chave.charAt(34) === '2' ? 2 : null;
  const mes = Number(chave.slice(4, 6));
  if (uf === undefined || tipoDeEmissao === null || mes < 1 || mes > 12 || !cpfCnpjValido(cnpj)) return null;
  if (digitoDaChave(chave.slice(0, 43)) !== chave.charAt(43)) return null;
  return {
    uf,
    mes: chave.slice(2, 6),
    cnpj,
    serie: Number(chave.slice(22, 25)),
    numero: Number(chave.slice(25, 34)),
    tipoDeEmissao,
    siteAutorizador: Number(chave.charAt(35)),
    codigoNumerico: chave.slice(36, 43),
  };
}

/** In eleven groups of four, as it is printed. */
export const chaveEmGrupos = (chave: string): string => chave.match(/.{1,4}/g)?.join(' ') ?? '';
