import { clienteTag } from '../../../src/domain/tags.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { AUTOR } from '../autor.ts';

// Writes a client's name through the helper, and dies between its commit and its bump.
const [databaseUrl = '', provedor, cliente, nome = ''] = process.argv.slice(2);
const write = createEscrita({
  db: createDatabase({ url: databaseUrl, pool: 1 }),
  gate: {
    async bump() {
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => {});
    },
  },
  onUnconfirmed: () => {},
});
await write(AUTOR, Number(provedor), async (w) => {
  w.touch(clienteTag(Number(cliente)));
  await w.update('clientes', (q) => void q.where({ id: Number(cliente) }), { nome });
});
