import { loadConfig } from './src/platform/config.ts';
import { knexConfig } from './src/platform/mysql/database.ts';

// For knex's own command line on a real server: DATABASE_URL=mysql://… npx knex --knexfile dist/knexfile.js migrate:status
const { DATABASE_URL, MALHA_POOL } = loadConfig(process.env);
if (DATABASE_URL === undefined) throw new Error('Defina DATABASE_URL para usar o knex pela linha de comando.');

export default knexConfig({ url: DATABASE_URL, pool: MALHA_POOL });
