import { join } from 'node:path';
import test from 'ava';
import { nomeDaCelula } from '../../../src/domain/celulas/celulas.ts';
import { AUTOR } from '../../support/autor.ts';
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

let serie = 0;
async function criarProvedor() {
  const fabrica = criarFabrica(a.api.dono);
  const id = await fabrica.provedor();
  const nas = `10.66.0.${(serie += 1)}`;
  await fabrica.nas(id, nas);
  const plano_id = await fabrica.plano(id);
  const cliente_id = await fabrica.cliente(id);
  const contratos = [
    await fabrica.contrato(id, { cliente_id, plano_id, login: `t${id}a` }),
    await fabrica.contrato(id, { cliente_id, plano_id, login: `t${id}b` }),
  ];
  for (const sufixo of ['a', 'b'])
    await a.db('radcheck').insert({ username: `t${id}${sufixo}`, attribute: 'x', op: ':=', value: 's' });
  const { texto: chave } = await a.api.criarChave(id);
  return { id, nas, plano_id, cliente_id, contratos, chave };
}

/** Something that the provider's people do where it lives, and which the audit log has. */
const gravar = async ({ api }: Celula, id: number, cliente: number): Promise<void> =>
  api.container.write(AUTOR, id, async (w) => {
    await w.update('clientes', (q) => void q.where({ id: cliente }), { nome: `Nome ${(serie += 1)}` });
    w.emit('cliente.atualizado', cliente, { cliente, campos: ['nome'] });
  });

const malha = async ({ terminal }: Celula, comando: string, id: number, la: Celula | null, ...mais: string[]) =>
  terminal.malha(['provedor', comando, String(id), ...mais], la === null ? {} : { MALHA_DESTINO: la.url });

const TABELAS = ['clientes', 'contratos', 'planos', 'provedores_nas', 'faturas', 'auditoria', 'chaves_api'];
const tudoDe = async ({ db }: Celula, id: number) =>
  Promise.all([
    ...TABELAS.map((tabela) => db(tabela).where({ provedor_id: id }).orderByRaw('1, 2, 3')),
    db('radcheck').where('username', 'like', `t${id}%`).orderBy('username'),
    db('radacct').where('nasipaddress', 'like', '10.66.%').orderBy('radacctid'),
  ]);

test.serial('quem seguiu para uma terceira célula não é tomado de volta pela primeira', async (t) => {
  const { id, cliente_id } = await criarProvedor();
  await gravar(a, id, cliente_id);
  await entre(a, b).mover(id);
  await gravar(b, id, cliente_id);
  await entre(b, c).mover(id);
  recusado(t, await malha(a, 'ficar', id, b), /viveu na outra célula depois desta/);
  recusado(t, await malha(a, 'ficar', id, c), /vive na outra célula/);
  t.deepEqual(await estados(id, a, b, c), ['foi', 'foi', null]);
  // The one that had it last takes it back, should the third one be lost.
  await c.db('provedores').where({ id }).update({ mudanca: 'foi' });
  const { codigo, stderr } = await malha(b, 'ficar', id, c);
  t.is(codigo, 0, stderr);
  t.deepEqual(await estados(id, a, b, c), ['foi', null, 'foi']);
});

test.serial('de volta toma-se um provedor da célula para onde foi, e de nenhuma outra que não o tenha', async (t) => {
  const { id } = await criarProvedor();
  const lugar = async () => a.db('provedores').where({ id }).first('mudanca', 'mudanca_para', 'mudanca_desde');
  await entre(a, b).mover(id);
  const antes = await lugar();
  t.is(antes.mudanca_para, nomeDaCelula(b.url));
  // It does not have it at all, or a whole copy of an attempt that was given up.
  recusado(t, await malha(a, 'ficar', id, c), new RegExp(`foi para ${antes.mudanca_para}: diga-a em MALHA_DESTINO`));
  t.deepEqual(await lugar(), antes);
  // Nothing that the audit log has was done where it lived in between.
  await entre(b, c).mover(id);
  recusado(t, await malha(a, 'ficar', id, b), new RegExp(`foi da outra célula para ${nomeDaCelula(c.url)}`));
  recusado(t, await malha(b, 'ficar', id, a), new RegExp(`foi para ${nomeDaCelula(c.url)}`));
  t.deepEqual(await estados(id, a, b, c), ['foi', 'foi', null]);
  // All of them but the first one are lost.
  await c.db('provedores').where({ id }).update({ mudanca: 'foi' });
  const { codigo, stderr } = await malha(a, 'ficar', id, b, '--sem-conferir');
  t.is(codigo, 0, stderr);
  t.deepEqual(await estados(id, a, b, c), [null, 'foi', 'foi']);
});

test.serial(
  'o que sobrou de uma mudança de que se desistiu não se assume quando ele foi para outra célula',
  async (t) => {
    const { id } = await criarProvedor();
    await t.throwsAsync(entre(a, c, { trocar: async () => Promise.reject(new Error('não')) }).mover(id));
    await c.db('provedores').where({ id }).update({ mudanca: 'chegou' });
    await entre(a, b).mover(id);
    recusado(t, await malha(c, 'assumir', id, a), new RegExp(`foi da outra célula para ${nomeDaCelula(b.url)}`));
    t.deepEqual(await estados(id, a, b, c), ['foi', null, 'chegou']);
    // The one that it went to may, where the last step is missing.
    await b.db('provedores').where({ id }).update({ mudanca: 'chegou' });
    const { codigo, stderr } = await malha(b, 'assumir', id, a);
    t.is(codigo, 0, stderr);
    t.deepEqual(await estados(id, a, b, c), ['foi', null, 'chegou']);
  },
);

test.serial('uma cópia de antes do que se gravou por último não entra em serviço, nem se larga por ela', async (t) => {
  const { id, cliente_id } = await criarProvedor();
  await gravar(a, id, cliente_id);
  const arquivo = join(a.terminal.pasta, `${id}.malha`);
  const exportado = await a.terminal.malha(['provedor', 'exportar', String(id), arquivo, '--parar']);
  t.is(exportado.codigo, 0, exportado.stderr);
  t.is((await malha(a, 'ficar', id, null)).codigo, 0);
  const importado = await b.terminal.malha(['provedor', 'importar', arquivo, '--parado']);
  t.is(importado.codigo, 0, importado.stderr);
  recusado(t, await b.terminal.malha(['provedor', 'importar', arquivo]), /já foi carregado e está parado/);
  await gravar(a, id, cliente_id);
  await b.db('provedores').where({ id }).update({ mudanca: null });
  recusado(t, await malha(a, 'largar', id, b), /o que se gravou aqui por último não está na outra célula/);
  await b.db('provedores').where({ id }).update({ mudanca: 'chegou' });
  t.is((await malha(a, 'largar', id, null, '--sem-conferir')).codigo, 0);
  recusado(t, await malha(b, 'assumir', id, a), /é de antes do que se gravou por último/);
  await t.throwsAsync(entre(a, b).mover(id), { message: /é de antes do que se gravou por último/ });
  t.deepEqual(await estados(id, a, b), ['foi', 'chegou']);
  // What is whole and the newest is taken.
  t.is((await malha(a, 'ficar', id, b)).codigo, 0);
  await entre(a, b).mover(id);
  t.deepEqual(await estados(id, a, b), ['foi', null]);
});

test.serial('sem a outra célula assume-se o que veio num arquivo, e não o que uma mudança deixou', async (t) => {
  const { id } = await criarProvedor();
  const arquivo = join(a.terminal.pasta, `${id}.malha`);
  t.is((await a.terminal.malha(['provedor', 'exportar', String(id), arquivo, '--parar'])).codigo, 0);
  t.is((await c.terminal.malha(['provedor', 'importar', arquivo, '--parado'])).codigo, 0);
  t.is((await c.db('auditoria').where({ provedor_id: id, acao: 'provedor.importado' })).length, 1);
  t.is((await malha(c, 'assumir', id, null, '--sem-conferir')).codigo, 0);
  // Nothing was written since, and what a move from here leaves has the line of the file.
  await t.throwsAsync(entre(c, b, { trocar: async () => Promise.reject(new Error('não')) }).mover(id));
  await b.db('provedores').where({ id }).update({ mudanca: 'chegou' });
  recusado(t, await malha(b, 'assumir', id, null, '--sem-conferir'), /veio de malha provedor mover/);
  t.deepEqual(await estados(id, b, c), ['chegou', null]);
  await b.db('provedores').where({ id }).update({ mudanca: 'foi' });
  // Loaded by a release that did not write that down, it is taken over by a cell that does not have it.
  await c.db('provedores').where({ id }).update({ mudanca: 'chegou' });
  await c.db('auditoria').where({ provedor_id: id, acao: 'provedor.importado' }).delete();
  recusado(t, await malha(c, 'assumir', id, null, '--sem-conferir'), /veio de malha provedor mover/);
  t.is((await malha(c, 'assumir', id, b)).codigo, 0);
  await a.db('provedores').where({ id }).update({ mudanca: null });
  await c.db('provedores').where({ id }).update({ mudanca: 'foi' });
  await t.throwsAsync(entre(a, b, { trocar: async () => Promise.reject(new Error('não')) }).mover(id));
  await b.db('provedores').where({ id }).update({ mudanca: 'chegou' });
  recusado(t, await malha(b, 'assumir', id, null, '--sem-conferir'), /veio de malha provedor mover/);
  await a.db('provedores').where({ id }).update({ mudanca: 'foi' });
  t.is((await malha(b, 'assumir', id, a)).codigo, 0);
  t.deepEqual(await estados(id, a, b), ['foi', null]);
});

// The last one: cells that number by one have numbers of each other once it has come back, and those after would meet.
test.serial('de A a B e a C, e de volta por B: cada célula tem o que a última tinha, e um só a vive', async (t) => {
  const p = await criarProvedor();
  const { id, chave } = p;
  const caminho: [Celula, Celula][] = [
    [a, b],
    [b, c],
    [c, b],
    [b, a],
    [a, c],
    [c, a],
  ];
  for (const [n, [daqui, para]] of caminho.entries()) {
    await gravar(daqui, id, p.cliente_id);
    const fabrica = criarFabrica(daqui.api.dono);
    // Rows come and go where it lives, under numbers of each cell.
    const novo = await fabrica.contrato(id, { cliente_id: p.cliente_id, plano_id: p.plano_id, login: `t${id}n${n}` });
    await fabrica.fatura(id, { cliente_id: p.cliente_id, contrato_id: novo });
    await fabrica.sessao({
      username: `t${id}n${n}`,
      nasipaddress: p.nas,
      acctuniqueid: `${id}t${n}`,
      acctstarttime: '2026-11-20 10:00:00',
    });
    await daqui.db('radcheck').insert({ username: `t${id}n${n}`, attribute: 'x', op: ':=', value: `s${n}` });
    if (n > 0) {
      await daqui
        .db('contratos')
        .where({ provedor_id: id, login: `t${id}n${n - 1}` })
        .update({ login: null });
      await daqui
        .db('radcheck')
        .where({ username: `t${id}n${n - 1}` })
        .delete();
      await daqui.db('faturas').where({ provedor_id: id }).orderBy('id').limit(1).delete();
    }
    const antes = await tudoDe(daqui, id);
    await entre(daqui, para).mover(id);
    t.deepEqual(await tudoDe(para, id), antes, String(n));
    const vivem = (await estados(id, a, b, c)).filter((estado) => estado === null);
    t.is(vivem.length, 1, String(n));
    t.is((await para.api.get('/planos', { chave })).status, 200);
  }
});

test.serial('uma célula de antes não cobre o que a outra sabe a mais', async (t) => {
  const { id, cliente_id } = await criarProvedor();
  await gravar(a, id, cliente_id);
  await entre(a, b).mover(id);
  await gravar(b, id, cliente_id);
  const antes = await tudoDe(b, id);
  await entre(b, c).mover(id);
  // As a backup of before has it.
  await a.db('provedores').where({ id }).update({ mudanca: null });
  recusado(t, await malha(a, 'mover', id, b), /a outra célula tem dele o que não está aqui/);
  t.deepEqual(await tudoDe(b, id), antes);
  t.deepEqual(await estados(id, a, b, c), [null, 'foi', null]);
  await entre(a, b, { semConferir: true }).mover(id);
  t.deepEqual(await estados(id, a, b), ['foi', null]);
  t.deepEqual(await b.db('clientes').where({ provedor_id: id }), await a.db('clientes').where({ provedor_id: id }));
});
