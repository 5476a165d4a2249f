import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { lerChave } from '../../../src/domain/chaves/chave.ts';
import { createChavesService } from '../../../src/domain/chaves/chaves.service.ts';
import { PERMISSOES } from '../../../src/domain/chaves/chaves.types.ts';
import type { NovaChave, Permissao } from '../../../src/domain/chaves/chaves.types.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createGate } from '../../../src/platform/gate/gate.ts';
import type { Gate } from '../../../src/platform/gate/gate.ts';
import { tenantSlot } from '../../../src/platform/gate/keys.ts';
import { createRedis } from '../../../src/platform/redis/redis.ts';
import { criarBanco, redisUrl } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.123Z';
const NOVA: NovaChave = { nome: 'chatbot', permissoes: ['clientes:leitura'] };

let banco: Banco;
let gate: Gate;
let fechar: () => void;
test.before(async () => {
  banco = await criarBanco();
  const redis = createRedis(await redisUrl(), 'queue', () => {});
  await new Promise((resolve) => void redis.once('ready', resolve));
  gate = createGate({ redis, onMode: () => {} });
  fechar = () => redis.disconnect();
});
test.after.always(async () => {
  fechar();
  await banco.fechar();
});

const escritas = (porta: Gate) => createEscrita({ db: banco.db, gate: porta, onUnconfirmed: () => {} });

async function montar() {
  const relogio = relogioEm(AGORA);
  const chaves = createChavesService({ db: banco.db, relogio, write: escritas(gate) });
  return { relogio, chaves, provedor: await criarFabrica(banco.db).provedor() };
}

test('uma chave criada é achada pelo hash, com o seu provedor e tudo o que se pediu', async (t) => {
  const { chaves, provedor } = await montar();
  const expiraEm = new Date('2027-01-31T00:00:00.000Z');
  const { id, texto } = await chaves.criar(TERMINAL, provedor, {
    nome: '  URA da matriz  ',
    permissoes: ['planos:leitura', 'clientes:leitura', 'planos:leitura'],
    ipsPermitidos: ['203.0.113.7', '2001:db8::/32'],
    limitePorMinuto: 1200,
    expiraEm,
  });
  const { hash, provedorId } = lerChave(texto)!;
  t.is(provedorId, provedor);
  const encontrada = (await chaves.buscarPorHash(hash))!;
  t.is(encontrada.provedor.id, provedor);
  t.deepEqual(encontrada.chave, {
    id,
    nome: 'URA da matriz',
    inicio: texto.slice(0, texto.lastIndexOf('_') + 5),
    permissoes: ['planos:leitura', 'clientes:leitura'],
    ipsPermitidos: ['203.0.113.7', '2001:db8::/32'],
    limitePorMinuto: 1200,
    expiraEm,
    revogadaEm: null,
    restricoes: [],
    criadaEm: new Date(AGORA),
  });
  t.deepEqual(await chaves.listar(provedor), [encontrada.chave]);
});

test('sem mais nada dito, uma chave vale para toda origem, sem fim, a 120 por minuto', async (t) => {
  const { chaves, provedor } = await montar();
  await chaves.criar(TERMINAL, provedor, NOVA);
  await chaves.criar(TERMINAL, provedor, { ...NOVA, ipsPermitidos: [] });
  for (const chave of await chaves.listar(provedor)) {
    t.like(chave, { ipsPermitidos: null, limitePorMinuto: 120, expiraEm: null, revogadaEm: null });
  }
});

test('do texto de uma chave só o SHA-256 e o início ficam no banco', async (t) => {
  const { chaves, provedor } = await montar();
  const { id, texto } = await chaves.criar(TERMINAL, provedor, NOVA);
  const linha = await banco.db('chaves_api').where({ id }).first<Record<string, unknown>>();
  t.is((linha['hash'] as Buffer).toString('hex'), lerChave(texto)!.hash);
  const [tabelas] = await banco.db.raw<Record<string, string>[][]>('SHOW TABLES');
  for (const tabela of (tabelas ?? []).flatMap((nome) => Object.values(nome))) {
    const linhas: Record<string, unknown>[] = await banco.db(tabela).select('*');
    const tudo = linhas.map((l) =>
      Object.values(l).map((v) => (Buffer.isBuffer(v) ? v.toString('latin1') : String(v))),
    );
    t.false(
      tudo.flat().some((valor) => valor.includes(texto.slice(-33))),
      tabela,
    );
  }
});

const RECUSADAS: readonly (readonly [quando: string, nova: Partial<NovaChave>, dito: RegExp])[] = [
  ['o nome é vazio', { nome: '  ' }, /^nome: não pode ser vazio$/],
  ['o nome não se vê', { nome: '\u200b\u3164\u2800' }, /^nome: não pode ser vazio$/],
  ['o nome tem 121 caracteres', { nome: 'x'.repeat(121) }, /^nome: /],
  ['não há permissão alguma', { permissoes: [] }, /^permissoes: deve ter no mínimo 1$/],
  [
    'uma permissão não existe',
    { permissoes: ['clientes:apagar' as Permissao] },
    /^permissoes\.0: deve ser um de: clientes:leitura, /,
  ],
  [
    'uma origem não é endereço nem faixa',
    { ipsPermitidos: ['127.0.0.1', '10.0.0.0/33'] },
    /^ips\.1: deve ser um endereço ou uma faixa/,
  ],
  ['o limite é zero', { limitePorMinuto: 0 }, /^limite: deve ser de 1 a 1200$/],
  ['o limite passa de 1200', { limitePorMinuto: 1201 }, /^limite: /],
  ['o limite não é inteiro', { limitePorMinuto: 1.5 }, /^limite: /],
  ['o limite não é número', { limitePorMinuto: Number.NaN }, /^limite: /],
  ['a validade não é uma data', { expiraEm: new Date('x') }, /^expira: /],
];

for (const [quando, mudanca, dito] of RECUSADAS) {
  test(`nenhuma chave é criada quando ${quando}`, async (t) => {
    const { chaves, provedor } = await montar();
    await t.throwsAsync(chaves.criar(TERMINAL, provedor, { ...NOVA, ...mudanca }), { message: dito, name: 'Error' });
    t.deepEqual(await chaves.listar(provedor), []);
  });
}

test('os extremos servem: nome de 120 caracteres, limites 1 e 1200, todas as permissões', async (t) => {
  const { chaves, provedor } = await montar();
  await chaves.criar(TERMINAL, provedor, { nome: 'ç'.repeat(120), permissoes: PERMISSOES, limitePorMinuto: 1 });
  await chaves.criar(TERMINAL, provedor, { ...NOVA, limitePorMinuto: 1200 });
  t.deepEqual(
    (await chaves.listar(provedor)).map(({ limitePorMinuto }) => limitePorMinuto),
    [1, 1200],
  );
});

test('uma chave de um provedor que não existe não é criada', async (t) => {
  const { chaves } = await montar();
  await t.throwsAsync(chaves.criar(TERMINAL, 999_999, NOVA));
});

test('chaves de outro provedor não se listam nem se revogam', async (t) => {
  const { chaves, provedor } = await montar();
  const outro = await criarFabrica(banco.db).provedor();
  const { id, texto } = await chaves.criar(TERMINAL, provedor, NOVA);
  t.deepEqual(await chaves.listar(outro), []);
  t.false(await chaves.revogar(TERMINAL, outro, id));
  t.false(await chaves.revogar(TERMINAL, provedor, id + 1000));
  t.is((await chaves.buscarPorHash(lerChave(texto)!.hash))!.chave.revogadaEm, null);
});

test('revogar marca o instante da primeira vez e marca a etiqueta da chave, e só a dela', async (t) => {
  const { chaves, relogio, provedor } = await montar();
  const { id, texto } = await chaves.criar(TERMINAL, provedor, NOVA);
  const outra = await chaves.criar(TERMINAL, provedor, NOVA);
  const marcas = async () => {
    const nomes = [texto, outra.texto].map((chave) => lerChave(chave)!.nome);
    return (await gate.admit(tenantSlot(provedor), 'x', nomes)).tagState!.touched;
  };
  const antes = await marcas();
  relogio.avancar(60_000);
  t.true(await chaves.revogar(TERMINAL, provedor, id));
  const revogadaEm = new Date('2026-11-20T15:01:00.123Z');
  t.deepEqual((await chaves.buscarPorHash(lerChave(texto)!.hash))!.chave.revogadaEm, revogadaEm);
  const depois = await marcas();
  t.not(depois[0], antes[0]);
  t.is(depois[1], antes[1]);

  relogio.avancar(60_000);
  t.true(await chaves.revogar(TERMINAL, provedor, id));
  t.deepEqual(
    (await chaves.listar(provedor)).map((chave) => chave.revogadaEm),
    [revogadaEm, null],
  );
});

test('sem Redis, revogar falha antes de gravar: não se diz revogado o que um processo ainda pode admitir', async (t) => {
  const { chaves, provedor, relogio } = await montar();
  const { id, texto } = await chaves.criar(TERMINAL, provedor, NOVA);
  const redis = createRedis('redis://127.0.0.1:1/0', 'gate', () => {});
  t.teardown(() => redis.disconnect());
  const semRedis = createChavesService({
    db: banco.db,
    relogio,
    write: escritas(createGate({ redis, onMode: () => {} })),
  });
  await t.throwsAsync(semRedis.revogar(TERMINAL, provedor, id));
  t.is((await chaves.buscarPorHash(lerChave(texto)!.hash))!.chave.revogadaEm, null);
});

test('um hash desconhecido não acha chave alguma', async (t) => {
  const { chaves } = await montar();
  t.is(await chaves.buscarPorHash('0'.repeat(64)), null);
  t.is(await chaves.buscarPorHash(''), null);
});
