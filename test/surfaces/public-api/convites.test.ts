import { createHash } from 'node:crypto';
import test from 'ava';
import { PERMISSOES } from '../../../src/domain/chaves/chaves.types.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Envio, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import type { Fabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

const AGORA = '2026-11-20T15:00:00.123Z';
const CAMINHO = '/pre-cadastros/convites';

const relogio = relogioEm(AGORA);
let api: Api;
let fabrica: Fabrica;
let provedor: number;
let plano: number;
let chave: { id: number; texto: string };

test.before(async () => {
  api = await criarApi({ relogio });
  fabrica = criarFabrica(api.dono);
  provedor = await fabrica.provedor({ panel_host: 'painel.serra.test' });
  plano = await fabrica.plano(provedor);
  chave = await api.criarChave(provedor, { nome: 'chatbot' });
});
test.after.always(() => api.fechar());

async function convidar(corpo?: unknown, envio: Envio = {}): Promise<Resposta> {
  const comCorpo =
    corpo === undefined
      ? {}
      : { corpo: JSON.stringify(corpo), headers: { 'content-type': 'application/json', ...envio.headers } };
  return api.pedir('POST', CAMINHO, { chave: chave.texto, ...envio, ...comCorpo });
}

const tokenDe = (link: string): string => link.slice(link.lastIndexOf('/') + 1);
const resumo = (token: string): Buffer => createHash('sha256').update(token).digest();

async function convite(link: string): Promise<any> {
  const [linha] = await api.container.db('convites').where('token_hash', resumo(tokenDe(link)));
  return linha;
}

async function quantos(tabela: string): Promise<number> {
  const [linha] = await api.container.db(tabela).count({ n: '*' });
  return Number(linha!['n']);
}

/** Runs a refused request and holds that nothing was written. */
async function semEscrever(fazer: () => Promise<Resposta>): Promise<{ resposta: Resposta; escritos: number }> {
  const tabelas = ['convites', 'eventos', 'auditoria'];
  const antes = await Promise.all(tabelas.map(quantos));
  const resposta = await fazer();
  const depois = await Promise.all(tabelas.map(quantos));
  return { resposta, escritos: depois.reduce((soma, n, i) => soma + n - antes[i]!, 0) };
}

test.serial('o convite leva o plano e o dia de vencimento, e vence depois de tantos dias de 24 horas', async (t) => {
  const { status, corpo } = await convidar({ plano_id: plano, dia_vencimento: 30, validade_dias: 365 });
  t.is(status, 201);
  t.true(corpo.sucesso);
  t.deepEqual(Object.keys(corpo.dados).toSorted(), ['dia_vencimento', 'expira_em', 'link', 'plano_id']);
  t.like(corpo.dados, { plano_id: plano, dia_vencimento: 30, expira_em: '2027-11-20T15:00:00.123Z' });
  t.like(await convite(corpo.dados.link), {
    provedor_id: provedor,
    plano_id: plano,
    dia_vencimento: 30,
    situacao: 'aberto',
    expira_em: '2027-11-20 15:00:00.123',
    usado_em: null,
    cliente_id: null,
    chave_id: chave.id,
    criado_em: '2026-11-20 15:00:00.123',
  });
});

test.serial('o corpo é opcional: sem ele, sete dias, sem plano e sem dia', async (t) => {
  for (const corpo of [undefined, {}]) {
    const resposta = await convidar(corpo);
    t.is(resposta.status, 201);
    t.like(resposta.corpo.dados, { expira_em: '2026-11-27T15:00:00.123Z', plano_id: null, dia_vencimento: null });
  }
});

test.serial('o link é do host do painel, não se adivinha, e o seu segredo não está no banco', async (t) => {
  const links = await Promise.all(
    Array.from({ length: 20 }, async () => (await convidar()).corpo.dados.link as string),
  );
  t.is(new Set(links).size, 20);
  for (const link of links) t.regex(link, /^https:\/\/painel\.serra\.test\/pre-cadastro\/[\w-]{43}$/);
  const token = tokenDe(links[0]!);
  t.is(Buffer.from(token, 'base64url').length, 32);
  const tudo = JSON.stringify(
    await Promise.all(['convites', 'eventos', 'auditoria'].map((tabela) => api.container.db(tabela))),
  );
  t.false(tudo.includes(token));
  t.false(tudo.includes(token.slice(0, 12)));
});

test.serial('um convite é um evento e uma linha de auditoria, com a chave e o IP', async (t) => {
  const { corpo } = await convidar({ plano_id: plano, dia_vencimento: 5 });
  const { id } = await convite(corpo.dados.link);
  const eventos = await api.container.db('eventos').where({ provedor_id: provedor, tipo: 'convite.criado' });
  t.is(eventos.filter((evento) => evento.recurso_id === id).length, 1);
  const linhas = await api.container.db('auditoria').where({ recurso: 'convite', recurso_id: id });
  t.is(linhas.length, 1);
  t.like(linhas[0], { acao: 'convite.criado', autor: 'chatbot', chave_id: chave.id, ip: '127.0.0.1' });
  const { dados } = linhas[0];
  t.deepEqual(typeof dados === 'string' ? JSON.parse(dados) : dados, {
    plano: plano,
    dia_vencimento: 5,
    expira_em: '2026-11-27T15:00:00.123Z',
  });
});

test.serial('plano desconhecido, inativo ou de outro provedor: 422 plano_indisponivel, e nada é escrito', async (t) => {
  const outro = await fabrica.provedor();
  const casos = {
    desconhecido: 999_999_999,
    'o maior id': Number.MAX_SAFE_INTEGER,
    inativo: await fabrica.plano(provedor, { ativo: 0 }),
    'de outro provedor': await fabrica.plano(outro),
  };
  for (const [caso, plano_id] of Object.entries(casos)) {
    const { resposta, escritos } = await semEscrever(() => convidar({ plano_id }));
    t.is(resposta.status, 422, caso);
    t.is(resposta.corpo.erro.codigo, 'plano_indisponivel', caso);
    t.is(escritos, 0, caso);
  }
});

const INVALIDOS: readonly (readonly [corpo: unknown, campo: string])[] = [
  [{ plano_id: 0 }, 'plano_id'],
  [{ plano_id: -1 }, 'plano_id'],
  [{ plano_id: 1.5 }, 'plano_id'],
  [{ plano_id: '3' }, 'plano_id'],
  [{ plano_id: null }, 'plano_id'],
  [{ plano_id: 2 ** 53 }, 'plano_id'],
  [{ dia_vencimento: 0 }, 'dia_vencimento'],
  [{ dia_vencimento: 31 }, 'dia_vencimento'],
  [{ dia_vencimento: 10.5 }, 'dia_vencimento'],
  [{ dia_vencimento: '10' }, 'dia_vencimento'],
  [{ dia_vencimento: true }, 'dia_vencimento'],
  [{ validade_dias: 0 }, 'validade_dias'],
  [{ validade_dias: 366 }, 'validade_dias'],
  [{ validade_dias: -7 }, 'validade_dias'],
  [{ validade_dias: null }, 'validade_dias'],
  [{ validade: 7 }, 'validade'],
  [{ plano_id: 1, provedor_id: 2 }, 'provedor_id'],
  [[], 'corpo'],
  ['texto', 'corpo'],
  [null, 'corpo'],
];
test.serial('corpo fora do formato: 400 que nomeia o campo, e nada é escrito', async (t) => {
  for (const [corpo, campo] of INVALIDOS) {
    const { resposta, escritos } = await semEscrever(() => convidar(corpo));
    t.is(resposta.status, 400, JSON.stringify(corpo));
    t.is(resposta.corpo.erro.codigo, 'parametro_invalido', JSON.stringify(corpo));
    t.true(resposta.corpo.erro.mensagem.startsWith(`${campo}:`), resposta.corpo.erro.mensagem);
    t.is(escritos, 0, JSON.stringify(corpo));
  }
  const { resposta, escritos } = await semEscrever(() =>
    api.pedir('POST', `${CAMINHO}?dias=7`, { chave: chave.texto }),
  );
  t.is(resposta.status, 400);
  t.is(escritos, 0);
});

test.serial('os limites valem: dia 1 e 30, validade de 1 e de 365 dias', async (t) => {
  for (const dia_vencimento of [1, 30]) t.is((await convidar({ dia_vencimento })).status, 201);
  t.is((await convidar({ validade_dias: 1 })).corpo.dados.expira_em, '2026-11-21T15:00:00.123Z');
  t.is((await convidar({ validade_dias: 365 })).corpo.dados.expira_em, '2027-11-20T15:00:00.123Z');
});

test.serial('só a permissão pre_cadastro:escrita gera convites', async (t) => {
  const outras = PERMISSOES.filter((permissao) => permissao !== 'pre_cadastro:escrita');
  const semEla = await api.criarChave(provedor, { permissoes: outras });
  const soEla = await api.criarChave(provedor, { permissoes: ['pre_cadastro:escrita'] });
  const { resposta, escritos } = await semEscrever(() => convidar(undefined, { chave: semEla.texto }));
  t.is(resposta.status, 403);
  t.is(resposta.corpo.erro.codigo, 'permissao_insuficiente');
  t.is(escritos, 0);
  t.is((await convidar(undefined, { chave: soEla.texto })).status, 201);
});

test.serial('com Idempotency-Key o pedido repetido traz o mesmo link e não faz outro convite', async (t) => {
  const headers = { 'idempotency-key': 'convite-1' };
  const primeira = await convidar({ dia_vencimento: 7 }, { headers });
  const { resposta, escritos } = await semEscrever(() => convidar({ dia_vencimento: 7 }, { headers }));
  t.is(resposta.status, 201);
  t.is(resposta.texto, primeira.texto);
  t.is(escritos, 0);
  t.is((await convidar({ dia_vencimento: 8 }, { headers })).corpo.erro.codigo, 'chave_idempotencia_reutilizada');
});

test.serial('a rota é só de POST', async (t) => {
  for (const metodo of ['GET', 'PUT', 'DELETE']) {
    t.is((await api.pedir(metodo, CAMINHO, { chave: chave.texto })).corpo.erro.codigo, 'rota_inexistente', metodo);
  }
});
