import { FORMA_DO_PROTOCOLO } from '../domain/protocolos/protocolos.regras.ts';
import { id } from '../kit/fields/fields.ts';

/** Of the record that a path names. */
export const idNoCaminho = {
  ...id,
  format: 'id',
  description: 'Identificador do registro.',
  examples: [7],
} as const;

/** Of a contact. */
export const protocoloNaConsulta = {
  type: 'string',
  pattern: FORMA_DO_PROTOCOLO,
  description: 'Número que se deu ao assinante: 14 dígitos.',
  examples: ['20261110000042'],
} as const;

/** Query parameter of the lists that can be read by what changed. */
export const atualizadoDesdeNaConsulta = {
  atualizado_desde: {
    type: 'string',
    format: 'date-time',
    description:
      'Só o que mudou desde este instante. Quem passa o início da sua leitura anterior não perde nenhuma mudança; o que mudou até 5 minutos antes pode vir de novo. O que deixou de existir está na lista dos removidos.',
    examples: ['2026-11-10T03:00:00.000Z'],
  },
} as const;

/** An instant out of a checked query or body. */
export function instanteDe(texto: string | undefined): Date | undefined {
  return texto === undefined ? undefined : new Date(texto);
}
