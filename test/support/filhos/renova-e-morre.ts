import { createRodizioService } from '../../../src/domain/acessos/sessoes/rodizio.service.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import type { WriteFor } from '../../../src/domain/escrita.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { relogioDoSistema } from '../../../src/platform/timing/relogio.ts';
import { vindoDe } from '../autor.ts';

// Refreshes a session of the app, and dies between the commit and the answer.
const [databaseUrl = '', provedor, refresh = ''] = process.argv.slice(2);
const db = createDatabase({ url: databaseUrl, pool: 1 });
const write = createEscrita({
  db,
  gate: { bump: async () => {} },
  onUnconfirmed: () => {},
});
const morrendo: WriteFor = async (...escrita) => {
  await write(...escrita);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
await createRodizioService({ db, relogio: relogioDoSistema, write: morrendo }).renovar(
  Number(provedor),
  refresh,
  vindoDe(),
);
