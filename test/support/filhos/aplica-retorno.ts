import { writeSync } from 'node:fs';
import { createCnab } from '../../../src/domain/boletos/cnab.ts';
import { createRetornosService } from '../../../src/domain/boletos/retornos/recebimento.service.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createProvedoresService } from '../../../src/domain/provedores/provedores.service.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { AUTOR } from '../autor.ts';
import { relogioEm } from '../relogio.ts';

// Applies a bank's file until it is done or killed, and says each part that is done.
const [databaseUrl = '', ...numeros] = process.argv.slice(2);
const [provedor = 0, retorno = 0] = numeros.map(Number);
const db = createDatabase({ url: databaseUrl, pool: 2, announces: true });
const retornos = createRetornosService({
  db,
  write: createEscrita({ db, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
  relogio: relogioEm('2026-12-01T15:00:00.000Z'),
  provedores: createProvedoresService({ db }),
  cnab: createCnab(createThreads({ maxThreads: 1 }), createThreads({ maxThreads: 1 })),
  descansoMs: () => 0,
});
await retornos.processar(AUTOR, provedor, retorno, {
  signal: new AbortController().signal,
  aoAvancar: ({ feitas }) => void writeSync(1, `${feitas}\n`),
});
await db.destroy();
