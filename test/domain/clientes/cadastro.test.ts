import test from 'ava';
import { TERMINAL, atorDaChave, atorDaTarefa, atorDoUsuario } from '../../../src/domain/actor.ts';
import type { Actor } from '../../../src/domain/actor.ts';
import { SITUACOES_DE_CLIENTE } from '../../../src/domain/clientes/clientes.types.ts';
import type { SituacaoCliente } from '../../../src/domain/clientes/clientes.types.ts';
import { Recusa } from '../../../src/domain/erros.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarMudar, eventosDe, faltou, recusado } from './apoio.ts';
import { vindoDe } from '../../support/autor.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const CPF = '52998224725';
const OUTRO_CPF = '12345678909';
const CNPJ = '12ABC34501DE35';
const TODOS = [...SITUACOES_DE_CLIENTE];

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());
const mudar = criarMudar(() => api);

const criar = async (provedor: number, dados: unknown, como = {}) =>
  mudar(provedor, async ({ clientes }) => clientes.criar(dados), como);
const alterar = async (provedor: number, id: number, dados: unknown, opcoes = {}) =>
  mudar(provedor, async ({ clientes }) => clientes.alterar(id, dados, opcoes));
const buscar = async (provedor: number, id: number) =>
  mudar(provedor, async (_escritas, { clientes }) => clientes.buscarPorId(id));
const telefonesDe = async (id: number): Promise<{ id: number; numero: string }[]> =>
  api.dono('clientes_telefones').where('cliente_id', id).orderBy('id').select('id', 'numero');

test('um cliente tem o que se disse dele, como se lê, e nada do que não se disse', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, {
    nome: '  Maria   de Souza ',
    cpf_cnpj: '529.982.247-25',
    tipo: 'pf',
    email: 'maria@example.com',
    telefones: ['(35) 99999-0001', '+55 35 99999-0001', '3532210001'],
    data_nascimento: '1988-04-12',
    endereco: { cep: '37.130-001', cidade: 'Alfenas', uf: 'mg' },
    codigo_externo: 'ixc:1',
  });
  t.like(await buscar(provedor, id), {
    nome: 'Maria de Souza',
    cpfCnpj: CPF,
    tipo: 'pf',
    nomeFantasia: null,
    email: 'maria@example.com',
    telefones: ['35999990001', '3532210001'],
    situacao: 'ativo',
    dataNascimento: '1988-04-12',
    codigoExterno: 'ixc:1',
    endereco: { cep: '37130001', logradouro: null, cidade: 'Alfenas', uf: 'MG' },
    contratos: [],
  });
  const empresa = await criar(provedor, { nome: 'Serra', nome_fantasia: 'Serra Azul', cpf_cnpj: '12.abc.345/01de-35' });
  t.like(await buscar(provedor, empresa), { tipo: 'pj', cpfCnpj: CNPJ, nomeFantasia: 'Serra Azul', telefones: [] });
  t.deepEqual(await eventosDe(api, t, provedor), [
    ['cliente.criado', id, { cliente: id, situacao: 'ativo', origem: 'painel' }],
    ['cliente.criado', empresa, { cliente: empresa, situacao: 'ativo', origem: 'painel' }],
  ]);
});

test('a origem de um cadastro é a de quem o fez', async (t) => {
  const provedor = await fabrica.provedor();
  const chave = await api.criarChave(provedor);
  const quem: readonly (readonly [Actor, string, string])[] = [
    [TERMINAL, CPF, 'painel'],
    [atorDaChave({ id: chave.id, nome: 'crm' }, vindoDe('203.0.113.7')), OUTRO_CPF, 'api'],
    [atorDaTarefa('importacao.executar'), CNPJ, 'importacao'],
  ];
  for (const [ator, cpf_cnpj] of quem) await criar(provedor, { nome: 'Ana', cpf_cnpj }, { ator });
  const origens = (await eventosDe(api, t, provedor)).map(([, , dados]) => (dados as { origem: string }).origem);
  t.deepEqual(
    origens,
    quem.map(([, , origem]) => origem),
  );
  t.is(atorDoUsuario({ id: 1, nome: 'a' }, vindoDe('::1')).tipo, 'usuario');
});

const FALTAS: readonly (readonly [nome: string, dados: unknown, campos: readonly string[]])[] = [
  ['nada', {}, ['nome', 'cpf_cnpj']],
  ['o que não é objeto', [], ['corpo']],
  ['o que ninguém conhece', { nome: 'Ana', cpf_cnpj: CPF, senha: 'x' }, ['senha']],
  ['nome curto e documento errado', { nome: 'J', cpf_cnpj: '111.111.111-11' }, ['nome', 'cpf_cnpj']],
  ['tipo que não é o do documento', { nome: 'Ana', cpf_cnpj: CPF, tipo: 'pj' }, ['tipo']],
  [
    'coisas de empresa numa pessoa, e um campo errado',
    { nome: 'A', cpf_cnpj: CPF, nome_fantasia: 'X', email: 'x' },
    ['nome', 'email', 'nome_fantasia'],
  ],
  ['nascimento de empresa', { nome: 'Ana', cpf_cnpj: CNPJ, data_nascimento: '1990-01-01' }, ['data_nascimento']],
  ['quem ainda não nasceu', { nome: 'Ana', cpf_cnpj: CPF, data_nascimento: '2026-11-21' }, ['data_nascimento']],
  ['quem nasceu há muito', { nome: 'Ana', cpf_cnpj: CPF, data_nascimento: '1899-12-31' }, ['data_nascimento']],
  ['data que não há', { nome: 'Ana', cpf_cnpj: CPF, data_nascimento: '1990-02-30' }, ['data_nascimento']],
  [
    'telefones demais e errados',
    { nome: 'Ana', cpf_cnpj: CPF, telefones: ['3532210001', '0000000000'] },
    ['telefones.1'],
  ],
  [
    'seis telefones',
    { nome: 'Ana', cpf_cnpj: CPF, telefones: [1, 2, 3, 4, 5, 6].map((n) => `3599999000${n}`) },
    ['telefones'],
  ],
  ['situação que ninguém dá', { nome: 'Ana', cpf_cnpj: CPF, situacao: 'bloqueado' }, ['situacao']],
  [
    'parte do endereço',
    { nome: 'Ana', cpf_cnpj: CPF, endereco: { uf: 'XX', pais: 'BR' } },
    ['endereco.uf', 'endereco.pais'],
  ],
];
for (const [nome, dados, campos] of FALTAS) {
  test(`não se cadastra ${nome}: cada campo é dito, e nada se grava`, async (t) => {
    const provedor = await fabrica.provedor();
    await faltou(t, criar(provedor, dados), campos);
    t.deepEqual(await eventosDe(api, t, provedor), []);
    t.is((await api.dono('clientes').where('provedor_id', provedor)).length, 0);
  });
}

test('o dia de hoje é o do provedor', async (t) => {
  const provedor = await fabrica.provedor({ fuso_horario: 'Pacific/Kiritimati' });
  await t.notThrowsAsync(criar(provedor, { nome: 'Ana', cpf_cnpj: CPF, data_nascimento: '2026-11-21' }));
});

test('um documento tem um cadastro que não está cancelado, seja qual for a situação do outro', async (t) => {
  for (const situacao of TODOS) {
    const provedor = await fabrica.provedor();
    const outro = await fabrica.cliente(provedor, { situacao });
    const novo = criar(provedor, { nome: 'Ana', cpf_cnpj: CPF });
    if (situacao === 'cancelado') await t.notThrowsAsync(novo);
    else await recusado(t, novo, 'cliente_duplicado', outro);
  }
  // Another provider's are nobody's business.
  await t.notThrowsAsync(criar(await fabrica.provedor(), { nome: 'Ana', cpf_cnpj: CPF }));
});

test('de cinquenta cadastros simultâneos de um documento, em dois processos, um fica', async (t) => {
  const provedor = await fabrica.provedor();
  const feitos = await Promise.allSettled(
    Array.from({ length: 50 }, async (_, n) =>
      criar(provedor, { nome: `Pessoa ${n}`, cpf_cnpj: CPF, telefones: ['35999990001'] }, { processo: n % 2 }),
    ),
  );
  const [feito, ...sobram] = feitos.filter(({ status }) => status === 'fulfilled');
  t.is(sobram.length, 0);
  const id = feito?.status === 'fulfilled' ? feito.value : 0;
  for (const recusa of feitos.filter((um) => um.status === 'rejected')) {
    t.true(recusa.reason instanceof Recusa, String(recusa.reason));
    t.like(recusa.reason, { motivo: 'cliente_duplicado', detalhe: { campo: 'cpf_cnpj', registroId: id } });
  }
  t.is((await api.dono('clientes').where('provedor_id', provedor)).length, 1);
  t.is((await telefonesDe(id)).length, 1);
  t.is((await eventosDe(api, t, provedor)).length, 1);
});

test('de mudanças simultâneas de vários clientes para um documento, uma fica', async (t) => {
  const provedor = await fabrica.provedor();
  const ids = await Promise.all(
    ['11144477735', '22255588846', '93541134780'].map(async (cpf_cnpj) => fabrica.cliente(provedor, { cpf_cnpj })),
  );
  const feitos = await Promise.allSettled(ids.map(async (id) => alterar(provedor, id, { cpf_cnpj: OUTRO_CPF })));
  t.is(feitos.filter(({ status }) => status === 'fulfilled').length, 1);
  t.is((await api.dono('clientes').where({ provedor_id: provedor, cpf_cnpj: OUTRO_CPF })).length, 1);
});

/** Where people may take a client. */
const PODE: Readonly<Record<SituacaoCliente, readonly SituacaoCliente[]>> = {
  ativo: ['inativo', 'observacao', 'pre_cadastro'],
  inativo: ['ativo', 'observacao', 'pre_cadastro'],
  observacao: ['ativo', 'inativo', 'pre_cadastro'],
  pre_cadastro: ['ativo', 'inativo', 'observacao'],
  bloqueado: ['ativo', 'inativo', 'observacao', 'pre_cadastro'],
  cancelado: ['ativo'],
};
for (const de of TODOS) {
  for (const para of TODOS) {
    const vai = PODE[de].includes(para);
    const como = de === para ? 'fica' : vai ? 'vai' : 'não vai';
    test(`de ${de} o cliente ${como} ${de === para ? 'como está' : `para ${para}`}`, async (t) => {
      const provedor = await fabrica.provedor();
      const plano = await fabrica.plano(provedor);
      const id = await fabrica.cliente(provedor, { situacao: de });
      // Blocked is who has blocked contracts alone.
      const preso = de === 'bloqueado';
      if (preso) await fabrica.contrato(provedor, { cliente_id: id, plano_id: plano, situacao: 'bloqueado' });
      const pedido = alterar(provedor, id, { situacao: para });
      if (de !== para && !vai) {
        await recusado(t, pedido, 'transicao_de_cliente_invalida');
        t.is((await buscar(provedor, id))?.situacao, de);
        return;
      }
      const seguePreso = preso && para === 'ativo';
      const muda = de !== para && !seguePreso;
      t.deepEqual(await pedido, muda ? ['situacao'] : []);
      t.is((await buscar(provedor, id))?.situacao, seguePreso ? 'bloqueado' : para);
      t.is((await eventosDe(api, t, provedor)).length, muda ? 1 : 0);
    });
  }
}

test('quem fica ativo com todos os contratos bloqueados fica bloqueado', async (t) => {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const id = await fabrica.cliente(provedor, { situacao: 'observacao' });
  await fabrica.contrato(provedor, { cliente_id: id, plano_id: plano, situacao: 'bloqueado' });
  await fabrica.contrato(provedor, { cliente_id: id, plano_id: plano, situacao: 'cancelado' });
  await alterar(provedor, id, { situacao: 'ativo' });
  t.is((await buscar(provedor, id))?.situacao, 'bloqueado');
});

test('uma mudança muda o que difere, diz o que foi, e a que nada muda não deixa evento', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, {
    nome: 'Maria',
    cpf_cnpj: CPF,
    email: 'a@b.com',
    endereco: { cidade: 'Alfenas', uf: 'MG', numero: '10' },
  });
  t.deepEqual(await alterar(provedor, id, { nome: 'Maria', email: 'a@b.com', endereco: { uf: 'MG' } }), []);
  t.deepEqual(await alterar(provedor, id, { email: null, endereco: { numero: '', bairro: 'Centro' } }), [
    'email',
    'endereco',
  ]);
  t.like(await buscar(provedor, id), {
    nome: 'Maria',
    email: null,
    endereco: { cidade: 'Alfenas', uf: 'MG', numero: null, bairro: 'Centro' },
  });
  await faltou(t, alterar(provedor, id, {}), ['corpo']);
  await faltou(t, alterar(provedor, id, { nome: null }), ['nome']);
  t.deepEqual((await eventosDe(api, t, provedor)).slice(1), [
    ['cliente.atualizado', id, { cliente: id, campos: ['email', 'endereco'] }],
  ]);
});

test('o documento que vira de outro tipo leva consigo o que só o anterior tinha', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { nome: 'Maria', cpf_cnpj: CPF, data_nascimento: '1988-04-12' });
  await faltou(t, alterar(provedor, id, { nome_fantasia: 'Bazar' }), ['nome_fantasia']);
  await faltou(t, alterar(provedor, id, { tipo: 'pj' }), ['tipo']);
  await faltou(t, alterar(provedor, id, { cpf_cnpj: CNPJ, data_nascimento: '1990-01-01' }), ['data_nascimento']);
  t.deepEqual(await alterar(provedor, id, { cpf_cnpj: CNPJ, nome_fantasia: 'Bazar' }), [
    'cpf_cnpj',
    'nome_fantasia',
    'data_nascimento',
  ]);
  t.like(await buscar(provedor, id), { tipo: 'pj', cpfCnpj: CNPJ, nomeFantasia: 'Bazar', dataNascimento: null });
  await alterar(provedor, id, { cpf_cnpj: CPF });
  t.like(await buscar(provedor, id), { tipo: 'pf', nomeFantasia: null });
});

test('o documento de outro que não está cancelado não se toma; de um cancelado, sim', async (t) => {
  const provedor = await fabrica.provedor();
  const outro = await fabrica.cliente(provedor, { cpf_cnpj: OUTRO_CPF });
  const id = await fabrica.cliente(provedor);
  await recusado(t, alterar(provedor, id, { cpf_cnpj: OUTRO_CPF }), 'cliente_duplicado', outro);
  await api.dono('clientes').where('id', outro).update({ situacao: 'cancelado' });
  t.deepEqual(await alterar(provedor, id, { cpf_cnpj: OUTRO_CPF }), ['cpf_cnpj']);
  // And so the other may not come back.
  await recusado(
    t,
    mudar(provedor, async ({ clientes }) => clientes.reativar(outro)),
    'cliente_duplicado',
    id,
  );
});

test('quem se cadastrou sozinho só vira cliente ao lado de outro cadastro seu com a confirmação da equipe', async (t) => {
  for (const situacao of ['ativo', 'cancelado', 'inativo'] as const) {
    const provedor = await fabrica.provedor();
    const outro = await fabrica.cliente(provedor, { situacao });
    const id = await fabrica.cliente(provedor, { situacao: 'pre_cadastro' });
    await recusado(t, alterar(provedor, id, { situacao: 'ativo' }), 'confirmacao_exigida', outro);
    await t.notThrowsAsync(alterar(provedor, id, { nome: 'Maria José' }));
    t.deepEqual(await alterar(provedor, id, { situacao: 'ativo' }, { confirmado: true }), ['situacao']);
  }
  const provedor = await fabrica.provedor();
  await fabrica.cliente(provedor, { situacao: 'pre_cadastro' });
  const so = await fabrica.cliente(provedor, { situacao: 'pre_cadastro' });
  t.deepEqual(await alterar(provedor, so, { situacao: 'ativo' }), ['situacao']);
});

test('quem leu antes de outro mudar não muda nada', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await criar(provedor, { nome: 'Maria', cpf_cnpj: CPF, telefones: ['35999990001'] });
  const lido = (await buscar(provedor, id))!.atualizadoEm;
  t.deepEqual(await alterar(provedor, id, { telefones: [] }, { versao: lido }), ['telefones']);
  await recusado(t, alterar(provedor, id, { nome: 'Ana' }, { versao: lido }), 'versao_divergente');
  const agora = (await buscar(provedor, id))!.atualizadoEm;
  t.deepEqual(await alterar(provedor, id, { nome: 'Ana' }, { versao: agora }), ['nome']);
});

test('telefones se trocam como lista: os que ficam mantêm o id, e a ordem é a pedida', async (t) => {
  const provedor = await fabrica.provedor();
  const [a, b, c] = ['35999990001', '35999990002', '35999990003'];
  const id = await criar(provedor, { nome: 'Maria', cpf_cnpj: CPF, telefones: [a, b] });
  const antes = await telefonesDe(id);
  await alterar(provedor, id, { telefones: [a, b, c] });
  t.deepEqual((await telefonesDe(id)).slice(0, 2), antes);
  await alterar(provedor, id, { telefones: [b, a] });
  const trocados = await telefonesDe(id);
  t.deepEqual(
    trocados.map(({ numero }) => numero),
    [b, a],
  );
  t.is(trocados[0]!.id, antes[1]!.id);
  t.deepEqual(await alterar(provedor, id, { telefones: [b, '(35) 99999-0001', b] }), []);
  t.deepEqual(await alterar(provedor, id, { telefones: [] }), ['telefones']);
  t.deepEqual(await telefonesDe(id), []);
});

test('um código externo é de um só', async (t) => {
  const provedor = await fabrica.provedor();
  await criar(provedor, { nome: 'Maria', cpf_cnpj: CPF, codigo_externo: 'ixc:1' });
  await recusado(t, criar(provedor, { nome: 'Ana', cpf_cnpj: CNPJ, codigo_externo: 'ixc:1' }), 'codigo_externo_em_uso');
  const outro = await criar(provedor, { nome: 'Ana', cpf_cnpj: CNPJ });
  await recusado(t, alterar(provedor, outro, { codigo_externo: 'ixc:1' }), 'codigo_externo_em_uso');
});

test('o que é de outro provedor não existe', async (t) => {
  const meu = await fabrica.provedor();
  const id = await fabrica.cliente(await fabrica.provedor());
  await recusado(t, alterar(meu, id, { nome: 'Ana' }), 'nao_encontrado');
  await recusado(
    t,
    mudar(meu, async ({ clientes }) => clientes.cancelar(id)),
    'nao_encontrado',
  );
  await recusado(
    t,
    mudar(meu, async ({ privacidade }) => privacidade.apagar(id)),
    'nao_encontrado',
  );
  await recusado(
    t,
    mudar(meu, async ({ privacidade }) => privacidade.exportar(id)),
    'nao_encontrado',
  );
});

const CONTRATOS = ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado', 'cancelado_definitivo'] as const;

/** A client with a contract in each state, and invoices of every kind. */
async function comTudo() {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contratos: Record<string, number> = {};
  for (const situacao of CONTRATOS) {
    contratos[situacao] = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, situacao });
  }
  await fabrica.desbloqueio(provedor, {
    contrato_id: contratos['ativo'],
    aplicado_em: '2026-11-19 09:00:00.000',
    ate: '2026-11-23 02:59:59.999',
  });
  const fatura = async (linha: object) => fabrica.fatura(provedor, { cliente_id: cliente, ...linha });
  const faturas = {
    vencida: await fatura({ vencimento: '2026-11-10', situacao: 'vencida' }),
    hoje: await fatura({ vencimento: '2026-11-20' }),
    futura: await fatura({ vencimento: '2026-12-10', contrato_id: contratos['ativo'] }),
    avulsa: await fatura({ vencimento: '2026-11-21' }),
    emParte: await fatura({ vencimento: '2026-12-10', valor_pago: '10.00' }),
    paga: await fatura({ vencimento: '2026-12-10', situacao: 'paga', valor_pago: '99.90' }),
    processando: await fatura({ vencimento: '2026-12-10', situacao: 'processando' }),
  };
  return { provedor, cliente, contratos, faturas };
}
const situacoes = async (tabela: string, ids: Readonly<Record<string, number>>) => {
  const linhas: { id: number; situacao: string }[] = await api.dono(tabela).whereIn('id', Object.values(ids)).select();
  const por = new Map(linhas.map(({ id, situacao }) => [id, situacao]));
  return Object.fromEntries(Object.entries(ids).map(([nome, id]) => [nome, por.get(id)]));
};

for (const futuras of ['manter', 'cancelar', undefined] as const) {
  test(`cancelar cancela os contratos; das faturas futuras, ${futuras ?? 'sem dizer nada'}`, async (t) => {
    const { provedor, cliente, contratos, faturas } = await comTudo();
    const antes = await situacoes('faturas', faturas);
    const dados = { motivo: 'mudou-se', ...(futuras === undefined ? {} : { faturas_futuras: futuras }) };
    const feito = await mudar(provedor, async ({ clientes }) => clientes.cancelar(cliente, dados));
    const canceladas = futuras === 'cancelar' ? ['futura', 'avulsa'] : [];
    t.deepEqual(feito, { mudou: true, contratos: 4, faturas: canceladas.length });
    t.is((await buscar(provedor, cliente))?.situacao, 'cancelado');
    t.deepEqual(await situacoes('contratos', contratos), {
      ...Object.fromEntries(CONTRATOS.map((nome) => [nome, 'cancelado'])),
      cancelado_definitivo: 'cancelado_definitivo',
    });
    t.deepEqual(await situacoes('faturas', faturas), {
      ...antes,
      ...Object.fromEntries(canceladas.map((nome) => [nome, 'cancelada'])),
    });
    const vivos = CONTRATOS.slice(0, 4).map((nome) => contratos[nome]!);
    const pedidos = await api.dono('rede_pedidos').where('provedor_id', provedor).orderBy('contrato_id').select();
    t.deepEqual(
      pedidos.map(({ contrato_id }) => contrato_id),
      vivos,
    );
    t.is((await api.dono('contratos_historico').where('provedor_id', provedor)).length, 4);
    t.is((await api.dono('desbloqueios_confianca').where('provedor_id', provedor).whereNull('encerrado_em')).length, 0);

    t.deepEqual(
      await mudar(provedor, async ({ clientes }) => clientes.cancelar(cliente, { faturas_futuras: 'cancelar' })),
      {
        mudou: false,
        contratos: 0,
        faturas: 0,
      },
    );
    t.deepEqual(
      (await eventosDe(api, t, provedor)).filter(([tipo]) => tipo === 'cliente.cancelado'),
      [['cliente.cancelado', cliente, { cliente, contratos: 4, faturas: canceladas.length }]],
    );
    t.deepEqual(await mudar(provedor, async ({ clientes }) => clientes.reativar(cliente)), ['situacao']);
    t.is((await buscar(provedor, cliente))?.situacao, 'ativo');
    t.is((await situacoes('contratos', contratos))['ativo'], 'cancelado');
  });
}

test('um cancelamento que não se lê não cancela nada', async (t) => {
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor);
  const dados = { faturas_futuras: 'talvez', motivo: 'x'.repeat(501), quando: 'já' };
  await faltou(
    t,
    mudar(provedor, async ({ clientes }) => clientes.cancelar(id, dados)),
    ['faturas_futuras', 'motivo', 'quando'],
  );
  t.is((await buscar(provedor, id))?.situacao, 'ativo');
});

test('cada mudança se vê logo nas respostas guardadas de todos os processos, e por quem lê o que mudou', async (t) => {
  const provedor = await fabrica.provedor();
  const { texto: chave } = await api.criarChave(provedor);
  const ver = async (caminho: string, processo: number) => (await api.get(caminho, { chave, processo })).corpo.dados;
  const porDocumento = `/clientes?cpf_cnpj=${CPF}`;
  for (const processo of [0, 1]) t.is((await ver(porDocumento, processo)).length, 0);
  const id = await criar(provedor, { nome: 'Maria', cpf_cnpj: CPF, telefones: ['35999990001'] });
  for (const processo of [0, 1]) t.like(await ver(porDocumento, processo), { 0: { id, telefones: ['35999990001'] } });
  await alterar(provedor, id, { telefones: ['35999990002'] });
  for (const processo of [0, 1]) {
    t.deepEqual((await ver(`/clientes/${id}`, processo)).telefones, ['35999990002']);
    t.is((await ver('/clientes?telefone=35999990001', processo)).length, 0);
  }
  await alterar(provedor, id, { cpf_cnpj: OUTRO_CPF });
  for (const processo of [0, 1]) t.is((await ver(porDocumento, processo)).length, 0);
  await mudar(provedor, async ({ clientes }) => clientes.cancelar(id));
  for (const processo of [0, 1]) t.is((await ver(`/clientes/${id}`, processo)).situacao, 'cancelado');
});
