import { createHash } from 'node:crypto';
import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { APONTAM, VAO_JUNTO } from '../../../src/domain/importacoes/execucao/desfazer.queries.ts';
import { cpfDe, emCsv, faturaDoIxc, linhaDoIxc, numeros } from '../../support/importacao.ts';
import { TABELAS, contar, criarCenario, texto } from './apoio.ts';
import type { Cenario } from './apoio.ts';

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

const linha = (provedor: number, n: number, mais: Readonly<Record<string, string>> = {}) =>
  linhaDoIxc(n, { login: `cliente${n}@p${provedor}`, ...mais });

async function importado(quantos: number) {
  const provedor = await c.fabrica.provedor();
  const linhas = numeros(quantos).map((n) => linha(provedor, n));
  const vazio = await c.somas(TABELAS.filter((tabela) => tabela !== 'planos'));
  const clientes = await c.importar(provedor, emCsv(linhas), { criar_planos: true });
  return { provedor, clientes, vazio };
}

test.serial('desfeita, não resta nada do que entrou, planos criados inclusive, senão a auditoria', async (t) => {
  const { provedor, clientes } = await importado(1200);
  t.like(clientes.contagens, { gravadas: 1200, clientes: 1200, planos: 3 });
  const faturas = await c.importar(provedor, emCsv(numeros(600).map((n) => faturaDoIxc(n))));
  t.like(faturas.contagens, { gravadas: 600 });
  // The night passes over the invoices.
  await c.api.dono('faturas').where({ provedor_id: provedor }).limit(100).update({ situacao: 'vencida' });
  const semFaturas = await c.fazer(provedor, faturas.id, 'desfazer');
  t.like(semFaturas, { situacao: 'desfeita', acao: null, motivo: null });
  t.like(semFaturas.contagens, { desfeitas: 600, ficaram: 0 });
  t.like((await c.fazer(provedor, clientes.id, 'desfazer')).contagens, { desfeitas: 1200, ficaram: 0 });
  for (const tabela of [
    'app_documentos',
    'planos',
    'clientes',
    'clientes_telefones',
    'contratos',
    'contratos_historico',
    'faturas',
    'importacao_senhas',
    'clientes_alteracoes',
  ]) {
    t.is(await contar(c.api, tabela, { provedor_id: provedor }), 0, tabela);
  }
  const ditos: { acao: string }[] = await c.api.dono('auditoria').where({ provedor_id: provedor }).select('acao');
  t.is(ditos.filter(({ acao }) => acao === 'importacao.lote_desfeito').length, 2 + 3);
  // It can come in anew.
  t.like((await c.importar(provedor, emCsv([linha(provedor, 1)]), { criar_planos: true })).contagens, { gravadas: 1 });
});

test.serial('o que alguém tocou desde então fica, e se diz por quê', async (t) => {
  const { provedor, clientes } = await importado(12);
  const db = c.api.dono;
  const contratoDe = async (n: number) =>
    db('contratos')
      .where({ provedor_id: provedor, codigo_externo: `ixc:${1000 + n}` })
      .first();
  const tocar: readonly (readonly [
    number,
    string,
    (contrato: { id: number; cliente_id: number }) => Promise<unknown>,
  ])[] = [
    [1, 'o contrato mudou', async ({ id }) => db('contratos').where({ id }).update({ dia_vencimento: 28 })],
    [2, 'o cliente mudou', async ({ cliente_id: id }) => db('clientes').where({ id }).update({ nome: 'Outra' })],
    [3, 'o contrato tem', async ({ id, cliente_id }) => c.fabrica.fatura(provedor, { cliente_id, contrato_id: id })],
    [4, 'o cliente tem', async ({ cliente_id }) => c.fabrica.chamado(provedor, { cliente_id })],
    [5, 'o cliente mudou', async ({ cliente_id }) => c.fabrica.telefone(provedor, { cliente_id })],
    [
      6,
      'o contrato mudou',
      async ({ id }) =>
        db('contratos_historico').insert({ provedor_id: provedor, contrato_id: id, acao: 'observacao' }),
    ],
    [
      7,
      'o cliente tem',
      async ({ cliente_id }) => c.fabrica.contrato(provedor, { cliente_id, plano_id: await c.fabrica.plano(provedor) }),
    ],
    [
      8,
      'o contrato tem',
      async ({ id }) =>
        db('rede_pedidos').insert({
          provedor_id: provedor,
          contrato_id: id,
          acao: 'bloquear',
          pedido_em: '2026-11-23',
        }),
    ],
    [
      9,
      'o cliente tem',
      async ({ cliente_id }) =>
        db('renegociacoes').insert({
          provedor_id: provedor,
          cliente_id,
          devido: '10.00',
          desconto: '0.00',
          autor: 'equipe',
          criada_em: '2026-11-23',
        }),
    ],
    [
      10,
      'o contrato tem',
      async ({ id }) =>
        db('registros_conexao').insert({
          provedor_id: provedor,
          radacctid: 910,
          contrato_id: id,
          login: `cliente10@p${provedor}`,
          nas: 1,
          mac: '',
          rede: Buffer.from([203, 0, 113, 10]),
          bits: 32,
          inicio: '2026-11-23',
        }),
    ],
  ];
  const ids = new Map<number, number>();
  for (const [n, , fazer] of tocar) {
    const contrato = await contratoDe(n);
    ids.set(n, contrato.id);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await fazer(contrato);
  }
  const desfeita = await c.fazer(provedor, clientes.id, 'desfazer');
  t.like(desfeita.contagens, { desfeitas: 2, ficaram: 10 });
  const detalhes = (await texto(c.importacoes.detalhes(provedor, clientes.id))).split('\r\n').slice(1);
  for (const [n, motivo] of tocar) {
    t.is(await contar(c.api, 'contratos', { id: ids.get(n)! }), 1, String(n));
    // The header is line 1.
    t.true(
      detalhes.some((dito) => dito.startsWith(`${n + 1};;;ficou: ${motivo}`)),
      `${n}: ${detalhes.join('\n')}`,
    );
  }
  t.is(await contar(c.api, 'contratos', { provedor_id: provedor }), 10 + 1);
  // Its plans are in use, and stay with the contracts.
  t.is(await contar(c.api, 'planos', { provedor_id: provedor, codigo_externo: null }), 1);
});

test.serial('uma fatura que alguém recebeu, abateu ou renegociou fica, mesmo desfeito o que se lhe fez', async (t) => {
  const { provedor } = await importado(6);
  const db = c.api.dono;
  const faturas = await c.importar(provedor, emCsv(numeros(6).map((n) => faturaDoIxc(n))));
  t.like(faturas.contagens, { gravadas: 6 });
  const ids: { id: number; cliente_id: number }[] = await db('faturas').where({ provedor_id: provedor }).orderBy('id');
  const [recebida, ajustada, origem, renegociada, abatida] = ids.map(({ id }) => id);
  const feito = { provedor_id: provedor, autor: 'equipe', criado_em: '2026-11-23' };
  const desfeito = { desfeito_em: '2026-11-23' };
  const recebimento = { ...feito, ...desfeito, fatura_id: recebida, forma: 'dinheiro', valor: '1.00' };
  await db('recebimentos_manuais').insert({ ...recebimento, pago_em: '2026-11-23' });
  const ajuste = { ...feito, ...desfeito, valor: '1.00', dado_em: '2026-11-23' };
  await db('faturas_ajustes').insert({ ...ajuste, fatura_id: ajustada, tipo: 'credito', origem_fatura_id: origem });
  const [renegociacao_id] = await db('renegociacoes').insert({
    provedor_id: provedor,
    cliente_id: ids[3]?.cliente_id,
    devido: '1.00',
    desconto: '0.00',
    autor: 'equipe',
    criada_em: '2026-11-23',
  });
  await db('renegociacoes_faturas').insert({
    provedor_id: provedor,
    renegociacao_id,
    fatura_id: renegociada,
    papel: 'origem',
  });
  await db('faturas').where({ id: abatida }).update({ abatido: '1.00' });
  const desfeita = await c.fazer(provedor, faturas.id, 'desfazer');
  t.is(desfeita.motivo, null);
  t.like(desfeita.contagens, { desfeitas: 1, ficaram: 5 });
});

test.serial(
  'uma fatura de que alguém mudou o boleto ou a descrição fica; a noite que refaz o PIX não conta',
  async (t) => {
    const { provedor } = await importado(6);
    const { id } = await c.importar(provedor, emCsv(numeros(6).map((n) => faturaDoIxc(n))));
    const deles = c.api.dono('faturas').where({ provedor_id: provedor }).orderBy('id');
    const [um, dois, tres, quatro, cinco, seis] = await deles.pluck('id');
    const mudar = async (fatura: number, mudanca: object) =>
      c.api.dono('faturas').where({ id: fatura }).update(mudanca);
    await mudar(um, { linha_digitavel: '9'.repeat(47) });
    await mudar(dois, { nosso_numero: '123' });
    await mudar(tres, { descricao: 'Outra' });
    await mudar(quatro, { codigo_externo: 'erp:4' });
    await mudar(cinco, { pix_copia_cola: 'da noite' });
    // As imports of before noted it.
    const { cliente_id, contrato_id } = await c.api.dono('faturas').where({ id: seis }).first();
    const dito = JSON.stringify([cliente_id, contrato_id, 'pendente', '99.90', '0.00', '2026-12-10', '0.00']);
    const impressao = createHash('sha256').update(dito).digest().subarray(0, 16);
    await c.api.dono('importacao_linhas').where({ provedor_id: provedor, fatura_id: seis }).update({ impressao });
    t.like((await c.fazer(provedor, id, 'desfazer')).contagens, { desfeitas: 2, ficaram: 4 });
    t.deepEqual(await c.api.dono('faturas').where({ provedor_id: provedor }).orderBy('id').pluck('id'), [
      um,
      dois,
      tres,
      quatro,
    ]);
  },
);

test.serial('o que ficou de uma importação desfeita ainda vai à rede', async (t) => {
  const { provedor, clientes } = await importado(2);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await c.api.dono('contratos').where({ provedor_id: provedor, codigo_externo: 'ixc:1001' }).update({ valor: '80.00' });
  t.like((await c.fazer(provedor, clientes.id, 'desfazer')).contagens, { desfeitas: 1, ficaram: 1 });
  const aplicada = await c.fazer(provedor, clientes.id, 'aplicar_rede');
  t.like(aplicada, { situacao: 'desfeita', acao: null, motivo: null });
  t.like(aplicada.contagens, { acessos: 1 });
  t.is(await contar(c.api, 'radcheck', { username: `cliente1@p${provedor}` }), 1);
  // The network's tables are the servers' own; the test after this counts them.
  await c.api
    .dono('radcheck')
    .where({ username: `cliente1@p${provedor}` })
    .delete();
});

test.serial('o que falha numa importação a para com o motivo, e as outras do provedor seguem', async (t) => {
  const { provedor, clientes } = await importado(3);
  const db = c.api.dono;
  const outra = await c.receber(provedor, emCsv([linha(provedor, 9)]));
  await c.importacoes.mapear(TERMINAL, provedor, outra.id, { criar_planos: true });
  // As a table of a later release would, which nothing here knows of.
  await db.raw(`CREATE TABLE de_outrem (provedor_id BIGINT UNSIGNED, contrato_id BIGINT UNSIGNED,
    FOREIGN KEY (provedor_id, contrato_id) REFERENCES contratos (provedor_id, id))`);
  t.teardown(async () => db.schema.dropTableIfExists('de_outrem'));
  await db.raw('INSERT INTO de_outrem SELECT provedor_id, id FROM contratos WHERE provedor_id = ?', [provedor]);
  await c.importacoes.pedir(TERMINAL, provedor, clientes.id, 'desfazer');
  await c.importacoes.pedir(TERMINAL, provedor, outra.id, 'executar');
  await t.throwsAsync(c.trabalhar(provedor), { code: 'ER_ROW_IS_REFERENCED_2' });
  const parada = await c.importacoes.exigir(provedor, clientes.id);
  t.like(parada, { acao: null, situacao: 'executada' });
  t.regex(parada.motivo ?? '', /falha inesperada \(ER_ROW_IS_REFERENCED_2\)/);
  t.like(await c.importacoes.exigir(provedor, outra.id), { acao: null, situacao: 'executada', motivo: null });
  await db.schema.dropTable('de_outrem');
  t.like(await c.fazer(provedor, clientes.id, 'desfazer'), { acao: null, situacao: 'desfeita', motivo: null });
});

test.serial('um cliente que já estava perde só o contrato que a importação lhe deu', async (t) => {
  const provedor = await c.fabrica.provedor();
  const cliente_id = await c.fabrica.cliente(provedor, { cpf_cnpj: cpfDe(1) });
  const feita = await c.importar(provedor, emCsv([linha(provedor, 1), linha(provedor, 2)]), { criar_planos: true });
  t.like(feita.contagens, { clientes: 1, contratos: 2 });
  t.is(await contar(c.api, 'contratos', { provedor_id: provedor, cliente_id }), 1);
  t.like((await c.fazer(provedor, feita.id, 'desfazer')).contagens, { desfeitas: 2, ficaram: 0 });
  t.is(await contar(c.api, 'clientes', { provedor_id: provedor }), 1);
  t.is(await contar(c.api, 'contratos', { provedor_id: provedor }), 0);
  t.is(await contar(c.api, 'app_documentos', { provedor_id: provedor }), 1);
});

test.serial('passadas 24 horas, não se desfaz; nem o que não se executou', async (t) => {
  const { provedor, clientes } = await importado(3);
  const { id } = await c.receber(provedor, emCsv([linha(provedor, 9)]));
  await t.throwsAsync(c.importacoes.pedir(TERMINAL, provedor, id, 'desfazer'), { message: /não foi executada/ });
  c.relogio.avancar(24 * 3_600_000 + 1);
  await t.throwsAsync(c.importacoes.pedir(TERMINAL, provedor, clientes.id, 'desfazer'), {
    message: /passaram 24 horas/,
  });
});

test.serial('o que aponta para o que se importa está decidido, coluna por coluna do esquema', async (t) => {
  const [linhas = []] = await c.api.dono.raw<{ de: string; coluna: string; para: string }[][]>(`
    SELECT table_name AS de, column_name AS coluna, referenced_table_name AS para FROM information_schema.key_column_usage
     WHERE table_schema = DATABASE() AND referenced_table_name IN ('planos', 'clientes', 'contratos', 'faturas')
       AND referenced_column_name = 'id'`);
  const decididas = [APONTAM, VAO_JUNTO].flatMap((quais) =>
    Object.entries(quais).flatMap(([para, pares]) =>
      (pares as readonly (readonly [string, string])[]).map(([de, coluna]) => `${de}.${coluna} → ${para}`),
    ),
  );
  const chaves = linhas.map(({ de, coluna, para }) => `${de}.${coluna} → ${para}`);
  t.deepEqual([...chaves, 'registros_conexao.contrato_id → contratos'].toSorted(), decididas.toSorted());
});

test.serial(
  'à rede os logins só vão quando se manda: senha e bloqueio na mesma transação, com a conta dita antes',
  async (t) => {
    const provedor = await c.fabrica.provedor();
    const csv = emCsv([
      linha(provedor, 1),
      linha(provedor, 2, { status_internet: 'CA' }),
      linha(provedor, 3, { status: 'N' }),
      linha(provedor, 4, { senha: '' }),
      linha(provedor, 5, { login: '' }),
      linha(provedor, 6, { senha: '' }),
      linha(provedor, 7, { senha: '' }),
    ]);
    const { id } = await c.importar(provedor, csv, { criar_planos: true });
    // No password is known of lines that need none; of one the network says already how it gets in.
    const ipoe = [6, 7].map((n) => `cliente${n}@p${provedor}`);
    await c.api.dono('contratos').whereIn('login', ipoe).update({ tipo_conexao: 'ipoe' });
    await c.api.dono('radcheck').insert({ username: ipoe[1], attribute: 'Crypt-Password', op: ':=', value: 'x' });
    t.like(await c.importacoes.previstoNaRede(provedor, id), { ativos: 4, bloqueados: 1, senhas: 2 });
    t.is(await contar(c.api, 'radcheck', {}), 1);
    const aplicada = await c.fazer(provedor, id, 'aplicar_rede', false, true);
    t.like(aplicada.contagens, { acessos: 5 });
    const senhas = await c.api
      .dono('radcheck')
      .orderBy(['username', 'id'])
      .select('username', 'attribute', 'op', 'value');
    t.deepEqual(
      senhas.map((uma) => ({ ...uma })),
      [
        { username: `cliente1@p${provedor}`, attribute: 'Cleartext-Password', op: ':=', value: 'Segredo#1' },
        { username: `cliente2@p${provedor}`, attribute: 'Cleartext-Password', op: ':=', value: 'Segredo#2' },
        { username: ipoe[0], attribute: 'Framed-Protocol', op: '!*', value: 'PPP' },
        { username: ipoe[0], attribute: 'Auth-Type', op: ':=', value: 'Accept' },
        { username: ipoe[1], attribute: 'Crypt-Password', op: ':=', value: 'x' },
      ],
    );
    const grupos = await c.api.dono('radusergroup').select('username', 'groupname');
    t.deepEqual(
      grupos.map((um) => ({ ...um })),
      [{ username: `cliente2@p${provedor}`, groupname: 'retirado' }],
    );
    t.is(await contar(c.api, 'radgroupcheck', { groupname: 'retirado' }), 1);
    const pedidos = await c.api
      .dono('rede_pedidos')
      .where({ provedor_id: provedor })
      .orderBy('contrato_id')
      .select('acao', 'sessoes');
    t.deepEqual(
      pedidos.map(({ acao }) => acao),
      ['liberar', 'bloquear', 'liberar', 'liberar', 'liberar'],
    );
    // Whoever is as he should be keeps his session.
    t.true(pedidos.every(({ sessoes }) => sessoes === 'se_mudar'));
    t.is(await contar(c.api, 'importacao_senhas', { provedor_id: provedor }), 0);
    // Again there is nothing to do, and what the network has is not undone.
    t.like(await c.importacoes.previstoNaRede(provedor, id), { ativos: 0, bloqueados: 0, senhas: 0 });
    t.like((await c.fazer(provedor, id, 'aplicar_rede')).contagens, { acessos: 0 });
    t.like((await c.fazer(provedor, id, 'desfazer')).contagens, { desfeitas: 0, ficaram: 7 });
  },
);
