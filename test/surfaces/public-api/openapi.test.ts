import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { ERROS } from '../../../src/surfaces/public-api/erros.ts';
import type { CodigoErro } from '../../../src/surfaces/public-api/erros.ts';
import { escreverExigencia } from '../../../src/domain/chaves/chaves.types.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { conferirExemplos, nosDe } from '../../support/exemplos-do-documento.ts';

/** The error table of the API's specification, row by row. */
const CODIGOS_DO_CONTRATO: Readonly<Record<number, readonly string[]>> = {
  400: ['parametro_invalido', 'cpf_cnpj_invalido', 'telefone_invalido', 'id_invalido'],
  401: ['chave_ausente', 'chave_invalida', 'chave_revogada', 'chave_expirada'],
  403: ['ip_nao_autorizado', 'permissao_insuficiente'],
  404: ['nao_encontrado', 'rota_inexistente'],
  409: ['desbloqueio_ativo'],
  422: ['desbloqueio_desabilitado', 'contrato_nao_bloqueado', 'bloqueio_manual', 'fatura_anterior_em_aberto'],
  429: ['limite_excedido'],
  500: ['erro_interno'],
};

const DE_TODAS = [
  'parametro_invalido',
  ...CODIGOS_DO_CONTRATO[401]!,
  'ip_nao_autorizado',
  'rota_inexistente',
  'limite_excedido',
  'erro_interno',
];
const REMOVIDOS = { consulta: ['atualizado_desde', 'pagina', 'por_pagina'] };
const COM_ID = ['id_invalido', 'nao_encontrado'];
const IDEMPOTENCIA = ['requisicao_em_andamento', 'chave_idempotencia_reutilizada'];

/** Every route of the specification: its query parameters, its success, and the codes it can give besides those of all. */
const CONTRATO: Readonly<Record<string, { consulta?: string[]; sucesso?: number; codigos?: string[] }>> = {
  'GET /status': {},
  'GET /clientes': {
    consulta: ['cpf_cnpj', 'telefone', 'situacao', 'atualizado_desde', 'pagina', 'por_pagina'],
    codigos: ['cpf_cnpj_invalido', 'telefone_invalido'],
  },
  'GET /clientes/{id}': { codigos: COM_ID },
  'POST /clientes/{id}/conferir': {
    codigos: [...COM_ID, 'cpf_cnpj_invalido', 'telefone_invalido', ...IDEMPOTENCIA],
  },
  'POST /contratos/{id}/desconectar': {
    sucesso: 202,
    codigos: [...COM_ID, 'contrato_offline', 'desconexao_recente', ...IDEMPOTENCIA],
  },
  'GET /avisos': { consulta: ['situacao', 'pagina', 'por_pagina'] },
  'GET /contratos/{id}': { codigos: COM_ID },
  'GET /contratos/{id}/conexao': { codigos: COM_ID },
  'GET /contratos/{id}/desbloqueio-confianca': { codigos: COM_ID },
  'POST /contratos/{id}/desbloqueio-confianca': {
    sucesso: 201,
    codigos: [...COM_ID, 'desbloqueio_ativo', ...CODIGOS_DO_CONTRATO[422]!, ...IDEMPOTENCIA],
  },
  'GET /faturas': {
    consulta: [
      'cliente_id',
      'contrato_id',
      'situacao',
      'vencimento_de',
      'vencimento_ate',
      'atualizado_desde',
      'pagina',
      'por_pagina',
    ],
  },
  'GET /clientes/removidos': REMOVIDOS,
  'GET /faturas/removidos': REMOVIDOS,
  'GET /chamados/removidos': REMOVIDOS,
  'GET /faturas/{id}': { codigos: COM_ID },
  'POST /faturas/{id}/enviar': {
    sucesso: 202,
    codigos: [...COM_ID, 'fatura_nao_aberta', 'email_indisponivel', 'cliente_sem_email', ...IDEMPOTENCIA],
  },
  'POST /contratos/{id}/promessa-pagamento': {
    sucesso: 201,
    codigos: [
      ...COM_ID,
      'promessa_desabilitada',
      'promessa_fora_do_prazo',
      'nada_a_pagar',
      'promessa_ativa',
      'fatura_anterior_em_aberto',
      ...IDEMPOTENCIA,
    ],
  },
  'GET /resumo': {
    consulta: ['cpf_cnpj', 'telefone', 'contrato_id', 'protocolo'],
    codigos: ['cpf_cnpj_invalido', 'telefone_invalido'],
  },
  'POST /atendimentos': { sucesso: 201, codigos: ['nao_encontrado', 'contrato_invalido', ...IDEMPOTENCIA] },
  'GET /atendimentos/{protocolo}': { codigos: ['nao_encontrado'] },
  'GET /clientes/{id}/atendimentos': { consulta: ['pagina', 'por_pagina'], codigos: COM_ID },
  'GET /chamados': {
    consulta: ['protocolo', 'cliente_id', 'contrato_id', 'situacao', 'atualizado_desde', 'pagina', 'por_pagina'],
  },
  'POST /chamados': {
    sucesso: 201,
    codigos: ['nao_encontrado', 'contrato_invalido', 'cliente_cancelado', ...IDEMPOTENCIA],
  },
  'GET /chamados/{id}': { codigos: COM_ID },
  'PATCH /chamados/{id}': { codigos: [...COM_ID, 'transicao_invalida', ...IDEMPOTENCIA] },
  'GET /chamados/{id}/historico': { codigos: COM_ID },
  'GET /planos': {},
  'GET /extratos': { consulta: ['pagina', 'por_pagina'] },
  'GET /extratos/{id}/{arquivo}': { codigos: [...COM_ID, 'intervalo_invalido'] },
  'POST /pre-cadastros/convites': { sucesso: 201, codigos: ['plano_indisponivel', ...IDEMPOTENCIA] },
};

/** Lists of everybody: a key that may only search has to say of whom. */
const DE_TODOS = ['/clientes', '/faturas', '/chamados'].map((lista) => `GET ${lista}`);

/** Answers with bytes, whole or in part. */
const DE_ARQUIVO = 'GET /extratos/{id}/{arquivo}';

/** Restricted keys are refused here before anything is counted. */
const FECHADAS = ['GET /extratos', DE_ARQUIVO, ...DE_TODOS.map((lista) => `${lista}/removidos`)];

const CABECALHOS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
];

type Json = Record<string, any>;

let api: Api;
let documento: Json;
test.before(async () => {
  api = await criarApi();
  documento = (await api.get('/openapi.json')).corpo as Json;
});
test.after.always(() => api.fechar());

/** What a JSON Pointer leads to in the document. */
function apontado(ponteiro: string): unknown {
  const partes = ponteiro.split('/').slice(1);
  return partes.reduce<unknown>(
    (no, parte) => (no as Json | undefined)?.[parte.replaceAll('~1', '/').replaceAll('~0', '~')],
    documento,
  );
}

/** Operations of the document as `METHOD path`. */
function operacoes(): [nome: string, operacao: Json][] {
  return Object.entries(documento['paths'] as Json).flatMap(([caminho, metodos]) =>
    Object.entries(metodos as Json).map(([metodo, operacao]): [string, Json] => [
      `${metodo.toUpperCase()} ${caminho}`,
      operacao as Json,
    ]),
  );
}

const daApi = (): [string, Json][] => operacoes().filter(([nome]) => !/ \/(?:docs|openapi\.json)$/.test(nome));

function codigosDe(operacao: Json): string[] {
  return Object.entries(operacao['responses'] as Json).flatMap(([status, resposta]) =>
    Number(status) < 400
      ? []
      : ((resposta as Json)['content']['application/json'].schema.properties.erro.properties.codigo.enum as string[]),
  );
}

test('o documento é servido sem chave, em JSON UTF-8, e conta no limite do IP', async (t) => {
  const { status, headers } = await api.get('/openapi.json');
  t.is(status, 200);
  t.is(headers['content-type'], 'application/json; charset=utf-8');
  t.is(headers['x-ratelimit-limit'], '120');
  t.is((await api.pedir('POST', '/openapi.json')).corpo.erro.codigo, 'chave_ausente');
});

test('o documento é OpenAPI 3.1 válido, a juízo de um validador independente', async (t) => {
  const validador = new Validator();
  const { valid, errors } = await validador.validate(structuredClone(documento));
  t.true(valid, JSON.stringify(errors, null, 1));
  t.is(validador.version, '3.1');
  t.regex(documento['openapi'] as string, /^3\.1\./);
  const quebrado = structuredClone(documento);
  quebrado['paths']['/status'].get.responses[200].description = 1;
  t.false((await new Validator().validate(quebrado)).valid, 'o validador recusa o que não é OpenAPI');
});

test('toda referência do documento leva a algo', (t) => {
  const referencias = [...nosDe(documento)].filter(([, no]) => typeof no['$ref'] === 'string');
  t.true(referencias.length > 50);
  for (const [ponteiro, no] of referencias) {
    const ref = no['$ref'] as string;
    t.true(ref.startsWith('#/'), ponteiro);
    t.not(apontado(ref.slice(1)), undefined, `${ponteiro} → ${ref}`);
  }
});

test('o documento descreve todas as rotas, e só elas', (t) => {
  const rotas = ROTAS.map(({ method, path }) => `${method} ${path}`);
  const nomes = operacoes().map(([nome]) => nome);
  t.deepEqual(nomes.toSorted(), [...rotas, 'GET /docs', 'GET /openapi.json'].toSorted());
  for (const rota of rotas) t.not(CONTRATO[rota], undefined, `${rota} não está no contrato deste teste`);
});

test('cada operação tem um operationId só seu', (t) => {
  const ids = operacoes().map(([, { operationId }]) => operationId as string);
  t.is(new Set(ids).size, ids.length);
  for (const id of ids) t.regex(id, /^[a-z][A-Za-z0-9]*$/);
});

test('cada operação lista os seus parâmetros, com descrição e exemplo', (t) => {
  for (const [nome, operacao] of daApi()) {
    const parametros = operacao['parameters'] as Json[];
    const doTipo = (tipo: string) => parametros.filter((p) => p['in'] === tipo).map((p) => p['name'] as string);
    for (const parametro of CONTRATO[nome]?.consulta ?? []) t.true(doTipo('query').includes(parametro), nome);
    t.deepEqual(
      doTipo('query'),
      Object.keys(ROTAS.find((r) => `${r.method} ${r.path}` === nome)?.query?.properties ?? {}),
    );
    t.deepEqual(
      doTipo('path'),
      [...nome.matchAll(/\{(\w+)\}/g)].map(([, parametro]) => parametro!),
      nome,
    );
    t.true(doTipo('header').includes('X-Request-Id'), nome);
    for (const parametro of parametros) {
      const onde = `${nome} ${String(parametro['name'])}`;
      t.regex((parametro['description'] as string | undefined) ?? '', /\.$/, onde);
      t.not(parametro['example'], undefined, onde);
      t.is(parametro['required'], parametro['in'] === 'path', onde);
    }
  }
});

test('todos os códigos da tabela de erros do contrato estão no catálogo, com o seu estado HTTP', (t) => {
  for (const [status, codigos] of Object.entries(CODIGOS_DO_CONTRATO)) {
    for (const codigo of codigos) t.is(ERROS[codigo as CodigoErro]?.status, Number(status) as 400, codigo);
  }
});

test('cada operação documenta o seu sucesso e todos os códigos de erro que pode dar, e nenhum outro', (t) => {
  for (const [nome, operacao] of daApi()) {
    const { sucesso = 200, codigos = [] } = CONTRATO[nome] ?? {};
    // What a restricted key finds out is counted on every route that asks for a permission.
    const contada = FECHADAS.includes(nome) ? [] : ['tentativas_excedidas'];
    const permissao = nome === 'GET /status' ? [] : ['permissao_insuficiente', ...contada];
    const busca = DE_TODOS.includes(nome) ? ['busca_exigida'] : [];
    // While a provider moves between cells, it is only read.
    const mudando = nome.startsWith('GET ') ? [] : ['provedor_em_mudanca'];
    t.deepEqual(
      codigosDe(operacao).toSorted(),
      [...DE_TODAS, ...permissao, ...busca, ...mudando, ...codigos].toSorted(),
      nome,
    );
    const estados = Object.keys(operacao['responses'] as Json).map(Number);
    t.deepEqual(
      estados.filter((estado) => estado < 400),
      nome.startsWith('GET ') ? [sucesso, ...(nome === DE_ARQUIVO ? [206] : []), 304] : [sucesso],
      nome,
    );
    for (const [estado, resposta] of Object.entries(operacao['responses'] as Json)) {
      if (Number(estado) < 400) continue;
      const { schema, examples } = (resposta as Json)['content']['application/json'] as Json;
      const doEstado = schema.properties.erro.properties.codigo.enum as CodigoErro[];
      for (const codigo of doEstado) t.is(ERROS[codigo].status, Number(estado) as 400, `${nome} ${codigo}`);
      t.deepEqual(Object.keys(examples as Json).toSorted(), doEstado.toSorted(), `${nome} ${estado}`);
    }
  }
});

test('cada resposta traz os cabeçalhos de limite e X-Request-Id, e 429 e 503 também Retry-After', (t) => {
  for (const [nome, operacao] of operacoes()) {
    for (const [estado, resposta] of Object.entries(operacao['responses'] as Json)) {
      const comEtag =
        nome.startsWith('GET ') && daApi().some(([n]) => n === nome) && ['200', '206', '304'].includes(estado);
      const deArquivo = nome === DE_ARQUIVO && ['200', '206'].includes(estado) ? ['Accept-Ranges'] : [];
      const parte = estado === '206' ? ['Content-Range'] : [];
      const esperados = [
        ...CABECALHOS,
        ...(['429', '503'].includes(estado) ? ['Retry-After'] : []),
        ...(comEtag ? ['ETag'] : []),
        ...deArquivo,
        ...parte,
      ];
      t.deepEqual(
        Object.keys((resposta as Json)['headers'] as Json).toSorted(),
        esperados.toSorted(),
        `${nome} ${estado}`,
      );
    }
  }
  for (const nome of [...CABECALHOS, 'Retry-After']) {
    const { description, schema, example } = documento['components'].headers[nome] as Json;
    t.regex(description as string, /\.$/);
    t.is(typeof example, schema.type === 'integer' ? 'number' : 'string', nome);
  }
});

test('as rotas da API pedem uma das duas formas de chave; o documento e a página, nenhuma', (t) => {
  t.deepEqual(documento['security'], [{ bearer: [] }, { apiKey: [] }]);
  t.like(documento['components'].securitySchemes.bearer, { type: 'http', scheme: 'bearer' });
  t.like(documento['components'].securitySchemes.apiKey, { type: 'apiKey', in: 'header', name: 'X-API-Key' });
  for (const [nome, operacao] of operacoes()) {
    const aberta = / \/(?:docs|openapi\.json)$/.test(nome);
    t.deepEqual(operacao['security'], aberta ? [] : undefined, nome);
  }
});

test('cada operação diz que permissão exige', (t) => {
  for (const { method: metodo, path: caminho, permission: permissao } of ROTAS) {
    const { description } = documento['paths'][caminho][metodo.toLowerCase()] as Json;
    const dita = (description as string).replaceAll('`', '');
    t.true(dita.includes(permissao === null ? 'Qualquer chave válida serve.' : escreverExigencia(permissao)), caminho);
  }
});

test('os textos do documento estão em português', (t) => {
  const textos = [...nosDe(documento)].flatMap(([ponteiro, no]) =>
    ['description', 'summary', 'title']
      .filter((campo) => typeof no[campo] === 'string' && !ponteiro.endsWith('/properties'))
      .map((campo) => [`${ponteiro}/${campo}`, no[campo] as string] as const),
  );
  t.true(textos.length > 100);
  for (const [onde, texto] of textos) {
    t.notRegex(texto, /\b(?:the|of|and|with|without|returns?|list of|required|must|should|invalid|not found)\b/i, onde);
  }
  for (const [nome, { summary, description, tags }] of operacoes()) {
    t.regex(summary as string, /^\p{Lu}/u, nome);
    t.not(description, '', nome);
    t.deepEqual(
      (tags as string[]).filter((tag) => !documento['tags'].some((t2: Json) => t2['name'] === tag)),
      [],
      nome,
    );
  }
});

test('cada resposta da API tem exemplo, e cada campo de um corpo também', (t) => {
  for (const [nome, operacao] of daApi()) {
    for (const [estado, resposta] of Object.entries(operacao['responses'] as Json)) {
      if (estado === '304' || (nome === DE_ARQUIVO && Number(estado) < 300)) continue;
      const { example, examples } = (resposta as Json)['content']['application/json'] as Json;
      t.true(example !== undefined || Object.keys((examples ?? {}) as Json).length > 0, `${nome} ${estado}`);
    }
    const corpo = operacao['requestBody']?.content['application/json'].schema as Json | undefined;
    for (const [campo, esquema] of Object.entries((corpo?.['properties'] ?? {}) as Json)) {
      t.true(Array.isArray(esquema.examples), `${nome} ${campo}`);
    }
  }
});

test('todo exemplo do documento obedece ao seu esquema', (t) => {
  const { conferidos, errados } = conferirExemplos(documento);
  t.deepEqual(errados, []);
  t.true(conferidos > 150, String(conferidos));
});
