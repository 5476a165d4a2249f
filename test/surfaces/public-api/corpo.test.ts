import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { rota } from '../../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { idNoCaminho } from '../../../src/objects/consulta.ts';
import { criarApi } from '../../support/api.ts';
import type { Api, Envio, Resposta } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const JSON_UTF8 = { 'content-type': 'application/json; charset=utf-8' };
const LIMITE = 64 * 1024;

const eco = {
  title: 'Eco',
  type: 'object',
  additionalProperties: false,
  required: ['recebido'],
  properties: { recebido: { type: 'string', description: 'O corpo, como o código da rota o recebe.' } },
} as const;

const campos = {
  cliente_id: { type: 'integer', minimum: 1 },
  contrato_id: { type: ['integer', 'null'], minimum: 1 },
  assunto: { type: 'string', minLength: 3, maxLength: 10 },
  observacao: { type: 'string' },
  prioridade: { type: 'string', enum: ['baixa', 'normal'], default: 'normal' },
  agendado_para: { type: 'string', format: 'date-time' },
  urgente: { type: 'boolean' },
  dia: { type: 'integer', minimum: 1, maximum: 30 },
} as const;

const base = { permission: 'chamados:escrita', group: 'Testes', summary: 'Ecoa', data: eco } as const;
const comum = {
  ...base,
  success: 201,
  example: { recebido: '{}' },
  run: async ({ body }: { body: unknown }) => ({ data: { recebido: JSON.stringify(body) } }),
} as const;

const obrigatorio = rota.post({
  ...comum,
  path: '/testes/obrigatorio',
  body: {
    required: true,
    schema: { type: 'object', additionalProperties: false, required: ['cliente_id', 'assunto'], properties: campos },
  },
});
const opcional = rota.post({
  ...comum,
  path: '/testes/opcional',
  body: {
    required: false,
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { dia: campos.dia, observacao: { type: 'string' } },
    },
  },
});
const aoMenosUm = rota.post({
  ...comum,
  path: '/testes/{id}/ao-menos-um',
  params: { id: idNoCaminho },
  body: {
    required: true,
    schema: { type: 'object', additionalProperties: false, minProperties: 1, properties: { assunto: campos.assunto } },
  },
});

let api: Api;
let chave: string;
test.before(async () => {
  api = await criarApi({ rotas: [...ROTAS, obrigatorio, opcional, aoMenosUm] });
  const provedor = await criarFabrica(api.dono).provedor();
  ({ texto: chave } = await api.criarChave(provedor));
});
test.after.always(() => api.fechar());

async function postar(caminho: string, corpo: string | Buffer | undefined, headers: Envio['headers'] = JSON_UTF8) {
  return api.pedir('POST', caminho, { chave, headers, ...(corpo === undefined ? {} : { corpo }) });
}

const VALIDO = { cliente_id: 7, assunto: 'Sem luz' };
const valido = JSON.stringify(VALIDO);
const recebido = ({ corpo }: Resposta): unknown => JSON.parse(corpo.dados.recebido as string);

/** Sends each body and expects 400 `parametro_invalido` whose message begins by naming the field. */
const recusados = test.macro(
  async (
    t,
    caminho: string,
    campo: string,
    corpos: readonly (string | Buffer)[],
    headers: Envio['headers'] = JSON_UTF8,
  ) => {
    for (const corpo of corpos) {
      const resposta = await postar(caminho, corpo, headers);
      const dito = `${corpo.toString().slice(0, 80)} → ${resposta.texto.slice(0, 200)}`;
      t.is(resposta.status, 400, dito);
      t.is(resposta.corpo.erro.codigo, 'parametro_invalido', dito);
      t.true((resposta.corpo.erro.mensagem as string).startsWith(`${campo}: `), dito);
    }
  },
);
const com = (mudanca: Record<string, unknown>): string => JSON.stringify({ ...VALIDO, ...mudanca });

test('um corpo válido é 201 e chega à rota com os padrões preenchidos', async (t) => {
  const resposta = await postar('/testes/obrigatorio', valido);
  t.is(resposta.status, 201);
  t.deepEqual(recebido(resposta), { ...VALIDO, prioridade: 'normal' });
});

test('acentos, emoji e o caractere U+FFFD legítimo chegam inteiros', async (t) => {
  const observacao = 'São João do Açaí 🛜 \u{FFFD} \u0000\u2028 fim';
  const resposta = await postar('/testes/obrigatorio', com({ observacao }));
  t.is(resposta.status, 201);
  t.like(recebido(resposta), { observacao });
});

for (const tipo of [
  'application/json',
  'Application/JSON',
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
]) {
  test(`o tipo ${tipo} serve`, async (t) => {
    t.is((await postar('/testes/obrigatorio', valido, { 'content-type': tipo })).status, 201);
  });
}

test('um corpo de exatamente 64 KiB é aceito, com tamanho declarado ou em partes', async (t) => {
  const observacao = 'x'.repeat(LIMITE - com({ observacao: '' }).length);
  const corpo = com({ observacao });
  t.is(Buffer.byteLength(corpo), LIMITE);
  for (const headers of [JSON_UTF8, { ...JSON_UTF8, 'transfer-encoding': 'chunked' }]) {
    t.is((await postar('/testes/obrigatorio', corpo, headers)).status, 201);
  }
});

const grande = com({ observacao: 'x'.repeat(LIMITE) });
test('um corpo com mais de 64 KiB é recusado', recusados, '/testes/obrigatorio', 'corpo', [
  grande,
  com({ observacao: 'x'.repeat(LIMITE - com({ observacao: '' }).length + 1) }),
  com({ observacao: 'é'.repeat(LIMITE / 2) }),
  'x'.repeat(5_000_000),
]);
test(
  'um corpo em partes com mais de 64 KiB é recusado',
  recusados,
  '/testes/obrigatorio',
  'corpo',
  [grande, 'x'.repeat(5_000_000)],
  { ...JSON_UTF8, 'transfer-encoding': 'chunked' },
);

test('o que não é JSON é recusado', recusados, '/testes/obrigatorio', 'corpo', [
  '{',
  '{"assunto":',
  "{'assunto': 'x'}",
  '{assunto: 1}',
  '{"cliente_id": 7, "assunto": "Sem luz",}',
  '{"cliente_id": 07, "assunto": "Sem luz"}',
  '{"cliente_id": NaN, "assunto": "Sem luz"}',
  `${valido}${valido}`,
  `${valido} // fim`,
  'cliente_id=7&assunto=Sem+luz',
  '<assunto/>',
  '\0',
  '[[[[[[',
  '['.repeat(60_000),
  `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
  `{"assunto":${'['.repeat(30_000)}`,
]);

test('JSON que não é um objeto é recusado', recusados, '/testes/obrigatorio', 'corpo', [
  'null',
  'true',
  '7',
  '"texto"',
  '[]',
  '[{"cliente_id":7,"assunto":"Sem luz"}]',
]);

const latin1 = Buffer.from(com({ assunto: 'Cabo caído' }), 'latin1');
test('bytes que não são UTF-8 são recusados', recusados, '/testes/obrigatorio', 'corpo', [
  latin1,
  Buffer.concat([Buffer.from('{"cliente_id":7,"assunto":"Sem luz'), Buffer.from([0xff]), Buffer.from('"}')]),
  Buffer.concat([Buffer.from('{"cliente_id":7,"assunto":"Sem '), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
  Buffer.from(valido, 'utf16le'),
]);

for (const charset of ['iso-8859-1', 'utf-16', 'utf-16le', 'us-ascii', 'windows-1252', 'inventado', 'utf-7']) {
  const headers = { 'content-type': `application/json; charset=${charset}` };
  test(`a codificação ${charset} é recusada`, recusados, '/testes/obrigatorio', 'corpo', [valido, latin1], headers);
}

for (const tipo of [
  'text/plain',
  'text/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/ld+json',
  'application/octet-stream',
  'json',
  ';',
  'application/json/extra',
]) {
  test(`o tipo ${tipo} é recusado`, recusados, '/testes/obrigatorio', 'corpo', [valido], { 'content-type': tipo });
  test(`o tipo ${tipo} é recusado também onde o corpo é opcional`, recusados, '/testes/opcional', 'corpo', ['{}'], {
    'content-type': tipo,
  });
}
test('um corpo sem tipo é recusado', recusados, '/testes/obrigatorio', 'corpo', [valido], {});

for (const [nome, comprimir] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
  const headers = { ...JSON_UTF8, 'content-encoding': nome };
  test(
    `um corpo comprimido com ${nome} é recusado`,
    recusados,
    '/testes/obrigatorio',
    'corpo',
    [comprimir(Buffer.from(valido)), comprimir(Buffer.alloc(10_000_000))],
    headers,
  );
  test(`um corpo que só se diz ${nome} é recusado`, recusados, '/testes/obrigatorio', 'corpo', [valido], headers);
}
test('uma compressão desconhecida é recusada', recusados, '/testes/obrigatorio', 'corpo', [valido], {
  ...JSON_UTF8,
  'content-encoding': 'inventada',
});
test('content-encoding identity é o mesmo que nenhum', async (t) => {
  const headers = { ...JSON_UTF8, 'content-encoding': 'identity' };
  t.is((await postar('/testes/obrigatorio', valido, headers)).status, 201);
});

test('onde o corpo é obrigatório, a falta dele é recusada', async (t) => {
  for (const headers of [{}, JSON_UTF8, { ...JSON_UTF8, 'content-length': '0' }]) {
    const { status, corpo } = await postar('/testes/obrigatorio', undefined, headers);
    t.is(status, 400);
    t.is(corpo.erro.codigo, 'parametro_invalido');
  }
});

test('onde o corpo é opcional, a falta dele é 201, com ou sem tipo', async (t) => {
  for (const headers of [{}, JSON_UTF8, { ...JSON_UTF8, 'content-length': '0' }]) {
    const resposta = await postar('/testes/opcional', undefined, headers);
    t.is(resposta.status, 201);
    t.deepEqual(recebido(resposta), {});
  }
  t.deepEqual(recebido(await postar('/testes/opcional', '{}')), {});
  t.deepEqual(recebido(await postar('/testes/opcional', '{"dia":30}')), { dia: 30 });
});
test('um corpo em partes e vazio é o mesmo que nenhum', async (t) => {
  const headers = { ...JSON_UTF8, 'transfer-encoding': 'chunked' };
  t.is((await postar('/testes/opcional', '', headers)).status, 201);
  t.is((await postar('/testes/obrigatorio', '', headers)).status, 400);
});
test('onde o corpo é opcional, um corpo errado é recusado do mesmo modo', recusados, '/testes/opcional', 'corpo', [
  '{',
  'null',
  '[]',
  'x',
]);
test('onde o corpo é opcional, um campo errado é nomeado', recusados, '/testes/opcional', 'dia', [
  '{"dia":0}',
  '{"dia":31}',
  '{"dia":"30"}',
  '{"dia":null}',
]);

test('um objeto vazio, onde se exige ao menos um campo, é recusado', recusados, '/testes/7/ao-menos-um', 'corpo', [
  '{}',
]);
test('um campo basta onde se exige ao menos um', async (t) => {
  t.is((await postar('/testes/7/ao-menos-um', '{"assunto":"abc"}')).status, 201);
});
test('o id errado é dito antes do corpo errado', async (t) => {
  t.is((await postar('/testes/x/ao-menos-um', '{')).corpo.erro.codigo, 'id_invalido');
});

test('o campo que falta é nomeado', async (t) => {
  t.is((await postar('/testes/obrigatorio', '{"assunto":"abc"}')).corpo.erro.mensagem, 'cliente_id: é obrigatório.');
  t.is((await postar('/testes/obrigatorio', '{"cliente_id":7}')).corpo.erro.mensagem, 'assunto: é obrigatório.');
  t.is((await postar('/testes/obrigatorio', '{}')).status, 400);
});

const errados = (valores: readonly unknown[], campo: string) => valores.map((valor) => com({ [campo]: valor }));
test('um inteiro é um número inteiro, e não o seu texto', recusados, '/testes/obrigatorio', 'cliente_id', [
  ...errados(['7', '', true, null, 1.5, 0, -1, [7], { id: 7 }], 'cliente_id'),
  '{"assunto":"abc","cliente_id":1e400}',
  '{"assunto":"abc","cliente_id":-1e400}',
]);
test(
  'um texto é um texto',
  recusados,
  '/testes/obrigatorio',
  'assunto',
  errados([7, true, null, ['abc'], {}], 'assunto'),
);
test('um texto tem os tamanhos que a rota diz, em caracteres', recusados, '/testes/obrigatorio', 'assunto', [
  ...errados(['', 'ab', '🛜🛜', 'x'.repeat(11)], 'assunto'),
]);
test('metade de um par substituto não é um caractere', recusados, '/testes/obrigatorio', 'observacao', [
  ...errados(['\ud83d', '\ude00', 'a\ud83db', '\ude00\ud83d', '🛜\udedc'], 'observacao'),
]);
test('metade de um par substituto é recusada em qualquer campo de texto, e o nome dela num desconhecido não volta', async (t) => {
  // In JSON half a pair is always escaped.
  for (const corpo of [com({ assunto: 'abc\ud83d' }), com({ 'x\ud83d': 1 })]) {
    const resposta = await postar('/testes/obrigatorio', corpo);
    t.is(resposta.status, 400);
    t.true((resposta.corpo.erro.mensagem as string).isWellFormed());
    t.notRegex(resposta.texto, /\\ud83d|\ufffd/);
  }
});
test('um par substituto escrito por extenso é o caractere que ele é', async (t) => {
  const resposta = await postar('/testes/obrigatorio', String.raw`{"cliente_id":7,"assunto":"ab\ud83d\udedc"}`);
  t.is(resposta.status, 201);
  t.like(recebido(resposta), { assunto: 'ab🛜' });
});
test('um emoji conta como um caractere', async (t) => {
  t.is((await postar('/testes/obrigatorio', com({ assunto: '🛜'.repeat(10) }))).status, 201);
});
test(
  'um booleano é um booleano',
  recusados,
  '/testes/obrigatorio',
  'urgente',
  errados(['true', 1, 0, null], 'urgente'),
);
test('um valor fora da lista é recusado', recusados, '/testes/obrigatorio', 'prioridade', [
  ...errados(['alta', 'Normal', '', 1, null], 'prioridade'),
]);
test('a recusa de um valor fora da lista diz os que servem', async (t) => {
  const { mensagem } = (await postar('/testes/obrigatorio', com({ prioridade: 'alta' }))).corpo.erro;
  t.is(mensagem, 'prioridade: deve ser um de: baixa, normal.');
});
test('um instante é ISO 8601', recusados, '/testes/obrigatorio', 'agendado_para', [
  ...errados(
    [
      'amanhã',
      '',
      '10/11/2026',
      'Tue Nov 10 2026',
      '2026-02-30T10:00:00Z',
      '2026-11-10',
      '2026-11-10T24:00:00Z',
      '2026-11-10T10:00:00',
      '1',
    ],
    'agendado_para',
  ),
]);
test('um instante pode ter fuso e fração de segundo', async (t) => {
  for (const agendado_para of ['2026-11-10T10:00:00Z', '2026-11-10T10:00:00.123Z', '2026-11-10T07:00:00-03:00']) {
    t.is((await postar('/testes/obrigatorio', com({ agendado_para }))).status, 201, agendado_para);
  }
});
test('null só serve onde o campo o admite', async (t) => {
  const resposta = await postar('/testes/obrigatorio', com({ contrato_id: null }));
  t.is(resposta.status, 201);
  t.like(recebido(resposta), { contrato_id: null });
});

test('um campo desconhecido é nomeado', recusados, '/testes/obrigatorio', 'clienteid', [com({ clienteid: 1 })]);
for (const nome of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
  test(`o campo ${nome} é recusado e não muda objeto algum`, async (t) => {
    for (const valor of ['{"prioridade":"baixa"}', '1', 'null', '{"prototype":{"admin":true}}']) {
      const texto = `{"cliente_id":7,"assunto":"abc","${nome}":${valor}}`;
      const { status, corpo } = await postar('/testes/obrigatorio', texto);
      t.is(status, 400, texto);
      t.is(corpo.erro.codigo, 'parametro_invalido');
    }
    t.is(({} as Record<string, unknown>)['admin'], undefined);
    t.deepEqual(recebido(await postar('/testes/obrigatorio', valido)), { ...VALIDO, prioridade: 'normal' });
  });
}
test('o nome de um campo desconhecido não leva quebras de linha nem tamanho para a mensagem', async (t) => {
  for (const nome of ['a\nb\u0000c', 'x'.repeat(5000), '<script>']) {
    const { corpo } = await postar('/testes/obrigatorio', com({ [nome]: 1 }));
    t.is(corpo.erro.codigo, 'parametro_invalido');
    t.true((corpo.erro.mensagem as string).length < 120);
    t.notRegex(corpo.erro.mensagem as string, /\p{Cc}/u);
  }
});

test('a chave é julgada antes do corpo, e a permissão também', async (t) => {
  t.is((await api.pedir('POST', '/testes/obrigatorio', { corpo: '{' })).corpo.erro.codigo, 'chave_ausente');
  const { texto } = await api.criarChave(1, { permissoes: ['planos:leitura'] });
  const resposta = await api.pedir('POST', '/testes/obrigatorio', { chave: texto, corpo: '{', headers: JSON_UTF8 });
  t.is(resposta.corpo.erro.codigo, 'permissao_insuficiente');
});

test('um GET com corpo é atendido como sem ele', async (t) => {
  const headers = { ...JSON_UTF8, 'content-length': '1' };
  const { status } = await api.pedir('GET', '/status', { chave, corpo: '{', headers });
  t.is(status, 200);
});

test('depois de uma recusa, a mesma conexão atende o pedido seguinte', async (t) => {
  for (const corpo of [grande, '{', valido, gzipSync(valido), valido]) {
    const { status } = await postar('/testes/obrigatorio', corpo);
    t.is(status, corpo === valido ? 201 : 400);
  }
});
