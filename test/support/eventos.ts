import { Ajv } from 'ajv';
import type { ValidateFunction } from 'ajv';
import { CATALOGO } from '../../src/domain/eventos/catalogo.types.ts';
import { APAGADOS_QUANDO_PUBLICADOS } from '../../src/domain/eventos/eventos.types.ts';
import type { Db } from '../../src/platform/mysql/database.ts';

const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
const feitas = new Map<string, ValidateFunction>();

/** Compiled when the first event of the kind comes: every test file is of few kinds. */
function validador(tipo: string, esquema: object): ValidateFunction {
  const feita = feitas.get(tipo) ?? ajv.compile(esquema);
  feitas.set(tipo, feita);
  return feita;
}

/** They say nothing but their tags, and nobody emits them. */
const SO_ETIQUETAS = ['alteracao', ...APAGADOS_QUANDO_PUBLICADOS];

/** What is wrong with an event by the catalogue; null where nothing is. */
export function faltaDoEvento(tipo: string, dados: unknown): string | null {
  if (SO_ETIQUETAS.includes(tipo)) return null;
  const descrito = Object.hasOwn(CATALOGO, tipo) ? CATALOGO[tipo as keyof typeof CATALOGO] : undefined;
  if (descrito === undefined) return 'não está no catálogo';
  if (descrito.dados === null) return dados === null ? null : 'não leva dados';
  const valida = validador(tipo, descrito.dados);
  return valida(dados) ? null : ajv.errorsText(valida.errors);
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
