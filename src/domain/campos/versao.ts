import { hash } from 'node:crypto';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import { bem, mal } from './campos.ts';
import type { Leitor } from './campos.ts';

const INSTANTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;

/** The instant of a row's last change, as it was read: whoever sends it wants to change that version and no other. */
export const versao: Leitor<Date> = (valor) => {
  const lida = typeof valor === 'string' && INSTANTE.test(valor) ? new Date(valor) : valor;
  return lida instanceof Date && !Number.isNaN(lida.getTime())
    ? bem(lida)
    : mal('deve ser um instante, como 2026-11-20T15:00:00.000Z');
};

/** The version of a row by its `atualizado_em`; where nobody has changed it yet, the beginning of time. */
export const versaoDaLinha = (atualizadoEm: string | null): Date =>
  atualizadoEm === null ? new Date(0) : fromDatabaseTime(atualizadoEm);

/** @throws Recusa `versao_divergente` where a version was named and the locked row has another */
export function conferirVersao(esperada: Date | undefined, atualizadoEm: string | null): void {
  if (esperada === undefined) return;
  if (versaoDaLinha(atualizadoEm).getTime() !== esperada.getTime())
    throw new Recusa('versao_divergente', { campo: 'atualizado_em' });
}

/** What a field holds, as a version counts it. */
type ValorLido = string | number | boolean | null | undefined | readonly (string | number)[];

/**
 * The version of some fields of a row: a text that is another as soon as one of them is. Of rows that other things write too, such as a
 * user's when he signs in, it says what `atualizado_em` cannot. Nothing and '' are the same; lists are compared without their order.
 */
export function versaoDe(campos: Readonly<Record<string, ValorLido>>): string {
  const lidos = Object.entries(campos)
    .toSorted(([um], [outro]) => (um < outro ? -1 : 1))
    .map(([nome, valor]) => [
      nome,
      typeof valor === 'object' && valor !== null ? valor.map(String).toSorted() : String(valor ?? ''),
    ]);
  return hash('sha256', JSON.stringify(lidos), 'base64url').slice(0, 22);
}

/** @throws Recusa `versao_divergente` where a version was named and the fields of the locked row have another */
export function conferirLidos(esperada: string | undefined, campos: Readonly<Record<string, ValorLido>>): void {
  recusarSeNao(esperada === undefined || esperada === versaoDe(campos), 'versao_divergente');
}

/** A change of who names the version that he read; see `versaoDe`. */
export interface DaVersao {
  readonly versao?: string | undefined;
}
