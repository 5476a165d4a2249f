import type { Api } from '../../support/api.ts';

interface Comando {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** What the service asks of the database while something is done, and how that failed, if it did. */
export async function comandosDe(
  api: Api,
  fazer: () => Promise<unknown>,
): Promise<{ comandos: Comando[]; erro: unknown }> {
  const comandos: Comando[] = [];
  const ouvir = ({ sql, bindings = [] }: Partial<Comando>): void => void comandos.push({ sql: sql ?? '', bindings });
  const { db } = api.container;
  db.on('query', ouvir);
  try {
    await fazer();
    return { comandos, erro: null };
  } catch (erro) {
    return { comandos, erro };
  } finally {
    db.removeListener('query', ouvir);
  }
}
