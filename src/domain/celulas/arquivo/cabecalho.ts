import type { Grupos } from '../grupos.ts';

export const FORMA = 'malha:provedor:2';

export interface Cabecalho {
  readonly forma: typeof FORMA;
  readonly provedor: number;
  readonly host: string;
  readonly banco: 'MariaDB' | 'MySQL';
  /** The newest migration of the release that wrote it. */
  readonly migracao: string;
  readonly nas: readonly string[];
  readonly grupos: Grupos;
}

/** Whether a value has every field of a header: whoever made the file may have written anything there. */
export function ehCabecalho(valor: unknown): valor is Cabecalho {
  if (!ehObjeto(valor)) return false;
  const { forma, provedor, host, banco, migracao, nas, grupos } = valor;
  return (
    forma === FORMA &&
    Number.isSafeInteger(provedor) &&
    Number(provedor) > 0 &&
    typeof host === 'string' &&
    (banco === 'MariaDB' || banco === 'MySQL') &&
    typeof migracao === 'string' &&
    saoTextos(nas) &&
    saoGrupos(grupos)
  );
}

function saoGrupos(valor: unknown): boolean {
  if (!ehObjeto(valor) || !saoTextos(valor['proprios']) || !saoTextos(valor['todos'])) return false;
  const { conteudos } = valor;
  return (
    ehObjeto(conteudos) &&
    Object.entries(conteudos).every(
      ([nome, conteudo]) =>
        ehObjeto(conteudo) && saoItens(conteudo['radgroupcheck'], nome) && saoItens(conteudo['radgroupreply'], nome),
    )
  );
}

const CAMPOS = ['attribute', 'groupname', 'op', 'value'];

/** Rows of the group under whose name they stand, and of no other. */
const saoItens = (valor: unknown, nome: string): boolean =>
  Array.isArray(valor) &&
  valor.every(
    (item: unknown) =>
      ehObjeto(item) &&
      Object.keys(item).toSorted().join() === CAMPOS.join() &&
      saoTextos(Object.values(item)) &&
      String(item['groupname']).toLowerCase() === nome,
  );

const saoTextos = (valor: unknown): valor is string[] =>
  Array.isArray(valor) && valor.every((um) => typeof um === 'string');

export const ehObjeto = (valor: unknown): valor is Record<string, unknown> =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor);
