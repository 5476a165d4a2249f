import { createHash } from 'node:crypto';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { createReceptoresService } from '../../../src/domain/receptores/receptores.service.ts';
import type { NovoReceptor } from '../../../src/domain/receptores/receptores.types.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { criarBanco } from '../../support/banco.ts';
import type { Banco } from '../../support/banco.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.123Z';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

async function montar() {
  const relogio = relogioEm(AGORA);
  // No process remembers a receiver, so none of its writes makes anything stale.
  const semEtiquetas = { bump: () => Promise.reject(new Error('nenhuma escrita de receptor marca etiquetas')) };
  const write = createEscrita({ db: banco.db, gate: semEtiquetas, onUnconfirmed: () => {} });
  const receptores = createReceptoresService({ db: banco.db, relogio, write });
  return { relogio, receptores, provedor: await criarFabrica(banco.db).provedor() };
}

const auditoriaDe = (provedorId: number): Promise<object[]> =>
  banco
    .db('auditoria')
    .where('provedor_id', provedorId)
    .orderBy('id')
    .select('acao', 'recurso', 'recurso_id', 'dados', 'autor', 'chave_id', 'ip');

test('um receptor criado é achado pelo segredo, com o seu provedor e tudo o que se pediu', async (t) => {
  const { receptores, provedor } = await montar();
  const ipsPermitidos = ['203.0.113.7', '2001:db8::/32'];
  const { id, segredo } = await receptores.criar(TERMINAL, provedor, { nome: '  Banco da Serra  ', ipsPermitidos });
  t.regex(segredo, /^[\w-]{43}$/);
  const encontrado = (await receptores.buscarPorSegredo(segredo))!;
  t.is(encontrado.provedor.id, provedor);
  t.deepEqual(encontrado.receptor, {
    id,
    nome: 'Banco da Serra',
    ipsPermitidos,
    criadoEm: new Date(AGORA),
    revogadoEm: null,
  });
  t.deepEqual(await receptores.listar(provedor), [encontrado.receptor]);
});

test('sem origens ditas, um receptor serve a qualquer uma', async (t) => {
  const { receptores, provedor } = await montar();
  await receptores.criar(TERMINAL, provedor, { nome: 'psp' });
  await receptores.criar(TERMINAL, provedor, { nome: 'psp', ipsPermitidos: [] });
  t.deepEqual(
    (await receptores.listar(provedor)).map(({ ipsPermitidos }) => ipsPermitidos),
    [null, null],
  );
});

test('o segredo está só na resposta: em todo o banco não há mais que o seu SHA-256', async (t) => {
  const { receptores, provedor } = await montar();
  const { id, segredo } = await receptores.criar(TERMINAL, provedor, { nome: 'psp' });
  const linha = await banco.db('receptores_pix').where({ id }).first<{ token_hash: Buffer }>();
  t.deepEqual(linha.token_hash, createHash('sha256').update(segredo).digest());
  t.false(JSON.stringify(await receptores.listar(provedor)).includes(segredo));

  const bytes = Buffer.from(segredo, 'base64url').toString('latin1');
  const [tabelas] = await banco.db.raw<Record<string, string>[][]>('SHOW TABLES');
  for (const tabela of (tabelas ?? []).flatMap((nome) => Object.values(nome))) {
    const linhas: Record<string, unknown>[] = await banco.db(tabela).select('*');
    const tudo = linhas
      .flatMap((l) => Object.values(l))
      .map((v) => (Buffer.isBuffer(v) ? v.toString('latin1') : JSON.stringify(v)));
    t.false(
      tudo.some((valor) => valor.includes(segredo) || valor.includes(bytes)),
      tabela,
    );
  }
});

test('dois receptores têm segredos diferentes, e revogar um deixa o outro', async (t) => {
  const { receptores, provedor } = await montar();
  const um = await receptores.criar(TERMINAL, provedor, { nome: 'um' });
  const outro = await receptores.criar(TERMINAL, provedor, { nome: 'outro' });
  t.not(um.segredo, outro.segredo);
  t.true(await receptores.revogar(TERMINAL, provedor, um.id));
  t.is(await receptores.buscarPorSegredo(um.segredo), null);
  t.is((await receptores.buscarPorSegredo(outro.segredo))!.receptor.id, outro.id);
});

test('um receptor revogado é desconhecido na hora, e continua na lista com o instante da primeira vez', async (t) => {
  const { receptores, relogio, provedor } = await montar();
  const { id, segredo } = await receptores.criar(TERMINAL, provedor, { nome: 'psp' });
  relogio.avancar(60_000);
  t.true(await receptores.revogar(TERMINAL, provedor, id));
  t.is(await receptores.buscarPorSegredo(segredo), null);
  relogio.avancar(60_000);
  t.false(await receptores.revogar(TERMINAL, provedor, id));
  t.deepEqual(
    (await receptores.listar(provedor)).map(({ revogadoEm }) => revogadoEm),
    [new Date('2026-11-20T15:01:00.123Z')],
  );
});

test('receptores de outro provedor não se listam nem se revogam', async (t) => {
  const { receptores, provedor } = await montar();
  const outro = await criarFabrica(banco.db).provedor();
  const { id, segredo } = await receptores.criar(TERMINAL, provedor, { nome: 'psp' });
  t.deepEqual(await receptores.listar(outro), []);
  t.false(await receptores.revogar(TERMINAL, outro, id));
  t.false(await receptores.revogar(TERMINAL, provedor, id + 1000));
  t.is((await receptores.buscarPorSegredo(segredo))!.receptor.revogadoEm, null);
  t.deepEqual(await auditoriaDe(outro), []);
});

test('criar e revogar ficam na auditoria com o autor, sem nome nem segredo; o que nada muda não fica', async (t) => {
  const { receptores, provedor } = await montar();
  const { id } = await receptores.criar(TERMINAL, provedor, { nome: 'Banco da Serra', ipsPermitidos: ['203.0.113.7'] });
  await receptores.revogar(TERMINAL, provedor, id);
  await receptores.revogar(TERMINAL, provedor, id);
  const linha = {
    recurso: 'receptor',
    recurso_id: id,
    dados: null,
    autor: 'linha de comando',
    chave_id: null,
    ip: null,
  };
  t.deepEqual(await auditoriaDe(provedor), [
    { acao: 'receptor.criado', ...linha },
    { acao: 'receptor.revogado', ...linha },
  ]);
});

const RECUSADOS: readonly (readonly [quando: string, novo: NovoReceptor, dito: RegExp])[] = [
  ['o nome é vazio', { nome: '  ' }, /^nome: de 1 a 100 caracteres$/],
  ['o nome não se vê', { nome: '\u200b\u3164\u2800' }, /^nome: de 1 a 100 caracteres$/],
  ['o nome tem 101 caracteres', { nome: 'x'.repeat(101) }, /^nome: de 1 a 100 caracteres$/],
  ['uma origem é vazia', { nome: 'psp', ipsPermitidos: [''] }, /^ips: {2}não é endereço/],
  [
    'uma origem não é endereço nem faixa',
    { nome: 'psp', ipsPermitidos: ['127.0.0.1', '10.0.0.0/33'] },
    /^ips: 10\.0\.0\.0\/33 não é endereço nem faixa CIDR$/,
  ],
];

for (const [quando, novo, dito] of RECUSADOS) {
  test(`nenhum receptor é criado quando ${quando}`, async (t) => {
    const { receptores, provedor } = await montar();
    await t.throwsAsync(receptores.criar(TERMINAL, provedor, novo), { message: dito });
    t.deepEqual(await receptores.listar(provedor), []);
    t.deepEqual(await auditoriaDe(provedor), []);
  });
}

test('os extremos servem: nome de 100 caracteres, faixas de um só endereço', async (t) => {
  const { receptores, provedor } = await montar();
  await receptores.criar(TERMINAL, provedor, { nome: 'ç'.repeat(100), ipsPermitidos: ['203.0.113.7/32', '::1/128'] });
  t.like((await receptores.listar(provedor))[0], { nome: 'ç'.repeat(100) });
});

test('um receptor de um provedor que não existe não é criado', async (t) => {
  const { receptores } = await montar();
  await t.throwsAsync(receptores.criar(TERMINAL, 999_999, { nome: 'psp' }));
});

for (const texto of ['', 'x', 'A'.repeat(42), 'A'.repeat(43), 'A'.repeat(44), `${'A'.repeat(42)}/`, 'á'.repeat(43)]) {
  test(`o segredo "${texto}" não acha receptor algum`, async (t) => {
    const { receptores } = await montar();
    t.is(await receptores.buscarPorSegredo(texto), null);
  });
}
