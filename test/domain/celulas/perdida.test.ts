import test from 'ava';
import { nomeDaCelula } from '../../../src/domain/celulas/celulas.ts';
import { toDatabaseTime } from '../../../src/platform/mysql/database.ts';
import { ate } from '../../support/espera.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { recusado } from '../../support/terminal.ts';
import { criarCelula, entre, estados } from './apoio.ts';
import type { Celula } from './apoio.ts';

// The cell that a provider leaves is lost while it moves, as docs/celulas.md says what to do then; `c` is a cell that does not have it.

let a: Celula;
let b: Celula;
let c: Celula;

test.before(async () => {
  [a, b, c] = [await criarCelula(0), await criarCelula(5_000_000), await criarCelula(9_000_000)];
});
test.after.always(async () => {
  for (const celula of [a, b, c]) await celula?.fechar();
});

const DOIS = ['Chamado dois', 'Chamado um'];
const LONGE = 'mysql://x:y@127.0.0.1:1/malha';
const naoTrocou = async (): Promise<void> => Promise.reject(new Error('caiu'));

let serie = 0;
async function criarProvedor({ api }: Celula) {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const nas = `10.92.0.${(serie += 1)}`;
  await fabrica.nas(id, nas);
  const cliente_id = await fabrica.cliente(id);
  const equipe = { provedor_id: id, email: `p${id}@malha.test`, nome: 'Equipe' };
  const [usuario_id = 0] = await api.dono('usuarios').insert(equipe);
  const { texto: chave } = await api.criarChave(id);
  return { id, nas, cliente_id, usuario_id, chave };
}
type Provedor = Awaited<ReturnType<typeof criarProvedor>>;

const abrir = async ({ api }: Celula, { chave, cliente_id }: Provedor, assunto: string): Promise<number> => {
  const aberto = await api.pedir('POST', '/chamados', {
    chave,
    headers: { 'content-type': 'application/json' },
    corpo: JSON.stringify({ cliente_id, assunto, descricao: 'Sem sinal' }),
  });
  return aberto.status;
};
const ver = async ({ db }: Celula, { id, cliente_id, usuario_id }: Provedor): Promise<void> => {
  const ocorrido_em = toDatabaseTime(new Date());
  await db('acessos_a_dados').insert({ provedor_id: id, usuario_id, cliente_id, o_que: 'cliente', ocorrido_em });
};
/** What callers are told of its tickets; the status where they are told nothing. */
const chamados = async ({ api }: Celula, { chave }: Provedor): Promise<unknown> => {
  const { status, corpo } = await api.get('/chamados', { chave });
  return status === 200 ? corpo.dados.map(({ assunto }: { assunto: string }) => assunto).toSorted() : status;
};

const malha = async ({ terminal }: Celula, comando: string, { id }: Provedor, destino?: string, ...mais: string[]) =>
  terminal.malha(['provedor', comando, String(id), ...mais], destino === undefined ? {} : { MALHA_DESTINO: destino });
async function feito(...pedido: Parameters<typeof malha>): Promise<void> {
  const { codigo, stderr } = await malha(...pedido);
  if (codigo !== 0) throw new Error(stderr);
}

/** As a backup of the old cell has it, or who was killed there has left it. */
async function comEstado({ id }: Provedor, mudanca: string | null): Promise<void> {
  const destino = { mudanca_para: nomeDaCelula(b.url), mudanca_desde: toDatabaseTime(new Date()) };
  const semDestino = { mudanca_para: null, mudanca_desde: null };
  await a
    .db('provedores')
    .where({ id })
    .update({ mudanca, ...(mudanca === null ? semDestino : destino) });
}
/** As a backup has it of before the last thing that was written. */
async function deAntes({ id }: Provedor): Promise<void> {
  const linhas = a.db('auditoria').where({ provedor_id: id });
  const [ultima] = await linhas.clone().orderBy('id', 'desc').limit(1);
  await linhas.clone().where({ id: ultima.id }).delete();
}
const parou = async (p: Provedor, aqui: string | null, la: string): Promise<void> => {
  await comEstado(p, aqui);
  await b.db('provedores').where({ id: p.id }).update({ mudanca: la });
};

test.serial(
  'perdida antes de a cópia estar inteira: a outra não o assume, e a restaurada o leva de novo',
  async (t) => {
    for (const voltou of ['saindo', null]) {
      const p = await criarProvedor(a);
      t.is(await abrir(a, p, 'Chamado um'), 201);
      await t.throwsAsync(entre(a, b, { trocar: naoTrocou }).mover(p.id));
      await parou(p, 'saindo', 'chegando');
      for (const destino of [c.url, a.url]) {
        recusado(t, await malha(b, 'assumir', p, destino), /não está inteiro e parado nesta célula/);
      }
      await ate(async () => (await chamados(b, p)) === 401);
      await comEstado(p, voltou);
      if (voltou === 'saindo') {
        // It goes on, or is given up.
        t.is(await abrir(a, p, 'Chamado dois'), 503);
        await feito(a, 'ficar', p, b.url);
        t.deepEqual(await estados(p.id, a, b), [null, 'foi']);
      }
      if (voltou === null) await deAntes(p);
      t.is(await abrir(a, p, 'Chamado dois'), 201);
      // The copy, which nobody has read, has a line of the audit log that the backup lacks.
      if (voltou === null) recusado(t, await malha(a, 'mover', p, b.url), /tem dele o que não está aqui/);
      await entre(a, b, { semConferir: voltou === null }).mover(p.id);
      t.deepEqual(await estados(p.id, a, b), ['foi', null]);
      t.deepEqual(await chamados(b, p), DOIS);
    }
  },
);

test.serial(
  'perdida com a cópia inteira: a outra o assume por uma que não o tem, e nada do respondido falta',
  async (t) => {
    // Before callers are led away, and after it.
    for (const aqui of ['saindo', 'foi']) {
      const p = await criarProvedor(a);
      t.is(await abrir(a, p, 'Chamado um'), 201);
      await t.throwsAsync(entre(a, b, { trocar: naoTrocou }).mover(p.id));
      await parou(p, aqui, 'chegou');
      await ate(async () => (await chamados(b, p)) !== 401);
      t.deepEqual(await chamados(b, p), ['Chamado um']);
      t.is(await abrir(b, p, 'Chamado cedo'), 503);
      // The lost one says nothing, and without one nobody knows whether that move was given up.
      recusado(t, await malha(b, 'assumir', p, LONGE), /MALHA_DESTINO: .*não responde/);
      recusado(
        t,
        await malha(b, 'assumir', p, undefined, '--sem-conferir'),
        /se ela se perdeu, .*um banco que não o tem/,
      );
      await feito(b, 'assumir', p, c.url);
      t.is(await abrir(b, p, 'Chamado dois'), 201);
      t.deepEqual(await chamados(b, p), DOIS);
      // Restored from whatever moment, it must not live there too.
      for (const restaurado of [null, 'saindo']) {
        await comEstado(p, restaurado);
        recusado(t, await malha(a, 'mover', p, b.url), /já tem um provedor \d+, que vive lá/);
        await feito(a, 'largar', p, b.url);
        t.deepEqual(await estados(p.id, a, b), ['foi', null]);
      }
      await ate(async () => (await chamados(a, p)) === 401);
      // Restored to the end of its logs, it knows who saw whose data meanwhile.
      await ver(a, p);
      t.deepEqual((await entre(a, b).mover(p.id)).tabelas, []);
      t.is((await b.db('acessos_a_dados').where({ provedor_id: p.id })).length, 1);
    }
  },
);

test.serial('restaurada de antes de uma cópia inteira, a antiga a larga, e a outra a assume', async (t) => {
  const p = await criarProvedor(a);
  t.is(await abrir(a, p, 'Chamado um'), 201);
  t.is(await abrir(a, p, 'Chamado dois'), 201);
  await t.throwsAsync(entre(a, b, { trocar: naoTrocou }).mover(p.id));
  await parou(p, null, 'chegou');
  await deAntes(p);
  await a.db('chamados').where({ provedor_id: p.id, assunto: 'Chamado dois' }).update({ assunto: 'Chamado velho' });
  recusado(t, await malha(a, 'mover', p, b.url), /a outra célula tem dele o que não está aqui/);
  recusado(t, await malha(a, 'largar', p, b.url), /não vive na outra célula/);
  recusado(t, await malha(b, 'assumir', p, a.url), /vive na outra célula: lá, malha provedor largar/);
  await feito(a, 'largar', p, b.url, '--sem-conferir');
  await feito(b, 'assumir', p, a.url);
  t.deepEqual(await estados(p.id, a, b), ['foi', null]);
  t.deepEqual(await chamados(b, p), DOIS);
});

test.serial('perdida a nova sem backup, a antiga o toma de volta por uma que não o tem', async (t) => {
  const p = await criarProvedor(a);
  t.is(await abrir(a, p, 'Chamado um'), 201);
  await entre(a, b).mover(p.id);
  recusado(t, await malha(a, 'ficar', p, c.url), /diga-a em MALHA_DESTINO assim; .*--sem-conferir/);
  await feito(a, 'ficar', p, c.url, '--sem-conferir');
  t.is(await abrir(a, p, 'Chamado dois'), 201);
  t.deepEqual(await chamados(a, p), DOIS);
});

test.serial('vários mudam ao mesmo tempo, também um de onde os outros vão, e cada um chega inteiro', async (t) => {
  const deA = [await criarProvedor(a), await criarProvedor(a), await criarProvedor(a)];
  const deB = await criarProvedor(b);
  for (const { id, nas, cliente_id } of deA) {
    const fabrica = criarFabrica(a.api.dono);
    const plano_id = await fabrica.plano(id, { grupo_radius: 'de-varios' });
    for (let n = 0; n < 40; n += 1) {
      const login = `v${id}n${n}`;
      const contrato_id = await fabrica.contrato(id, { cliente_id, plano_id, login });
      await fabrica.fatura(id, { cliente_id, contrato_id });
      await fabrica.sessao({
        username: login,
        nasipaddress: nas,
        acctuniqueid: login,
        acctstarttime: '2026-11-20 10:00:00',
      });
      await a.db('radcheck').insert({ username: login, attribute: 'x', op: ':=', value: 's' });
      await a.db('radusergroup').insert({ username: login, groupname: 'de-varios', priority: 1 });
    }
  }
  await a.db('radgroupreply').insert({ groupname: 'de-varios', attribute: 'x', op: ':=', value: '1M/1M' });
  const tudoDe = async ({ db }: Celula, { id, nas }: Provedor) =>
    Promise.all([
      ...['clientes', 'contratos', 'faturas', 'planos', 'chaves_api'].map((tabela) =>
        db(tabela).where({ provedor_id: id }).orderBy('id'),
      ),
      db('radacct').where({ nasipaddress: nas }).orderBy('radacctid'),
      ...['radcheck', 'radusergroup'].map((tabela) => db(tabela).where('username', 'like', `v${id}n%`).orderBy('id')),
    ]);
  const antes = [...(await Promise.all(deA.map(async (p) => tudoDe(a, p)))), await tudoDe(b, deB)];
  await Promise.all([...deA.map(async ({ id }) => entre(a, b).mover(id)), entre(b, c).mover(deB.id)]);
  for (const { id } of deA) t.deepEqual(await estados(id, a, b), ['foi', null]);
  t.deepEqual(await estados(deB.id, b, c), ['foi', null]);
  t.deepEqual([...(await Promise.all(deA.map(async (p) => tudoDe(b, p)))), await tudoDe(c, deB)], antes);
  const grupo = await b.db('radgroupreply').where({ groupname: 'de-varios' }).select('attribute', 'op', 'value');
  t.deepEqual(grupo, [{ attribute: 'x', op: ':=', value: '1M/1M' }]);
});
