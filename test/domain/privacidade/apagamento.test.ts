import test from 'ava';
import { createConclusaoDeApagamentosService } from '../../../src/domain/privacidade/apagamento/conclusao.service.ts';
import { FORA_DO_APAGAMENTO, PARTES } from '../../../src/domain/privacidade/apagamento/partes.ts';
import { Simulado } from '../../../src/domain/privacidade/simulacao.types.ts';
import { AUTOR } from '../../support/autor.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarMudar, eventosDe, recusado } from '../clientes/apoio.ts';
import { MARCA, criarTitular, tabelasDeTitular } from './apoio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const NUNCA = new AbortController().signal;
const FISCAL = 'documentos fiscais e de cobrança (CTN, arts. 173 e 195; CDC, art. 27)';
const CONEXAO = 'registros de conexão (Marco Civil da Internet, art. 13)';
const ATENDIMENTO = 'registro do atendimento ao consumidor (Decreto 11.034/2022, art. 12)';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
test.beforeEach(() => relogio.definir(AGORA));
const mudar = criarMudar(() => api);

const apagar = async (provedor: number, id: number) =>
  mudar(provedor, async ({ privacidade }) => privacidade.apagar(id));
const concluir = async (): Promise<number> => {
  const { db, write, provedores } = api.container;
  return createConclusaoDeApagamentosService({ db, write, relogio, provedores }).concluir(AUTOR, NUNCA);
};

/** Where a text of the person's still stands, as `table`, the audit log and the outbox included. */
async function ondeEsta(provedor: number): Promise<string[]> {
  const [tabelas = []] = await api.dono.raw<{ tabela: string }[][]>(
    `SELECT DISTINCT table_name AS tabela FROM information_schema.columns
      WHERE table_schema = DATABASE() AND column_name = 'provedor_id' ORDER BY table_name`,
  );
  const achadas: string[] = [];
  for (const { tabela } of tabelas) {
    const linhas = await api.dono(tabela).where('provedor_id', provedor);
    if (MARCA.test(JSON.stringify(linhas))) achadas.push(tabela);
  }
  return achadas;
}

test.serial('do que a importação guardou para se reconhecer, nada leva ao telefone ou ao login', async (t) => {
  const provedor = await fabrica.provedor();
  const { cliente } = await criarTitular(api, fabrica, provedor);
  const contrato = (await api.dono('contratos').where({ provedor_id: provedor, cliente_id: cliente }).first())?.id;
  const de = { provedor_id: provedor, criado_em: '2026-11-20 12:00:00.000' };
  const [importacao_id = 0] = await api.dono('importacoes').insert({
    ...de,
    tipo: 'clientes',
    formato: 'ixc',
    situacao: 'executada',
    arquivo: 'x.csv',
    bytes: 1,
    linhas: 1,
    leitura: '{}',
    mapa: '{}',
    contagens: '{}',
    autor: 'x',
  });
  await api.dono('importacao_linhas').insert({
    provedor_id: provedor,
    importacao_id,
    linha: 1,
    resumo: Buffer.alloc(16),
    situacao: 'gravada',
    cliente_id: cliente,
    contrato_id: contrato,
    impressao: Buffer.alloc(16, 1),
    login_de_origem: Buffer.alloc(16, 2),
    gravada_em: de.criado_em,
  });
  const linha = async () => api.dono('importacao_linhas').where({ provedor_id: provedor }).first();
  await apagar(provedor, cliente);
  t.is((await linha())?.impressao, null);
  t.truthy((await linha())?.login_de_origem, 'fica com o login, que a lei manda guardar');
  relogio.definir('2028-01-10T15:00:00.000Z');
  await concluir();
  t.is((await linha())?.login_de_origem, null);
});

test.serial('apaga o que a lei deixa, guarda o que ela manda, e o resto sai quando o seu tempo passa', async (t) => {
  const provedor = await fabrica.provedor();
  const { cliente, documento, login } = await criarTitular(api, fabrica, provedor);
  const feito = await apagar(provedor, cliente);
  t.deepEqual(feito.apagados.toSorted(), [
    'acesso_ao_app',
    'ajustes.motivo',
    'cadastro.data_nascimento',
    'cadastro.email',
    'cadastro.endereco',
    'cadastro.telefones',
    'chamados.textos',
    'contratos.endereco',
    'contratos.historico',
    'contratos.motivo',
    'contratos.senha',
    'correio.mensagens',
    'desbloqueios.motivo',
    'devolucoes.motivo',
    'faturas.motivo',
    'nfcom.cliente',
    'pagamentos.observacao',
    'renegociacoes.motivo',
  ]);
  const ate = '2031-12-31';
  t.deepEqual(feito.guardados, [
    { dado: 'contratos.acesso', ate: '2027-11-02', porque: CONEXAO },
    { dado: 'faturas.descricao', ate, porque: FISCAL },
    { dado: 'nfcom.documentos', ate, porque: FISCAL },
    { dado: 'chamados.textos', ate: '2028-11-02', porque: ATENDIMENTO },
    { dado: 'cadastro.nome', ate, porque: FISCAL },
    { dado: 'cadastro.cpf_cnpj', ate, porque: FISCAL },
    { dado: 'cadastro.codigo_externo', ate, porque: FISCAL },
  ]);
  t.deepEqual(await ondeEsta(provedor), [
    'app_documentos',
    'chamados',
    'chamados_historico',
    'clientes',
    'contratos',
    'faturas',
    'nfcom',
  ]);
  const noFreeradius = async (tabela: string) => api.dono(tabela).where('username', 'like', `${login}%`);
  for (const tabela of ['radcheck', 'radusergroup']) t.deepEqual(await noFreeradius(tabela), [], tabela);
  t.deepEqual(await api.dono('importacao_senhas').where('provedor_id', provedor), []);
  const linha = await api.dono('clientes').where('id', cliente).first();
  t.like(linha, {
    situacao: 'cancelado',
    apagado_em: '2026-11-20 15:00:00.000',
    guardado_ate: '2027-11-02',
    email: null,
  });
  t.deepEqual((await eventosDe(api, t, provedor)).at(-1), [
    'cliente.apagado',
    cliente,
    { cliente, apagados: feito.apagados, guardados: feito.guardados.map(({ dado }) => dado) },
  ]);

  // Again, and the job before its time, change nothing.
  const eventos = (await eventosDe(api, t, provedor)).length;
  t.deepEqual((await apagar(provedor, cliente)).apagados, []);
  t.is(await concluir(), 0);
  t.is((await eventosDe(api, t, provedor)).length, eventos);

  const depois: readonly (readonly [dia: string, restam: string[]])[] = [
    ['2027-11-02', ['app_documentos', 'chamados', 'chamados_historico', 'clientes', 'contratos', 'faturas', 'nfcom']],
    ['2027-11-04', ['app_documentos', 'chamados', 'chamados_historico', 'clientes', 'contratos', 'faturas', 'nfcom']],
    ['2028-11-04', ['app_documentos', 'clientes', 'contratos', 'faturas', 'nfcom']],
    ['2031-12-31', ['app_documentos', 'clientes', 'contratos', 'faturas', 'nfcom']],
    ['2032-01-02', []],
  ];
  for (const [dia, restam] of depois) {
    relogio.definir(`${dia}T15:00:00.000Z`);
    await concluir();
    t.deepEqual(await ondeEsta(provedor), restam, dia);
    const resta = (await api.dono('contratos').where('cliente_id', cliente).first()).login;
    t.is(resta === null, dia > '2027-11-03', dia);
  }
  t.like(await api.dono('clientes').where('id', cliente).first(), {
    nome: 'Titular removido',
    cpf_cnpj: '',
    codigo_externo: null,
    guardado_ate: null,
    apagado_em: '2026-11-20 15:00:00.000',
  });
  t.is((await api.dono('app_documentos').where({ provedor_id: provedor, cpf_cnpj: documento })).length, 0);
  t.is(await concluir(), 0);
  t.like(await api.dono('nfcom').where('cliente_id', cliente).first(), { motivo: null, xml_autorizado: null });
  // What happened stays, of nobody.
  t.is((await api.dono('faturas').where('cliente_id', cliente)).length, 3);
  t.is((await api.dono('chamados').where('cliente_id', cliente)).length, 2);
});

test.serial('de quem nada se cobrou sai tudo de uma vez, e ninguém mais o acha', async (t) => {
  const provedor = await fabrica.provedor();
  const { texto: chave } = await api.criarChave(provedor);
  const id = await fabrica.cliente(provedor, { situacao: 'pre_cadastro', email: 'maria@example.com' });
  await fabrica.telefone(provedor, { cliente_id: id });
  const buscas = ['/clientes?cpf_cnpj=52998224725', '/clientes?telefone=35999990001'];
  const achar = async () =>
    Promise.all(buscas.flatMap((onde) => [0, 1].map(async (processo) => api.get(onde, { chave, processo }))));
  for (const { corpo } of await achar()) t.is(corpo.dados[0].id, id);
  const desde = new Date(Date.now() - 1000).toISOString();
  const feito = await apagar(provedor, id);
  t.deepEqual(feito.guardados, []);
  t.deepEqual(feito.apagados, ['cadastro.email', 'cadastro.telefones', 'cadastro.nome', 'cadastro.cpf_cnpj']);
  for (const { corpo } of await achar()) t.deepEqual(corpo.dados, []);
  const { corpo } = await api.get(`/clientes/${id}`, { chave });
  t.like(corpo.dados, { nome: 'Titular removido', cpf_cnpj: '', email: null, telefones: [], situacao: 'cancelado' });
  const mudados = await api.get(`/clientes?atualizado_desde=${desde}`, { chave });
  t.true(
    mudados.corpo.dados.some((um: { id: number; nome: string }) => um.id === id && um.nome === 'Titular removido'),
  );

  // And nothing of them comes back.
  await recusado(
    t,
    mudar(provedor, async ({ clientes }) => clientes.reativar(id)),
    'cliente_apagado',
  );
  await recusado(
    t,
    mudar(provedor, async ({ clientes }) => clientes.alterar(id, { nome: 'Maria' })),
    'cliente_apagado',
  );
  t.is((await mudar(provedor, async ({ clientes }) => clientes.cancelar(id))).mudou, false);
  const plano_id = await fabrica.plano(provedor);
  await recusado(
    t,
    mudar(provedor, async ({ contratos }) => contratos.criar({ cliente_id: id, plano_id, dia_vencimento: 10 })),
    'cliente_cancelado',
  );
  const doOutro = { cliente_id: await fabrica.cliente(provedor, { cpf_cnpj: '12345678909' }), plano_id };
  const linha = await fabrica.contrato(provedor, doOutro);
  await recusado(
    t,
    mudar(provedor, async ({ contratos }) =>
      contratos.trocarTitular(linha, { cliente_id: id, faturas_futuras: 'manter', confirmado: true }),
    ),
    'cliente_cancelado',
  );
  const cobranca = { cliente_id: id, descricao: 'Visita', valor: '50.00', vencimento: '2026-12-10' };
  await recusado(
    t,
    mudar(provedor, async ({ faturas }) => faturas.criar(cobranca)),
    'cliente_apagado',
  );
  await t.notThrowsAsync(
    mudar(provedor, async ({ clientes }) => clientes.criar({ nome: 'Ana', cpf_cnpj: '52998224725' })),
  );
});

test.serial('um ano depois do fim da linha ainda se sabe de quem era, também se o login já é de outro', async (t) => {
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor, { situacao: 'cancelado' });
  await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: await fabrica.plano(provedor),
    situacao: 'cancelado_definitivo',
    login: null,
    ativado_em: '2025-01-10',
    cancelado_em: '2026-05-10 12:00:00.000',
  });
  const ate = '2027-05-11';
  t.deepEqual(await apagar(provedor, cliente), {
    id: cliente,
    apagados: [],
    guardados: ['registros_de_conexao', 'cadastro.nome', 'cadastro.cpf_cnpj'].map((dado) => ({
      dado,
      ate,
      porque: CONEXAO,
    })),
    outrosCadastros: [],
  });
  relogio.definir('2027-05-13T15:00:00.000Z');
  await concluir();
  t.is((await api.dono('clientes').where('id', cliente).first()).nome, 'Titular removido');
});

test.serial('o documento de quem tem outro cadastro continua trancado, e os outros são ditos', async (t) => {
  const provedor = await fabrica.provedor();
  const velho = await fabrica.cliente(provedor, { situacao: 'cancelado' });
  const novo = await fabrica.cliente(provedor);
  t.deepEqual((await apagar(provedor, velho)).outrosCadastros, [novo]);
  t.is((await api.dono('app_documentos').where('provedor_id', provedor)).length, 1);
  t.is((await api.dono('clientes').where('id', novo).first()).cpf_cnpj, '52998224725');
});

for (const [oque, motivo, criar] of [
  ...(['pendente', 'ativo', 'bloqueado', 'inativo'] as const).map(
    (situacao) =>
      [
        `contrato ${situacao}`,
        'contrato_nao_cancelado',
        async (provedor: number, cliente_id: number) =>
          fabrica.contrato(provedor, { cliente_id, plano_id: await fabrica.plano(provedor), situacao }),
      ] as const,
  ),
  ...(['pendente', 'vencida', 'processando'] as const).map(
    (situacao) =>
      [
        `fatura ${situacao}`,
        'cliente_com_debito',
        async (provedor: number, cliente_id: number) => fabrica.fatura(provedor, { cliente_id, situacao }),
      ] as const,
  ),
  ...(['aberto', 'reaberto', 'pendente_terceiro'] as const).map(
    (situacao) =>
      [
        `chamado ${situacao}`,
        'cliente_com_chamado',
        async (provedor: number, cliente_id: number) => fabrica.chamado(provedor, { cliente_id, situacao }),
      ] as const,
  ),
] as const) {
  test.serial(`quem tem ${oque} não se apaga`, async (t) => {
    const provedor = await fabrica.provedor();
    const cliente = await fabrica.cliente(provedor, { email: 'a@example.com' });
    const registro = await criar(provedor, cliente);
    await recusado(t, apagar(provedor, cliente), motivo, registro);
    t.is((await api.dono('clientes').where('id', cliente).first()).email, 'a@example.com');
    t.deepEqual(await eventosDe(api, t, provedor), []);
  });
}

test.serial('uma simulação diz o mesmo, e nada apaga', async (t) => {
  const provedor = await fabrica.provedor();
  const { cliente } = await criarTitular(api, fabrica, provedor);
  const antes = await ondeEsta(provedor);
  const simulado = await t.throwsAsync(
    mudar(provedor, async ({ privacidade }) => {
      throw new Simulado(await privacidade.apagar(cliente));
    }),
    { instanceOf: Simulado },
  );
  t.deepEqual(await ondeEsta(provedor), antes);
  t.deepEqual(await eventosDe(api, t, provedor), []);
  t.deepEqual(simulado?.apagado, await apagar(provedor, cliente));
});

test.serial('um apagado que voltou a dever não para os outros', async (t) => {
  const provedor = await fabrica.provedor();
  const ids: number[] = [];
  for (const cpf_cnpj of ['52998224725', '12345678909']) {
    const id = await fabrica.cliente(provedor, { cpf_cnpj });
    await fabrica.fatura(provedor, { cliente_id: id, situacao: 'paga' });
    await apagar(provedor, id);
    ids.push(id);
  }
  await fabrica.fatura(provedor, { cliente_id: ids[0] });
  relogio.definir('2040-01-01T15:00:00.000Z');
  t.true((await concluir()) > 0);
  t.is((await api.dono('clientes').where('id', ids[1]).first()).nome, 'Titular removido');
  t.not((await api.dono('clientes').where('id', ids[0]).first()).nome, 'Titular removido');
});

test.serial('toda tabela que leva a um titular é apagada, ou se diz por que não', async (t) => {
  const tratadas = PARTES.flatMap(({ tabelas }) => tabelas);
  t.deepEqual([...tratadas, ...Object.keys(FORA_DO_APAGAMENTO)].toSorted(), await tabelasDeTitular(api));
});

test.serial('o que falha de um provedor não deixa para depois o que a lei manda apagar nos outros', async (t) => {
  const [falha, fica] = [await fabrica.provedor(), await fabrica.provedor()];
  for (const provedor of [falha, fica]) {
    await apagar(provedor, (await criarTitular(api, fabrica, provedor)).cliente);
  }
  relogio.definir('2032-01-02T15:00:00.000Z');
  const { db, write, provedores } = api.container;
  const conclusao = createConclusaoDeApagamentosService({
    db,
    relogio,
    provedores,
    write: async (actor, provedor, trabalho) => {
      if (provedor === falha) throw new Error('parou');
      return write(actor, provedor, trabalho);
    },
  });
  await t.throwsAsync(conclusao.concluir(AUTOR, NUNCA), { message: `provedor ${falha}: parou` });
  t.deepEqual(await ondeEsta(fica), []);
  t.not((await ondeEsta(falha)).length, 0);
});
