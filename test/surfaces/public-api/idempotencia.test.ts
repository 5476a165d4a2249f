import test from 'ava';
import { criarApi } from '../../support/api.ts';
import type { Api, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.000Z';
const DIA_MS = 86_400_000;
const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;

test.before(async () => {
  api = await criarApi({ relogio, processos: 2 });
  fabrica = criarFabrica(api.dono);
});
test.after.always(() => api.fechar());

async function cenario() {
  const provedor = await fabrica.provedor({}, { desbloqueio_habilitado: 1, desbloqueio_dias: 3 });
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano });
  const { texto: chave } = await api.criarChave(provedor);
  const pedido = { cliente_id: cliente, assunto: 'Sem luz', descricao: 'Caiu às 8h.' };
  return { provedor, plano, cliente, contrato, chave, pedido };
}

interface Marcado {
  readonly chave: string;
  readonly marca: string | string[];
  readonly processo?: number;
}

async function enviar(
  metodo: string,
  caminho: string,
  { chave, marca, processo = 0 }: Marcado,
  corpo: unknown,
): Promise<Resposta> {
  return api.pedir(metodo, caminho, {
    chave,
    processo,
    headers: { 'content-type': 'application/json', 'idempotency-key': marca },
    corpo: typeof corpo === 'string' ? corpo : JSON.stringify(corpo),
  });
}
const abrir = async (marcado: Marcado, corpo: unknown): Promise<Resposta> =>
  enviar('POST', '/chamados', marcado, corpo);

async function contar(tabela: string, provedor: number): Promise<number> {
  const linhas = await api.container.db(tabela).where('provedor_id', provedor).select('provedor_id');
  return linhas.length;
}

type Afirmacoes = { is(a: unknown, b: unknown, mensagem?: string): unknown };

function mesma(t: Afirmacoes, outra: Resposta, primeira: Resposta, mensagem?: string): void {
  t.is(outra.status, primeira.status, mensagem);
  t.is(outra.texto, primeira.texto, mensagem);
  t.is(outra.headers['content-type'], primeira.headers['content-type'], mensagem);
}

function recusa(t: Afirmacoes, resposta: Resposta, status: number, codigo: string, mensagem?: string): void {
  t.is(resposta.corpo.erro?.codigo, codigo, mensagem);
  t.is(resposta.status, status, mensagem);
}

test('a mesma chave e o mesmo corpo repetem estado e corpo, em qualquer processo, e o efeito é um só', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  t.is(primeira.status, 201);
  for (const processo of [0, 1, 0]) mesma(t, await abrir({ chave, marca: 'a', processo }, pedido), primeira);
  for (const tabela of ['chamados', 'chamados_historico', 'notificacoes']) {
    t.is(await contar(tabela, provedor), 1, tabela);
  }
  // The key's creation is the other.
  for (const tabela of ['eventos', 'auditoria']) t.is(await contar(tabela, provedor), 2, tabela);
});

test('a repetição conta no limite e tem o seu próprio X-Request-Id', async (t) => {
  const { chave, pedido } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  const segunda = await abrir({ chave, marca: 'a' }, pedido);
  t.not(segunda.headers['x-request-id'], primeira.headers['x-request-id']);
  const restantes = ({ headers }: Resposta) => Number(headers['x-ratelimit-remaining']);
  t.is(restantes(segunda), restantes(primeira) - 1);
});

test('a repetição dá a resposta de então, mesmo que o chamado tenha mudado', async (t) => {
  const { chave, pedido } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  const caminho = `/chamados/${primeira.corpo.dados.id}`;
  t.is((await enviar('PATCH', caminho, { chave, marca: 'b' }, { situacao: 'solucionado' })).status, 200);
  mesma(t, await abrir({ chave, marca: 'a' }, pedido), primeira);
  t.is((await api.get(caminho, { chave })).corpo.dados.situacao, 'solucionado');
});

test('o corpo é o mesmo em outra ordem, com outros espaços, ou com um padrão escrito por extenso', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  const aoContrario = Object.fromEntries(Object.entries(pedido).toReversed());
  for (const corpo of [
    JSON.stringify(pedido, null, 2),
    JSON.stringify(aoContrario),
    JSON.stringify({ prioridade: 'normal', ...pedido }),
    JSON.stringify(pedido).replace('Sem luz', String.raw`Sem\u0020luz`),
    JSON.stringify(pedido).replace('Sem luz', String.raw`\u200b Sem luz\n`),
  ]) {
    mesma(t, await abrir({ chave, marca: 'a' }, corpo), primeira, corpo);
  }
  t.is(await contar('chamados', provedor), 1);
});

test('a mesma chave com outro corpo é 422 chave_idempotencia_reutilizada, e nada se escreve', async (t) => {
  const { provedor, chave, pedido, contrato } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  for (const mudanca of [{ assunto: 'Sem  luz' }, { prioridade: 'alta' }, { contrato_id: contrato }]) {
    const outra = await abrir({ chave, marca: 'a' }, { ...pedido, ...mudanca });
    recusa(t, outra, 422, 'chave_idempotencia_reutilizada', JSON.stringify(mudanca));
  }
  // Also one that would have been refused by itself.
  const semCliente = await abrir({ chave, marca: 'a' }, { ...pedido, cliente_id: 999_999_999 });
  recusa(t, semCliente, 422, 'chave_idempotencia_reutilizada');
  t.is(await contar('chamados', provedor), 1);
  mesma(t, await abrir({ chave, marca: 'a' }, pedido), primeira, 'a primeira continua valendo');
});

test('a mesma chave em outra rota ou em outro registro é 422 chave_idempotencia_reutilizada', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const ids: number[] = [];
  for (const marca of ['a', 'b']) ids.push((await abrir({ chave, marca }, pedido)).corpo.dados.id);
  const mudar = async (id: number | undefined, marca: string) =>
    enviar('PATCH', `/chamados/${id}`, { chave, marca }, { comentario: 'x' });
  recusa(t, await mudar(ids[0], 'a'), 422, 'chave_idempotencia_reutilizada');
  t.is((await mudar(ids[0], 'c')).status, 200);
  recusa(t, await mudar(ids[1], 'c'), 422, 'chave_idempotencia_reutilizada');
  t.is(await contar('chamados_historico', provedor), 3);
});

test('PATCH: a repetição não comenta outra vez', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const { id } = (await abrir({ chave, marca: 'a' }, pedido)).corpo.dados;
  const comentar = async () => enviar('PATCH', `/chamados/${id}`, { chave, marca: 'b' }, { comentario: 'Cadê?' });
  const primeira = await comentar();
  t.is(primeira.status, 200);
  for (let i = 0; i < 2; i += 1) mesma(t, await comentar(), primeira);
  t.is(await contar('chamados_historico', provedor), 2);
});

test('PATCH: o que nada mudou também se repete', async (t) => {
  const { chave, pedido } = await cenario();
  const { id } = (await abrir({ chave, marca: 'a' }, pedido)).corpo.dados;
  const mudar = async (prioridade: string, marca: string) =>
    enviar('PATCH', `/chamados/${id}`, { chave, marca }, { prioridade });
  const primeira = await mudar('normal', 'b');
  t.is(primeira.status, 200);
  t.is((await mudar('alta', 'c')).status, 200);
  mesma(t, await mudar('normal', 'b'), primeira);
  t.is((await api.get(`/chamados/${id}`, { chave })).corpo.dados.prioridade, 'alta');
});

test('o desbloqueio de confiança repetido é o mesmo 201, e não desbloqueio_ativo', async (t) => {
  const { provedor, plano, cliente, chave } = await cenario();
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: plano,
    situacao: 'bloqueado',
    bloqueio_origem: 'financeiro',
    bloqueado_em: '2026-11-15 03:00:00.000',
  });
  const pedir = async (marca: string, corpo: unknown = {}) =>
    enviar('POST', `/contratos/${contrato}/desbloqueio-confianca`, { chave, marca }, corpo);
  const primeira = await pedir('a');
  t.is(primeira.status, 201);
  mesma(t, await pedir('a'), primeira);
  recusa(t, await pedir('a', { motivo: 'outro' }), 422, 'chave_idempotencia_reutilizada');
  recusa(t, await pedir('b'), 409, 'desbloqueio_ativo');
  t.is(await contar('desbloqueios_confianca', provedor), 1);
});

test('chaves de idempotência diferentes, e letras maiúsculas e minúsculas, são pedidos diferentes', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  for (const marca of ['a', 'A', 'b', 'a.']) t.is((await abrir({ chave, marca }, pedido)).status, 201);
  t.is(await contar('chamados', provedor), 4);
});

test('sem Idempotency-Key, o mesmo corpo é outro pedido', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const headers = { 'content-type': 'application/json' };
  for (let i = 0; i < 2; i += 1) {
    t.is((await api.pedir('POST', '/chamados', { chave, headers, corpo: JSON.stringify(pedido) })).status, 201);
  }
  t.is(await contar('chamados', provedor), 2);
  t.is(await contar('requisicoes_idempotentes', provedor), 0);
});

test('outra chave da API pode usar o mesmo texto, no mesmo provedor e em outro', async (t) => {
  const [um, outro] = [await cenario(), await cenario()];
  const { texto: segunda } = await api.criarChave(um.provedor);
  const ids = new Set<number>();
  for (const [chave, pedido] of [
    [um.chave, um.pedido],
    [segunda, { ...um.pedido, assunto: 'Outro assunto' }],
    [outro.chave, outro.pedido],
  ] as const) {
    const { status, corpo } = await abrir({ chave, marca: 'mesmo-texto' }, pedido);
    t.is(status, 201);
    ids.add(corpo.dados.id);
  }
  t.is(ids.size, 3);
});

test.serial('a chave vale por 24 h; depois delas o pedido é novo, também com outro corpo', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const outroPedido = { ...pedido, assunto: 'Outro assunto' };
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  relogio.avancar(DIA_MS - 1);
  mesma(t, await abrir({ chave, marca: 'a' }, pedido), primeira, 'um milissegundo antes de 24 h');
  recusa(t, await abrir({ chave, marca: 'a' }, outroPedido), 422, 'chave_idempotencia_reutilizada');
  relogio.avancar(1);
  const segunda = await abrir({ chave, marca: 'a' }, pedido);
  t.is(segunda.status, 201);
  t.not(segunda.corpo.dados.id, primeira.corpo.dados.id);
  mesma(t, await abrir({ chave, marca: 'a' }, pedido), segunda, 'a nova resposta é a que se repete');
  relogio.avancar(DIA_MS - 1);
  mesma(t, await abrir({ chave, marca: 'a' }, pedido), segunda, 'as 24 h contam do pedido novo');
  relogio.avancar(1);
  const terceira = await abrir({ chave, marca: 'a' }, outroPedido);
  t.is(terceira.corpo.dados?.assunto, 'Outro assunto');
  t.is(await contar('chamados', provedor), 3);
  t.is(await contar('requisicoes_idempotentes', provedor), 1);
  relogio.definir(AGORA);
});

for (const [nome, marca] of Object.entries({
  vazia: '',
  'com 256 caracteres': 'x'.repeat(256),
  'com espaço': 'a b',
  'com acento': 'ação',
  'com tabulação': 'a\tb',
  'enviada duas vezes': ['a', 'b'],
  'enviada duas vezes, igual': ['a', 'a'],
})) {
  test(`Idempotency-Key ${nome} é 400 que a nomeia, e nada se escreve`, async (t) => {
    const { provedor, chave, pedido } = await cenario();
    const resposta = await abrir({ chave, marca }, pedido);
    recusa(t, resposta, 400, 'parametro_invalido');
    t.regex(resposta.corpo.erro.mensagem as string, /^Idempotency-Key: /);
    t.is(await contar('chamados', provedor), 0);
  });
}

test('Idempotency-Key pode ter de 1 a 255 caracteres visíveis', async (t) => {
  const { chave, pedido } = await cenario();
  const marcas = ['x', 'x'.repeat(255), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '"8b0f6a52-7d0e-4c38-9a0e-2c1f5d0b7a10"'];
  for (const marca of marcas) {
    const primeira = await abrir({ chave, marca }, pedido);
    t.is(primeira.status, 201, marca);
    mesma(t, await abrir({ chave, marca }, pedido), primeira, marca);
  }
});

test('num GET, Idempotency-Key não é lida', async (t) => {
  const { provedor, chave } = await cenario();
  const headers = { 'idempotency-key': 'a b' };
  t.is((await api.get('/chamados', { chave, headers })).status, 200);
  t.is(await contar('requisicoes_idempotentes', provedor), 0);
});

test('um pedido recusado não é lembrado: corrigido o motivo, a mesma chave o faz, também com outro corpo', async (t) => {
  const { provedor, cliente, plano, chave, pedido } = await cenario();
  const { db } = api.container;
  const outro = await fabrica.cliente(provedor);
  const doOutro = await fabrica.contrato(provedor, { cliente_id: outro, plano_id: plano });
  await db('clientes').where({ id: cliente }).update({ situacao: 'cancelado' });
  const comMarca = async (corpo: unknown) => abrir({ chave, marca: 'a' }, corpo);
  recusa(t, await comMarca({ ...pedido, assunto: '' }), 400, 'parametro_invalido');
  recusa(t, await comMarca({ ...pedido, cliente_id: 999_999_999 }), 404, 'nao_encontrado');
  recusa(t, await comMarca({ ...pedido, contrato_id: doOutro }), 422, 'contrato_invalido');
  for (let i = 0; i < 2; i += 1) recusa(t, await comMarca(pedido), 422, 'cliente_cancelado');
  t.is(await contar('requisicoes_idempotentes', provedor), 0);
  await db('clientes').where({ id: cliente }).update({ situacao: 'ativo' });
  const feito = await comMarca(pedido);
  t.is(feito.status, 201);
  mesma(t, await comMarca(pedido), feito);
});

test('a permissão é julgada antes da chave de idempotência', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  t.is((await abrir({ chave, marca: 'a' }, pedido)).status, 201);
  const { texto: leitora } = await api.criarChave(provedor, { permissoes: ['chamados:leitura'] });
  recusa(t, await abrir({ chave: leitora, marca: 'a b' }, pedido), 403, 'permissao_insuficiente');
});

test('enquanto o primeiro pedido não termina, o segundo é 409 requisicao_em_andamento, em qualquer processo', async (t) => {
  const { provedor, cliente, chave, pedido } = await cenario();
  const { db } = api.container;
  const trx = await db.transaction();
  await trx('clientes').where({ id: cliente }).forUpdate().select('id');
  const primeiro = abrir({ chave, marca: 'a' }, pedido);
  // Not committed yet, so only who reads what is not committed sees it.
  const olhar = await db.transaction(null, { isolationLevel: 'read uncommitted' });
  const gravada = async () => olhar('requisicoes_idempotentes').where({ provedor_id: provedor }).select();
  for (let vez = 0; (await gravada()).length === 0; vez += 1) if (vez === 10_000) throw new Error('não começou');
  await olhar.rollback();
  for (const processo of [0, 1]) {
    recusa(t, await abrir({ chave, marca: 'a', processo }, pedido), 409, 'requisicao_em_andamento');
  }
  t.is((await abrir({ chave, marca: 'a' }, { ...pedido, assunto: 'Outro' })).status, 409);
  await trx.commit();
  const feito = await primeiro;
  t.is(feito.status, 201);
  mesma(t, await abrir({ chave, marca: 'a', processo: 1 }, pedido), feito);
  t.is(await contar('chamados', provedor), 1);
});

test('repetições simultâneas do que já terminou são todas a mesma resposta', async (t) => {
  const { provedor, chave, pedido } = await cenario();
  const primeira = await abrir({ chave, marca: 'a' }, pedido);
  const pedidos = Array.from({ length: 40 }, async (_, i) => abrir({ chave, marca: 'a', processo: i % 2 }, pedido));
  for (const resposta of await Promise.all(pedidos)) mesma(t, resposta, primeira);
  t.is(await contar('chamados', provedor), 1);
});

test.serial(
  'de 200 pedidos simultâneos com uma chave, em dois processos, um abre o chamado e os outros recebem o mesmo 201 ou 409',
  async (t) => {
    const { provedor, chave, pedido } = await cenario();
    for (const processo of [0, 1]) t.is((await api.get('/status', { chave, processo })).status, 200);
    const respostas = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => abrir({ chave, marca: 'a', processo: i % 2 }, pedido)),
    );
    const feitas = respostas.filter(({ status }) => status === 201);
    const [feita] = feitas;
    t.not(feita, undefined);
    for (const resposta of feitas) mesma(t, resposta, feita!);
    for (const resposta of respostas) {
      if (resposta.status !== 201) recusa(t, resposta, 409, 'requisicao_em_andamento');
    }
    t.log({ 201: feitas.length, 409: respostas.length - feitas.length });
    for (const tabela of ['chamados', 'chamados_historico', 'notificacoes', 'requisicoes_idempotentes']) {
      t.is(await contar(tabela, provedor), 1, tabela);
    }
    t.is((await api.get('/chamados', { chave, processo: 1 })).corpo.paginacao.total, 1);
    mesma(t, await abrir({ chave, marca: 'a' }, pedido), feita!);
  },
);
