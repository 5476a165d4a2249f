import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MIGRATIONS } from '../../src/platform/mysql/database.ts';

/**
 * What a migration that contracts says of itself: `export const contrai = { tira: ['faturas.antiga'], semUsoDesde: '1.1.0' }`.
 * One that says nothing expands: processes of the release before it work with what it made.
 */
export interface Contracao {
  /** Tables, and columns as `tabela.coluna`, which are no longer there, or hold less than they did. */
  readonly tira: readonly string[];
  /** The first release that neither reads nor writes them. */
  readonly semUsoDesde: string;
}

/** Every migration that says that it contracts, by its file. */
export async function contracoes(): Promise<Map<string, Contracao>> {
  const achadas = new Map<string, Contracao>();
  for (const arquivo of (await readdir(MIGRATIONS.directory)).filter((um) => um.endsWith(MIGRATIONS.extension))) {
    const modulo = (await import(pathToFileURL(path.join(MIGRATIONS.directory, arquivo)).href)) as {
      contrai?: Contracao;
    };
    if (modulo.contrai !== undefined) achadas.set(arquivo, modulo.contrai);
  }
  return achadas;
}

/** What is wrong with what migrations say of what they took away. `perdido` is what is gone, as `tabela` or `tabela.coluna`. */
export function faltasDosPassos(
  ditas: ReadonlyMap<string, Contracao>,
  perdido: readonly string[],
  versao: string,
): string[] {
  const tirado = new Set([...ditas.values()].flatMap(({ tira }) => tira));
  return [
    ...perdido.filter((um) => !tirado.has(um)).map((um) => `${um} se perdeu, e nenhuma migração diz que contrai`),
    ...[...ditas].flatMap(([arquivo, { tira, semUsoDesde }]) => [
      ...tira.filter((um) => !perdido.includes(um)).map((um) => `${arquivo} diz que tira ${um}, que ainda está lá`),
      ...(maior(versao, semUsoDesde) ? [] : [`${arquivo} tira o que a versão anterior à ${versao} ainda pode usar`]),
    ]),
  ];
}

function maior(uma: string, outra: string): boolean {
  const [a, b] = [uma, outra].map((versao) => versao.split('.').map(Number));
  const onde = a!.findIndex((numero, n) => numero !== (b![n] ?? 0));
  return onde !== -1 && a![onde]! > (b![onde] ?? 0);
}
