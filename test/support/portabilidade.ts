import type { Db } from '../../src/platform/mysql/database.ts';

/**
 * Kinds of statements that none of ours is, and that would stand against a database that splits itself (docs/adr/0062 lists those that we
 * have). Whoever needs one decides it there first.
 */
const FORA_DA_LISTA: Readonly<Record<string, RegExp>> = {
  'uma consulta que se chama a si mesma': /\bWITH\s+RECURSIVE\b/i,
  'uma tabela derivada LATERAL': /\bLATERAL\b/i,
  'uma busca de texto inteiro': /\bAGAINST\s*\(/i,
  'uma variável da conexão': /@\w+\s*:=/,
  'uma transação XA': /^\s*XA\s/i,
  'travas de tabelas': /\bLOCK\s+TABLES?\b/i,
  'um procedimento': /^\s*CALL\s/i,
  'um arquivo do servidor': /\bINTO\s+(?:OUTFILE|DUMPFILE)\b|\bLOAD\s+DATA\b/i,
  'uma função espacial': /\bST_\w+\s*\(/,
  HANDLER: /^\s*HANDLER\s/i,
  'um total contado ao lado': /\bSQL_CALC_FOUND_ROWS\b/i,
  'uma trava com nome': /\bGET_LOCK\s*\(/i,
};

/** What a statement is that none of ours is; undefined for any other. What is between quotes is no part of it. */
export function foraDaLista(sql: string): string | undefined {
  const semTextos = sql.replaceAll(/'(?:[^'\\]|\\.)*'/g, "''");
  return Object.entries(FORA_DA_LISTA).find(([, padrao]) => padrao.test(semTextos))?.[0];
}

/** Looks at every statement of a pool from now on; the function that it gives throws for the first that none of ours is. */
export function vigiarComandos(db: Db): () => void {
  let achado: string | undefined;
  db.on('query', ({ sql }: { readonly sql: string }) => {
    const tipo = achado === undefined ? foraDaLista(sql) : undefined;
    if (tipo !== undefined) achado = `${tipo} (docs/adr/0062): ${sql.slice(0, 300)}`;
  });
  return () => {
    if (achado !== undefined) throw new Error(achado);
  };
}
