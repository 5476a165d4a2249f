import { setTimeout as esperar } from 'node:timers/promises';
import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.250Z';
const IP = '203.0.113.7';
const PRIORIDADES = ['baixa', 'normal', 'alta', 'urgente'];
const CATEGORIAS = ['TECNICO', 'FINANCEIRO', 'COMERCIAL', 'INSTALACAO', 'CANCELAMENTO', 'OUTRO'];
const ABERTAS = ['aberto', 'pendente', 'pendente_terceiro', 'em_andamento', 'reaberto'];
const FECHADAS = ['solucionado', 'cancelado'];
const PEDIDAS = ['em_andamento', 'pendente', 'pendente_terceiro', 'reaberto', ...FECHADAS];
/** What a write may leave behind. */
const TABELAS = [
  'chamados',
  'chamados_historico',
  'notificacoes',
  'eventos',
  'auditoria',
  'requisicoes_idempotentes',
] as const;

let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio: relogioEm(AGORA), processos: 2, proxies: 1 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

/** A provider with a client, a contract of theirs, a ticket and a key. */
async function cenario(doChamado: Record<string, unknown> = {}) {
  const provedor = await fabrica.provedor();
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const chamado = await fabrica.chamado(provedor, { cliente_id: cliente, contrato_id: contrato, ...doChamado });
  const { id: chaveId, texto: chave } = await api.criarChave(provedor, { nome: 'chatbot' });
  const valido = { cliente_id: cliente, assunto: 'Sem luz', descricao: 'Caiu às 8h.' };
  return { provedor, plano, cliente, contrato, chamado, chave, chaveId, valido };
}
type Cenario = Awaited<ReturnType<typeof cenario>>;

async function enviar(metodo: string, caminho: string, chave: string, corpo: unknown, processo = 0): Promise<Resposta> {
  return api.pedir(metodo, caminho, {
    chave,
    processo,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': IP },
    corpo: JSON.stringify(corpo),
  });
}
const abrir = async ({ chave }: Pick<Cenario, 'chave'>, corpo: unknown, processo?: number) =>
  enviar('POST', '/chamados', chave, corpo, processo);
const mudar = async ({ chave, chamado }: Pick<Cenario, 'chave' | 'chamado'>, corpo: unknown, processo?: number) =>
  enviar('PATCH', `/chamados/${chamado}`, chave, corpo, processo);

/** Everything of a provider that a write may change. */
async function retrato(provedor: number): Promise<Record<(typeof TABELAS)[number], Record<string, unknown>[]>> {
  const linhas = TABELAS.map(async (tabela) => {
    const consulta = api.container.db(tabela).where('provedor_id', provedor);
    const achadas = await (tabela === 'requisicoes_idempotentes' ? consulta : consulta.orderBy('id')).select();
    return [tabela, achadas.map((linha) => ({ ...linha }))] as const;
  });
  return Object.fromEntries(await Promise.all(linhas)) as Awaited<ReturnType<typeof retrato>>;
}

/** What a write left behind, besides the creation of the key. */
async function rastro(provedor: number) {
  const { eventos, auditoria, notificacoes } = await retrato(provedor);
  const json = (valor: unknown): any => (typeof valor === 'string' ? JSON.parse(valor) : valor);
  const so = (linhas: Record<string, unknown>[], campo: string): Record<string, any>[] =>
    linhas
      .filter((linha) => !String(linha[campo]).startsWith('chave.'))
      .map((linha) => ({ ...linha, dados: json(linha['dados']) }));
  return { eventos: so(eventos, 'tipo'), auditoria: so(auditoria, 'acao'), notificacoes };
}

async function historico({ chave, chamado }: Pick<Cenario, 'chave' | 'chamado'>) {
  const { dados } = (await api.get(`/chamados/${chamado}/historico`, { chave })).corpo;
  return (dados as { acao: string; descricao: string; autor: string; ocorrido_em: string }[]).map(
    ({ acao, descricao, autor, ocorrido_em }) => [acao, descricao, autor, ocorrido_em],
  );
}

/** Sends each body and expects the refusal, and nothing written. */
async function recusados(
  t: { is(a: unknown, b: unknown, m?: string): unknown; deepEqual(a: unknown, b: unknown, m?: string): unknown },
  dados: Cenario,
  pedir: (corpo: unknown) => Promise<Resposta>,
  corpos: readonly unknown[],
  [status, codigo, campo]: readonly [status: number, codigo: string, campo?: string],
): Promise<void> {
  const antes = await retrato(dados.provedor);
  for (const corpo of corpos) {
    const resposta = await pedir(corpo);
    const dito = `${JSON.stringify(corpo)?.slice(0, 90)} → ${resposta.texto.slice(0, 200)}`;
    t.is(resposta.status, status, dito);
    t.is(resposta.corpo.erro.codigo, codigo, dito);
    if (campo !== undefined) t.is(resposta.corpo.erro.mensagem.split(': ')[0], campo, dito);
  }
  t.deepEqual(await retrato(dados.provedor), antes);
}

test('POST /chamados abre o chamado e responde 201 com ele, como GET /chamados/{id} o dá', async (t) => {
  const dados = await cenario();
  const pedido = {
    ...dados.valido,
    contrato_id: dados.contrato,
    assunto: 'Sem conexão “desde ontem” 🛜',
    descricao: 'Linha 1\nLinha 2',
    prioridade: 'alta',
    categoria: 'TECNICO',
  };
  const { status, corpo } = await abrir(dados, pedido);
  t.is(status, 201);
  t.deepEqual(corpo, {
    sucesso: true,
    dados: {
      ...pedido,
      id: corpo.dados.id,
      situacao: 'aberto',
      solucao: null,
      aberto_em: AGORA,
      fechado_em: null,
      agendado_para: null,
      protocolo: '20261120000001',
    },
  });
  t.deepEqual((await api.get(`/chamados/${corpo.dados.id}`, { chave: dados.chave })).corpo, corpo);
});

test('POST /chamados: só cliente_id, assunto e descricao são obrigatórios; a prioridade padrão é normal', async (t) => {
  const dados = await cenario();
  const { status, corpo } = await abrir(dados, dados.valido);
  t.is(status, 201);
  t.like(corpo.dados, { ...dados.valido, contrato_id: null, prioridade: 'normal', categoria: null });
});

test('POST /chamados: contrato_id pode ser nulo', async (t) => {
  const dados = await cenario();
  const { status, corpo } = await abrir(dados, { ...dados.valido, contrato_id: null });
  t.is(status, 201);
  t.is(corpo.dados.contrato_id, null);
});

for (const [campo, valores] of [
  ['prioridade', PRIORIDADES],
  ['categoria', CATEGORIAS],
] as const) {
  test(`POST /chamados: ${campo} pode ser ${valores.join(', ')}`, async (t) => {
    const dados = await cenario();
    for (const valor of valores) {
      const { status, corpo } = await abrir(dados, { ...dados.valido, [campo]: valor });
      t.is(status, 201, valor);
      t.is(corpo.dados[campo], valor);
    }
  });
}

/** Of each text of a body: from how many characters to how many. */
const TEXTOS_DE_POST = { assunto: [3, 300], descricao: [3, 5000] } as const;
const TEXTOS_DE_PATCH = { solucao: [3, 5000], comentario: [1, 5000] } as const;
/** Texts at the edges that are accepted, also in characters that UTF-16 and UTF-8 take several units for. */
const noLimite = ([minimo, maximo]: readonly [number, number]): string[] =>
  ['x', 'ç', '€', '🛜'].flatMap((letra) => [letra.repeat(minimo), letra.repeat(maximo)]);
const alemDoLimite = ([minimo, maximo]: readonly [number, number]): string[] =>
  ['x', '🛜'].flatMap((letra) => [letra.repeat(minimo - 1), letra.repeat(maximo + 1)]);
const SEM_PAR = ['abc\ud83d', '\udedcabc', 'abc\udedc\ud83dabc'];
const EM_BRANCO = [
  '   ',
  ' \n\t\r ',
  '\u00a0\u3000\u0085',
  '\u200b\u2060\ufeff',
  '\u3164\u115f\u2800',
  '\u0000\u0001\u0002',
];
/** What people and programs put around a text. */
const comPontas = (texto: string): string => ` \u200b\r\n${texto}\u00a0\ufeff\n `;
const NAO_SAO_TEXTO = [7, 1.5, true, null, ['abc'], { texto: 'abc' }];
const NAO_SAO_ID = ['7', '', 0, -1, 1.5, true, [7], { id: 7 }, Number.MAX_SAFE_INTEGER + 1];

for (const [campo, limites] of Object.entries(TEXTOS_DE_POST)) {
  test(`POST /chamados: ${campo} tem de ${limites.join(' a ')} caracteres, e é guardado inteiro`, async (t) => {
    const dados = await cenario();
    for (const texto of noLimite(limites)) {
      const { status, corpo } = await abrir(dados, { ...dados.valido, [campo]: texto });
      t.is(status, 201, `${texto.slice(0, 3)} ${texto.length}`);
      t.is(corpo.dados[campo], texto);
    }
    const corpos = [...alemDoLimite(limites), ...NAO_SAO_TEXTO, ...SEM_PAR].map((valor) => ({
      ...dados.valido,
      [campo]: valor,
    }));
    await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [400, 'parametro_invalido', campo]);
  });
}

const ERRADOS_DE_POST: Readonly<Record<string, readonly unknown[]>> = {
  cliente_id: [...NAO_SAO_ID, null],
  contrato_id: NAO_SAO_ID,
  prioridade: ['', 'Normal', 'media', 'alta ', null, 1],
  categoria: ['', 'tecnico', 'VENDAS', null, 1],
};
for (const [campo, valores] of Object.entries(ERRADOS_DE_POST)) {
  test(`POST /chamados: ${campo} fora do que o contrato diz é 400 que o nomeia`, async (t) => {
    const dados = await cenario();
    const corpos = valores.map((valor) => ({ ...dados.valido, [campo]: valor }));
    await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [400, 'parametro_invalido', campo]);
  });
}

for (const campo of ['cliente_id', 'assunto', 'descricao'] as const) {
  test(`POST /chamados: sem ${campo} é 400 que o nomeia`, async (t) => {
    const dados = await cenario();
    const { [campo]: _, ...resto } = dados.valido;
    await recusados(t, dados, async (corpo) => abrir(dados, corpo), [resto], [400, 'parametro_invalido', campo]);
  });
}

test('POST /chamados: um campo que a rota não conhece é 400 que o nomeia', async (t) => {
  const dados = await cenario();
  for (const campo of ['situacao', 'solucao', 'comentario', 'origem', 'id', 'provedor_id', 'clienteId', 'aberto_em']) {
    const corpos = [{ ...dados.valido, [campo]: 'aberto' }];
    await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [400, 'parametro_invalido', campo]);
  }
});

test('POST e PATCH: sem corpo, ou com um que não é objeto, é 400', async (t) => {
  const dados = await cenario();
  for (const pedir of [abrir, mudar]) {
    const corpos = [undefined, null, [], 'texto', 7];
    await recusados(t, dados, async (corpo) => pedir(dados, corpo), corpos, [400, 'parametro_invalido', 'corpo']);
  }
});

test('POST /chamados: cliente que não existe, ou de outro provedor, é 404 nao_encontrado', async (t) => {
  const [dados, alheio] = [await cenario(), await cenario()];
  const corpos = [999_999_999, Number.MAX_SAFE_INTEGER, alheio.cliente].map((cliente_id) => ({
    ...dados.valido,
    cliente_id,
  }));
  await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [404, 'nao_encontrado']);
});

test('POST /chamados: contrato de outro cliente, de outro provedor ou de ninguém é 422 contrato_invalido', async (t) => {
  const [dados, alheio] = [await cenario(), await cenario()];
  const outro = await fabrica.cliente(dados.provedor);
  const doOutro = await fabrica.contrato(dados.provedor, { cliente_id: outro, plano_id: dados.plano });
  const corpos = [doOutro, alheio.contrato, 999_999_999].map((contrato_id) => ({ ...dados.valido, contrato_id }));
  await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [422, 'contrato_invalido']);
});

test('POST /chamados: cliente cancelado é 422 cliente_cancelado, e em qualquer outra situação é 201', async (t) => {
  const dados = await cenario();
  for (const situacao of ['ativo', 'bloqueado', 'inativo', 'observacao', 'pre_cadastro']) {
    const cliente_id = await fabrica.cliente(dados.provedor, { situacao });
    t.is((await abrir(dados, { ...dados.valido, cliente_id })).status, 201, situacao);
  }
  const cliente_id = await fabrica.cliente(dados.provedor, { situacao: 'cancelado' });
  const contrato_id = await fabrica.contrato(dados.provedor, { cliente_id, plano_id: dados.plano });
  const corpos = [
    { ...dados.valido, cliente_id },
    { ...dados.valido, cliente_id, contrato_id },
  ];
  await recusados(t, dados, async (corpo) => abrir(dados, corpo), corpos, [422, 'cliente_cancelado']);
});

test('POST /chamados: a entrada é julgada antes do cliente, o cliente antes do contrato, o contrato antes do cancelamento', async (t) => {
  const dados = await cenario();
  const cancelado = await fabrica.cliente(dados.provedor, { situacao: 'cancelado' });
  const pedir = async (corpo: unknown) => abrir(dados, corpo);
  const ninguem = { ...dados.valido, cliente_id: 999_999_999, contrato_id: 999_999_999 };
  await recusados(t, dados, pedir, [{ ...ninguem, prioridade: 'x' }], [400, 'parametro_invalido', 'prioridade']);
  await recusados(t, dados, pedir, [ninguem], [404, 'nao_encontrado']);
  const alheio = { ...dados.valido, cliente_id: cancelado, contrato_id: dados.contrato };
  await recusados(t, dados, pedir, [alheio], [422, 'contrato_invalido']);
});

/** Resolves when a statement on this test's database waits for another's lock. */
async function alguemEspera(): Promise<void> {
  for (let vez = 0; vez < 30; vez += 1) {
    // InnoDB keeps showing the same picture while it is looked at more often than every 100 ms.
    await esperar(150);
    const [esperas] = (await api.dono.raw(
      `SELECT p.id FROM information_schema.innodb_trx t JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
        WHERE t.trx_state = 'LOCK WAIT' AND p.db = DATABASE()`,
    )) as [unknown[]];
    if (esperas.length > 0) return;
  }
  throw new Error('ninguém espera por uma trava');
}

test.serial('POST /chamados: um cancelamento do cliente em curso é esperado, e vale', async (t) => {
  const dados = await cenario();
  const trx = await api.container.db.transaction();
  await trx('clientes').where({ id: dados.cliente }).update({ situacao: 'cancelado' });
  const aberto = abrir(dados, dados.valido);
  await alguemEspera();
  await trx.commit();
  t.is((await aberto).corpo.erro?.codigo, 'cliente_cancelado');
});

test('POST e PATCH: a chave que só tem chamados:leitura recebe 403, mesmo com o corpo ou o id errado', async (t) => {
  const dados = await cenario();
  const { texto: chave } = await api.criarChave(dados.provedor, { permissoes: ['chamados:leitura'] });
  const recusa = [403, 'permissao_insuficiente'] as const;
  await recusados(t, dados, async (corpo) => abrir({ chave }, corpo), [dados.valido, {}], recusa);
  for (const chamado of [dados.chamado, 999_999_999]) {
    await recusados(t, dados, async (corpo) => mudar({ chave, chamado }, corpo), [{ comentario: 'x' }, {}], recusa);
  }
});

test('POST /chamados deixa, uma vez cada: a entrada aberto, o aviso à equipe, o evento e a linha de auditoria', async (t) => {
  const dados = await cenario();
  const pedido = { ...dados.valido, contrato_id: dados.contrato, prioridade: 'alta', categoria: 'TECNICO' };
  const { id } = (await abrir(dados, pedido)).corpo.dados;
  t.deepEqual(await historico({ ...dados, chamado: id }), [['aberto', 'Chamado aberto.', 'chatbot', AGORA]]);

  const { eventos, auditoria, notificacoes } = await rastro(dados.provedor);
  const doEvento = { cliente: dados.cliente, contrato: dados.contrato, prioridade: 'alta', categoria: 'TECNICO' };
  t.is(notificacoes.length, 1);
  t.like(notificacoes[0], {
    tipo: 'chamado.novo',
    origem: 'API',
    recurso: 'chamado',
    recurso_id: id,
    criado_em: '2026-11-20 15:00:00.250',
    lida_em: null,
  });
  t.is(eventos.length, 1);
  t.like(eventos[0], { tipo: 'chamado.aberto', recurso_id: id });
  t.deepEqual(eventos[0]!['dados'], doEvento);
  t.is(auditoria.length, 1);
  t.like(auditoria[0], {
    acao: 'chamado.aberto',
    recurso: 'chamado',
    recurso_id: id,
    autor: 'chatbot',
    chave_id: dados.chaveId,
    ip: IP,
  });
  t.deepEqual(auditoria[0]!['dados'], doEvento);
  const [linha] = await api.container.db('chamados').where({ id }).select('origem');
  t.is(linha.origem, 'api');
});

test('o chamado aberto num processo aparece na leitura seguinte em outro, em toda lista que o inclui', async (t) => {
  const dados = await cenario();
  const { chave, cliente, contrato } = dados;
  const listas = ['', `?cliente_id=${cliente}`, `?contrato_id=${contrato}`, '?situacao=em_aberto', '?situacao=aberto'];
  const ler = async (lista: string) => (await api.get(`/chamados${lista}`, { chave, processo: 1 })).corpo;
  for (const lista of listas) t.is((await ler(lista)).paginacao.total, 1, lista);
  const { id } = (await abrir(dados, { ...dados.valido, contrato_id: contrato }, 0)).corpo.dados;
  for (const lista of listas) {
    const { dados: lidos, paginacao } = await ler(lista);
    t.is(paginacao.total, 2, lista);
    t.is(lidos[0].id, id, lista);
  }
});

/** What comes of asking for a state: it moves, it is refused, or the ticket is there already. */
function destino(de: string, para: string): 'muda' | 'recusa' | 'fica' {
  if (de === para) return 'fica';
  if (FECHADAS.includes(de)) return para === 'reaberto' ? 'muda' : 'recusa';
  return para === 'reaberto' ? 'recusa' : 'muda';
}
const TITULOS = { muda: 'é permitido', recusa: 'é 422 transicao_invalida', fica: 'é 200 e não muda nada' };
const FECHADO_EM = '2026-11-19 12:30:00.250';

for (const de of [...ABERTAS, ...FECHADAS]) {
  for (const para of PEDIDAS) {
    const esperado = destino(de, para);
    test(`PATCH /chamados/{id}: de ${de} para ${para} ${TITULOS[esperado]}`, async (t) => {
      const dados = await cenario({ situacao: de, fechado_em: FECHADAS.includes(de) ? FECHADO_EM : null });
      if (esperado === 'recusa') {
        const pedidos = [{ situacao: para }, { situacao: para, comentario: 'vai junto', prioridade: 'alta' }];
        await recusados(t, dados, async (corpo) => mudar(dados, corpo), pedidos, [422, 'transicao_invalida']);
        return;
      }
      const antes = await retrato(dados.provedor);
      const { status, corpo } = await mudar(dados, { situacao: para });
      t.is(status, 200);
      t.is(corpo.dados.situacao, para);
      if (esperado === 'fica') {
        t.is(corpo.dados.fechado_em, FECHADAS.includes(de) ? '2026-11-19T12:30:00.250Z' : null);
        t.deepEqual(await retrato(dados.provedor), antes);
        return;
      }
      t.is(corpo.dados.fechado_em, FECHADAS.includes(para) ? AGORA : null);
      t.deepEqual((await api.get(`/chamados/${dados.chamado}`, { chave: dados.chave })).corpo, corpo);
      t.deepEqual(await historico(dados), [['situacao', `De ${de} para ${para}.`, 'chatbot', AGORA]]);
      const { eventos, auditoria } = await rastro(dados.provedor);
      t.deepEqual(
        [eventos.length, auditoria.length, eventos[0]!['dados']],
        [1, 1, { cliente: dados.cliente, contrato: dados.contrato, campos: ['situacao'], de, para }],
      );
    });
  }
}

test('PATCH /chamados/{id}: aberto não se pede, nem o que não é situação', async (t) => {
  const dados = await cenario();
  const corpos = ['aberto', 'em_aberto', '', 'Solucionado', 'fechado', null, 1].map((situacao) => ({ situacao }));
  await recusados(t, dados, async (corpo) => mudar(dados, corpo), corpos, [400, 'parametro_invalido', 'situacao']);
});

for (const situacao of ['aberto', ...FECHADAS]) {
  test(`PATCH /chamados/{id}: solucao, prioridade e comentario podem ir sozinhos num chamado ${situacao}`, async (t) => {
    const fechado_em = situacao === 'aberto' ? null : FECHADO_EM;
    for (const [campo, valor, descricao] of [
      ['solucao', 'Trocado o cabo.', 'Trocado o cabo.'],
      ['prioridade', 'urgente', 'De normal para urgente.'],
      ['comentario', 'Técnico a caminho.', 'Técnico a caminho.'],
    ] as const) {
      const dados = await cenario({ situacao, fechado_em });
      const lido = (await api.get(`/chamados/${dados.chamado}`, { chave: dados.chave })).corpo.dados;
      const { status, corpo } = await mudar(dados, { [campo]: valor });
      t.is(status, 200);
      t.deepEqual(corpo.dados, { ...lido, ...(campo === 'comentario' ? {} : { [campo]: valor }) });
      t.deepEqual(await historico(dados), [[campo, descricao, 'chatbot', AGORA]]);
    }
  });
}

test('PATCH /chamados/{id}: tudo junto é uma entrada por mudança, e um só evento e linha de auditoria, sem os textos', async (t) => {
  const dados = await cenario({ situacao: 'em_andamento' });
  const { status, corpo } = await mudar(dados, {
    situacao: 'solucionado',
    solucao: 'Conector refeito.',
    prioridade: 'baixa',
    comentario: 'Maria confirmou.',
  });
  t.is(status, 200);
  t.like(corpo.dados, {
    situacao: 'solucionado',
    solucao: 'Conector refeito.',
    prioridade: 'baixa',
    fechado_em: AGORA,
  });
  t.deepEqual(await historico(dados), [
    ['situacao', 'De em_andamento para solucionado.', 'chatbot', AGORA],
    ['prioridade', 'De normal para baixa.', 'chatbot', AGORA],
    ['solucao', 'Conector refeito.', 'chatbot', AGORA],
    ['comentario', 'Maria confirmou.', 'chatbot', AGORA],
  ]);
  const { eventos, auditoria, notificacoes } = await rastro(dados.provedor);
  t.deepEqual([eventos.length, auditoria.length, notificacoes.length], [1, 1, 0]);
  const doEvento = {
    cliente: dados.cliente,
    contrato: dados.contrato,
    campos: ['situacao', 'prioridade', 'solucao', 'comentario'],
    de: 'em_andamento',
    para: 'solucionado',
  };
  t.like(eventos[0], { tipo: 'chamado.atualizado', recurso_id: dados.chamado });
  t.deepEqual(eventos[0]!['dados'], doEvento);
  t.like(auditoria[0], {
    acao: 'chamado.atualizado',
    recurso: 'chamado',
    recurso_id: dados.chamado,
    autor: 'chatbot',
    chave_id: dados.chaveId,
    ip: IP,
  });
  t.deepEqual(auditoria[0]!['dados'], doEvento);
});

test('PATCH /chamados/{id}: o que já é como se pede não deixa entrada; se nada muda, nada se escreve', async (t) => {
  const dados = await cenario({ situacao: 'pendente', prioridade: 'alta', solucao: 'Refeito.' });
  const igual = { situacao: 'pendente', prioridade: 'alta', solucao: 'Refeito.' };
  const antes = await retrato(dados.provedor);
  for (const corpo of [igual, { prioridade: 'alta' }, { solucao: 'Refeito.' }]) {
    t.is((await mudar(dados, corpo)).status, 200);
  }
  t.deepEqual(await retrato(dados.provedor), antes);
  t.is((await mudar(dados, { ...igual, prioridade: 'baixa' })).status, 200);
  t.deepEqual(await historico(dados), [['prioridade', 'De alta para baixa.', 'chatbot', AGORA]]);
  t.deepEqual((await rastro(dados.provedor)).eventos[0]!['dados'].campos, ['prioridade']);
});

test('PATCH /chamados/{id}: o mesmo comentário outra vez é outra entrada', async (t) => {
  const dados = await cenario();
  for (let i = 0; i < 2; i += 1) t.is((await mudar(dados, { comentario: 'Ainda sem luz.' })).status, 200);
  t.is((await historico(dados)).length, 2);
  t.is((await rastro(dados.provedor)).auditoria.length, 2);
});

test('PATCH /chamados/{id}: reabrir e fechar de novo troca fechado_em e guarda a solução', async (t) => {
  const dados = await cenario();
  t.like((await mudar(dados, { situacao: 'solucionado', solucao: 'Refeito.' })).corpo.dados, { fechado_em: AGORA });
  const reaberto = (await mudar(dados, { situacao: 'reaberto' })).corpo.dados;
  t.like(reaberto, { situacao: 'reaberto', fechado_em: null, solucao: 'Refeito.' });
  t.like((await mudar(dados, { situacao: 'cancelado' })).corpo.dados, { situacao: 'cancelado', fechado_em: AGORA });
});

for (const [campo, limites] of Object.entries(TEXTOS_DE_PATCH)) {
  test(`PATCH /chamados/{id}: ${campo} tem de ${limites.join(' a ')} caracteres, e é guardado inteiro`, async (t) => {
    const dados = await cenario();
    for (const texto of noLimite(limites)) {
      const { status } = await mudar(dados, { [campo]: texto });
      t.is(status, 200, `${texto.slice(0, 3)} ${texto.length}`);
      t.is((await historico(dados)).at(-1)![1], texto);
    }
    const corpos = [...alemDoLimite(limites), ...NAO_SAO_TEXTO, ...SEM_PAR].map((valor) => ({ [campo]: valor }));
    await recusados(t, dados, async (corpo) => mudar(dados, corpo), corpos, [400, 'parametro_invalido', campo]);
  });
}

for (const [campo, limites] of [...Object.entries(TEXTOS_DE_POST), ...Object.entries(TEXTOS_DE_PATCH)]) {
  const noPost = Object.hasOwn(TEXTOS_DE_POST, campo);
  test(`${noPost ? 'POST' : 'PATCH'}: ${campo} é aparado antes de contar, guardado aparado, e em branco é 400 que o nomeia`, async (t) => {
    const dados = await cenario();
    const pedir = async (corpo: Record<string, unknown>) =>
      noPost ? abrir(dados, { ...dados.valido, ...corpo }) : mudar(dados, corpo);
    for (const texto of noLimite(limites)) {
      const { status, corpo } = await pedir({ [campo]: comPontas(texto) });
      t.is(status, noPost ? 201 : 200, `${texto.slice(0, 3)} ${texto.length}`);
      t.is(noPost ? corpo.dados[campo] : (await historico(dados)).at(-1)![1], texto);
    }
    const curto = limites[0] > 1 ? [' x '] : [];
    const corpos = [...EM_BRANCO, ...curto, '\u200b'.repeat(limites[1])].map((texto) => ({ [campo]: texto }));
    await recusados(t, dados, async (corpo) => pedir(corpo as object & Record<string, unknown>), corpos, [
      400,
      'parametro_invalido',
      campo,
    ]);
  });
}

test('o texto de quem atende não se apara por dentro, e uma palavra da API não se apara', async (t) => {
  const dados = await cenario();
  const descricao = 'Linha 1  \n\n  linha\u200b 3';
  t.is((await abrir(dados, { ...dados.valido, descricao })).corpo.dados.descricao, descricao);
  await recusados(
    t,
    dados,
    async (corpo) => mudar(dados, corpo),
    [{ situacao: ' solucionado' }],
    [400, 'parametro_invalido', 'situacao'],
  );
});

test('PATCH /chamados/{id}: prioridade pode ser qualquer das quatro, e nada mais', async (t) => {
  const dados = await cenario();
  for (const prioridade of PRIORIDADES) {
    t.is((await mudar(dados, { prioridade })).corpo.dados.prioridade, prioridade);
  }
  const corpos = ['', 'Normal', 'media', null, 1].map((prioridade) => ({ prioridade }));
  await recusados(t, dados, async (corpo) => mudar(dados, corpo), corpos, [400, 'parametro_invalido', 'prioridade']);
});

test('PATCH /chamados/{id}: sem campo algum é 400; um que a rota não conhece é 400 que o nomeia', async (t) => {
  const dados = await cenario();
  const pedir = async (corpo: unknown) => mudar(dados, corpo);
  await recusados(t, dados, pedir, [{}], [400, 'parametro_invalido', 'corpo']);
  for (const campo of ['assunto', 'descricao', 'categoria', 'cliente_id', 'fechado_em', 'Situacao']) {
    await recusados(t, dados, pedir, [{ comentario: 'x', [campo]: 'x' }], [400, 'parametro_invalido', campo]);
  }
});

test('PATCH /chamados/{id}: chamado que não existe, ou de outro provedor, é 404, depois da entrada', async (t) => {
  const [dados, alheio] = [await cenario(), await cenario({ situacao: 'solucionado', fechado_em: FECHADO_EM })];
  const antes = await retrato(alheio.provedor);
  for (const chamado of [999_999_999, Number.MAX_SAFE_INTEGER, alheio.chamado]) {
    const pedir = async (corpo: unknown) => mudar({ ...dados, chamado }, corpo);
    await recusados(t, dados, pedir, [{ comentario: 'x' }, { situacao: 'pendente' }], [404, 'nao_encontrado']);
    await recusados(t, dados, pedir, [{ situacao: 'x' }], [400, 'parametro_invalido', 'situacao']);
  }
  t.deepEqual(await retrato(alheio.provedor), antes);
});

test('a mudança feita num processo aparece na leitura seguinte em outro: chamado, histórico e listas', async (t) => {
  const dados = await cenario();
  const { chave, chamado, cliente } = dados;
  const ler = async (caminho: string) => (await api.get(caminho, { chave, processo: 1 })).corpo;
  const abertos = `/chamados?cliente_id=${cliente}&situacao=em_aberto`;
  for (const caminho of [`/chamados/${chamado}`, `/chamados/${chamado}/historico`, abertos, '/chamados']) {
    await ler(caminho);
  }
  const { corpo } = await mudar(dados, { situacao: 'solucionado', comentario: 'Feito.' }, 0);
  t.deepEqual(await ler(`/chamados/${chamado}`), corpo);
  t.is((await ler(`/chamados/${chamado}/historico`)).dados.length, 2);
  t.is((await ler(abertos)).paginacao.total, 0);
  t.deepEqual((await ler('/chamados')).dados, [corpo.dados]);
});

test('de muitos fechamentos simultâneos em dois processos, um fecha e os outros já o acham fechado', async (t) => {
  const dados = await cenario();
  const pedidos = Array.from({ length: 20 }, async (_, i) => mudar(dados, { situacao: 'solucionado' }, i % 2));
  for (const { status, corpo } of await Promise.all(pedidos)) {
    t.is(status, 200);
    t.like(corpo.dados, { situacao: 'solucionado', fechado_em: AGORA });
  }
  t.is((await historico(dados)).length, 1);
  const { eventos, auditoria } = await rastro(dados.provedor);
  t.deepEqual([eventos.length, auditoria.length], [1, 1]);
});

test('comentários simultâneos ficam todos', async (t) => {
  const dados = await cenario();
  const textos = Array.from({ length: 20 }, (_, i) => `Comentário ${i}`);
  const respostas = await Promise.all(textos.map(async (comentario, i) => mudar(dados, { comentario }, i % 2)));
  t.true(respostas.every(({ status }) => status === 200));
  const ditos = (await historico(dados)).map(([, descricao]) => String(descricao));
  t.deepEqual(ditos.toSorted(), textos.toSorted());
  t.is((await rastro(dados.provedor)).auditoria.length, 20);
});

test('um comentário também conta como mudança de quem lê o que mudou desde então', async (t) => {
  const dados = await cenario();
  const { db } = api.container;
  await db('chamados').where({ id: dados.chamado }).update({ atualizado_em: '2026-01-01 00:00:00.000' });
  await mudar(dados, { comentario: 'x' });
  const [linha] = await db('chamados').where({ id: dados.chamado }).select('atualizado_em');
  t.true(linha.atualizado_em > '2026-01-01 00:00:00.000');
});
