import { request } from 'node:http';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import { nfcomDeExemplo } from '../test/support/nfcom/autorizada.ts';
import { PANEL_HOST, PROVIDER_ID, openDataset } from './data/dataset.ts';
import { createPanelSessions } from './data/panel-sessions.ts';
import type { BenchContext } from './support/bench.ts';
import { peakMemoryMb } from './support/peak.ts';
import { round } from './support/stats.ts';

const CLIENTS = 2000;
const NOTES = Number(process.env['MALHA_BENCH_NOTES'] ?? 100_000);
const MONTH = '2026-10';
const NOTES_A_STATEMENT = 1000;

/** The accountant's file of a month of so many notes, from the panel: how long it takes, and what memory whoever writes it needs. */
export async function run(context: BenchContext): Promise<Record<string, number>> {
  const { children, redisUrl, log } = context;
  const dataset = await openDataset(context, CLIENTS);
  const db = dataset.open(1);
  let cookie: string;
  try {
    await writeNotes(db, log);
    [cookie = ''] = await createPanelSessions(db, 1);
    await db('painel_sessoes').update({ provada_em: toDatabaseTime(new Date()) });
  } finally {
    await db.destroy();
  }
  const { port, pid } = await children.serve({ DATABASE_URL: dataset.url, REDIS_URL: redisUrl });
  // A file of a month without notes: what is compiled and opened once is not of the file that is measured.
  await download(port, cookie, '2020-01');
  const before = peakMemoryMb(pid);
  log(`Arquivo de ${NOTES} notas…`);
  const begun = performance.now();
  const bytes = await download(port, cookie, MONTH);
  const seconds = (performance.now() - begun) / 1000;
  return {
    notes: NOTES,
    seconds: round(seconds),
    notes_per_second: Math.round(NOTES / seconds),
    file_mb: Math.round(bytes / 2 ** 20),
    rss_mb_before: before,
    rss_mb_peak: peakMemoryMb(pid),
  };
}

/** Authorised notes of one client, each with a document of its own length; those of the run before stay. */
async function writeNotes(db: Db, log: (line: string) => void): Promise<void> {
  const [counted] = await db('nfcom').where({ provedor_id: PROVIDER_ID }).count({ n: '*' });
  let n = Number(counted?.['n']);
  if (n >= NOTES) return;
  log(`Gravando ${NOTES} notas…`);
  const [client] = await db('clientes').where({ provedor_id: PROVIDER_ID }).orderBy('id').limit(1);
  const ofAll = { provedor_id: PROVIDER_ID, cliente_id: Number(client?.['id']) };
  const [invoice] = await db('faturas').insert({
    ...ofAll,
    token: 'mes'.padEnd(22, 'x'),
    situacao: 'pendente',
    valor: '99.90',
    vencimento: `${MONTH}-10`,
    emitida_em: `${MONTH}-01 12:00:00.000`,
  });
  const xml = nfcomDeExemplo({ ambiente: 1 });
  for (; n < NOTES; n += NOTES_A_STATEMENT) {
    await db('nfcom').insert(
      Array.from({ length: NOTES_A_STATEMENT }, (_, i) => ({
        ...ofAll,
        fatura_id: invoice,
        situacao: 'autorizada',
        ambiente: 'producao',
        serie: 1,
        numero: n + i + 1,
        chave: String(n + i).padStart(44, '0'),
        protocolo: '3312600000000001',
        valor: '99.90',
        pedida_em: `${MONTH}-01 12:00:00.000`,
        emitida_em: `${MONTH}-01 12:00:00.000`,
        autorizada_em: toDatabaseTime(new Date(Date.parse(`${MONTH}-02T12:00:00Z`) + (n + i) * 10)),
        xml_autorizado: xml,
      })),
    );
  }
}

/** Reads it as it comes, and keeps nothing of it; resolves to its length. */
async function download(port: number, cookie: string, month: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const req = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/painel/nfcom/mes',
        headers: {
          host: PANEL_HOST,
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
        },
      },
      (res) => {
        let length = 0;
        res.on('data', (part: Buffer) => (length += part.length));
        res.on('error', reject);
        res.on('end', () => {
          if (res.headers['content-type'] === 'application/zip') resolve(length);
          else reject(new Error(`${res.statusCode} ${res.headers['location'] ?? ''}`));
        });
      },
    );
    req.on('error', reject);
    req.end(new URLSearchParams({ mes: month, ambiente: 'producao' }).toString());
  });
}
