import { Ajv } from 'ajv';
import { CATALOGO } from '../../src/domain/eventos/catalogo.types.ts';
import { CONEXOES_AGREGADAS, LINHAS_ALTERADAS } from '../../src/domain/eventos/eventos.types.ts';
import type { Db } from '../../src/platform/mysql/database.ts';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const nomes = new Map<string, (dados: unknown) => string | null>(
  Object.entries(CATALOGO).map(([tipo, { dados: esquema }]) => {
    if (esquema === null) return [tipo, (dados) => (dados === null ? null : 'não leva dados')];
    const valida = ajv.compile(esquema);
    return [tipo, (dados) => (valida(dados) ? null : ajv.errorsText(valida.errors))];
  }),
);

/** They say nothing but their tags, and nobody emits them. */
const SO_ETIQUETAS = ['alteracao', CONEXOES_AGREGADAS, LINHAS_ALTERADAS];

/** What is wrong with an event by the catalogue; null where nothing is. */
export function faltaDoEvento(tipo: string, dados: unknown): string | null {
  if (SO_ETIQUETAS.includes(tipo)) return null;
  const conferir = nomes.get(tipo);
  return conferir === undefined ? 'não está no catálogo' : conferir(dados);
}

/**
 * Holds every event that a database's writes have emitted against the catalogue. What is named otherwise than `recurso.acao`, or begins with
 * `t.`, a test wrote itself.
 */
export async function conferirEventos(db: Db): Promise<void> {
  const ditos: { tipo: string; dados: unknown }[] = await db('eventos')
    .distinct('tipo', db.raw('CAST(dados AS CHAR) AS dados'))
    .where('tipo', 'like', '%_._%')
    .whereNot('tipo', 'like', 't.%')
    .limit(10_000);
  for (const { tipo, dados } of ditos) {
    const falta = faltaDoEvento(tipo, typeof dados === 'string' ? JSON.parse(dados) : dados);
    if (falta !== null) throw new Error(`evento ${tipo} ${JSON.stringify(dados)}: ${falta}`);
  }
}
