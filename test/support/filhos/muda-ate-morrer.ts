import { writeSync } from 'node:fs';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { PASSOS, criarEscritor } from '../cadeia.ts';

// Writes chains, several at a time and one after another, until it is killed, and says of each step that it is done.
const [databaseUrl = '', redisUrl = '', ...numeros] = process.argv.slice(2);
const [provedor = 0, plano = 0, outroPlano = 0, primeira = 0, maos = 0] = numeros.map(Number);
const db = createDatabase({ url: databaseUrl, pool: 4 });
const escritor = await criarEscritor({ databaseUrl, redisUrl }, { db, provedor, plano, outroPlano });

await Promise.all(
  Array.from({ length: maos }, async (_, mao) => {
    for (let n = primeira + mao; ; n += maos) {
      for (const [passo, um] of PASSOS.entries()) {
        await escritor.dar(n, um);
        // At once: what was said must have been said when the process dies.
        writeSync(1, `${n} ${passo}\n`);
      }
    }
  }),
);
