import { faltaEm } from '../../erros.ts';
import { PRIORIDADES_DE_CHAMADO } from '../chamados.types.ts';
import type { PrioridadeChamado } from '../chamados.types.ts';

/** The place of a ticket in a list: after it, the next page begins. */
export interface Lugar {
  readonly prioridade: PrioridadeChamado;
  /** When it was opened or, among the closed ones, closed; as MySQL writes it, in UTC. */
  readonly em: string | null;
  readonly id: number;
}

const FORMA = /^([0-3])\.(\d{1,17}|-)\.(\d{1,15})$/;

/** A text without spaces, for an address. */
export function escreverLugar({ prioridade, em, id }: Lugar): string {
  const quando = em === null ? '-' : em.replaceAll(/\D/g, '').padEnd(17, '0');
  return `${PRIORIDADES_DE_CHAMADO.indexOf(prioridade)}.${quando}.${id}`;
}

/** @throws CamposInvalidos for a text that is no place */
export function lerLugar(texto: string): Lugar {
  const [, prioridade, em, id] = FORMA.exec(texto) ?? faltaEm('apos', 'não é o lugar de uma página');
  const [, ano, mes, dia, hora, minuto, segundo, ms] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(em ?? '') ?? [];
  if (
    em !== '-' &&
    (ano === undefined || Number.isNaN(Date.parse(`${ano}-${mes}-${dia}T${hora}:${minuto}:${segundo}Z`)))
  )
    faltaEm('apos', 'não é o lugar de uma página');
  return {
    prioridade: PRIORIDADES_DE_CHAMADO[Number(prioridade)] ?? 'normal',
    em: em === '-' ? null : `${ano}-${mes}-${dia} ${hora}:${minuto}:${segundo}.${ms}`,
    id: Number(id),
  };
}
