import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { Recusa } from '../erros.ts';
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

/** @throws Recusa `versao_divergente` where a version was named and the locked row has another */
export function conferirVersao(esperada: Date | undefined, atualizadoEm: string | null): void {
  if (esperada === undefined) return;
  const atual = atualizadoEm === null ? null : fromDatabaseTime(atualizadoEm).getTime();
  if (atual !== esperada.getTime()) throw new Recusa('versao_divergente', { campo: 'atualizado_em' });
}
