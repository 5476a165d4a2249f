import { CamposInvalidos } from '../erros.ts';
import type { Falta } from '../erros.ts';

/** What a reader made of a value, or what is wrong with it, in words that follow the field's name. */
export type Lido<T> =
  { readonly valor: T } | { readonly faltas: readonly (Omit<Falta, 'campo'> & { readonly campo: string | null })[] };

/** Judges a value of any kind, whoever sent it; never throws. */
export type Leitor<T> = (valor: unknown) => Lido<T>;

export interface Campo<T, Ausente = T> {
  readonly ler: Leitor<T>;
  /** Whether the field may be missing; it is `undefined` then. */
  readonly obrigatorio: boolean;
  /** Never set: what the type of the field is when it is missing. */
  readonly ausente?: Ausente;
}

export type Forma = Readonly<Record<string, Campo<unknown, unknown>>>;

/** What a form gives once it was read. */
export type ValoresDe<F extends Forma> = {
  readonly [C in keyof F]: F[C] extends Campo<infer T, infer A> ? T | A : never;
};

/** A field that has to be there. */
export const exigido = <T>(ler: Leitor<T>): Campo<T, never> => ({ ler, obrigatorio: true });

/** A field that may be missing (`undefined`): nothing is said of it. */
export const opcional = <T>(ler: Leitor<T>): Campo<T, undefined> => ({ ler, obrigatorio: false });

/** The same form, all of whose fields may be missing: what is missing stays as it is. */
function parcial<F extends Forma>(forma: F): { readonly [C in keyof F]: Campo<ValoresDe<F>[C], undefined> } {
  const campos = Object.entries(forma).map(([nome, { ler }]) => [nome, { ler, obrigatorio: false }]);
  return Object.fromEntries(campos) as { readonly [C in keyof F]: Campo<ValoresDe<F>[C], undefined> };
}

export const bem = <T>(valor: T): Lido<T> => ({ valor });

export const mal = (mensagem: string, codigo: Falta['codigo'] = 'parametro_invalido'): Lido<never> => ({
  faltas: [{ campo: null, codigo, mensagem }],
});

/** Faults of a part of a value, such as an element of a list. */
export const malEm = (campo: string, faltas: Extract<Lido<never>, { faltas: unknown }>['faltas']): Lido<never> => ({
  faltas: faltas.map((falta) => ({
    ...falta,
    campo: falta.campo === null ? campo : `${campo}.${falta.campo}`,
  })),
});

/** Reads an object by a form, as a value of another form's field: an address of a client. */
export function grupo<F extends Forma>(forma: F): Leitor<ValoresDe<F>> {
  return (valor) => {
    if (typeof valor !== 'object' || valor === null || Array.isArray(valor)) return mal('deve ser um objeto');
    const dados = valor as Readonly<Record<string, unknown>>;
    const faltas: (Omit<Falta, 'campo'> & { readonly campo: string | null })[] = [];
    const lidos: Record<string, unknown> = {};
    for (const nome of Object.keys(dados)) {
      if (!Object.hasOwn(forma, nome)) {
        faltas.push({ campo: nome.slice(0, MAIOR_NOME), codigo: 'parametro_invalido', mensagem: 'campo desconhecido' });
      }
    }
    for (const [nome, campo] of Object.entries(forma)) {
      const dado = Object.hasOwn(dados, nome) ? dados[nome] : undefined;
      if (dado === undefined) {
        lidos[nome] = undefined;
        if (campo.obrigatorio) faltas.push({ campo: nome, codigo: 'parametro_invalido', mensagem: 'é obrigatório' });
        continue;
      }
      const lido = campo.ler(dado);
      if ('valor' in lido) lidos[nome] = lido.valor;
      else faltas.push(...(malEm(nome, lido.faltas) as { faltas: typeof faltas }).faltas);
    }
    return faltas.length > 0 ? { faltas } : bem(lidos as ValoresDe<F>);
  };
}

/** Of an unknown field's name, what an error repeats. */
const MAIOR_NOME = 64;

/**
 * Reads what somebody sent, whoever it was, by a form; names all faulty fields at once, unknown ones included.
 *
 * @throws CamposInvalidos with what is wrong of each field.
 */
export function lerCampos<F extends Forma>(forma: F, dados: unknown): ValoresDe<F> {
  const lido = grupo(forma)(dados);
  if ('valor' in lido) return lido.valor;
  throw new CamposInvalidos(lido.faltas.map((falta) => ({ ...falta, campo: falta.campo ?? 'corpo' })));
}

/** The same for a change: what is missing stays as it is. @throws CamposInvalidos also when nothing at all is sent */
export function lerAlteracao<F extends Forma>(
  forma: F,
  dados: unknown,
): ValoresDe<{ readonly [C in keyof F]: Campo<ValoresDe<F>[C], undefined> }> {
  const lidos = lerCampos(parcial(forma), dados);
  if (Object.values(lidos).some((valor) => valor !== undefined)) return lidos;
  const campos = Object.keys(forma).join(', ');
  throw new CamposInvalidos([
    { campo: 'corpo', codigo: 'parametro_invalido', mensagem: `diga ao menos um de: ${campos}` },
  ]);
}
