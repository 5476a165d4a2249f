import type { Db } from '../../src/platform/mysql/database.ts';
import type { BenchContext } from '../support/bench.ts';
import { insertRows, openGenerated } from './dataset.ts';
import type { Dataset } from './dataset.ts';
import { cpfOf, PLANOS } from './rows.ts';
import type { Row } from './rows.ts';

/** Part of the names of databases: another number where rows change, so that no old data is taken for new. */
const SESSIONS_VERSION = 1;

/** The instant at which the generated sessions are looked at. */
export const SESSIONS_NOW = new Date('2026-11-20T15:00:00Z');
const NOW = SESSIONS_NOW.getTime() / 1000;
const WINDOW = 31 * 86_400;
const SESSIONS_A_CONTRACT = 10;

/** Providers of several sizes, of two zones; their shares of the contracts sum up to 1. */
const PROVIDERS = [
  { fuso: 'America/Sao_Paulo', share: 0.4, nases: 4 },
  { fuso: 'America/Manaus', share: 0.25, nases: 3 },
  { fuso: 'America/Sao_Paulo', share: 0.2, nases: 2 },
  { fuso: 'America/Manaus', share: 0.1, nases: 1 },
  { fuso: 'America/Sao_Paulo', share: 0.05, nases: 1 },
] as const;
const REBOOTS_A_NAS = 6;
/** One contract in this many has a login that the other providers have, too. */
const SHARED_LOGINS = 50;

const CAUSES = [
  ...Array<string>(34).fill('Lost-Carrier'),
  ...Array<string>(5).fill('Lost-Service'),
  ...Array<string>(3).fill('Port-Error'),
  'NAS-Error',
  'Service-Unavailable',
  ...Array<string>(30).fill('User-Request'),
  ...Array<string>(12).fill('Session-Timeout'),
  ...Array<string>(6).fill('Idle-Timeout'),
  ...Array<string>(5).fill('NAS-Request'),
  ...Array<string>(3).fill('Admin-Reset'),
] as const;

interface Contract {
  readonly provider: number;
  readonly login: string;
  readonly nas: string;
  readonly reboots: readonly number[];
}

/** Seconds since 1970; a session without a cause was not closed. */
interface Session {
  readonly contract: number;
  readonly start: number;
  readonly update: number | null;
  readonly stop: number | null;
  readonly cause: string;
}

/**
 * `count` sessions of the last 31 days in `radacct`, in the order in which they began, over a tenth as many contracts, and the changes
 * that the triggers wrote down of them. Of the sessions some two in five are drops, among them bursts of bad lines and reboots
 * of whole NASes; nine contracts in ten have one open, three in a hundred a stale one.
 */
export async function openSessions(context: BenchContext, count: number): Promise<Dataset> {
  return openGenerated(context, `bench_sessoes_${count}_v${SESSIONS_VERSION}`, async (db) => {
    const begun = performance.now();
    await generate(db, count);
    context.log(`${count} sessões geradas em ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  });
}

async function generate(db: Db, count: number): Promise<void> {
  const random = createRandom(20_261_120);
  const contracts = makeContracts(Math.max(PROVIDERS.length, Math.round(count / SESSIONS_A_CONTRACT)), random);
  const sessions = makeSessions(contracts, count, random);

  const ids = PROVIDERS.map((_, i) => i + 1);
  await db('provedores').insert(
    ids.map((id, i) => ({
      id,
      nome: `Bancada ${id}`,
      panel_host: `bancada${id}.malha.test`,
      fuso_horario: PROVIDERS[i]?.fuso,
    })),
  );
  await db('planos').insert(
    ids.map((provedor_id) => {
      const { id: _, ...plano } = PLANOS[0] ?? { id: 1 };
      return { id: provedor_id, provedor_id, ...plano };
    }),
  );
  await db('provedores_nas').insert(
    PROVIDERS.flatMap(({ nases }, i) =>
      Array.from({ length: nases }, (_, n) => ({ provedor_id: i + 1, nasipaddress: nasAddress(i, n) })),
    ),
  );
  await insertRows(db, 'clientes', contracts.length, (id) => [
    {
      provedor_id: contractAt(contracts, id - 1).provider + 1,
      id,
      nome: `Cliente ${id}`,
      tipo: 'pf',
      cpf_cnpj: cpfOf(id),
      situacao: 'ativo',
    },
  ]);
  await insertRows(db, 'contratos', contracts.length, (id) => {
    const { provider, login } = contractAt(contracts, id - 1);
    return [
      {
        provedor_id: provider + 1,
        id,
        cliente_id: id,
        plano_id: provider + 1,
        situacao: 'ativo',
        login,
        tipo_cobranca: 'pos_pago',
        dia_vencimento: 10,
        valor: '99.90',
      },
    ];
  });
  await insertRows(db, 'radacct', count, (i) => {
    const session = sessions[i - 1];
    return session === undefined ? [] : [radacctRow(i, session, contractAt(contracts, session.contract))];
  });
  for (const table of ['clientes', 'contratos', 'provedores_nas', 'radacct', 'radacct_mudancas']) {
    await db.raw('ANALYZE TABLE ??', [table]);
  }
}

function makeContracts(count: number, random: () => number): Contract[] {
  let before = 0;
  return PROVIDERS.flatMap(({ share, nases }, provider) => {
    const reboots = Array.from({ length: nases }, () =>
      Array.from({ length: REBOOTS_A_NAS }, () => NOW - Math.floor(random() * WINDOW)),
    );
    const size = provider === PROVIDERS.length - 1 ? count - before : Math.round(count * share);
    before += size;
    return Array.from({ length: size }, (_, i): Contract => {
      const nas = Math.floor(random() * nases);
      return {
        provider,
        login: i % SHARED_LOGINS === 0 ? `assinante${i}` : `assinante${i}@bancada${provider + 1}`,
        nas: nasAddress(provider, nas),
        reboots: reboots[nas] ?? [],
      };
    });
  });
}

function makeSessions(contracts: readonly Contract[], count: number, random: () => number): Session[] {
  // Most lines seldom drop; a few drop all day.
  const weights = contracts.map(() => {
    const luck = random();
    return luck < 0.8 ? 3 + 5 * random() : luck < 0.95 ? 10 + 15 * random() : 30 + 50 * random();
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => Math.max(1, Math.floor((weight / total) * count)));
  let left = count - sizes.reduce((sum, size) => sum + size, 0);
  for (let i = 0; left > 0; i = (i + 1) % sizes.length, left -= 1) sizes[i] = (sizes[i] ?? 0) + 1;
  const sessions = contracts.flatMap((contract, i) => sessionsOf(contract, i, sizes[i] ?? 1, random));
  return sessions.slice(0, count).toSorted((a, b) => a.start - b.start);
}

/** The sessions of one line, one after the other: `size` of them, the last open, stale or closed. */
function sessionsOf(contract: Contract, index: number, size: number, random: () => number): Session[] {
  const ends: { at: number; cause: string }[] = [];
  while (ends.length < size) {
    const before = ends.at(-1);
    const luck = random();
    const reboot = contract.reboots[Math.floor(random() * contract.reboots.length)];
    const cause = CAUSES[Math.floor(random() * CAUSES.length)] ?? '';
    if (luck < 0.1 && reboot !== undefined) ends.push({ at: reboot, cause: 'NAS-Reboot' });
    else if (luck < 0.25 && before !== undefined && before.at < NOW - 600) {
      // A bad line comes back and drops again within a minute or two.
      ends.push({ at: before.at + 15 + Math.floor(random() * 90), cause: 'Lost-Carrier' });
    } else ends.push({ at: NOW - 120 - Math.floor(random() * (WINDOW - 3600)), cause });
  }
  ends.sort((a, b) => a.at - b.at);
  let start = NOW - WINDOW + Math.floor(random() * 3000);
  return ends.map(({ at, cause }, i) => {
    const begun = Math.min(start, at);
    start = at + 3 + Math.floor(random() * 12);
    const last = i === ends.length - 1 ? random() : 1;
    const update = at - begun > 300 ? at - Math.floor(random() * 300) : null;
    if (last < 0.9) {
      return { contract: index, start: begun, update: NOW - Math.floor(random() * 300), stop: null, cause: '' };
    }
    if (last < 0.93) return { contract: index, start: begun, update, stop: null, cause: '' };
    return { contract: index, start: begun, update, stop: at, cause };
  });
}

/** As a PPPoE concentrator has FreeRADIUS write it. */
function radacctRow(i: number, { start, update, stop, cause }: Session, { login, nas }: Contract): Row {
  const mac =
    hex(i * 2_654_435_761, 12)
      .toUpperCase()
      .match(/../g)
      ?.join(':') ?? '';
  return {
    acctsessionid: hex(0x81_00_00_00 + i, 8),
    acctuniqueid: hex(i * 40_503, 16) + hex(i * 2_246_822_519, 16),
    username: login,
    nasipaddress: nas,
    nasportid: `vlan${100 + (i % 900)}`,
    nasporttype: 'Ethernet',
    acctstarttime: databaseTime(start),
    acctupdatetime: update === null ? null : databaseTime(update),
    acctstoptime: stop === null ? null : databaseTime(stop),
    acctinterval: 300,
    acctsessiontime: (stop ?? update ?? start) - start,
    acctauthentic: 'RADIUS',
    acctinputoctets: (i * 7919) % 5_000_000_000,
    acctoutputoctets: (i * 104_729) % 90_000_000_000,
    calledstationid: 'pppoe-clientes',
    callingstationid: mac,
    acctterminatecause: cause,
    servicetype: 'Framed-User',
    framedprotocol: 'PPP',
    framedipaddress: `100.${64 + (i % 64)}.${(i >> 6) % 256}.${(i >> 14) % 256}`,
  };
}

const nasAddress = (provider: number, nas: number): string => `10.${provider}.0.${nas + 1}`;

const databaseTime = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');

const hex = (value: number, width: number): string => value.toString(16).padStart(width, '0').slice(-width);

function contractAt(contracts: readonly Contract[], i: number): Contract {
  const contract = contracts[i];
  if (contract === undefined) throw new RangeError(`no contract ${i}`);
  return contract;
}

/** Numbers from 0 to 1, the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
