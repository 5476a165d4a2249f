import type { Falta } from '../../../domain/erros.ts';

/** What a form shows: what was typed, and what is wrong with it. */
export interface EstadoDoFormulario {
  /** The values of each field, as they were typed; none of a field that was not sent. */
  readonly digitado: ReadonlyMap<string, readonly string[]>;
  readonly faltas: readonly Pick<Falta, 'campo' | 'mensagem'>[];
  /** Why a rule forbids what was asked, when it is no field's fault. */
  readonly recusa: string | null;
}

/** A form that nobody has sent yet. */
export const EM_BRANCO: EstadoDoFormulario = { digitado: new Map(), faltas: [], recusa: null };

type Conhecido = string | number | boolean | null | undefined | readonly (string | number)[];

/** A form that begins with what is known. */
export function preenchido(valores: Readonly<Record<string, Conhecido>>): EstadoDoFormulario {
  const digitado = Object.entries(valores).flatMap(([nome, valor]): [string, readonly string[]][] => {
    if (valor === null || valor === undefined || valor === false) return [];
    if (typeof valor === 'object') return [[nome, valor.map(String)]];
    return [[nome, [valor === true ? 'sim' : String(valor)]]];
  });
  return { ...EM_BRANCO, digitado: new Map(digitado) };
}

/** Whether a form comes back because something is wrong with it. */
export const recusado = ({ faltas, recusa }: EstadoDoFormulario): boolean => faltas.length > 0 || recusa !== null;

/** What stands in a field of a form that is shown: what was typed there or, in one that nobody has sent yet, what is known. */
export function valorDe(estado: EstadoDoFormulario, nome: string): string {
  return estado.digitado.get(nome)?.[0] ?? '';
}

/** A form in which what is wrong with a field of the domain is wrong with the field of the form that `campoDe` names. */
export const comFaltasEm = (estado: EstadoDoFormulario, campoDe: (campo: string) => string): EstadoDoFormulario => ({
  ...estado,
  faltas: estado.faltas.map((falta) => ({ ...falta, campo: campoDe(falta.campo) })),
});

/** What is wrong with a field, also with a part of it, such as one of its lines. */
export const faltaDe = (estado: EstadoDoFormulario, nome: string): string | null =>
  estado.faltas.find(({ campo }) => campo === nome || campo.startsWith(`${nome}.`))?.mensagem ?? null;
