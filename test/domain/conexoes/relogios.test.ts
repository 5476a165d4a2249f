import test from 'ava';
import type { ExecutionContext } from 'ava';
import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { createDatabase, toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarBanco, urlDoBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { quanto } from '../../support/prova.ts';
import { relogioEm } from '../../support/relogio.ts';
import { sorteio } from '../../support/sorteio.ts';
import { criarProvedor, esvaziar, leituraDe } from './apoio.ts';

const SEGUNDO = 1000;
const MINUTO = 60 * SEGUNDO;
const HORA = 60 * MINUTO;
/** What is told with no more delay than this counts as told at once. */
const MAIOR_ATRASO = HORA;
const PADRAO = 300;
const INICIO = Date.parse('2026-11-20T06:00:00Z');
const NAS = '10.0.0.1';

let banco: Banco;
/** FreeRADIUS's one connection, whose clock, which is the server's, the tests set. */
let freeradius: Db;
test.before(async () => {
  banco = await criarBanco();
  const [[{ nome }]] = await banco.db.raw('SELECT DATABASE() AS nome');
  freeradius = createDatabase({ url: urlDoBanco(nome, 'dono'), pool: 1 });
});
test.beforeEach(() => esvaziar(banco.db));
test.after.always(async () => {
  await freeradius?.destroy();
  await banco.fechar();
});

const texto = (ms: number): string => toDatabaseTime(new Date(ms)).slice(0, 19);
const agoraNoBanco = async (ms: number): Promise<unknown> => freeradius.raw('SET timestamp = ?', [ms / SEGUNDO]);

/** FreeRADIUS's own statements for a session, with the moments that its NAS tells. */
function sessaoDe(login: string, id = login) {
  return {
    async start(dita: number): Promise<void> {
      await freeradius.raw(
        `INSERT INTO radacct (acctsessionid, acctuniqueid, username, nasipaddress, acctstarttime, acctupdatetime, acctsessiontime)
         VALUES (?, ?, ?, ?, ?, ?, 0)`,
        [id, id, login, NAS, texto(dita), texto(dita)],
      );
    },
    async interim(dita: number): Promise<void> {
      await freeradius.raw(
        `UPDATE radacct SET acctupdatetime = (@antes := acctupdatetime), acctupdatetime = ?,
                acctinterval = TIMESTAMPDIFF(SECOND, @antes, ?), acctsessiontime = TIMESTAMPDIFF(SECOND, acctstarttime, ?)
          WHERE acctuniqueid = ?`,
        [texto(dita), texto(dita), texto(dita), id],
      );
    },
    async stop(dita: number): Promise<void> {
      await freeradius.raw(
        "UPDATE radacct SET acctstoptime = ?, acctterminatecause = 'Lost-Carrier' WHERE acctuniqueid = ?",
        [texto(dita), id],
      );
    },
  };
}

/** A provider, and what its API says of a contract at an instant, by what the worker has aggregated until then. */
async function preparar(logins: string[]) {
  const { db } = banco;
  const relogio = relogioEm(texto(INICIO));
  const base = { db, relogio, intervaloPadraoSegundos: PADRAO };
  const agregacao = createAgregacao(base);
  const { id, contratos } = await criarProvedor(db, { host: 'a.test', nas: [NAS], logins });
  const leitura = leituraDe(base, id);
  return {
    contratos,
    async agregar(ms: number): Promise<void> {
      relogio.definir(new Date(ms).toISOString());
      await agregacao.agregarMudancas();
      await agregacao.agregarParadas();
    },
    ler: async (contrato = contratos[0]!) => (await leitura.buscarPorContrato(contrato))!,
  };
}
type Preparado = Awaited<ReturnType<typeof preparar>>;

async function conexaoEm(p: Preparado, ms: number): Promise<string> {
  await p.agregar(ms);
  return (await p.ler()).conexao;
}

/** A session that a NAS confirms every five minutes, as it is told, by a clock of its own. */
async function confirmada(t: ExecutionContext, erroDoRelogio: number, desde: number): Promise<Preparado> {
  const p = await preparar(['joao']);
  const sessao = sessaoDe('joao');
  await agoraNoBanco(INICIO);
  await sessao.start(INICIO + erroDoRelogio);
  for (let n = 1; n <= 6; n += 1) {
    const em = INICIO + n * 5 * MINUTO;
    if (n >= desde) t.is(await conexaoEm(p, em - SEGUNDO), 'online', `antes do sinal ${n}`);
    await agoraNoBanco(em);
    await sessao.interim(em + erroDoRelogio);
    if (n >= desde) t.is(await conexaoEm(p, em + SEGUNDO), 'online', `depois do sinal ${n}`);
  }
  return p;
}
const ULTIMO = INICIO + 30 * MINUTO;

for (const [nome, erro] of [
  ['certo', 0],
  ['15 minutos atrasado', -15 * MINUTO],
  ['uma hora atrasado', -59 * MINUTO],
  ['15 minutos adiantado', 15 * MINUTO],
  ['um dia adiantado', 24 * HORA],
] as const) {
  test.serial(
    `com o relógio do NAS ${nome}, a sessão está online enquanto ele a confirma, e nem um pouco mais`,
    async (t) => {
      const p = await confirmada(t, erro, 1);
      t.is(await conexaoEm(p, ULTIMO + 10 * MINUTO), 'online');
      t.is(await conexaoEm(p, ULTIMO + 10 * MINUTO + SEGUNDO), 'offline');
      const { sessoes, quedas7Dias } = await p.ler();
      t.is(quedas7Dias, 1);
      // The moments are the NAS's, but for those of the future.
      t.is(sessoes[0]!.fim!.getTime(), Math.min(ULTIMO + erro, ULTIMO));
    },
  );
}

for (const [nome, erro] of [
  ['três horas atrasado', -3 * HORA],
  ['em 1970', Date.parse('1970-01-02T00:00:00Z') - INICIO],
] as const) {
  test.serial(`com o relógio do NAS ${nome}, a sessão está online desde o segundo sinal`, async (t) => {
    const p = await confirmada(t, erro, 2);
    t.is(await conexaoEm(p, ULTIMO + 10 * MINUTO + SEGUNDO), 'offline');
  });
}

test.serial(
  'depois de três horas de pane, a sessão que se calou de novo fica offline em dois intervalos',
  async (t) => {
    const p = await preparar(['joao']);
    const sessao = sessaoDe('joao');
    await agoraNoBanco(INICIO);
    await sessao.start(INICIO);
    await agoraNoBanco(INICIO + 5 * MINUTO);
    await sessao.interim(INICIO + 5 * MINUTO);
    // What the NAS sent meanwhile nobody took: FreeRADIUS counts the outage as an interval.
    const fim = INICIO + 3 * HORA;
    t.is(await conexaoEm(p, fim - SEGUNDO), 'offline');
    await agoraNoBanco(fim);
    await sessao.interim(fim);
    t.is((await banco.db('radacct').first('acctinterval')).acctinterval, 175 * 60);
    t.is(await conexaoEm(p, fim + SEGUNDO), 'online');
    t.is(await conexaoEm(p, fim + 10 * MINUTO + SEGUNDO), 'offline');
    t.is(await conexaoEm(p, fim + 5 * HORA), 'offline');
  },
);

test.serial('o que um spool conta horas depois não revive quem já se foi, e encontra quem ainda vive', async (t) => {
  const p = await preparar(['morta', 'viva']);
  const [morta, viva] = [sessaoDe('morta'), sessaoDe('viva')];
  await agoraNoBanco(INICIO);
  await morta.start(INICIO);
  await viva.start(INICIO);
  const fim = INICIO + 4 * HORA;
  await agoraNoBanco(fim);
  // One was heard of for an hour of the outage, the other all the time.
  for (let em = INICIO + 5 * MINUTO; em <= fim; em += 5 * MINUTO) {
    if (em <= INICIO + HORA) await morta.interim(em);
    await viva.interim(em);
  }
  await p.agregar(fim + SEGUNDO);
  t.is((await p.ler(p.contratos[0])).conexao, 'offline');
  t.is((await p.ler(p.contratos[0])).sessoes[0]!.fim!.getTime(), INICIO + HORA);
  t.is((await p.ler(p.contratos[1])).conexao, 'online');
  await p.agregar(fim + 10 * MINUTO + SEGUNDO);
  t.is((await p.ler(p.contratos[1])).conexao, 'offline');
});

test.serial('nada que se faça em radacct por fora revive uma sessão que se calou', async (t) => {
  const p = await preparar(['joao']);
  const { db } = banco;
  await agoraNoBanco(INICIO);
  await sessaoDe('joao').start(INICIO);
  const depois = INICIO + 5 * HORA;
  await agoraNoBanco(depois);
  const feitos: Readonly<Record<string, () => Promise<unknown>>> = {
    contadores: () => freeradius('radacct').update({ acctinputoctets: 1, acctsessiontime: 7 }),
    'outro login e de volta': async () => {
      await freeradius('radacct').update({ username: 'outro' });
      await freeradius('radacct').update({ username: 'joao' });
    },
    'horas corrigidas': () =>
      freeradius.raw(
        'UPDATE radacct SET acctstarttime = acctstarttime - INTERVAL 3 HOUR, acctupdatetime = acctupdatetime - INTERVAL 3 HOUR',
      ),
    'encerrada e reaberta': async () => {
      await freeradius('radacct').update({ acctstoptime: texto(depois), acctterminatecause: 'Admin-Reset' });
      await freeradius('radacct').update({ acctstoptime: null, acctterminatecause: '' });
    },
    'apagada e restaurada': async () => {
      const linhas: object[] = await freeradius('radacct');
      await freeradius('radacct').delete();
      await freeradius('radacct').insert(linhas);
    },
    'restaurada sem o que se sabia dela': async () => {
      const linhas: object[] = await freeradius('radacct');
      await freeradius('radacct').delete();
      await db('sessoes_ouvidas').delete();
      await freeradius('radacct').insert(linhas);
    },
  };
  for (const [nome, fazer] of Object.entries(feitos)) {
    await fazer();
    t.is(await conexaoEm(p, depois + SEGUNDO), 'offline', nome);
  }
});

test.serial(
  'uma sessão de que só radacct sabe, de antes de se anotar quando foi ouvida, vale pelo relógio do NAS',
  async (t) => {
    const p = await preparar(['joao']);
    await agoraNoBanco(INICIO);
    const sessao = sessaoDe('joao');
    await sessao.start(INICIO - 5 * MINUTO);
    await banco.db('sessoes_ouvidas').delete();
    t.is(await conexaoEm(p, INICIO + 5 * MINUTO), 'online');
    t.is(await conexaoEm(p, INICIO + 5 * MINUTO + SEGUNDO), 'offline');
    await agoraNoBanco(INICIO + 6 * MINUTO);
    await sessao.interim(INICIO + MINUTO);
    t.is(await conexaoEm(p, INICIO + 16 * MINUTO), 'online');
  },
);

const ERROS_DE_RELOGIO = [0, 0, -15 * MINUTO, 15 * MINUTO, -55 * MINUTO, -3 * HORA, 3 * HORA, -40 * 365 * 24 * HORA];
const INTERVALOS = [60, 300, 300, 300, 600];
const HISTORIAS = quanto(2, 6);
const SESSOES = 40;
const DURACAO = 9 * HORA;
const PANE = { de: 3 * HORA, ate: 6 * HORA };

interface Assinante {
  readonly login: string;
  readonly erro: number;
  readonly intervalo: number;
  readonly inicio: number;
  /** When the line died; after the end where it lives. */
  readonly morte: number;
  /** What became known, in order: what the NAS wrote down at `em` came at `recebido`. */
  readonly sinais: { em: number; recebido: number; tipo: 'start' | 'interim' | 'stop' }[];
}

for (let semente = 1; semente <= HISTORIAS; semente += 1) {
  // Half of them with a spool, which tells what was said during the outage at its end.
  const spool = semente % 2 === 0;
  test.serial(
    `online é quem vive e offline quem se foi, com NASes de todo relógio e uma pane, na história ${semente}`,
    async (t) => {
      const { ate, um } = sorteio(semente);
      const assinantes = Array.from({ length: SESSOES }, (_, n): Assinante => {
        const intervalo = um(INTERVALOS);
        const inicio = ate(DURACAO / SEGUNDO / 2) * SEGUNDO;
        const vida = um([20 * MINUTO, 2 * HORA, 2 * DURACAO]);
        const morte = inicio + (30 + ate(vida / SEGUNDO)) * SEGUNDO;
        const ditos: { em: number; tipo: 'start' | 'interim' | 'stop' }[] = [];
        for (let em = inicio; em < Math.min(morte, DURACAO); em += intervalo * SEGUNDO)
          ditos.push({ em, tipo: em === inicio ? 'start' : 'interim' });
        // Two in three die without a word.
        if (morte < DURACAO && ate(3) === 0) ditos.push({ em: morte, tipo: 'stop' });
        const sinais = ditos.flatMap(({ em, tipo }) => {
          if (em < PANE.de || em >= PANE.ate) return [{ em, tipo, recebido: em + ate(5) * SEGUNDO }];
          // A Start whose packet was lost comes as the interim update that makes the row.
          return spool ? [{ em, tipo, recebido: PANE.ate }] : [];
        });
        return { login: `login${n}`, erro: um(ERROS_DE_RELOGIO), intervalo, inicio, morte, sinais };
      });
      const p = await preparar(assinantes.map(({ login }) => login));

      const conhecidos = new Set<string>();
      const eventos = assinantes
        .flatMap((assinante) => assinante.sinais.map((sinal) => ({ assinante, sinal })))
        .toSorted((a, b) => a.sinal.recebido - b.sinal.recebido || a.sinal.em - b.sinal.em);
      let proximo = 0;
      let relogio = -1;
      let [online, offline] = [0, 0];
      for (let agora = 0; agora < DURACAO + HORA; agora += (60 + ate(600)) * SEGUNDO) {
        for (; proximo < eventos.length && eventos[proximo]!.sinal.recebido <= agora; proximo += 1) {
          const { assinante, sinal } = eventos[proximo]!;
          if (sinal.recebido !== relogio) await agoraNoBanco(INICIO + sinal.recebido);
          relogio = sinal.recebido;
          const dita = INICIO + sinal.em + assinante.erro;
          const sessao = sessaoDe(assinante.login);
          if (sinal.tipo === 'stop') await sessao.stop(dita);
          else await (conhecidos.has(assinante.login) ? sessao.interim(dita) : sessao.start(dita));
          conhecidos.add(assinante.login);
        }
        await p.agregar(INICIO + agora);
        for (const [n, { login, erro, intervalo, morte, sinais }] of assinantes.entries()) {
          const ditos = sinais.filter(({ recebido }) => recebido <= agora);
          if (ditos.length === 0) continue;
          const { conexao } = await p.ler(p.contratos[n]);
          const caso = `${login} aos ${agora / MINUTO} min, ${JSON.stringify({ erro: erro / MINUTO, intervalo, morte: morte / MINUTO })}`;
          const recebido = ditos.at(-1)!.recebido;
          // Of what the spool told too late, the NAS's moment counts: by a clock that is not much behind, or ahead.
          const certo = Math.abs(erro) <= 15 * MINUTO;
          const vistos = certo
            ? ditos.filter((sinal) => sinal.recebido - sinal.em < MAIOR_ATRASO + 15 * MINUTO)
            : ditos;
          const ouvido = vistos.at(-1)?.recebido ?? -Infinity;
          if (ditos.at(-1)!.tipo === 'stop' || agora > ouvido + 2 * Math.max(intervalo, PADRAO) * SEGUNDO) {
            t.is(conexao, 'offline', caso);
            offline += 1;
          }
          // A NAS that is hours behind is believed from the second sign in step on.
          const [penultimo, ultimo] = ditos.slice(-2);
          const noCompasso =
            ultimo !== undefined &&
            Math.abs(ultimo.recebido - penultimo!.recebido - (ultimo.em - penultimo!.em)) <= 30 * SEGUNDO &&
            ultimo.recebido - penultimo!.recebido >= 60 * SEGUNDO;
          const aTempo = ditos.at(-1)!.recebido - ditos.at(-1)!.em - erro <= MAIOR_ATRASO;
          const menor = Math.min(intervalo, PADRAO) * SEGUNDO;
          if (
            ditos.at(-1)!.tipo !== 'stop' &&
            agora < morte &&
            agora <= recebido + 2 * menor &&
            (aTempo || noCompasso)
          ) {
            t.is(conexao, 'online', caso);
            online += 1;
          }
        }
      }
      t.log(`${online} vezes online, ${offline} offline`);
      t.true(online > 300 && offline > 300);
    },
  );
}
