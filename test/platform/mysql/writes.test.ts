import test from 'ava';
import { createGate } from '../../../src/platform/gate/gate.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import { tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { DuplicateRow, Refusal } from '../../../src/platform/refusal.ts';
import { createDatabase } from '../../../src/platform/mysql/database.ts';
import { createWrites } from '../../../src/platform/mysql/writes.ts';
import type { Author } from '../../../src/platform/mysql/writes.ts';
import { criarBanco, redisUrl } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';

let banco: Banco;
let gate: Gate;
let fecharGate: () => void;
test.before(async () => {
  banco = await criarBanco();
  const redis = createRedis(await redisUrl(), 'gate', () => {});
  await new Promise((resolve) => redis.once('ready', resolve));
  gate = createGate({ redis, onMode: () => {} });
  fecharGate = () => {
    gate.close();
    redis.disconnect();
  };
});
test.after.always(async () => {
  fecharGate();
  await banco.fechar();
});

/** Whoever it is: here nobody has to be told apart. */
const AUTOR = {
  kind: 'teste',
  name: 'testes',
  id: null,
  job: null,
  chaveId: null,
  usuarioId: null,
  clienteId: null,
  ip: null,
  requestId: null,
};
type Eventos = Record<'t.criado', { plano: number }> & Record<'x', null>;
const authorOf = (author: Author): Author => author;

const nenhum = (): void => {};

async function nomesDosPlanos(provedorId: number): Promise<string[]> {
  const linhas = await banco.db('planos').where({ provedor_id: provedorId }).orderBy('id').select<{ nome: string }[]>();
  return linhas.map(({ nome }) => nome);
}

async function eventosDe(provedorId: number) {
  const linhas = await banco
    .db('eventos')
    .where({ provedor_id: provedorId })
    .orderBy('id')
    .select<{ tipo: string; recurso_id: number | null; etiquetas: unknown; dados: unknown; publicado_em: unknown }[]>();
  const json = (valor: unknown): unknown => (typeof valor === 'string' ? JSON.parse(valor) : valor);
  return linhas.map((linha) => ({ ...linha, etiquetas: json(linha.etiquetas), dados: json(linha.dados) }));
}

const plano = (nome: string) => ({ nome, download_mbps: 1, upload_mbps: 1, valor: '1.00' });

test('a escrita grava, anota o evento e marca as etiquetas antes de responder, e não antes de gravar', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const slot = tenantSlot(provedor);
  const marcas = async () => (await gate.read(slot, ['a', 'b', 'c']))!.touched;
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: () => t.fail() });
  const resultado = await write(
    AUTOR,
    provedor,
    async (w) => {
      w.touch('b');
      w.emit('t.criado', 7, { plano: 7 });
      await w.insert('planos', plano('Um'));
      t.deepEqual(await marcas(), [0, 0, 0]);
      t.deepEqual(await nomesDosPlanos(provedor), []);
      return 'feito';
    },
    { tags: ['a'] },
  );
  t.is(resultado, 'feito');
  t.deepEqual(await marcas(), [1, 1, 0]);
  t.deepEqual(await nomesDosPlanos(provedor), ['Um']);
  const [evento, ...mais] = await eventosDe(provedor);
  t.is(mais.length, 0);
  t.like(evento, {
    tipo: 't.criado',
    recurso_id: 7,
    dados: { plano: 7 },
    etiquetas: ['a', 'b'],
    publicado_em: null,
  });
});

test('quem toca etiquetas sem anotar evento deixa um, para que o retransmissor marque de novo', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: nenhum });
  await write(AUTOR, provedor, async (w) => w.touch('a', 'b', 'a'));
  t.like((await eventosDe(provedor))[0], { tipo: 'alteracao', etiquetas: ['a', 'b'] });
});

test('o que falha não grava, não anota e não marca nada', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const antes = await gate.read(tenantSlot(provedor), ['a']);
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: nenhum });
  await t.throwsAsync(
    write(AUTOR, provedor, async (w) => {
      w.touch('a');
      w.emit('x', null);
      await w.insert('planos', plano('Um'));
      throw new RangeError('mudou de ideia');
    }),
    { instanceOf: RangeError },
  );
  t.deepEqual(await nomesDosPlanos(provedor), []);
  t.deepEqual(await eventosDe(provedor), []);
  t.deepEqual(await gate.read(tenantSlot(provedor), ['a']), antes);
});

test('uma escrita só alcança as linhas do seu provedor', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const [um, outro] = [await fabrica.provedor(), await fabrica.provedor()];
  await fabrica.plano(um, { nome: 'Um' });
  await fabrica.plano(outro, { nome: 'Outro' });
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: nenhum });
  t.is(await write(AUTOR, um, async (w) => w.update('planos', nenhum, { nome: 'Novo' })), 1);
  t.deepEqual(await nomesDosPlanos(um), ['Novo']);
  t.deepEqual(await nomesDosPlanos(outro), ['Outro']);
});

test('a escrita insiste enquanto o Redis não confirma, e só responde depois da confirmação', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  let tentativas = 0;
  const teimoso: Pick<Gate, 'bump'> = {
    async bump(slot, nomes) {
      tentativas += 1;
      if (tentativas < 4) throw new Error('Redis fora');
      await gate.bump(slot, nomes);
    },
  };
  const antes = await gate.read(tenantSlot(provedor), ['a']);
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate: teimoso, onUnconfirmed: () => t.fail() });
  await write(AUTOR, provedor, async (w) => w.touch('a'));
  t.is(tentativas, 4);
  t.notDeepEqual(await gate.read(tenantSlot(provedor), ['a']), antes);
});

test('com o Redis fora, a escrita vale e é respondida, e alguém fica sabendo; o evento espera', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const fora: Pick<Gate, 'bump'> = { bump: async () => Promise.reject(new Error('Redis fora')) };
  const avisos: number[] = [];
  const write = createWrites<Author, Eventos>({
    authorOf,
    db: banco.db,
    gate: fora,
    onUnconfirmed: (id) => avisos.push(id),
  });
  await write(AUTOR, provedor, async (w) => {
    w.touch('a');
    await w.insert('planos', plano('Um'));
  });
  t.deepEqual(avisos, [provedor]);
  t.deepEqual(await nomesDosPlanos(provedor), ['Um']);
  t.is((await eventosDe(provedor))[0]!.publicado_em, null);
});

test('com o Redis fora, só a primeira escrita que nada muda espera por ele, e de volta espera-se outra vez', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  let tentativas = 0;
  let voltou = false;
  const vaiEVolta: Pick<Gate, 'bump'> = {
    async bump(slot, nomes) {
      tentativas += 1;
      if (!voltou) throw new Error('Redis fora');
      await gate.bump(slot, nomes);
    },
  };
  const avisos: number[] = [];
  const write = createWrites<Author, Eventos>({
    authorOf,
    db: banco.db,
    gate: vaiEVolta,
    onUnconfirmed: (id) => avisos.push(id),
  });
  // What another process has committed and not bumped.
  await banco.db('eventos').insert({
    provedor_id: provedor,
    tipo: 'x',
    etiquetas: JSON.stringify(['a']),
    criado_em: '2026-11-20 12:00:00',
  });
  const tentativasDe = async (): Promise<number> => {
    tentativas = 0;
    await write(AUTOR, provedor, async () => {});
    return tentativas;
  };
  t.true((await tentativasDe()) > 2);
  t.is(await tentativasDe(), 1);
  t.deepEqual(avisos, [provedor, provedor]);
  voltou = true;
  t.is(await tentativasDe(), 1);
  voltou = false;
  t.true((await tentativasDe()) > 2);
});

test('depois da gravação, o banco que falha não muda a resposta nem a recusa', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const avisos: number[] = [];
  // The transaction ends well; what is read after it, by the pool, fails.
  const db = createDatabase({ url: banco.url, pool: 1, announces: true });
  const [{ conta }] = (await db.raw('SELECT CURRENT_USER() AS conta'))[0];
  const usuario = String(conta)
    .split('@')
    .map((parte) => `'${parte}'`)
    .join('@');
  await banco.db.raw(`REVOKE SELECT ON eventos FROM ${usuario}`);
  try {
    const write = createWrites<Author, Eventos>({ authorOf, db, gate, onUnconfirmed: (id) => avisos.push(id) });
    const resposta = await write(AUTOR, provedor, async (w) => {
      w.emit('x', null);
      return 'o segredo';
    });
    t.is(resposta, 'o segredo');
    t.is((await eventosDe(provedor)).length, 1);
    const recusa = await t.throwsAsync(write(AUTOR, provedor, async () => Promise.reject(new Refusal('não'))));
    t.true(recusa instanceof Refusal);
    t.deepEqual(avisos, [provedor, provedor]);
  } finally {
    await banco.db.raw(`GRANT SELECT ON eventos TO ${usuario}`);
    await db.destroy();
  }
});

test('a escrita que deve falhar fechada nem começa sem o Redis', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const fora: Pick<Gate, 'bump'> = { bump: async () => Promise.reject(new Error('Redis fora')) };
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate: fora, onUnconfirmed: () => t.fail() });
  const opcoes = { tags: ['a'], failClosed: true };
  await t.throwsAsync(write(AUTOR, provedor, async (w) => w.insert('planos', plano('Um')), opcoes));
  t.deepEqual(await nomesDosPlanos(provedor), []);
});

test('a escrita que deve falhar fechada não é respondida se o Redis some no meio', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  let gravou = false;
  const some: Pick<Gate, 'bump'> = {
    bump: async () => (gravou ? Promise.reject(new Error('Redis fora')) : Promise.resolve()),
  };
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate: some, onUnconfirmed: () => t.fail() });
  await t.throwsAsync(
    write(
      AUTOR,
      provedor,
      async (w) => {
        await w.insert('planos', plano('Um'));
        gravou = true;
      },
      { tags: ['a'], failClosed: true },
    ),
    { message: /repita/ },
  );
  t.deepEqual(await nomesDosPlanos(provedor), ['Um']);
});

const DIA = '2027-03-19';

/** A day of the provider's own, which another writes while this write has looked and found none. */
async function comOutroNoMeio(provedor_id: number, como?: { soughtBefore: true }) {
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: nenhum });
  let vezes = 0;
  const escrita = write(AUTOR, provedor_id, async (w) => {
    vezes += 1;
    const achados = await w.from('provedores_feriados').where({ dia: DIA }).select('dia');
    if (achados.length > 0) return 'achado';
    await banco.db('provedores_feriados').insert({ provedor_id, dia: DIA, nome: 'do outro', dia_util: 0 });
    w.touch('a');
    await w.insert('provedores_feriados', { dia: DIA, nome: 'meu segredo', dia_util: 0 }, como);
    return 'gravado';
  });
  return { desfecho: await escrita.catch((error: unknown) => error), vezes };
}

test('a linha que outro gravou no meio: quem a procurou antes procura de novo, e a acha', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  t.deepEqual(await comOutroNoMeio(provedor, { soughtBefore: true }), { desfecho: 'achado', vezes: 2 });
});

test('a linha que outro gravou no meio: quem não disse que a procurou ouve do conflito, uma vez, sem os valores', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const { desfecho, vezes } = await comOutroNoMeio(provedor);
  t.is(vezes, 1);
  t.true(desfecho instanceof DuplicateRow);
  const { message, table, stack = '' } = desfecho as DuplicateRow;
  t.is(table, 'provedores_feriados');
  t.notRegex(message + stack, /segredo/);
  t.deepEqual(await eventosDe(provedor), []);
});

test('uma mudança que faz duas linhas iguais também é um conflito', async (t) => {
  const provedor = await criarFabrica(banco.db).provedor();
  const write = createWrites<Author, Eventos>({ authorOf, db: banco.db, gate, onUnconfirmed: nenhum });
  const dias = [DIA, '2027-03-20'];
  await write(AUTOR, provedor, async (w) =>
    w.insert(
      'provedores_feriados',
      dias.map((dia) => ({ dia, nome: dia, dia_util: 0 })),
    ),
  );
  const mudar = write(AUTOR, provedor, async (w) => w.update('provedores_feriados', nenhum, { dia: DIA }));
  await t.throwsAsync(mudar, { instanceOf: DuplicateRow });
});
