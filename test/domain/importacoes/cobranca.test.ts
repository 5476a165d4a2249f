import test from 'ava';
import { TERMINAL, atorDaTarefa } from '../../../src/domain/actor.ts';
import { createExecucaoDeImportacoesService } from '../../../src/domain/importacoes/execucao/execucao.service.ts';
import { createSecrets } from '../../../src/platform/secrets/secrets.ts';
import { cpfDe, emCsv, faturaDoIxc, linhaDoIxc, linhaDoMkauth } from '../../support/importacao.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import { gerarCodigoBarras, linhaDigitavel } from '../../../src/brazil/boleto/boleto.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import { centavos } from '../../../src/brazil/dinheiro/dinheiro.ts';
import { TXID_DO_PSP, pixDoPsp } from '../../support/cobrancas.ts';
import { CHAVE_MESTRA, criarCenario, texto } from './apoio.ts';
import type { Cenario } from './apoio.ts';

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

const linha = (provedor: number, n: number, mais: Readonly<Record<string, string>> = {}) =>
  linhaDoIxc(n, { login: `cliente${n}@p${provedor}`, ...mais });

const faturasDe = async (provedor: number): Promise<any[]> =>
  c.api.dono('faturas').where({ provedor_id: provedor }).orderBy('id');

test.serial('uma fatura importada se paga por PIX, e o contrato bloqueado é liberado', async (t) => {
  const provedor = await c.fabrica.provedor();
  await c.importar(provedor, emCsv([linha(provedor, 1, { status_internet: 'FA' })]), { criar_planos: true });
  await c.importar(provedor, emCsv([faturaDoIxc(1, { data_vencimento: '10/11/2026' })]));
  const [fatura] = await faturasDe(provedor);
  t.like(fatura, { situacao: 'vencida', tipo: 'pix' });
  t.regex(fatura.pix_txid, /^[A-Z\d]{25}$/);
  const { texto: chave } = await c.api.criarChave(provedor);
  const ler = async () => (await c.api.get(`/faturas/${fatura.id}`, { chave })).corpo.dados;
  const antes = await ler();
  t.regex(antes.segunda_via.pix_copia_cola, new RegExp(fatura.pix_txid));

  const { segredo } = await c.api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  const pix = {
    endToEndId: novoFimAFim(),
    txid: fatura.pix_txid as string,
    valor: Number(antes.valor_atualizado).toFixed(2),
    horario: '2026-11-23T14:00:00.000Z',
  };
  t.deepEqual(await criarPsp(c.api).avisar(segredo, [pix]), ['quitada']);
  t.is((await ler()).situacao, 'paga');
  t.like(await c.api.dono('contratos').where({ provedor_id: provedor }).first(), {
    situacao: 'ativo',
    bloqueio_origem: null,
  });
});

test.serial('só o que está em aberto ganha txid, e não o que se paga no balcão', async (t) => {
  const provedor = await c.fabrica.provedor();
  await c.importar(provedor, emCsv([linha(provedor, 1)]), { criar_planos: true });
  const csv = ['codigo;codigo_cliente;tipo;valor;vencimento;situacao']
    .concat(
      [
        '1;ixc:1;;50,00;10/12/2026;aberta',
        '2;ixc:1;boleto;50,00;10/12/2026;aberta',
        '3;ixc:1;carteira;50,00;10/12/2026;aberta',
      ],
      ['4;ixc:1;;50,00;10/10/2026;paga', '5;ixc:1;pix;50,00;10/10/2026;cancelada'],
    )
    .join('\n');
  await c.importar(provedor, csv);
  t.deepEqual(
    (await faturasDe(provedor)).map(({ tipo, pix_txid }) => [tipo, pix_txid !== null]),
    [
      ['pix', true],
      ['boleto', true],
      ['carteira', false],
      [null, false],
      ['pix', false],
    ],
  );
});

test.serial('do MK-Auth, a dívida de quem saiu é dele, e não de quem tem o login agora', async (t) => {
  const provedor = await c.fabrica.provedor();
  const login = `casa12.p${provedor}`;
  const plano = await c.fabrica.plano(provedor);
  const hoje = await c.fabrica.cliente(provedor);
  await c.importar(
    provedor,
    emCsv([
      linhaDoMkauth(1, { cli_ativado: 'n', login }),
      linhaDoMkauth(2, { login: `outro.p${provedor}` }),
      linhaDoMkauth(3, { cli_ativado: 'n', login: `duas.p${provedor}` }),
      linhaDoMkauth(4, { cli_ativado: 'n', login: `duas.p${provedor}` }),
    ]),
    { criar_planos: true, plano_padrao: plano },
  );
  // A contract of our own has it now, and another has one that no line of the source had.
  await c.fabrica.contrato(provedor, { cliente_id: hoje, plano_id: plano, login });
  await c.fabrica.contrato(provedor, { cliente_id: hoje, plano_id: plano, login: `nosso.p${provedor}` });
  const lancamento = (id: string, mais: Readonly<Record<string, string>>) => ({
    id,
    login: '',
    id_cliente: '',
    valor: '80.00',
    datavenc: '2026-10-10',
    datapag: '',
    valorpag: '',
    status: 'vencido',
    ...mais,
  });
  const { id, formato } = await c.importar(
    provedor,
    emCsv(
      [
        lancamento('1', { login }),
        lancamento('2', { login: `outro.p${provedor}` }),
        lancamento('3', { login: `nosso.p${provedor}` }),
        lancamento('4', { login: `duas.p${provedor}` }),
        lancamento('5', { login: `duas.p${provedor}`, id_cliente: '4' }),
      ],
      ',',
    ),
  );
  t.is(formato, 'mkauth');
  t.deepEqual(await c.erros(provedor, id), [
    '4 login: não há contrato com este login',
    '5 login: vários contratos o tiveram; diga o código do contrato ou do cliente',
  ]);
  const donos = await c.api
    .dono('faturas as f')
    .join('clientes as c', 'c.id', 'f.cliente_id')
    .join('contratos as k', 'k.id', 'f.contrato_id')
    .where('f.provedor_id', provedor)
    .orderBy('f.id')
    .select('f.codigo_externo as fatura', 'c.cpf_cnpj', 'k.codigo_externo as contrato');
  t.deepEqual(
    donos.map((um) => ({ ...um })),
    [
      { fatura: 'mkauth:1', cpf_cnpj: cpfDe(1), contrato: 'mkauth:1' },
      { fatura: 'mkauth:2', cpf_cnpj: cpfDe(2), contrato: 'mkauth:2' },
      { fatura: 'mkauth:5', cpf_cnpj: cpfDe(4), contrato: 'mkauth:4' },
    ],
  );
});

test.serial('o que se muda antes de aplicar a rede vale: a senha nova, e o novo titular', async (t) => {
  const provedor = await c.fabrica.provedor();
  const { id } = await c.importar(provedor, emCsv([1, 2, 3].map((n) => linha(provedor, n))), { criar_planos: true });
  const [um, dois, tres] = await c.api.dono('contratos').where({ provedor_id: provedor }).orderBy('id');
  const novo = await c.fabrica.cliente(provedor);
  const { changeTenant } = c.api.container;
  const dele = await c.api.container.provedores.exigirPorId(provedor);
  await changeTenant(TERMINAL, dele, async (_dominio, { contratos }) => {
    await contratos.alterar(um.id, { senha: 'nova-senha' });
    for (const { id: contrato } of [dois, tres])
      await contratos.trocarTitular(contrato, { cliente_id: novo, faturas_futuras: 'manter' });
  });
  const [herdado] = await c.api.dono('contratos').where({ provedor_id: provedor, login: tres.login });
  await changeTenant(TERMINAL, dele, async (_dominio, { contratos }) =>
    contratos.alterar(herdado.id, { senha: 'do-herdeiro' }),
  );
  t.like(await c.importacoes.previstoNaRede(provedor, id), { ativos: 3, senhas: 1, semSenha: 0 });
  await c.fazer(provedor, id, 'aplicar_rede');
  const guardadas = await c.api.dono('radcheck').where('username', 'like', `cliente_@p${provedor}`).orderBy('username');
  t.deepEqual(
    guardadas.map(({ value }) => value),
    ['nova-senha', 'Segredo#2', 'do-herdeiro'],
  );
});

test.serial('apagado o titular de antes, a senha do novo fica; apagado o novo, ela vai com ele', async (t) => {
  const provedor = await c.fabrica.provedor();
  const { id } = await c.importar(provedor, emCsv([1, 2, 3].map((n) => linha(provedor, n))), { criar_planos: true });
  const [um, dois, tres] = await c.api.dono('contratos').where({ provedor_id: provedor }).orderBy('id');
  const [novo, outro] = [await c.fabrica.cliente(provedor), await c.fabrica.cliente(provedor)];
  const { changeTenant, provedores } = c.api.container;
  const dele = await provedores.exigirPorId(provedor);
  const senhas = async (): Promise<number[]> =>
    (await c.api.dono('importacao_senhas').where({ provedor_id: provedor }).orderBy('contrato_id')).map(
      ({ contrato_id }) => contrato_id,
    );
  const passar = async (contrato: number, cliente_id: number): Promise<number> =>
    changeTenant(TERMINAL, dele, async (_dominio, { contratos }) => {
      const feito = await contratos.trocarTitular(contrato, { cliente_id, faturas_futuras: 'manter' });
      return feito.id;
    });
  const apagar = async (cliente: number) =>
    changeTenant(TERMINAL, dele, async (_dominio, { privacidade }) => privacidade.apagar(cliente));

  await passar(um.id, novo);
  // By way of another, whom nothing is left of.
  const doOutro = await passar(await passar(dois.id, novo), outro);
  for (const { cliente_id } of [um, dois]) await apagar(cliente_id);
  t.deepEqual(await senhas(), [um.id, dois.id, tres.id]);

  const fim = { situacao: 'cancelado', cancelado_em: '2026-11-20 15:00:00.000' };
  await c.api.dono('contratos').where('id', doOutro).update(fim);
  t.true((await apagar(outro)).apagados.includes('contratos.senha'));
  t.deepEqual(await senhas(), [um.id, tres.id]);

  await c.fazer(provedor, id, 'aplicar_rede');
  const naRede = await c.api.dono('radcheck').where('username', 'like', `cliente_@p${provedor}`).orderBy('username');
  t.deepEqual(
    naRede.map(({ username, value }) => [username, value]),
    [1, 3].map((n) => [`cliente${n}@p${provedor}`, `Segredo#${n}`]),
  );
  t.deepEqual(await senhas(), []);
});

/** A boleto's line of 50.00, due on a day. */
const linhaDe = (vencimento: string): string =>
  linhaDigitavel(
    gerarCodigoBarras({
      banco: '999',
      vencimento: vencimento as Data,
      valor: centavos(5000),
      campoLivre: '1234567890123456789012345',
    }),
  );

test.serial('boletos e PIX de antes vêm com a fatura, salvo o que não confere com ela', async (t) => {
  const provedor = await c.fabrica.provedor();
  await c.importar(provedor, emCsv([linha(provedor, 1)]), { criar_planos: true });
  const csv = [
    'codigo;codigo_cliente;tipo;valor;vencimento;situacao;linha_digitavel;nosso_numero;pix_txid;pix_copia_cola',
  ]
    .concat(
      [
        `1;ixc:1;;50,00;10/12/2026;aberta;${linhaDe('2026-12-10')};77;;`,
        `2;ixc:1;boleto;50,00;10/12/2026;aberta;${linhaDe('2026-12-11')};78;;`,
        `3;ixc:1;boleto;60,00;10/12/2026;aberta;${linhaDe('2026-12-10')};;;`,
        `4;ixc:1;;50,00;10/10/2026;paga;${linhaDe('2026-10-10')};;;`,
      ],
      [
        `5;ixc:1;;50,00;10/12/2026;aberta;;;ANTIGO${provedor};`,
        `6;ixc:1;;50,00;10/12/2026;aberta;;;${TXID_DO_PSP};${pixDoPsp()}`,
        `7;ixc:1;;50,00;10/12/2026;aberta;;;${TXID_DO_PSP.replace('7', '8')};`,
        `8;ixc:1;;50,00;10/12/2026;aberta;;;ANTIGO${provedor};`,
      ],
    )
    .join('\n');
  const { id } = await c.receber(provedor, csv);
  await c.fazer(provedor, id, 'simular');
  const dito = await texto(c.importacoes.detalhes(provedor, id));
  t.regex(dito, /^3;linha_digitavel;.*outro vencimento; o boleto fica de fora/m);
  t.regex(dito, /^4;linha_digitavel;.*outro valor; o boleto fica de fora/m);
  t.regex(dito, /^8;pix_txid;.*falta o seu código; o PIX fica de fora/m);
  t.like((await c.fazer(provedor, id, 'executar')).contagens, { gravadas: 7, recusadas: 1 });
  t.deepEqual(await c.erros(provedor, id), ['9 pix_txid: a linha 6 tem o mesmo']);
  const faturas = await faturasDe(provedor);
  t.deepEqual(
    faturas.map((f) => [f.tipo, f.linha_digitavel, f.nosso_numero]),
    [
      ['boleto', linhaDe('2026-12-10'), '77'],
      ['pix', null, null],
      ['pix', null, null],
      [null, null, null],
      ['pix', null, null],
      ['pix', null, null],
      ['pix', null, null],
    ],
  );
  t.is(faturas[4].pix_txid, `ANTIGO${provedor}`);
  t.like(faturas[5], { pix_txid: TXID_DO_PSP, pix_copia_cola: pixDoPsp() });
  t.regex(faturas[6].pix_txid, /^[A-Z\d]{25}$/);
});

test.serial('contratos e faturas ficam na conta de cobrança que a linha ou a importação diz', async (t) => {
  const provedor = await c.fabrica.provedor();
  const { changeTenant } = c.api.container;
  const dele = await c.api.container.provedores.exigirPorId(provedor);
  const [sul, norte, velha] = await changeTenant(TERMINAL, dele, async (_dominio, { cobradores }) => {
    const ids = [];
    for (const nome of ['Filial Sul', 'Filial Norte', 'Velha'])
      ids.push(await cobradores.criar({ nome, codigo_externo: nome === 'Filial Norte' ? 'N1' : null }));
    await cobradores.desativar(ids[2] ?? 0);
    return ids;
  });
  const csv = ['codigo;nome;cpf_cnpj;plano;dia_vencimento;valor;cobrador']
    .concat(
      [1, 2, 3, 4].map(
        (n) => `${n};Fulano ${n};${cpfDe(n)};Turbo 100 Mega;10;50,00;${['filial sul', 'N1', '', 'Velha'][n - 1]}`,
      ),
    )
    .join('\n');
  const { id } = await c.receber(provedor, csv);
  await t.throwsAsync(c.importacoes.mapear(TERMINAL, provedor, id, { cobrador: velha }), { message: /cobrador_id/ });
  await c.importacoes.mapear(TERMINAL, provedor, id, { cobrador: norte, criar_planos: true });
  await c.fazer(provedor, id, 'executar');
  t.deepEqual(await c.erros(provedor, id), [
    '5 cobrador: não há uma só conta de cobrança ativa com este nome ou código',
  ]);
  const contratos = await c.api.dono('contratos').where({ provedor_id: provedor }).orderBy('id').pluck('cobrador_id');
  t.deepEqual(contratos, [sul, norte, norte]);
  await c.importar(
    provedor,
    'codigo;codigo_contrato;valor;vencimento;cobrador\na;1;50,00;10/12/2026;\nb;1;50,00;10/12/2026;N1\n',
  );
  t.deepEqual(
    (await faturasDe(provedor)).map(({ cobrador_id }) => cobrador_id),
    [sul, norte],
  );
});

test.serial('a conta que se cria enquanto outra importação corre recebe as faturas que a dizem', async (t) => {
  const provedor = await c.fabrica.provedor();
  const { changeTenant, db, write, provedores } = c.api.container;
  const dele = await provedores.exigirPorId(provedor);
  const clientes = await c.receber(provedor, emCsv([linha(provedor, 1)]));
  await c.importacoes.mapear(TERMINAL, provedor, clientes.id, { criar_planos: true });
  await c.importacoes.pedir(TERMINAL, provedor, clientes.id, 'executar');
  const criar = async (nome: string): Promise<number> =>
    changeTenant(TERMINAL, dele, async (_dominio, { cobradores }) => cobradores.criar({ nome }));
  const pedirFaturas = async (codigo: string, nome: string): Promise<number> => {
    const csv = `codigo;codigo_cliente;valor;vencimento;cobrador\n${codigo};ixc:1;50,00;10/12/2026;${nome}\n`;
    const { id } = await c.receber(provedor, csv);
    await c.importacoes.pedir(TERMINAL, provedor, id, 'executar');
    return id;
  };
  // Before the first and the last write of the worker: while clients come in, and once the invoices' own run has begun.
  const criadas: number[] = [];
  const pedidas: number[] = [];
  let escritas = 0;
  const execucao = createExecucaoDeImportacoesService({
    db,
    relogio: c.relogio,
    segredos: createSecrets(() => [Buffer.from(CHAVE_MESTRA, 'hex')]),
    resumos: { fazer: async (senha) => Promise.resolve(senha) },
    provedores,
    descansoMs: () => 0,
    write: async (...dados) => {
      escritas += 1;
      if (escritas === 1) {
        criadas.push(await criar('Nova'));
        pedidas.push(await pedirFaturas('a', 'Nova'), await pedirFaturas('b', 'Tardia'));
      }
      if (escritas === 5) criadas.push(await criar('Tardia'));
      return write(...dados);
    },
  });
  const signal = new AbortController().signal;
  const trabalhar = async () =>
    execucao.executarPedidas(atorDaTarefa('importacao.executar'), provedor, { signal, aoAvancar: () => {} });
  await trabalhar();
  const daConta = async () => (await faturasDe(provedor)).map((f) => [f.codigo_externo, f.cobrador_id]);
  t.deepEqual(await daConta(), [['a', criadas[0]]]);
  t.regex(String((await c.importacoes.exigir(provedor, pedidas[1]!)).motivo), /peça de novo para continuar/);
  await c.fazer(provedor, pedidas[1]!, 'executar');
  t.deepEqual(await daConta(), [
    ['a', criadas[0]],
    ['b', criadas[1]],
  ]);
});
