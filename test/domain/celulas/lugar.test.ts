import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { nomeDaCelula } from '../../../src/domain/celulas/celulas.ts';
import { createMudanca } from '../../../src/domain/celulas/mudanca.service.ts';
import type { MudancaDeps } from '../../../src/domain/celulas/mudanca.service.ts';
import { numerarDepoisDe } from '../../../src/domain/celulas/numeracao.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { LeaseLost } from '../../../src/platform/mysql/schema/lease.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { urlDoDono } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarTerminal } from '../../support/terminal.ts';
import type { Terminal } from '../../support/terminal.ts';

let antiga: Api;
let nova: Api;
let origem: Db;
let destino: Db;
let terminal: Terminal;
const parar: (() => Promise<void>)[] = [];

test.before(async () => {
  antiga = await criarApi();
  nova = await criarApi();
  [origem, destino] = [antiga, nova].map(({ databaseUrl }) =>
    createDatabase({ url: urlDoDono(databaseUrl), pool: 4, announces: true }),
  ) as [Db, Db];
  for (const { container } of [antiga, nova]) {
    const relay = container.startRelay();
    parar.push(async () => relay.stop());
  }
  terminal = criarTerminal(antiga, { DATABASE_OWNER_URL: urlDoDono(antiga.databaseUrl) });
  await numerarDepoisDe(nova.dono, 5_000_000);
});
test.after.always(async () => {
  terminal?.fechar();
  for (const fim of parar) await fim();
  await origem?.destroy();
  await destino?.destroy();
  await antiga?.fechar();
  await nova?.fechar();
});

async function criarProvedor(): Promise<{ id: number; chave: string; plano: number }> {
  const fabrica = criarFabrica(antiga.dono);
  const id = await fabrica.provedor();
  const plano = await fabrica.plano(id);
  const cliente_id = await fabrica.cliente(id);
  const login = `l${id}`;
  await fabrica.contrato(id, { cliente_id, plano_id: plano, login });
  await origem('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: 's' });
  await origem('radgroupreply').insert({
    groupname: `plano-${plano}`,
    attribute: 'Mikrotik-Rate-Limit',
    op: ':=',
    value: '5M/5M',
  });
  const { texto: chave } = await antiga.criarChave(id);
  return { id, chave, plano };
}

const mudar = (deps: Partial<MudancaDeps> = {}) =>
  createMudanca({
    origem,
    destino,
    celula: nomeDaCelula(urlDoDono(nova.databaseUrl)),
    trocar: async () => {},
    dizer: () => {},
    espera: 0,
    ...deps,
  });

const estados = async (id: number): Promise<unknown[]> =>
  Promise.all([origem, destino].map(async (db) => (await db('provedores').where({ id }).first('mudanca'))?.mudanca));

const tomar = (id: number): string =>
  `UPDATE arrendamentos SET ficha = ficha + 1, vence_em = UTC_TIMESTAMP(3) + INTERVAL 1 HOUR WHERE nome = 'mudanca_${id}'`;

/** Another command takes the place of the one that moves, in the middle of what that one writes. */
async function tomarAo(db: Db, quando: string, se: string, id: number, fazer: () => Promise<void>): Promise<void> {
  await db.raw(`CREATE TRIGGER lugar_teste ${quando} FOR EACH ROW IF ${se} THEN ${tomar(id)}; END IF`);
  try {
    await fazer();
  } finally {
    await db.raw('DROP TRIGGER lugar_teste');
  }
}

const perde = async (t: ExecutionContext, mudanca: ReturnType<typeof mudar>, id: number): Promise<void> => {
  await t.throwsAsync(mudanca.mover(id), { instanceOf: LeaseLost });
};

test.serial('quem perdeu o lugar para outro comando não grava na célula nova: linhas, grupos e logins', async (t) => {
  const { id, plano } = await criarProvedor();
  const linhas = async () =>
    Promise.all([
      destino('planos').where({ provedor_id: id }).pluck('nome'),
      destino('radgroupreply')
        .where({ groupname: `plano-${plano}` })
        .pluck('value'),
      destino('radcheck').where('username', 'like', `l${id}%`).pluck('username'),
    ]);
  await tomarAo(destino, 'AFTER INSERT ON radgroupreply', `NEW.groupname = 'plano-${plano}'`, id, async () =>
    perde(t, mudar(), id),
  );
  await tomarAo(destino, 'AFTER INSERT ON planos', `NEW.provedor_id = ${id}`, id, async () => perde(t, mudar(), id));
  t.deepEqual(await linhas(), [[], ['5M/5M'], []]);
  t.deepEqual(await estados(id), [null, 'chegando']);
  await t.throwsAsync(mudar({ trocar: async () => Promise.reject(new Error('não')) }).mover(id), { message: 'não' });
  const copia = await linhas();
  t.deepEqual(copia[2], [`l${id}`]);
  await origem('contratos')
    .where({ provedor_id: id })
    .update({ login: `l${id}x` });
  await origem('radcheck')
    .where({ username: `l${id}` })
    .update({ username: `l${id}x` });
  await tomarAo(destino, 'AFTER DELETE ON radcheck', `OLD.username = 'l${id}'`, id, async () => perde(t, mudar(), id));
  t.deepEqual(await linhas(), copia);
  t.deepEqual(await estados(id), [null, 'chegando']);
});

test.serial('quem perdeu o lugar não diz mais onde o provedor vive, nem desfaz o que outro disse', async (t) => {
  for (const db of [origem, destino]) {
    const { id } = await criarProvedor();
    // It stood still before it led callers away: by then the other one is at it.
    await tomarAo(db, 'BEFORE UPDATE ON provedores', `NEW.mudanca IN ('saindo', 'chegou')`, id, async () =>
      perde(t, mudar({ trocar: async () => t.fail() }), id),
    );
    t.deepEqual(await estados(id), db === origem ? [null, 'chegando'] : ['saindo', 'chegando']);
  }
  for (const db of [origem, destino]) {
    const { id } = await criarProvedor();
    await perde(t, mudar({ trocar: async () => db.raw(tomar(id)) }), id);
    t.deepEqual(await estados(id), ['saindo', 'chegou']);
  }
});

const malha = async (comando: string, id: number, env: Record<string, string> = {}, ...mais: string[]) =>
  terminal.malha(['provedor', comando, String(id), ...mais], env);
const LA = () => ({ MALHA_DESTINO: urlDoDono(nova.databaseUrl) });

test.serial('mover, ficar, largar e assumir dizem antes de tudo que célula é a outra, sem a senha', async (t) => {
  const { id } = await criarProvedor();
  for (const comando of ['mover', 'ficar', 'largar', 'assumir']) {
    // Where nobody answers: it is told before anybody is asked.
    const { codigo, stderr } = await malha(comando, id, { MALHA_DESTINO: 'mysql://dono:segredo@127.0.0.1:1/outra' });
    t.is(codigo, 1, comando);
    t.regex(stderr, /^Outra célula \(MALHA_DESTINO\): 127\.0\.0\.1:1\/outra\nerro: /, comando);
    t.notRegex(stderr, /segredo/, comando);
  }
  t.notRegex((await malha('ficar', id)).stderr, /Outra célula/);
});

test.serial('restaurada do meio de uma mudança, a célula antiga larga quem vive na outra, e não o toma', async (t) => {
  const { id, chave } = await criarProvedor();
  await mudar().mover(id);
  await origem('provedores').where({ id }).update({ mudanca: 'saindo' });
  for (const mudanca of [null, 'saindo']) {
    await destino('provedores').where({ id }).update({ mudanca });
    const ficou = await malha('ficar', id, LA());
    t.regex(ficou.stderr, new RegExp(`vive na outra célula: malha provedor largar ${id}`));
    t.deepEqual(await estados(id), ['saindo', mudanca]);
  }
  await destino('provedores').where({ id }).update({ mudanca: null });
  const largado = await malha('largar', id, LA());
  t.is(largado.codigo, 0, largado.stderr);
  t.deepEqual(await estados(id), ['foi', null]);
  t.is((await nova.get('/planos', { chave })).status, 200);
});

test.serial('quem não vive em célula nenhuma volta para a que tem as linhas dele', async (t) => {
  const { id, chave } = await criarProvedor();
  await mudar().mover(id);
  while ((await antiga.get('/planos', { chave })).status !== 401) await sleep(20);
  t.regex((await malha('ficar', id, LA())).stderr, /vive na outra célula/);
  t.regex((await malha('ficar', id)).stderr, /se não vive em célula nenhuma, diga em MALHA_DESTINO/);
  t.is((await malha('ficar', id, { MALHA_DESTINO: 'mysql://x:y@127.0.0.1:1/malha' })).codigo, 1);
  t.deepEqual(await estados(id), ['foi', null]);
  // As backups of the new cell from the middle of the move have it.
  for (const mudanca of ['chegando', 'chegou', 'foi']) {
    await destino('provedores').where({ id }).update({ mudanca });
    await origem('provedores').where({ id }).update({ mudanca: 'foi' });
    const { codigo, stdout, stderr } = await malha('ficar', id, LA());
    t.is(codigo, 0, stderr);
    t.regex(stdout, /fica\.\nATENÇÃO: o que se gravou dele na outra célula desde que saiu daqui não está aqui/);
    t.deepEqual(await estados(id), [null, 'foi'], mudanca);
  }
  while ((await antiga.get('/planos', { chave })).status !== 200) await sleep(20);
  t.is(
    (await origem('eventos_pendentes').where({ provedor_id: id, consumidor: 'importacoes' }).pluck('evento_id')).length,
    3,
  );
});

test.serial('quem foi largado por engano volta; e nenhum comando toma a mesma célula pela outra', async (t) => {
  const { id, chave } = await criarProvedor();
  const esta = { MALHA_DESTINO: urlDoDono(antiga.databaseUrl) };
  for (const comando of ['largar', 'mover']) {
    t.regex((await malha(comando, id, esta)).stderr, /MALHA_DESTINO é o banco desta mesma célula/, comando);
  }
  t.deepEqual(await estados(id), [null, undefined]);
  t.is((await malha('largar', id, {}, '--sem-conferir')).codigo, 0);
  t.regex((await malha('ficar', id, esta)).stderr, /MALHA_DESTINO é o banco desta mesma célula/);
  const { codigo, stderr } = await malha('ficar', id, LA());
  t.is(codigo, 0, stderr);
  t.deepEqual(await estados(id), [null, undefined]);
  t.is((await antiga.get('/planos', { chave })).status, 200);
});

test.serial('ficar, largar, assumir e mapa respondem em JSON', async (t) => {
  const { id } = await criarProvedor();
  const dito = async (comando: string, env: Record<string, string> = {}, ...mais: string[]): Promise<unknown> => {
    const { stdout, stderr } = await malha(comando, id, env, '--json', ...mais);
    t.regex(stderr, env['MALHA_DESTINO'] === undefined ? /^$/ : /^Outra célula .+\n$/, comando);
    return JSON.parse(stdout);
  };
  const { panel_host: host } = await origem('provedores').where({ id }).first('panel_host');
  const mapa = await terminal.malha(['provedor', 'mapa', '--celula', 'a', '--json']);
  t.deepEqual(
    JSON.parse(mapa.stdout).filter((um: { readonly id: number }) => um.id === id),
    [{ id, numero: id.toString(36), host, celula: 'a' }],
  );
  await t.throwsAsync(mudar({ trocar: async () => Promise.reject(new Error('não')) }).mover(id), { message: 'não' });
  await origem('provedores').where({ id }).update({ mudanca: 'saindo' });
  t.deepEqual(await dito('ficar'), { id, marcada: false, voltou: false });
  t.deepEqual(await dito('largar', {}, '--sem-conferir'), { id, vive: false });
  t.deepEqual(await dito('ficar', LA()), { id, marcada: true, voltou: true });
  await origem('provedores').where({ id }).update({ mudanca: 'chegou' });
  t.deepEqual(await dito('assumir', LA()), { id, vive: true });
});
