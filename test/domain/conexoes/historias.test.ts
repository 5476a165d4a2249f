import test from 'ava';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../../src/brazil/calendario/datas.ts';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import type { RadacctRow } from '../../../src/domain/conexoes/conexoes.types.ts';
import { contarQuedas, interpretarSessao } from '../../../src/domain/conexoes/sessoes.regras.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { relogioEm } from '../../support/relogio.ts';
import { quanto } from '../../support/prova.ts';
import { sorteio } from '../../support/sorteio.ts';
import { criarProvedor, esvaziar, sessao, leituraDe } from './apoio.ts';

const HISTORIAS = quanto(8, 24);
const OPERACOES = 150;
const INTERVALO = 300;
const DIA_MS = 86_400_000;
const LOGINS = ['ana', 'bia', 'caio', 'davi', 'eva', 'joao'];
const DE_A = ['10.0.0.1', '10.0.0.2'];
const DE_B = ['10.0.0.3'];
const DE_NINGUEM = '10.9.9.9';
/** RFC names, and the same and others as some NAS or some hand may have written them. */
const CAUSAS = [
  'Lost-Carrier',
  'Lost-Carrier',
  'Lost-Service',
  'Port-Error',
  'NAS-Error',
  'Service-Unavailable',
  'lost carrier',
  ' LOST_CARRIER ',
  'User-Request',
  'user-request',
  'User-Request ',
  'Session-Timeout',
  'Admin-Reset',
  'Vendor X',
  '',
];
/** Of both ways that a clock of daylight saving goes, within the window; Chile still has it, and changes at midnight. */
const MOMENTOS = ['2026-09-20T15:00:00Z', '2026-04-20T15:00:00Z', '2026-11-20T02:59:30Z'];

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.beforeEach(() => esvaziar(banco.db));
test.after.always(async () => {
  await banco.fechar();
});

interface Linha extends RadacctRow {
  readonly radacctid: number;
  readonly username: string;
  readonly nasipaddress: string;
}

async function lerLinhas(db: Db, onde: object = {}): Promise<Linha[]> {
  return db('radacct')
    .leftJoin('sessoes_ouvidas', 'sessoes_ouvidas.radacctid', 'radacct.radacctid')
    .where(onde)
    .orderBy('radacct.radacctid')
    .select<Linha[]>('radacct.*', 'ouvida_em', 'intervalo_anterior');
}

const texto = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** What FreeRADIUS, NASes and people do to `radacct`, at random moments up to `agora` and a little after. */
function criarHistoria(db: Db, semente: number, agora: number, fuso: string) {
  const { numero, ate, um } = sorteio(semente);
  const nases = [...DE_A, ...DE_B, DE_NINGUEM];
  let ultimo = agora - 2 * DIA_MS;
  /** Drops of sessions whose row another session took, with the row's id. */
  const passadas: { radacctid: number; momento: number }[] = [];

  /** Any second of the window; or near the last one, or near a local midnight, where rules change. */
  function momento(): number {
    const sorte = numero();
    const hoje = hojeEm(fuso, new Date(agora));
    if (sorte < 0.4) ultimo += um([59, 60, 61, 30, -60, -61]) * 1000;
    else if (sorte < 0.6) ultimo = inicioDoDiaEm(fuso, somarDias(hoje, -ate(32))).getTime() + (ate(7) - 3) * 1000;
    else if (sorte < 0.7) ultimo = agora - 2000 * INTERVALO + (ate(7) - 3) * 1000;
    else ultimo = agora - Math.floor(numero() * 34 * DIA_MS);
    return Math.floor(ultimo / 1000) * 1000;
  }

  async function umaLinha(onde: object = {}): Promise<Linha | undefined> {
    const linhas = await lerLinhas(db, onde);
    return linhas.length === 0 ? undefined : um(linhas);
  }
  async function mudar(onde: object, colunas: object): Promise<void> {
    const linha = await umaLinha(onde);
    if (linha !== undefined) await db('radacct').where('radacctid', linha.radacctid).update(colunas);
  }
  /** Another session takes a row: the one that was over by then has dropped, or not, for good. */
  async function tomar(quando: number, colunas: object = {}): Promise<void> {
    const linha = await umaLinha();
    if (linha === undefined) return;
    // By the NAS's clock alone: our receipt has nothing to do with the moments of these histories.
    const antes = interpretarSessao({ ...linha, ouvida_em: null }, new Date(quando), INTERVALO);
    const terminou = antes.fim?.getTime();
    if (antes.queda && terminou !== undefined && terminou <= quando && linha.acctstarttime !== texto(quando))
      passadas.push({ radacctid: linha.radacctid, momento: terminou });
    await db('radacct')
      .where('radacctid', linha.radacctid)
      .update({ acctstarttime: texto(quando), ...colunas });
  }
  const aberta = { acctstoptime: null };
  const fim = (quando: number) => ({ acctstoptime: texto(quando), acctterminatecause: um(CAUSAS) });

  const operacoes: (() => Promise<unknown>)[] = [
    // Start.
    () => db('radacct').insert(sessao(um(LOGINS), um(nases), { acctstarttime: texto(momento()) })),
    // Start of a session id that was used before.
    () =>
      db('radacct').insert(
        sessao(um(LOGINS), um(nases), {
          acctsessionid: 'repetida',
          acctstarttime: texto(momento()),
          acctinterval: null,
        }),
      ),
    // Interim update.
    () => mudar(aberta, { acctupdatetime: texto(momento()), acctinterval: um([null, 0, 3, 60, 300, 900]) }),
    // Stop.
    () => mudar(aberta, fim(momento())),
    // A whole session at once, as of a line that drops again and again.
    () => {
      const quando = momento();
      return db('radacct').insert(
        sessao(um(LOGINS), um(nases), { acctstarttime: texto(quando - ate(4000) * 1000), ...fim(quando) }),
      );
    },
    // Stop without a Start.
    () => db('radacct').insert(sessao(um(LOGINS), um(nases), { acctsessiontime: 60, ...fim(momento()) })),
    // A Start with the session id of a row, long after or told again late: a Stop that is there stays behind.
    () => tomar(momento()),
    // The same by whoever else writes it: the new session comes with its own signs, without the old one's end, or ended.
    () => {
      const quando = momento();
      return tomar(quando, { acctupdatetime: texto(quando), acctinterval: um([null, 60, 300]) });
    },
    () => tomar(momento(), { acctupdatetime: null, ...fim(momento()) }),
    // A Stop that is told again with another moment, or that of a session which took a row.
    () => mudar({}, fim(momento())),
    // Accounting-On: the NAS was started anew, all its sessions end.
    () =>
      db('radacct')
        .where({ nasipaddress: um(nases), acctstoptime: null })
        .update({ acctstoptime: texto(momento()), acctterminatecause: 'NAS-Reboot' }),
    // Somebody deletes a row, renames a login, moves a session.
    () => umaLinha().then((linha) => linha && db('radacct').where('radacctid', linha.radacctid).delete()),
    () => mudar({}, { username: um(LOGINS) }),
    () => mudar({}, { nasipaddress: um(nases) }),
  ];
  const pesos = [5, 1, 3, 5, 8, 1, 3, 3, 1, 2, 1, 1, 1, 1].flatMap((peso, i) => Array.from({ length: peso }, () => i));
  return { numero, ate, passadas, passo: () => operacoes[um(pesos)]!() };
}

for (let semente = 1; semente <= HISTORIAS; semente += 1) {
  test.serial(
    `o que a agregação guarda é o que as leituras julgam de cada linha, na história ${semente}`,
    async (t) => {
      const { db } = banco;
      const relogio = relogioEm(MOMENTOS[semente % MOMENTOS.length]!);
      const agora = relogio.agora();
      const fusos = ['America/Santiago', 'America/Manaus'] as const;
      const provedores = [
        {
          ...(await criarProvedor(db, { host: 'a.test', nas: DE_A, logins: LOGINS, fuso: fusos[0] })),
          nas: DE_A,
          fuso: fusos[0],
        },
        {
          ...(await criarProvedor(db, { host: 'b.test', nas: DE_B, logins: LOGINS, fuso: fusos[1] })),
          nas: DE_B,
          fuso: fusos[1],
        },
      ];
      const base = { db, relogio, intervaloPadraoSegundos: INTERVALO };
      const agregacao = createAgregacao(base);
      const historia = criarHistoria(db, semente, agora.getTime(), fusos[0]);
      for (let n = 0; n < OPERACOES; n += 1) {
        await historia.passo();
        if (historia.numero() < 0.1) await agregacao.agregarMudancas(1 + historia.ate(30));
      }
      await agregacao.agregarMudancas();
      t.is((await db('radacct_mudancas')).length, 0);
      t.is((await db('conexoes_pendentes')).length, 0);

      const linhas = await lerLinhas(db);
      let contadas = 0;
      let reusos = 0;
      for (const { id, contratos, nas, fuso } of provedores) {
        const hoje = hojeEm(fuso, agora);
        for (const [n, contrato] of contratos.entries()) {
          const dele = linhas.filter(
            ({ username, nasipaddress }) => username === LOGINS[n] && nas.includes(nasipaddress),
          );
          const sessoes = dele.map((linha) => interpretarSessao(linha, agora, INTERVALO));
          const momentos = sessoes.flatMap(({ queda, fim }) => (queda && fim !== null ? [fim.getTime()] : []));
          const ids = new Set(dele.map(({ radacctid }) => radacctid));
          const antigas = historia.passadas.filter(({ radacctid }) => ids.has(radacctid));
          momentos.push(...antigas.map(({ momento }) => momento));
          reusos += antigas.length;
          // As far back as rows are read: 32 times 24 h.
          const lidos = momentos.filter((momento) => momento >= agora.getTime() - 32 * DIA_MS);
          const esperadas = [...contarQuedas(lidos, (momento) => hojeEm(fuso, new Date(momento)))]
            .filter(([dia]) => dia >= somarDias(hoje, -30))
            .toSorted(([a], [b]) => a.localeCompare(b));
          const gravadas: { dia: string; quedas: number }[] = await db('quedas_diarias')
            .where({ provedor_id: id, contrato_id: contrato })
            .orderBy('dia');
          t.deepEqual(
            gravadas.map(({ dia, quedas }): [string, number] => [dia, quedas]),
            esperadas,
          );
          contadas += esperadas.length;

          const [registro] = await db('conexoes').where({ provedor_id: id, contrato_id: contrato });
          if (dele.length > 0) t.truthy(registro);
          const validade = (ouvida: string | null, intervalo: number | null): number | null =>
            ouvida === null ? null : Date.parse(`${ouvida.replace(' ', 'T')}Z`) + 2000 * intervalo!;
          const abertas = sessoes.flatMap(({ aberta, ouvidaEm, intervaloSegundos }) =>
            aberta ? [ouvidaEm!.getTime() + 2000 * intervaloSegundos] : [],
          );
          t.is(
            validade(registro?.ouvida_em ?? null, registro?.intervalo_segundos ?? null),
            abertas.length === 0 ? null : Math.max(...abertas),
          );

          const leitura = leituraDe(base, id, fuso);
          const conexao = (await leitura.buscarPorContrato(contrato))!;
          const de30 = esperadas.filter(([dia]) => dia >= somarDias(hoje, -29));
          t.is(
            conexao.quedas30Dias,
            de30.reduce((soma, [, quedas]) => soma + quedas, 0),
          );
          t.is(conexao.conexao, registro === undefined ? 'desconhecido' : abertas.length > 0 ? 'online' : 'offline');
        }
      }
      t.true(contadas > 5, `só ${contadas} dias com quedas`);
      t.true(reusos > 0);
    },
  );
}
