import test from 'ava';
import { nomeDaCelula } from '../../../src/domain/celulas/celulas.ts';
import type { MudancaDeps } from '../../../src/domain/celulas/mudanca.service.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import type { Db } from '../../../src/platform/mysql/database.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { recusado } from '../../support/terminal.ts';
import { criarCelula, entre, estados } from './apoio.ts';
import type { Celula } from './apoio.ts';

let a: Celula;
let b: Celula;
let c: Celula;

test.before(async () => {
  [a, b, c] = [await criarCelula(0), await criarCelula(5_000_000), await criarCelula(9_000_000)];
});
test.after.always(async () => {
  for (const celula of [a, b, c]) await celula?.fechar();
});

/** A provider in a cell, with somebody who sees the data of its one client. */
async function criarProvedor({ api }: Celula) {
  const fabrica = criarFabrica(api.dono);
  const provedor_id = await fabrica.provedor();
  const cliente_id = await fabrica.cliente(provedor_id);
  const [usuario_id = 0] = await api
    .dono('usuarios')
    .insert({ provedor_id, email: `equipe${provedor_id}@malha.test`, nome: 'Equipe' });
  return { provedor_id, cliente_id, usuario_id, o_que: 'cliente' };
}
type Visto = Awaited<ReturnType<typeof criarProvedor>>;

const ver = async (db: Db, visto: Visto, numero: object = {}): Promise<number> => {
  const [id = 0] = await db('acessos_a_dados').insert({
    ...visto,
    ...numero,
    ocorrido_em: toDatabaseTime(new Date()),
  });
  return id;
};
const vistosEm = async ({ db }: Celula, { provedor_id }: Visto) =>
  db('acessos_a_dados').where({ provedor_id }).orderBy('ocorrido_em');

/** Who saw data while callers are led away is noted in the old cell. @returns what the command said */
async function mover(visto: Visto, deps: Partial<MudancaDeps> = {}): Promise<string[]> {
  const ditas: string[] = [];
  const trocar = async () => void (await ver(a.db, visto));
  await entre(a, b, { trocar, dizer: (linha) => void ditas.push(linha), ...deps }).mover(visto.provedor_id);
  return ditas;
}

async function caindo(db: Db, quando: string, fazer: () => Promise<void>): Promise<void> {
  await db.raw(`CREATE TRIGGER destino_teste ${quando} FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'caiu'`);
  try {
    await fazer();
  } finally {
    await db.raw('DROP TRIGGER destino_teste');
  }
}

test.serial('quem morre depois de levar os pedidos leva, ao repetir, quem viu os dados de quem', async (t) => {
  const visto = await criarProvedor(a);
  await caindo(b.db, 'BEFORE INSERT ON eventos_pendentes', async () => {
    await t.throwsAsync(mover(visto), { message: /caiu/ });
  });
  t.deepEqual(await estados(visto.provedor_id, a, b), ['foi', 'chegou']);
  await mover(visto);
  t.deepEqual(await vistosEm(b, visto), await vistosEm(a, visto));
  t.is((await vistosEm(b, visto)).length, 1);
});

test.serial('o que não se pôde levar é levado pelo mesmo comando, uma vez só, e depois nada há a levar', async (t) => {
  const visto = await criarProvedor(a);
  await caindo(b.db, 'BEFORE INSERT ON acessos_a_dados', async () => {
    t.regex((await mover(visto)).at(-1) ?? '', /só na célula antiga: dê o mesmo comando de novo/);
  });
  t.deepEqual(await estados(visto.provedor_id, a, b), ['foi', null]);
  t.deepEqual(await vistosEm(b, visto), []);
  // Coming back it would be lost.
  const deVolta = entre(b, a).mover(visto.provedor_id);
  await t.throwsAsync(deVolta, { message: /na outra célula ficou quem viu dados de quem/ });
  // It lives there by now.
  await ver(b.db, visto);
  await mover(visto);
  const [levado, ...la] = await vistosEm(b, visto);
  t.deepEqual([levado], await vistosEm(a, visto));
  t.is(la.length, 1);
  await t.throwsAsync(mover(visto), { message: /não vive nesta célula: foi para/ });
});

test.serial('enquanto a célula antiga pode responder ainda por ele, nada se dá por levado', async (t) => {
  const visto = await criarProvedor(a);
  const { provedor_id: id } = visto;
  const ditas: string[] = [];
  const dizer = (linha: string) => void ditas.push(linha);
  const listado = async () => {
    const { stdout } = await a.terminal.malha(['provedor', 'listar', '--json']);
    return (JSON.parse(stdout) as { id: number }[]).find((um) => um.id === id);
  };
  // From when callers are led away nothing is published there.
  const trocar = async (): Promise<void> =>
    void (await a.db.raw(
      "CREATE TRIGGER destino_teste BEFORE UPDATE ON eventos FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'caiu'",
    ));
  try {
    const { acessosPorLevar } = await entre(a, b, { trocar, dizer, prazoDoAviso: 5000 }).mover(id);
    t.true(acessosPorLevar);
    t.regex(ditas.at(-1) ?? '', /há worker em execução\? .*dê o mesmo comando de novo/);
    await ver(a.db, visto);
    t.true((await entre(a, b, { prazoDoAviso: 200 }).mover(id)).acessosPorLevar);
    t.like(await listado(), { mudanca: 'foi', acessos_por_levar: true });
    t.regex(
      (await a.terminal.malha(['provedor', 'listar'])).stdout,
      new RegExp(`^${id} .*, com acessos por levar$`, 'm'),
    );
    t.deepEqual(await vistosEm(b, visto), []);
  } finally {
    await a.db.raw('DROP TRIGGER destino_teste');
  }
  // By another name of the cell in which it lives, and to no other one.
  const porOutroNome = { celula: 'b.malha.test:3306/malha' };
  await t.throwsAsync(entre(a, b, porOutroNome).mover(id), { message: /não vive nesta célula: foi para/ });
  await c.db('provedores').insert({ id, nome: 'Outro', panel_host: `outro${id}.malha.test` });
  await t.throwsAsync(entre(a, c, { semConferir: true }).mover(id), { message: /não vive nesta célula: foi para/ });
  t.deepEqual(await vistosEm(c, visto), []);
  t.false((await entre(a, b, { ...porOutroNome, semConferir: true }).mover(id)).acessosPorLevar);
  t.deepEqual(await vistosEm(b, visto), await vistosEm(a, visto));
  t.is((await vistosEm(b, visto)).length, 1);
  t.like(await listado(), { mudanca: 'foi', acessos_por_levar: false });
});

test.serial('o que se viu antes de só se ler não se lê de novo ao levar o resto, e nenhum prazo o corta', async (t) => {
  const visto = await criarProvedor(a);
  const de2020 = { ocorrido_em: '2020-01-01 00:00:00.000' };
  const [antigo = 0] = await a.db('acessos_a_dados').insert([de2020, de2020].map((hora) => ({ ...visto, ...hora })));
  const lidas: { bindings: unknown[]; timeout?: unknown }[] = [];
  const ouvir = (query: { sql: string; bindings: unknown[]; timeout?: unknown }): void => {
    if (query.sql.includes('acessos_a_dados` FORCE')) lidas.push(query);
  };
  const trocar = async (): Promise<void> => {
    await ver(a.db, visto);
    a.db.on('query', ouvir);
  };
  try {
    await mover(visto, { trocar });
  } finally {
    a.db.removeListener('query', ouvir);
  }
  t.deepEqual(await vistosEm(b, visto), await vistosEm(a, visto));
  const [daHora, ...porNumero] = lidas;
  t.regex(JSON.stringify(daHora?.bindings), /^\[\d+,"2/);
  t.true(porNumero.length > 0);
  for (const { bindings } of porNumero) t.true(Number(bindings[1]) > antigo, String(bindings));
  for (const { timeout } of lidas) t.falsy(timeout);
});

test.serial('um número que a outra célula deu a outro provedor fica dele, e quem foi visto ganha outro', async (t) => {
  const visto = await criarProvedor(a);
  const alheio = await criarProvedor(b);
  let numero = 0;
  const trocar = async (): Promise<void> => {
    numero = await ver(a.db, visto);
    await ver(b.db, alheio, { id: numero });
  };
  await mover(visto, { trocar });
  t.like(await b.db('acessos_a_dados').where({ id: numero }).first(), alheio);
  const [levado, ...mais] = await vistosEm(b, visto);
  const [{ ocorrido_em }] = await vistosEm(a, visto);
  t.like(levado, { ...visto, ocorrido_em });
  t.not(levado.id, numero);
  // As one who died before this was noted.
  await a.db('provedores').where({ id: visto.provedor_id }).update({ mudanca_desde: ocorrido_em });
  await mover(visto);
  t.is((await vistosEm(b, visto)).length, 1 + mais.length);
});

test.serial('para onde foi um provedor diz a célula que o tinha, e a nenhuma outra ele vai', async (t) => {
  const visto = await criarProvedor(a);
  const { provedor_id: id } = visto;
  const malha = async (comando: string, la: Celula | null, ...mais: string[]) =>
    a.terminal.malha(['provedor', comando, ...mais], la === null ? {} : { MALHA_DESTINO: la.url });
  const listado = async () => {
    const { stdout } = await malha('listar', null, '--json');
    return (JSON.parse(stdout) as { id: number }[]).find((um) => um.id === id);
  };
  // A whole copy is left there by a move that was given up.
  await t.throwsAsync(entre(a, c, { trocar: async () => Promise.reject(new Error('não')) }).mover(id));
  await c.db('provedores').where({ id }).update({ mudanca: 'chegou' });
  t.false('mudanca' in ((await listado()) ?? {}));

  await caindo(a.db, 'BEFORE INSERT ON eventos', async () => {
    await t.throwsAsync(mover(visto), { message: /caiu/ });
  });
  t.deepEqual(await estados(id, a, b), ['saindo', 'chegou']);
  recusado(t, await malha('mover', c, String(id)), new RegExp(`está de saída para .*${nomeDaCelula(b.url)}`));
  await mover(visto);
  t.like(await listado(), { mudanca: 'foi', mudanca_para: nomeDaCelula(b.url) });
  t.regex((await malha('listar', null)).stdout, new RegExp(`^${id} .* foi para ${nomeDaCelula(b.url)}$`, 'm'));
  for (const comando of ['mover', 'largar', 'exportar'] as const) {
    const mais = comando === 'exportar' ? [`${a.terminal.pasta}/${id}.malha`] : [];
    recusado(t, await malha(comando, c, String(id), ...mais), /não vive nesta célula: foi para/);
  }
  t.deepEqual(await estados(id, a, b, c), ['foi', null, 'chegou']);
  // It comes back, and nothing says any more that it is elsewhere.
  await entre(b, a).mover(id);
  t.false('mudanca' in ((await listado()) ?? {}));
  t.like(await a.db('provedores').where({ id }).first(), { mudanca_para: null, mudanca_desde: null });
  t.is((await malha('largar', b, String(id), '--sem-conferir')).codigo, 0);
  t.like(await listado(), { mudanca: 'foi', mudanca_para: nomeDaCelula(b.url) });
});
