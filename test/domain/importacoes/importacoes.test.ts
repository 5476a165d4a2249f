import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TERMINAL, atorDaTarefa, atorDoVisitante } from '../../../src/domain/actor.ts';
import { realmDe, travaDoLogin } from '../../../src/domain/rede/acesso/acesso.regras.ts';
import {
  cpfDe,
  emCsv,
  emWindows1252,
  faturaDoIxc,
  linhaDoIxc,
  linhaDoMkauth,
  linhaDoSgp,
  numeros,
} from '../../support/importacao.ts';
import { ate } from '../../support/espera.ts';
import { contagens, contar, criarCenario, texto } from './apoio.ts';
import type { Cenario } from './apoio.ts';
import { vindoDe } from '../../support/autor.ts';

/** A line of IXC with a login that no other provider of these tests has. */
const linha = (provedor: number, n: number, mais: Readonly<Record<string, string>> = {}) =>
  linhaDoIxc(n, { login: `cliente${n}@p${provedor}`, ...mais });

let c: Cenario;
test.before(async () => {
  c = await criarCenario();
});
test.after.always(() => c.api.fechar());

async function provedorComPlanos(): Promise<number> {
  const provedor = await c.fabrica.provedor();
  for (const nome of ['Fibra 300 Mega', 'Fibra 500 Mega', 'Fibra 1 Giga']) await c.fabrica.plano(provedor, { nome });
  return provedor;
}

test.serial(
  'do IXC, em Windows-1252 e com ;, entram clientes, contratos, telefones e logins como lá estavam',
  async (t) => {
    const provedor = await provedorComPlanos();
    const linhas = [
      ...numeros(40).map((n) => linhaDoIxc(n)),
      linhaDoIxc(41, { status: 'P' }),
      linhaDoIxc(42, { status: 'I' }),
      linhaDoIxc(43, { status: 'N' }),
      linhaDoIxc(44, { status_internet: 'CM' }),
      linhaDoIxc(45, { status_internet: 'FA' }),
      linhaDoIxc(46, { status_internet: 'AA' }),
      // A second contract of client 1.
      linhaDoIxc(47, { id_cliente: '1', cnpj_cpf: cpfDe(1), login: 'segundo@serra' }),
    ];
    const recebida = await c.receber(provedor, emWindows1252(emCsv(linhas)), { arquivo: '/tmp/de/clientes.csv' });
    t.like(recebida, { formato: 'ixc', tipo: 'clientes', arquivo: 'clientes.csv', linhas: 47, situacao: 'nova' });
    t.like(recebida.leitura, { codificacao: 'windows-1252', separador: ';', cabecalho: true });

    const antes = await c.somas();
    const simulada = await c.fazer(provedor, recebida.id, 'simular');
    contagens(t, simulada, { lidas: 47, gravadas: 47, recusadas: 0, clientes: 46, contratos: 47, senhas: 46 });
    t.is(simulada.situacao, 'simulada');
    t.deepEqual(await c.somas(), antes);

    const executada = await c.fazer(provedor, recebida.id, 'executar');
    t.is(executada.situacao, 'executada');
    const { lidas: _l, ...previstas } = simulada.contagens;
    t.like(executada.contagens, previstas);
    const jose = await c.api.dono('clientes').where({ provedor_id: provedor, codigo_externo: 'ixc:1' }).first();
    t.like(jose, {
      nome: 'Antônia Brandão 1',
      cpf_cnpj: cpfDe(1),
      tipo: 'pf',
      situacao: 'ativo',
      logradouro: 'Rua São João; fundos',
      uf: 'MG',
      cep: '37550000',
      data_nascimento: '1980-02-02',
    });
    const deles = await c.api.dono('contratos').where({ provedor_id: provedor, cliente_id: jose.id }).orderBy('id');
    t.deepEqual(
      deles.map(({ codigo_externo, login }) => [codigo_externo, login]),
      [
        ['ixc:1001', 'cliente1@serra'],
        ['ixc:1047', 'segundo@serra'],
      ],
    );
    t.like(deles[0], {
      situacao: 'ativo',
      valor: '99.90',
      dia_vencimento: 10,
      mac: 'aa:bb:cc:dd:ee:01',
      ip: null,
      ativado_em: '2024-02-01',
      cidade: 'Pouso Alegre',
    });
    const situacoes = await c.api
      .dono('contratos')
      .where({ provedor_id: provedor })
      .whereIn(
        'codigo_externo',
        numeros(6, 1041).map((n) => `ixc:${n}`),
      )
      .orderBy('id');
    t.deepEqual(
      situacoes.map(({ situacao, bloqueio_origem, login }) => [situacao, bloqueio_origem, login === null]),
      [
        ['pendente', null, false],
        ['inativo', null, false],
        ['cancelado', null, true],
        ['bloqueado', 'manual', false],
        ['bloqueado', 'financeiro', false],
        ['pendente', null, false],
      ],
    );
    const fones = await c.api.dono('clientes_telefones').where({ provedor_id: provedor, cliente_id: jose.id });
    t.deepEqual(
      fones.map(({ numero }) => numero),
      ['35991001001'],
    );
    t.is(await contar(c.api, 'contratos_historico', { provedor_id: provedor, acao: 'importado' }), 47);
    // Nothing is asked of the network, and nobody is told of single rows.
    t.is(await contar(c.api, 'rede_pedidos', { provedor_id: provedor }), 0);
    t.is(await contar(c.api, 'radcheck', {}), 0);
    const ditos = await c.api.dono('auditoria').where({ provedor_id: provedor }).orderBy('id');
    t.deepEqual(
      ditos.map(({ acao, autor }) => [acao, autor]),
      [
        ['importacao.criada', 'linha de comando'],
        ['importacao.pedida', 'linha de comando'],
        ['importacao.simulada', 'tarefa'],
        ['importacao.pedida', 'linha de comando'],
        ['importacao.lote_gravado', 'tarefa'],
        ['importacao.executada', 'tarefa'],
      ],
    );
  },
);

test.serial('nenhuma senha aparece em claro no banco, no relatório nem na auditoria', async (t) => {
  const provedor = await provedorComPlanos();
  const ruins = [
    linha(provedor, 1, { senha: `abc\u0007` }),
    linha(provedor, 2, { senha: 'SenhaSecretissima', cnpj_cpf: '111.111.111-11' }),
    linha(provedor, 3, { senha: 'OutraSenhaSecreta' }),
  ];
  const { id } = await c.importar(provedor, emCsv(ruins));
  const relatorio =
    (await texto(c.importacoes.recusadas(provedor, id))) + (await texto(c.importacoes.detalhes(provedor, id)));
  t.regex(relatorio, /senha: deve ter de 1 a 128/);
  t.notRegex(relatorio, /SenhaSecret|;abc/);
  for (const tabela of [
    'importacoes',
    'importacao_linhas',
    'importacao_senhas',
    'importacao_arquivos',
    'auditoria',
    'eventos',
  ]) {
    const [linhas] = await c.api.dono.raw<object[][]>('SELECT * FROM ??', [tabela]);
    const bytes = JSON.stringify(linhas, (_chave, valor: unknown) => valor);
    t.false(bytes.includes('Secret'), tabela);
    const crus = (linhas ?? []).flatMap((uma) => Object.values(uma).filter((valor) => Buffer.isBuffer(valor)));
    t.true(
      crus.every((cru) => !cru.includes('Secret')),
      tabela,
    );
  }
  t.is(await contar(c.api, 'importacao_senhas', { provedor_id: provedor }), 1);
});

test.serial(
  'de uma linha com células a mais ou a menos não se escreve célula nenhuma: a senha pode ser qualquer uma',
  async (t) => {
    const provedor = await provedorComPlanos();
    // In the place of the MAC and of the payment day, where reading changes what it finds.
    const senha = 'SECRETOAB12';
    const certa = emCsv([linha(provedor, 1, { senha })]);
    const [cabecalho, dados = ''] = certa.split('\r\n');
    const aMais = dados.replace(`;${senha};`, `;;${senha};`);
    const muitas = Array.from({ length: 12 }, (_, n) => dados.replace(`;${senha};`, `${';'.repeat(n + 2)}${senha};`));
    const aMenos = dados.replace(/^[^;]*;/, '');
    const csv = [cabecalho, aMais, aMenos, ...muitas].join('\r\n');
    const { id } = await c.receber(provedor, csv);
    const ditos = async () =>
      (await texto(c.importacoes.recusadas(provedor, id))) + (await texto(c.importacoes.detalhes(provedor, id)));
    t.like((await c.fazer(provedor, id, 'simular')).contagens, { recusadas: 14 });
    const ensaiado = await ditos();
    t.like((await c.fazer(provedor, id, 'executar')).contagens, { recusadas: 14 });
    for (const dito of [ensaiado, await ditos()]) {
      t.regex(dito, /a linha tem \d+ colunas, e o arquivo \d+/);
      t.notRegex(dito, /SECRETO|SE:CR/i);
    }
  },
);

test.serial('recusa por linha e coluna com as palavras dos formulários, e as boas entram', async (t) => {
  const provedor = await provedorComPlanos();
  const outro = await provedorComPlanos();
  await c.importar(outro, emCsv([linha(outro, 90, { login: 'deoutro' })]));
  await c.importar(provedor, emCsv([linha(provedor, 80, { login: 'nosso' })]));
  const { id, contagens: feitas } = await c.importar(
    provedor,
    emCsv([
      linha(provedor, 1),
      linha(provedor, 2, { cnpj_cpf: '123.456.789-00' }),
      linha(provedor, 3, { login: `CLIENTE1@p${provedor}` }),
      linha(provedor, 4, { login: 'deoutro' }),
      linha(provedor, 5, { login: 'Nosso' }),
      linha(provedor, 6, { contrato: 'Rádio 5' }),
      linha(provedor, 7, { telefone_celular: '(35) 123' }),
      linha(provedor, 8, { data_nascimento: '31/02/1980', razao: 'J' }),
      linha(provedor, 9, { id_contrato: '1001', login: '' }),
      linha(provedor, 10, { status: 'X' }),
      linha(provedor, 11, { dia_fixo_vencimento: '0' }),
      linha(provedor, 12, { cep: '123', uf: 'XX' }),
      linha(provedor, 13, { id_cliente: '1' }),
      linha(provedor, 14),
    ]),
  );
  t.like(feitas, { lidas: 14, gravadas: 2, recusadas: 12 });
  const realm = realmDe(await c.api.container.provedores.exigirPorId(provedor));
  t.deepEqual(await c.erros(provedor, id), [
    '3 cnpj_cpf: os dígitos verificadores não conferem',
    '4 login: a linha 2 tem o mesmo',
    `5 login: outro contrato usa este login; um com domínio é só deste provedor, como deoutro@${realm}`,
    `6 login: outro contrato usa este login; um com domínio é só deste provedor, como Nosso@${realm}`,
    '7 contrato: não há plano com este nome; cadastre-o, ponha-o no mapa, diga um plano padrão, ou mande criar',
    '8 telefone_celular: informe DDD e número, como 35999990001',
    '9 razao: deve ter no mínimo 2 caracteres; data_nascimento: deve ser uma data que exista, na forma AAAA-MM-DD',
    '10 id_contrato: repete a linha 2',
    '11 status: não se conhece este estado',
    '12 dia_fixo_vencimento: é obrigatório',
    '13 cep: deve ter 8 dígitos, como 37130001; uf: deve ser uma unidade da federação, como MG',
    '14 id_cliente: a linha 2 o dá a outro CPF ou CNPJ',
  ]);
  const csv = (await texto(c.importacoes.recusadas(provedor, id))).split('\r\n');
  t.regex(csv[0]!, /^id_contrato;id_cliente;razao;.*;linha;erro$/);
  t.is(csv.length, 1 + 12 + 1);
  t.regex(csv[1]!, /^1002;2;João Araújo 2;.*;3;cnpj_cpf: os dígitos verificadores não conferem$/);
});

test.serial('o que foi recusado entra pelo arquivo das recusadas, depois de corrigido', async (t) => {
  const provedor = await provedorComPlanos();
  // What spreadsheets take for a formula, which the file of refused lines holds as texts.
  const certa = { telefone_celular: '+55 35 99999-0000', fone: '-', bairro: '-Centro', razao: '=Ana Lima' };
  const direta = await provedorComPlanos();
  t.like((await c.importar(direta, emCsv([linha(direta, 1, certa)]))).contagens, { gravadas: 1 });
  const errada = linha(provedor, 1, { ...certa, cnpj_cpf: '123.456.789-00' });
  const { id, contagens: feitas } = await c.importar(provedor, emCsv([errada]));
  t.like(feitas, { gravadas: 0, recusadas: 1 });
  const recusadas = await texto(c.importacoes.recusadas(provedor, id));
  t.true(recusadas.includes(`;'+55 35 99999-0000;`));
  const corrigidas = recusadas.replace('123.456.789-00', cpfDe(1));
  const segunda = await c.importar(provedor, corrigidas);
  t.like(segunda.contagens, { gravadas: 1, recusadas: 0 }, JSON.stringify(await c.erros(provedor, segunda.id)));
  const gravado = async (de: number) => ({
    cliente: await c.api.dono('clientes').where({ provedor_id: de }).first('nome', 'bairro'),
    telefones: await c.api.dono('clientes_telefones').where({ provedor_id: de }).orderBy('id').pluck('numero'),
  });
  t.deepEqual(await gravado(provedor), await gravado(direta));
  t.deepEqual((await gravado(provedor)).telefones, ['35999990000']);
});

test.serial('um login que outro provedor está dando agora mesmo é esperado, e não vai a dois', async (t) => {
  const [provedor, outro] = [await provedorComPlanos(), await provedorComPlanos()];
  const { dono } = c.api;
  const cliente_id = await c.fabrica.cliente(outro);
  const [{ id: plano_id }] = await dono('planos').where({ provedor_id: outro });
  // As the creation of a contract does, which is not done yet.
  const trx = await dono.transaction();
  await trx('rede_travas_de_login').where('n', travaDoLogin('disputado')).forUpdate();
  await trx('contratos').insert({
    provedor_id: outro,
    cliente_id,
    plano_id,
    situacao: 'pendente',
    login: 'disputado',
    dia_vencimento: 10,
    valor: '99.90',
  });
  const importada = c.importar(provedor, emCsv([linha(provedor, 1, { login: 'Disputado' }), linha(provedor, 2)]));
  await Promise.race([importada, ate(alguemEspera)]);
  await trx.commit();
  t.like((await importada).contagens, { gravadas: 1, recusadas: 1 });
  t.is((await dono('contratos').where('login', 'disputado')).length, 1);
});

/** Whether a statement on these tests' database waits for another's lock. */
async function alguemEspera(): Promise<boolean> {
  // InnoDB keeps showing the same picture while it is looked at more often than every 100 ms.
  await sleep(150);
  const [esperas] = await c.api.dono.raw<[unknown[]]>(
    `SELECT p.id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
  );
  return (esperas ?? []).length > 0;
}

test.serial('planos que não existem se criam, se mapeiam, ou são o padrão', async (t) => {
  const provedor = await c.fabrica.provedor();
  const padrao = await c.fabrica.plano(provedor, { nome: 'Legado', valor: '50.00' });
  const csv = emCsv([
    linha(provedor, 1, { contrato: 'Turbo 700 Mega' }),
    linha(provedor, 2, { contrato: 'TURBO 700 mega' }),
    linha(provedor, 3, { contrato: 'Básico' }),
  ]);
  const criados = await c.importar(provedor, csv, { criar_planos: true });
  t.like(criados.contagens, { gravadas: 2, recusadas: 1, planos: 1 });
  t.like(await c.api.dono('planos').where({ provedor_id: provedor, nome: 'Turbo 700 Mega' }).first(), {
    download_mbps: 700,
    valor: '99.90',
  });
  const mapeados = await c.importar(provedor, csv, { planos: { basico: padrao } });
  t.like(mapeados.contagens, { gravadas: 1, ja_estavam: 2, recusadas: 0 });
  t.is(
    (await c.api.dono('contratos').where({ provedor_id: provedor, codigo_externo: 'ixc:1003' }).first()).plano_id,
    padrao,
  );
});

test.serial('um plano não toma por grupo o de quem está bloqueado, nem um que o formulário não aceita', async (t) => {
  const provedor = await c.fabrica.provedor();
  const grupos = ['bloqueado', 'Retirado', 'bloqueado-p9', 'retirado-10.0.0.1', '100 mega', 'fibra-100', ''];
  const planos = grupos.map((grupo, n) => `${n};Plano ${n};100;99,90;${grupo}`);
  const { id, contagens: feitas } = await c.importar(
    provedor,
    ['codigo;nome;download_mbps;valor;grupo_radius', ...planos].join('\n'),
  );
  t.like(feitas, { gravadas: 2, recusadas: 5 });
  const negado = 'é o grupo de quem está bloqueado ou retirado';
  t.deepEqual(await c.erros(provedor, id), [
    ...[2, 3, 4, 5].map((n) => `${n} grupo_radius: ${negado}`),
    '6 grupo_radius: deve ter de 1 a 64 letras sem acento, números e sinais, sem espaços',
  ]);
  const feitos = await c.api.dono('planos').where('provedor_id', provedor).orderBy('id');
  t.deepEqual(
    feitos.map(({ grupo_radius }) => grupo_radius),
    ['fibra-100', null],
  );
});

test.serial('duas vezes é uma vez, e o que se emendou entra', async (t) => {
  const provedor = await provedorComPlanos();
  const linhas = numeros(700).map((n) => linha(provedor, n));
  const ruim = linha(provedor, 701, { cnpj_cpf: '1' });
  t.like((await c.importar(provedor, emCsv([...linhas, ruim]))).contagens, {
    gravadas: 700,
    recusadas: 1,
    clientes: 700,
  });
  const antes = await c.somas();
  t.like((await c.importar(provedor, emCsv([...linhas, ruim]))).contagens, {
    gravadas: 0,
    ja_estavam: 700,
    recusadas: 1,
    clientes: 0,
  });
  t.deepEqual(await c.somas(), antes);
  t.like((await c.importar(provedor, emCsv([...linhas, linha(provedor, 701)]))).contagens, {
    gravadas: 1,
    ja_estavam: 700,
  });
});

test.serial('sem código, a mesma linha é a mesma: pelo seu resumo', async (t) => {
  const provedor = await c.fabrica.provedor();
  const plano = await c.fabrica.plano(provedor, { nome: 'Único' });
  const csv = `nome,cpf_cnpj,plano,dia_vencimento\nMaria,${cpfDe(1)},Único,10\nPedro,${cpfDe(2)},único,5\n`;
  t.like((await c.importar(provedor, csv)).contagens, { gravadas: 2, clientes: 2 });
  t.like((await c.importar(provedor, csv)).contagens, { gravadas: 0, ja_estavam: 2 });
  t.is(await contar(c.api, 'contratos', { provedor_id: provedor, plano_id: plano }), 2);
});

test.serial('do MK-Auth e do SGP, com os seus estados, isentos e endereços de instalação', async (t) => {
  const provedor = await provedorComPlanos();
  const mk = [
    linhaDoMkauth(1),
    linhaDoMkauth(2, { bloqueado: 'sim' }),
    linhaDoMkauth(3, { cli_ativado: 'n' }),
    linhaDoMkauth(4, { isento: 'sim', observacao: 'sim' }),
  ];
  const doMk = await c.importar(provedor, emWindows1252(emCsv(mk, ',')));
  t.like(doMk, { formato: 'mkauth', tipo: 'clientes', motivo: null });
  t.like(doMk.contagens, { gravadas: 4, recusadas: 0 });
  const contratos = await c.api.dono('contratos').where({ provedor_id: provedor }).orderBy('id');
  t.deepEqual(
    contratos.map((um) => [um.codigo_externo, um.situacao, um.bloqueio_origem, um.tipo_cobranca, um.logradouro]),
    [
      ['mkauth:1', 'ativo', null, 'pos_pago', 'Av. Brasil'],
      ['mkauth:2', 'bloqueado', 'financeiro', 'pos_pago', 'Sítio Boa Vista'],
      ['mkauth:3', 'cancelado', null, 'pos_pago', 'Av. Brasil'],
      ['mkauth:4', 'ativo', null, 'isento', 'Sítio Boa Vista'],
    ],
  );
  const clientes = await c.api.dono('clientes').where({ provedor_id: provedor }).orderBy('id');
  t.deepEqual(
    clientes.map(({ situacao }) => situacao),
    ['ativo', 'bloqueado', 'cancelado', 'observacao'],
  );

  const outro = await provedorComPlanos();
  const sgp = [
    linhaDoSgp(1),
    linhaDoSgp(2, { status: 'Suspenso' }),
    linhaDoSgp(3, { status: 'Novo' }),
    linhaDoSgp(4, { status: 'Cancelado' }),
  ];
  const doSgp = await c.importar(outro, emCsv(sgp, '\t', '\n'));
  t.like(doSgp, { formato: 'sgp', tipo: 'clientes' });
  t.like(doSgp.contagens, { gravadas: 4 });
  const dele = await c.api.dono('contratos').where({ provedor_id: outro }).orderBy('id');
  t.deepEqual(
    dele.map(({ situacao }) => situacao),
    ['ativo', 'bloqueado', 'pendente', 'cancelado'],
  );
});

test.serial(
  'faturas abertas, pagas, em parte e canceladas entram com as suas somas, cada uma no seu contrato',
  async (t) => {
    const provedor = await provedorComPlanos();
    await c.importar(provedor, emCsv(numeros(5).map((n) => linha(provedor, n))));
    const {
      id,
      formato,
      tipo,
      contagens: feitas,
    } = await c.importar(
      provedor,
      emCsv([
        faturaDoIxc(1),
        faturaDoIxc(2, { data_vencimento: '10/10/2026' }),
        faturaDoIxc(3, {
          status: 'R',
          valor_recebido: '102,23',
          pagamento_data: '15/10/2026',
          data_vencimento: '10/10/2026',
        }),
        faturaDoIxc(4, { status: 'P', valor_recebido: '50,00' }),
        faturaDoIxc(5, { status: 'C' }),
        faturaDoIxc(6),
        faturaDoIxc(7, { id_contrato: '', id_cliente: '1', valor: '1.234,50' }),
        faturaDoIxc(8, { id_contrato: '1001', valor: '0,00' }),
      ]),
    );
    t.is(`${formato} ${tipo}`, 'ixc faturas');
    t.like(feitas, { gravadas: 6, recusadas: 2, faturas: 6, valor: '1734.00' });
    t.deepEqual(await c.erros(provedor, id), [
      '7 id_contrato: não há contrato com este código',
      '9 valor: deve ser maior que zero',
    ]);
    const faturas = await c.api.dono('faturas').where({ provedor_id: provedor }).orderBy('id');
    t.deepEqual(
      faturas.map((f) => [f.codigo_externo, f.situacao, f.valor, f.valor_pago, f.contrato_id !== null, f.pago_em]),
      [
        ['ixc:50001', 'pendente', '99.90', '0.00', true, null],
        ['ixc:50002', 'vencida', '99.90', '0.00', true, null],
        ['ixc:50003', 'paga', '99.90', '102.23', true, '2026-10-15 03:00:00.000'],
        ['ixc:50004', 'pendente', '99.90', '50.00', true, null],
        ['ixc:50005', 'cancelada', '99.90', '0.00', true, null],
        ['ixc:50007', 'pendente', '1234.50', '0.00', false, null],
      ],
    );
    const conferidas = await c.importacoes.conferir(provedor);
    t.deepEqual(conferidas.faturas, [
      { situacao: 'pendente', quantos: 3, valor: '1434.30', pago: '50.00' },
      { situacao: 'vencida', quantos: 1, valor: '99.90', pago: '0.00' },
      { situacao: 'cancelada', quantos: 1, valor: '99.90', pago: '0.00' },
      { situacao: 'paga', quantos: 1, valor: '99.90', pago: '102.23' },
    ]);
    t.like(conferidas, { planos: 3, logins: 5, senhas_por_aplicar: 5, telefones: 6 });
  },
);

test.serial('webhooks só ouvem de cada registro quando se pede', async (t) => {
  const provedor = await provedorComPlanos();
  const { id } = await c.receber(
    provedor,
    emCsv([linha(provedor, 1), linha(provedor, 2, { id_cliente: '1', cnpj_cpf: cpfDe(1) })]),
  );
  await c.fazer(provedor, id, 'executar', true);
  const faturas = await c.receber(provedor, emCsv([faturaDoIxc(1), faturaDoIxc(2, { status: 'R' })]));
  await c.fazer(provedor, faturas.id, 'executar', true);
  const eventos: { tipo: string }[] = await c.api.dono('eventos').where({ provedor_id: provedor }).orderBy('id');
  const contados = eventos.map(({ tipo }) => tipo).filter((tipo) => !tipo.startsWith('importacao.'));
  t.deepEqual(contados, ['cliente.criado', 'contrato.criado', 'contrato.criado', 'fatura.criada']);
});

test.serial('o mapa se muda antes de executar, e diz o que não pode', async (t) => {
  const provedor = await provedorComPlanos();
  const { id } = await c.receber(
    provedor,
    'Fulano;Doc;Dia;Pacote;Chave\nMaria Silva;52998224725;10;Fibra 300 Mega;x\n',
    { formato: 'malha', tipo: 'clientes', cabecalho: true },
  );
  await t.throwsAsync(c.importacoes.pedir(TERMINAL, provedor, id, 'executar'), {
    message: /nome: nenhuma coluna o dá.*cpf_cnpj: nenhuma/,
  });
  for (const [mapa, dito] of [
    [{ colunas: { outra: 'nome' } }, /colunas\.outra: o arquivo não tem esta coluna/],
    [{ colunas: { fulano: 'nomes' } }, /colunas\.fulano: não há o campo nomes/],
    [{ colunas: { fulano: 'nome', doc: 'nome' } }, /2 colunas dão nome/],
    [{ tolerar: ['cpf_cnpj'] }, /tolerar: cpf_cnpj não pode ficar de fora/],
    [{ planos: { a: 'x' } }, /planos: a: deve ser um número inteiro/],
    [{ nada: 1 }, /nada: campo desconhecido/],
    ['texto', /corpo: deve ser um objeto/],
  ] as const) {
    await t.throwsAsync(c.importacoes.mapear(TERMINAL, provedor, id, mapa), { message: dito });
  }
  await c.importacoes.mapear(TERMINAL, provedor, id, {
    colunas: { fulano: 'nome', doc: 'cpf_cnpj', dia: 'dia_vencimento', pacote: 'plano' },
  });
  t.like((await c.fazer(provedor, id, 'executar')).contagens, { gravadas: 1 });
  await t.throwsAsync(c.importacoes.mapear(TERMINAL, provedor, id, { tolerar: [] }), { message: /já foi executada/ });
  await t.throwsAsync(c.importacoes.pedir(TERMINAL, provedor, id, 'executar'), { message: /já foi executada/ });
});

test.serial(
  'a senha do app entra pelo mapa, como resumo, troca-se no primeiro login, e sai com o que se desfaz',
  async (t) => {
    const provedor = await provedorComPlanos();
    const { app, provedores } = c.api.container;
    const dele = await provedores.exigirPorId(provedor);
    const linhas = [
      linha(provedor, 1, { senha_app: 'Jabuti#1' }),
      linha(provedor, 2, { senha_app: '' }),
      linha(provedor, 3, { senha_app: 'x'.repeat(200) }),
      linha(provedor, 4, { senha_app: 'outra qualquer' }),
    ];
    // Who has an access keeps his own.
    await c.api.dono('app_acessos').insert({ provedor_id: provedor, cpf_cnpj: cpfDe(4), senha_hash: null });
    const { id } = await c.receber(provedor, emCsv(linhas));
    t.is((await c.importacoes.exigir(provedor, id)).mapa.colunas['senha_app'], null);
    await c.importacoes.mapear(TERMINAL, provedor, id, { colunas: { senha_app: 'senha_app' } });
    const ditos = async () =>
      (await texto(c.importacoes.recusadas(provedor, id))) + (await texto(c.importacoes.detalhes(provedor, id)));
    await c.fazer(provedor, id, 'simular');
    t.false((await ditos()).includes('Jabuti'));
    const acessos = async () =>
      c.api
        .dono('app_acessos')
        .where({ provedor_id: provedor })
        .orderBy('id')
        .select('cpf_cnpj', 'trocar_senha', 'senha_hash');
    t.is((await acessos()).length, 1);
    t.like((await c.fazer(provedor, id, 'executar')).contagens, { gravadas: 3, recusadas: 1 });
    t.false((await ditos()).includes('Jabuti'));
    const feitos: { cpf_cnpj: string; trocar_senha: number; senha_hash: string | null }[] = await acessos();
    t.deepEqual(
      feitos.map(({ cpf_cnpj, trocar_senha, senha_hash }) => [cpf_cnpj, trocar_senha, senha_hash?.slice(0, 9) ?? null]),
      [
        [cpfDe(4), 0, null],
        [cpfDe(1), 1, '$argon2id'],
      ],
    );
    const credenciais = { cpfCnpj: cpfDe(1), senha: 'Jabuti#1', ...vindoDe(), aparelho: null };
    t.true((await app.entrar(dele, credenciais)).trocarSenha);
    await t.throwsAsync(app.entrar(dele, { ...credenciais, senha: 'jabuti#1' }));
    await c.fazer(provedor, id, 'desfazer');
    t.deepEqual(await acessos(), []);
  },
);

test.serial('o que se tolera fica de fora, e a linha entra', async (t) => {
  const provedor = await provedorComPlanos();
  const ruim = linha(provedor, 1, { telefone_celular: '(35) 123', fone: '', email: 'sem arroba', mac: 'zz' });
  t.like((await c.importar(provedor, emCsv([ruim]))).contagens, { recusadas: 1 });
  const feita = await c.importar(provedor, emCsv([ruim]), { tolerar: ['telefones', 'email', 'mac'] });
  t.like(feita.contagens, { gravadas: 1, telefones: 0, alteradas: 1 });
  t.like(await c.api.dono('clientes').where({ provedor_id: provedor }).first(), { email: null });
});

test.serial('a importação de um provedor não existe para outro', async (t) => {
  const [provedor, outro] = [await provedorComPlanos(), await provedorComPlanos()];
  const { id } = await c.receber(provedor, emCsv([linha(provedor, 1)]));
  for (const tentar of [
    () => c.importacoes.exigir(outro, id),
    () => c.importacoes.mapear(TERMINAL, outro, id, { tolerar: [] }),
    () => c.importacoes.pedir(TERMINAL, outro, id, 'executar'),
    () => c.importacoes.previstoNaRede(outro, id),
    () => texto(c.importacoes.recusadas(outro, id)),
  ]) {
    await t.throwsAsync(tentar, { message: /não existe/ });
  }
  t.deepEqual(await c.importacoes.listar(outro, 10), []);
  // Moved under another provider by hand, it does not open.
  await c.api.dono.raw('SET FOREIGN_KEY_CHECKS = 0');
  await c.api.dono('importacoes').where({ id }).update({ provedor_id: outro });
  await c.api.dono('importacao_arquivos').where({ importacao_id: id }).update({ provedor_id: outro });
  await c.importacoes.pedir(TERMINAL, outro, id, 'simular');
  await t.throwsAsync(c.trabalhar(outro), { message: /é de outro lugar/ });
  await c.api.dono('importacoes').where({ id }).update({ acao: null });
});

test.serial('de quem foi apagado não entram contratos nem faturas, e o cadastro fica apagado', async (t) => {
  const provedor = await provedorComPlanos();
  const cliente_id = await c.fabrica.cliente(provedor, {
    cpf_cnpj: cpfDe(1),
    codigo_externo: 'ixc:1',
    situacao: 'cancelado',
    apagado_em: '2026-11-20 15:00:00.000',
  });
  const contratos = await c.importar(provedor, emCsv([linha(provedor, 1), linha(provedor, 2)]));
  contagens(t, contratos, { lidas: 2, gravadas: 1, recusadas: 1 });
  t.regex((await c.erros(provedor, contratos.id)).join(), /^2 .*os dados do cliente foram apagados/);
  const faturas = await c.importar(provedor, emCsv([faturaDoIxc(1), faturaDoIxc(2)]));
  contagens(t, faturas, { lidas: 2, gravadas: 1, recusadas: 1 });
  t.regex((await c.erros(provedor, faturas.id)).join(), /os dados do cliente foram apagados/);
  t.is(await contar(c.api, 'contratos', { cliente_id }), 0);
  t.is(await contar(c.api, 'faturas', { cliente_id }), 0);
});

test.serial('quem tem um contrato que segue não entra cancelado, qualquer que seja a ordem das linhas', async (t) => {
  const provedor = await provedorComPlanos();
  const de = (n: number, cliente: number, mais: Readonly<Record<string, string>>) =>
    linha(provedor, n, { id_cliente: String(cliente), cnpj_cpf: cpfDe(cliente), razao: `Cliente ${cliente}`, ...mais });
  const { contagens: feitas } = await c.importar(
    provedor,
    emCsv([
      de(1, 1, { status: 'N' }),
      de(2, 1, { status: 'A' }),
      de(3, 2, { status_internet: 'FA' }),
      de(4, 2, { status: 'A' }),
      de(5, 3, { status: 'N' }),
      de(6, 3, { status_internet: 'FA' }),
      de(7, 4, { status: 'N' }),
      de(8, 5, { status: 'N' }),
      de(9, 6, { status: 'I' }),
      // Another lot begins.
      ...numeros(500, 100).map((n) => linha(provedor, n)),
      de(701, 4, { status: 'A' }),
      de(702, 5, { status_internet: 'CM' }),
      de(703, 6, { status: 'A' }),
    ]),
  );
  t.like(feitas, { gravadas: 512, recusadas: 0, clientes: 506 });
  const situacoes = await c.api.dono('clientes').where({ provedor_id: provedor }).orderBy('id').limit(6);
  t.deepEqual(
    situacoes.map(({ codigo_externo, situacao }) => [codigo_externo, situacao]),
    [
      ['ixc:1', 'ativo'],
      ['ixc:2', 'ativo'],
      ['ixc:3', 'bloqueado'],
      ['ixc:4', 'ativo'],
      ['ixc:5', 'bloqueado'],
      ['ixc:6', 'ativo'],
    ],
  );
  // One who is over by our own book is not brought back by a file.
  await c.api
    .dono('clientes')
    .where({ provedor_id: provedor, codigo_externo: 'ixc:1' })
    .update({ situacao: 'cancelado' });
  const { id } = await c.importar(provedor, emCsv([de(900, 1, { status: 'A' })]));
  t.deepEqual(await c.erros(provedor, id), ['2 id_cliente: o cliente está cancelado']);
});

test.serial('o que hoje funciona na rede entra como está, e se diz o que se estranha', async (t) => {
  const provedor = await provedorComPlanos();
  const senhas = ['1', 'com espaço é ção', '😀'.repeat(128), '"quote\\x'];
  const linhas = [
    ...senhas.map((senha, n) => linha(provedor, n + 1, { senha, login: `login${n}.p${provedor}` })),
    linha(provedor, 10, { login: `joão&maria=p${provedor}` }),
    linha(provedor, 11, { login: 'com espaço' }),
    linha(provedor, 12, { senha: 'x'.repeat(129) }),
    linha(provedor, 13, { login: `olt1#3.p${provedor}` }),
    linha(provedor, 14, { login: `a..b#1.p${provedor}` }),
    linha(provedor, 15, { senha: '`%{sql:DELETE FROM radcheck}`' }),
  ];
  const { id } = await c.receber(provedor, emCsv(linhas));
  await c.fazer(provedor, id, 'simular');
  const dito = await texto(c.importacoes.detalhes(provedor, id));
  t.regex(dito, /^2;senha;senha;entra como está; é fraca|^2;senha;senha;"entra como está; é fraca/m);
  t.regex(dito, /^6;login;login;.*safe_characters/m);
  t.regex(dito, /^9;login;login;.*safe_characters/m);
  t.regex(dito, /^10;login;login;.*filter_username/m);
  t.notRegex(dito, /ção|quote/);
  t.like((await c.fazer(provedor, id, 'executar')).contagens, { gravadas: 7, recusadas: 3, senhas: 7 });
  t.deepEqual(await c.erros(provedor, id), [
    '7 login: deve ter de 1 a 64 letras, números e sinais, sem espaços',
    '8 senha: deve ter de 1 a 128 letras, números e sinais',
    '11 senha: não pode ir de aspas a aspas, nem acabar em barra invertida: o FreeRADIUS a leria de outro modo',
  ]);
  await c.fazer(provedor, id, 'aplicar_rede');
  const guardadas = await c.api.dono('radcheck').where('username', 'like', `login_.p${provedor}`).orderBy('username');
  t.deepEqual(
    guardadas.map(({ value }) => value),
    senhas,
  );
});

test.serial('à rede não vai quem não tem senha sem que se aceite; quem é de IPoE entra sem senha', async (t) => {
  const provedor = await provedorComPlanos();
  const mac = `aa:bb:cc:00:00:${String(provedor).padStart(2, '0')}`;
  const csv = [
    'codigo;nome;cpf_cnpj;plano;dia_vencimento;tipo_conexao;login;senha',
    `1;Com Senha;${cpfDe(1)};Fibra 1 Giga;10;pppoe;um.p${provedor};segredo`,
    `2;Sem Senha;${cpfDe(2)};Fibra 1 Giga;10;pppoe;dois.p${provedor};`,
    `3;De Mac;${cpfDe(3)};Fibra 1 Giga;10;ipoe;${mac};`,
  ].join('\n');
  const { id } = await c.importar(provedor, csv);
  const [contrato] = await c.api.dono('contratos').where({ provedor_id: provedor, codigo_externo: '2' });
  t.like(await c.importacoes.previstoNaRede(provedor, id), { ativos: 3, semSenha: 1, semSenhaIds: [contrato.id] });
  await t.throwsAsync(c.importacoes.pedir(TERMINAL, provedor, id, 'aplicar_rede'), { message: /sem senha nenhuma/ });
  t.like((await c.fazer(provedor, id, 'aplicar_rede', false, true)).contagens, { acessos: 3 });
  const doMac = await c.api.dono('radcheck').where({ username: mac }).orderBy('attribute');
  t.like(doMac, [
    { attribute: 'Auth-Type', value: 'Accept' },
    { attribute: 'Framed-Protocol', op: '!*' },
  ]);
  t.is(await contar(c.api, 'radcheck', { username: `dois.p${provedor}` }), 0);
});

test.serial('o que o worker grava de uma importação diz a requisição em que se pediu', async (t) => {
  const provedor = await provedorComPlanos();
  const { id } = await c.receber(provedor, emCsv([linha(provedor, 1)]));
  await c.importacoes.pedir(atorDoVisitante(vindoDe()), provedor, id, 'executar');
  await c.trabalhar(provedor);
  const feitas = await c.api.dono('auditoria').where({ provedor_id: provedor, ator_tarefa: 'importacao.executar' });
  t.true(feitas.some(({ acao }) => acao === 'importacao.executada'));
  t.deepEqual([...new Set(feitas.map(({ requisicao_id }) => requisicao_id))], [vindoDe().requestId]);
});

test.serial('o que um arquivo ilegível parou segue depois de a rede ter sido aplicada', async (t) => {
  const provedor = await provedorComPlanos();
  const { id } = await c.receber(provedor, emCsv(numeros(600).map((n) => linha(provedor, n))));
  await c.importacoes.pedir(TERMINAL, provedor, id, 'executar');
  const parar = new AbortController();
  const actor = atorDaTarefa('importacao.executar');
  const opcoes = { signal: parar.signal, aoAvancar: () => parar.abort(new Error('parada')) };
  await t.throwsAsync(c.api.container.execucaoDeImportacoes.executarPedidas(actor, provedor, opcoes));
  // As where the file could not be read any further.
  await c.api.dono('importacoes').where({ id }).update({ acao: null, motivo: 'ilegível' });
  t.like((await c.fazer(provedor, id, 'aplicar_rede')).contagens, { acessos: 500 });
  t.like(await c.fazer(provedor, id, 'executar'), { situacao: 'executada', motivo: null });
  t.is(await contar(c.api, 'contratos', { provedor_id: provedor }), 600);
});

test.serial('o que numa segunda importação é outro se conta e se diz, e nada muda', async (t) => {
  const provedor = await provedorComPlanos();
  await c.importar(provedor, emCsv([linha(provedor, 1), linha(provedor, 2)]));
  await c.importar(provedor, emCsv([faturaDoIxc(1), faturaDoIxc(2)]));
  const antes = await c.somas();
  const outra = linha(provedor, 1, { status: 'N', valor_contrato: '120,00', dia_fixo_vencimento: '20' });
  const { id } = await c.receber(provedor, emCsv([outra, linha(provedor, 2)]));
  t.like((await c.fazer(provedor, id, 'simular')).contagens, { ja_estavam: 2, difere: 1 });
  const dito =
    /^2;status;situacao;difere: no arquivo é outro.*\r\n2;valor_contrato;valor;difere.*\r\n2;dia_fixo_vencimento;/m;
  t.regex(await texto(c.importacoes.detalhes(provedor, id)), dito);
  t.like((await c.fazer(provedor, id, 'executar')).contagens, { ja_estavam: 2, difere: 1, recusadas: 0 });
  t.regex(await texto(c.importacoes.detalhes(provedor, id)), dito);
  const paga = faturaDoIxc(1, { status: 'R', valor_recebido: '99,90', pagamento_data: '20/11/2026' });
  const faturas = await c.importar(provedor, emCsv([paga, faturaDoIxc(2)]));
  t.like(faturas.contagens, { ja_estavam: 2, difere: 1 });
  t.regex(
    await texto(c.importacoes.detalhes(provedor, faturas.id)),
    /^2;status;situacao;difere.*\r\n2;valor_recebido;valor_pago;/m,
  );
  t.deepEqual(await c.somas(), antes);
});
