import test from 'ava';
import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { createSomaDeTrafego } from '../../../src/domain/trafego/soma.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { sorteio } from '../../support/sorteio.ts';
import { FUSO, criarProvedor, sessao } from '../conexoes/apoio.ts';

const MINUTO = 60_000;
const INICIO = Date.UTC(2026, 10, 20, 1, 30);
const NASES = ['10.1.0.1', '10.1.0.2'] as const;
const LOGINS = ['ana', 'bia', 'caio', 'davi'] as const;

let banco: Banco;
let db: Db;
let aplicacao: Db;
/** Of each login, in their order. */
let contratos: readonly number[];
let ana = 0;
let bia = 0;
test.before(async () => {
  banco = await criarBanco();
  ({ db } = banco);
  aplicacao = createDatabase({ url: banco.url, pool: 2 });
  ({ contratos } = await criarProvedor(db, { host: 'um.malha.test', nas: [...NASES], logins: [...LOGINS] }));
  [ana = 0, bia = 0] = contratos;
});
test.after.always(async () => {
  await aplicacao.destroy();
  await banco.fechar();
});

const texto = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

/** Writes as FreeRADIUS does, while the database's clock stands at an instant. */
async function em(instante: number, escrever: (trx: Db) => Promise<unknown>): Promise<void> {
  await db.transaction(async (trx) => {
    await trx.raw('SET timestamp = ?', [instante / 1000]);
    try {
      await escrever(trx);
    } finally {
      await trx.raw('SET timestamp = DEFAULT');
    }
  });
}

const somar = async (): Promise<number> => createSomaDeTrafego({ db: aplicacao }).somar();

/** What is kept, as `key → [download, upload]`. */
async function guardado(tabela: 'trafego_diario' | 'trafego_horario', chave: string[]) {
  const rows: Record<string, string | number>[] = await db(tabela).orderBy(chave);
  return Object.fromEntries(
    rows.map((row) => [chave.map((nome) => row[nome]).join(' '), [row['download_bytes'], row['upload_bytes']]]),
  );
}
const dias = async () => guardado('trafego_diario', ['contrato_id', 'dia']);
const horas = async () => guardado('trafego_horario', ['hora', 'nas']);

test.beforeEach(async () => {
  for (const tabela of ['radacct', 'trafego_mudancas', 'trafego_sessoes', 'trafego_diario', 'trafego_horario']) {
    await db(tabela).delete();
  }
});

/** A session whose row can be updated as FreeRADIUS's queries do. */
async function abrir(login: string, inicio: number, colunas: Record<string, string | number | null> = {}) {
  const linha = sessao(login, NASES[0], {
    acctstarttime: texto(inicio),
    acctupdatetime: texto(inicio),
    acctinputoctets: 0,
    acctoutputoctets: 0,
    acctsessiontime: 0,
    ...colunas,
  });
  await em(inicio, async (trx) => trx('radacct').insert(linha));
  const dela = (trx: Db) => trx('radacct').where('acctuniqueid', linha.acctuniqueid);
  return {
    linha,
    contar: async (quando: number, upload: number, download: number, mais: object = {}) =>
      em(quando, async (trx) =>
        dela(trx).update({
          acctupdatetime: texto(quando),
          acctsessiontime: Math.floor((quando - inicio) / 1000),
          acctinputoctets: upload,
          acctoutputoctets: download,
          ...mais,
        }),
      ),
    mudar: async (quando: number, colunas_: object) => em(quando, async (trx) => dela(trx).update(colunas_)),
  };
}

test.serial('o que cada atualização trouxe a mais conta uma vez, na hora e no dia local em que chegou', async (t) => {
  const uma = await abrir('ana', INICIO);
  await uma.contar(INICIO + 10 * MINUTO, 100, 1000);
  await uma.contar(INICIO + 10 * MINUTO, 100, 1000);
  t.is(await somar(), 1);
  // Past the local midnight, 03:00 UTC.
  await uma.contar(INICIO + 100 * MINUTO, 150, 1800);
  await uma.mudar(INICIO + 101 * MINUTO, { acctstoptime: texto(INICIO + 101 * MINUTO), acctoutputoctets: 1801 });
  t.is(await somar(), 2);
  t.is(await somar(), 0);
  t.deepEqual(await dias(), { [`${ana} 2026-11-19`]: [1000, 100], [`${ana} 2026-11-20`]: [801, 50] });
  t.deepEqual(await horas(), {
    [`2026-11-20 01:00:00 ${NASES[0]}`]: [1000, 100],
    [`2026-11-20 03:00:00 ${NASES[0]}`]: [801, 50],
  });
});

test.serial('um contador que caiu e um id usado de novo contam do zero', async (t) => {
  const uma = await abrir('ana', INICIO);
  await uma.contar(INICIO + 5 * MINUTO, 10, 100);
  await uma.contar(INICIO + 10 * MINUTO, 4, 40);
  await uma.mudar(INICIO + 11 * MINUTO, { acctstoptime: texto(INICIO + 11 * MINUTO) });
  // The NAS restarted, and begins with the same id; the Start leaves the counters of the row as they were.
  const outra = INICIO + 20 * MINUTO;
  await uma.mudar(outra, { acctstarttime: texto(outra), acctupdatetime: texto(outra), acctstoptime: null });
  await uma.contar(outra + 5 * MINUTO, 7, 70);
  await uma.contar(outra + 10 * MINUTO, 8, 80);
  await somar();
  t.deepEqual(await dias(), { [`${ana} 2026-11-19`]: [100 + 40 + 80, 10 + 4 + 8] });
  t.deepEqual(await db('trafego_sessoes'), []);
});

test.serial('uma sessão nova com exatamente os contadores da anterior conta inteira', async (t) => {
  const uma = await abrir('ana', INICIO);
  await uma.contar(INICIO + 5 * MINUTO, 10, 100, { acctstoptime: texto(INICIO + 5 * MINUTO) });
  const outra = INICIO + 20 * MINUTO;
  await uma.mudar(outra, { acctstarttime: texto(outra), acctupdatetime: texto(outra), acctstoptime: null });
  await uma.contar(outra + 7 * MINUTO, 10, 100);
  await somar();
  t.deepEqual(await dias(), { [`${ana} 2026-11-19`]: [200, 20] });
});

test.serial('uma atualização ultrapassada por outra não conta de novo', async (t) => {
  const uma = await abrir('ana', INICIO);
  await uma.contar(INICIO + 5 * MINUTO, 10, 100);
  await uma.contar(INICIO + 10 * MINUTO, 20, 200);
  const velha = { acctupdatetime: texto(INICIO + 5 * MINUTO), acctsessiontime: 300 };
  await uma.contar(INICIO + 11 * MINUTO, 10, 100, velha);
  await uma.contar(INICIO + 12 * MINUTO, 15, 150, { ...velha, acctupdatetime: texto(INICIO + 7 * MINUTO) });
  await uma.contar(INICIO + 15 * MINUTO, 30, 300);
  await somar();
  t.deepEqual(await dias(), { [`${ana} 2026-11-19`]: [300, 30] });
});

test.serial('sem o Start conta o que o NAS já tinha contado; uma tabela restaurada não conta', async (t) => {
  const agora = INICIO + 60 * MINUTO;
  const linha = sessao('bia', NASES[0], {
    acctstarttime: texto(INICIO - 3000 * MINUTO),
    acctupdatetime: texto(agora),
    acctinputoctets: 5,
    acctoutputoctets: 50,
  });
  await em(agora, async (trx) => trx('radacct').insert(linha));
  const velha = sessao('bia', NASES[1], {
    acctstarttime: texto(INICIO - 3000 * MINUTO),
    acctupdatetime: texto(INICIO - 2000 * MINUTO),
    acctinputoctets: 1e9,
    acctoutputoctets: 1e10,
  });
  await em(agora, async (trx) => trx('radacct').insert(velha));
  await somar();
  t.deepEqual(await dias(), { [`${bia} 2026-11-19`]: [50, 5] });
});

test.serial('um login de ninguém conta para o servidor, e um servidor de ninguém para nada', async (t) => {
  const uma = await abrir('ninguem', INICIO);
  await uma.contar(INICIO + 5 * MINUTO, 1, 10);
  const outra = await abrir('ana', INICIO, { nasipaddress: '192.0.2.9' });
  await outra.contar(INICIO + 5 * MINUTO, 1, 10);
  t.is(await somar(), 2);
  t.deepEqual(await dias(), {});
  t.deepEqual(await horas(), { [`2026-11-20 01:00:00 ${NASES[0]}`]: [10, 1] });
});

test.serial('um contador quebrado não conta, nem para a conta dos outros', async (t) => {
  const quebrado = '9223372036854775807';
  const quando = INICIO + 5 * MINUTO;
  for (let n = 0; n < 3; n += 1) {
    const uma = await abrir('ana', INICIO);
    await uma.mudar(quando, { acctsessiontime: 300, acctinputoctets: quebrado, acctoutputoctets: quebrado });
  }
  const outra = await abrir('bia', INICIO);
  await outra.contar(quando, 1, 10);
  t.is(await somar(), 4);
  t.deepEqual(await dias(), { [`${bia} 2026-11-19`]: [10, 1] });
  t.deepEqual(await horas(), { [`2026-11-20 01:00:00 ${NASES[0]}`]: [10, 1] });
});

test.serial('o que é demais para uma coluna para no maior valor, e não para a conta', async (t) => {
  const muito = 2 ** 50 - 1;
  const mudanca = { username: 'ana', nasipaddress: NASES[0], em: texto(INICIO), entrada: 1, saida: muito };
  await db.batchInsert(
    'trafego_mudancas',
    Array.from({ length: 20_000 }, () => mudanca),
    5000,
  );
  const outra = await abrir('bia', INICIO);
  await outra.contar(INICIO, 1, 10, { acctsessiontime: 1 });
  t.is(await somar(), 20_001);
  t.deepEqual(await dias(), {
    [`${ana} 2026-11-19`]: [Number.MAX_SAFE_INTEGER, 20_000],
    [`${bia} 2026-11-19`]: [10, 1],
  });
});

/** A row of `radacct` as who replays it keeps it: what its counters were when they were told last. */
interface Replay {
  readonly sessao: Awaited<ReturnType<typeof abrir>>;
  readonly login: string;
  readonly nas: string;
  inicio: number;
  aberta: boolean;
  upload: number;
  download: number;
}

test.serial('por histórias sorteadas, dias e horas são os de uma conta independente, byte por byte', async (t) => {
  const sorteado = sorteio(20_261_127);
  const inteiro = (ate: number): number => sorteado.ate(ate + 1);
  const esperadoDosDias = new Map<string, [number, number]>();
  const esperadoDasHoras = new Map<string, [number, number]>();
  const mais = (mapa: Map<string, [number, number]>, chave: string, download: number, upload: number): void => {
    const [d, u] = mapa.get(chave) ?? [0, 0];
    mapa.set(chave, [d + download, u + upload]);
  };
  const contar = (um: Replay, quando: number, download: number, upload: number): void => {
    if (download + upload === 0) return;
    const contrato = contratos[LOGINS.indexOf(um.login as 'ana')]!;
    mais(esperadoDosDias, `${contrato} ${hojeEm(FUSO, new Date(quando))}`, download, upload);
    mais(esperadoDasHoras, `${texto(quando).slice(0, 13)}:00:00 ${um.nas}`, download, upload);
  };
  const sessoes: Replay[] = [];
  let agora = INICIO;
  for (let passo = 0; passo < 600; passo += 1) {
    agora += (1 + inteiro(9)) * MINUTO;
    const uma = sessoes[inteiro(sessoes.length)];
    if (uma === undefined) {
      const login = LOGINS[inteiro(3)]!;
      const nas = NASES[inteiro(1)]!;
      const nova = await abrir(login, agora, { nasipaddress: nas });
      sessoes.push({ sessao: nova, login, nas, inicio: agora, aberta: true, upload: 0, download: 0 });
    } else if (!uma.aberta) {
      // The id of one that ended is used again.
      await uma.sessao.mudar(agora, {
        acctstarttime: texto(agora),
        acctupdatetime: texto(agora),
        acctstoptime: null,
        acctterminatecause: '',
      });
      Object.assign(uma, { inicio: agora, aberta: true, upload: 0, download: 0 });
    } else {
      const acao = inteiro(9);
      const caiu = acao === 0;
      const upload = (caiu ? 0 : uma.upload) + inteiro(1000);
      const download = (caiu ? 0 : uma.download) + inteiro(10_000);
      // One in five is lost on its way: the next tells of it too.
      if (acao === 1 || acao === 2) continue;
      const fim = acao === 3 ? { acctstoptime: texto(agora), acctterminatecause: 'User-Request' } : {};
      const tempo = { acctsessiontime: Math.floor((agora - uma.inicio) / 1000) };
      for (let vezes = acao === 4 ? 2 : 1; vezes > 0; vezes -= 1) {
        await uma.sessao.contar(agora, upload, download, { ...tempo, ...fim });
      }
      contar(
        uma,
        agora,
        download >= uma.download ? download - uma.download : download,
        upload >= uma.upload ? upload - uma.upload : upload,
      );
      Object.assign(uma, { upload, download, aberta: acao !== 3 });
    }
    if (passo % 50 === 0) await Promise.all([somar(), somar()]);
  }
  await somar();
  const ordenado = (mapa: ReadonlyMap<string, [number, number]>) =>
    Object.fromEntries([...mapa].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  t.deepEqual(await dias(), ordenado(esperadoDosDias));
  t.deepEqual(await horas(), ordenado(esperadoDasHoras));
  t.true(esperadoDosDias.size > 10);
});

test.serial('sessões que recomeçam juntas não derrubam a escrita umas das outras', async (t) => {
  const agora = Date.now();
  const linhas = Array.from({ length: 200 }, () =>
    sessao('ana', NASES[0], {
      acctstarttime: texto(agora - 20 * MINUTO),
      acctupdatetime: texto(agora - 10 * MINUTO),
      acctstoptime: texto(agora - 10 * MINUTO),
      acctinputoctets: 1,
      acctoutputoctets: 1,
    }),
  );
  await db('radacct').insert(linhas);
  const comeco = { acctstarttime: texto(agora), acctupdatetime: texto(agora), acctstoptime: null };
  const escritas = await Promise.allSettled(
    linhas.map(async ({ acctuniqueid }) => db('radacct').where({ acctuniqueid }).update(comeco)),
  );
  t.deepEqual(
    escritas.flatMap((uma) => (uma.status === 'rejected' ? [String(uma.reason)] : [])),
    [],
  );
});

test.serial('uma linha de esquema antigo, com 0000-00-00, se atualiza e conta', async (t) => {
  const sem = '0000-00-00 00:00:00';
  await db.transaction(async (trx) => {
    const [[{ modo = '' } = {}] = []] = await trx.raw<{ modo?: string }[][]>('SELECT @@sql_mode AS modo');
    await trx.raw("SET sql_mode = ''");
    try {
      for (const colunas of [{ acctupdatetime: sem }, { acctstarttime: sem }, { acctstoptime: sem }]) {
        const linha = sessao('ana', NASES[0], {
          acctsessiontime: 1,
          acctinputoctets: 1,
          acctoutputoctets: 10,
          ...colunas,
        });
        await trx('radacct').insert(linha);
        const mudanca = { acctsessiontime: 2, acctinputoctets: 2, acctoutputoctets: 20 };
        await t.notThrowsAsync(async () => trx('radacct').where('acctuniqueid', linha.acctuniqueid).update(mudanca));
      }
    } finally {
      await trx.raw('SET sql_mode = ?', [modo]);
    }
  });
  const mudancas: { entrada: number; saida: number }[] = await db('trafego_mudancas').select('entrada', 'saida');
  t.deepEqual(
    mudancas,
    Array.from({ length: 3 }, () => ({ entrada: 1, saida: 10 })),
  );
});
