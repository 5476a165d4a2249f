import type { Schema } from '../../platform/schema-type.ts';
import { ERROS } from './erros.ts';
import type { CodigoErro } from './erros.ts';
import { paginacaoSchema } from './esquemas.ts';
import type { Rota } from './rota.ts';

type Json = Record<string, unknown>;

/** Errors that any route with a key may answer. */
const COMUNS: readonly CodigoErro[] = [
  'parametro_invalido',
  'chave_ausente',
  'chave_invalida',
  'chave_revogada',
  'chave_expirada',
  'ip_nao_autorizado',
  'rota_inexistente',
  'limite_excedido',
  'erro_interno',
];

/** Errors that any route that changes something may answer, when the request has an Idempotency-Key. */
const DA_REPETICAO: readonly CodigoErro[] = ['requisicao_em_andamento', 'chave_idempotencia_reutilizada'];

const CODIGO_DO_FORMATO: Readonly<Record<string, CodigoErro>> = {
  cpf_cnpj: 'cpf_cnpj_invalido',
  telefone: 'telefone_invalido',
};

const CABECALHOS = {
  'X-RateLimit-Limit': { description: 'Requisições permitidas por minuto.', schema: { type: 'integer' }, example: 120 },
  'X-RateLimit-Remaining': {
    description: 'Requisições que restam na janela.',
    schema: { type: 'integer' },
    example: 119,
  },
  'X-RateLimit-Reset': { description: 'Segundos até a janela reiniciar.', schema: { type: 'integer' }, example: 60 },
  'RateLimit-Policy': {
    description: 'A mesma regra na forma do IETF: q requisições a cada w segundos.',
    schema: { type: 'string' },
    example: '"por-minuto";q=120;w=60',
  },
  RateLimit: {
    description: 'A mesma contagem na forma do IETF: r restantes, t segundos até reiniciar.',
    schema: { type: 'string' },
    example: '"por-minuto";r=119;t=60',
  },
  'X-Request-Id': {
    description: 'Identificador da requisição: o enviado, se for são, ou um novo. Cite-o ao pedir suporte.',
    schema: { type: 'string' },
    example: '5f0c3b1e-8a1d-4a52-9a53-0a9f2a6a1c11',
  },
  ETag: {
    description: 'Validador forte da resposta, para If-None-Match.',
    schema: { type: 'string' },
    example: '"2jmj7l5rSw0yVb_vlWAYkK_YBwk"',
  },
  'Retry-After': {
    description: 'Só em 429: segundos a esperar antes de tentar de novo.',
    schema: { type: 'integer' },
    example: 42,
  },
} as const;

const DESCRICAO = `API REST do provedor, para chamadas de servidor a servidor: chatbots, URAs, aplicativos e ferramentas de BI.

* Envie a chave em \`Authorization: Bearer <chave>\` ou em \`X-API-Key: <chave>\`. Nunca a ponha em página, aplicativo, repositório público ou URL.
* Todo sucesso tem \`sucesso: true\` e o conteúdo em \`dados\`; as listas trazem também \`paginacao\`.
* Datas são \`AAAA-MM-DD\`; instantes, ISO 8601 em UTC com milissegundos e \`Z\`. Dinheiro é número com duas casas, em reais.
* Campo sem informação vem \`null\`, nunca falta. Ignore os campos que não conhecer.
* Parâmetro desconhecido, vazio ou repetido é recusado com 400: um filtro escrito errado nunca devolve tudo.
* O limite por minuto é da chave. Ao receber 429, espere o tempo de \`Retry-After\`.`;

/** The OpenAPI 3.1 document of a route table. */
export function gerarOpenApi(rotas: readonly Rota[]): Json {
  const componentes: Record<string, Json> = {};
  const paths: Record<string, Json> = {};
  for (const rota of rotas) {
    const caminho = (paths[rota.caminho] ??= {});
    caminho[rota.metodo.toLowerCase()] = operacao(rota, componentes);
  }
  paths['/openapi.json'] = { get: paginaSemChave('openapi', 'Este documento', 'application/json', 'object') };
  paths['/docs'] = { get: paginaSemChave('docs', 'Esta documentação, para ler e experimentar', 'text/html', 'string') };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Malha — API pública',
      version: '1.0.0',
      summary: 'Back office de provedores de internet',
      description: DESCRICAO,
    },
    servers: [{ url: '/api/v1', description: 'O host do painel do provedor' }],
    security: [{ bearer: [] }, { apiKey: [] }],
    tags: [...new Set(rotas.map((rota) => rota.grupo)), 'Documentação'].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <chave>' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'X-API-Key: <chave>' },
      },
      schemas: { ...componentes, Erro: esquemaDeErro(Object.keys(ERROS) as CodigoErro[]) },
      headers: CABECALHOS,
    },
  };
}

function operacao(rota: Rota, componentes: Record<string, Json>): Json {
  const permissao =
    rota.permissao === null ? 'Qualquer chave válida serve.' : `Exige a permissão \`${rota.permissao}\`.`;
  return {
    operationId: idDaOperacao(rota),
    tags: [rota.grupo],
    summary: rota.resumo,
    description: [rota.descricao, permissao].filter(Boolean).join('\n\n'),
    parameters: parametros(rota),
    ...(rota.corpo === null
      ? {}
      : {
          requestBody: {
            required: rota.corpo.obrigatorio,
            content: { 'application/json': { schema: referenciar(rota.corpo.esquema, componentes) } },
          },
        }),
    responses: {
      [rota.sucesso]: {
        description: 'Sucesso.',
        headers: cabecalhos(...(rota.metodo === 'GET' ? (['ETag'] as const) : [])),
        content: { 'application/json': { schema: envelope(rota, componentes), example: exemploDoEnvelope(rota) } },
      },
      ...(rota.metodo === 'GET' ? { 304: naoMudou() } : {}),
      ...respostasDeErro(codigosDaRota(rota)),
    },
  };
}

function idDaOperacao({ metodo, caminho }: Rota): string {
  const palavras = caminho.replaceAll(/[{}]/g, '').split(/[/-]/).filter(Boolean);
  return [metodo.toLowerCase(), ...palavras]
    .map((p, i) => (i === 0 ? p : `${p[0]?.toUpperCase()}${p.slice(1)}`))
    .join('');
}

function parametros(rota: Rota): Json[] {
  const doCaminho = rota.caminho.includes('{id}')
    ? [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'Identificador do registro.',
          schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
          example: 7,
        },
      ]
    : [];
  const daConsulta = Object.entries(rota.consulta?.properties ?? {}).map(([name, esquema]) => {
    const { description, examples, ...schema } = esquema;
    return { name, in: 'query', required: false, description, schema, example: examples?.[0] };
  });
  const requestId = {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Identificador da requisição, devolvido na resposta; até 128 caracteres.',
    schema: { type: 'string', maxLength: 128 },
    example: 'ura-2026-11-10-000123',
  };
  const ifNoneMatch = {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag de uma resposta anterior: se nada mudou, a resposta é 304, sem corpo.',
    schema: { type: 'string' },
    example: CABECALHOS.ETag.example,
  };
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Identifica o pedido por 24 h: repetido com a mesma chave e o mesmo corpo, não se faz de novo e recebe a mesma resposta.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    example: '8b0f6a52-7d0e-4c38-9a0e-2c1f5d0b7a10',
  };
  return [...doCaminho, ...daConsulta, requestId, rota.metodo === 'GET' ? ifNoneMatch : idempotencyKey];
}

/** What a route may answer besides success: its own codes, and those its checks can give. */
function codigosDaRota(rota: Rota): CodigoErro[] {
  const daConsulta = Object.values(rota.consulta?.properties ?? {}).flatMap(
    ({ format }) => CODIGO_DO_FORMATO[format ?? ''] ?? [],
  );
  const daRepeticao = rota.metodo === 'GET' ? [] : DA_REPETICAO;
  const codigos = new Set<CodigoErro>([...COMUNS, ...rota.erros, ...daConsulta, ...daRepeticao]);
  if (rota.permissao !== null) codigos.add('permissao_insuficiente');
  if (rota.caminho.includes('{id}')) codigos.add('id_invalido');
  return (Object.keys(ERROS) as CodigoErro[]).filter((codigo) => codigos.has(codigo));
}

function respostasDeErro(codigos: readonly CodigoErro[]): Json {
  const respostas: Json = {};
  for (const status of new Set(codigos.map((codigo) => ERROS[codigo].status))) {
    const deste = codigos.filter((codigo) => ERROS[codigo].status === status);
    respostas[status] = {
      description: deste.map((codigo) => `\`${codigo}\`: ${ERROS[codigo].mensagem}`).join('\n\n'),
      headers: status === 429 ? cabecalhos('Retry-After') : cabecalhos(),
      content: {
        'application/json': {
          schema: esquemaDeErro(deste),
          examples: Object.fromEntries(
            deste.map((codigo) => [
              codigo,
              { value: { sucesso: false, erro: { codigo, mensagem: ERROS[codigo].mensagem } } },
            ]),
          ),
        },
      },
    };
  }
  return respostas;
}

function esquemaDeErro(codigos: readonly CodigoErro[]): Json {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['sucesso', 'erro'],
    properties: {
      sucesso: { const: false },
      erro: {
        type: 'object',
        additionalProperties: false,
        required: ['codigo', 'mensagem'],
        properties: {
          codigo: { type: 'string', enum: codigos, description: 'Código estável, para programas.' },
          mensagem: { type: 'string', description: 'Texto para quem integra; em parametro_invalido, nomeia o campo.' },
        },
      },
    },
  };
}

function envelope(rota: Rota, componentes: Record<string, Json>): Json {
  return {
    type: 'object',
    additionalProperties: false,
    required: ['sucesso', 'dados', ...(rota.paginada ? ['paginacao'] : [])],
    properties: {
      sucesso: { const: true },
      dados: referenciar(rota.dados, componentes),
      ...(rota.paginada ? { paginacao: referenciar(paginacaoSchema, componentes) } : {}),
    },
  };
}

function exemploDoEnvelope(rota: Rota): Json {
  const paginacao = rota.paginada ? { paginacao: { pagina: 1, por_pagina: 20, total: 1, total_paginas: 1 } } : {};
  return { sucesso: true, dados: rota.exemplo, ...paginacao };
}

/** A schema with every titled schema inside it moved to the components and referred to. */
function referenciar(esquema: Schema, componentes: Record<string, Json>): Json {
  const { title, ...resto } = esquema;
  const copia: Json = { ...resto };
  if (esquema.items !== undefined) copia['items'] = referenciar(esquema.items, componentes);
  if (esquema.anyOf !== undefined) copia['anyOf'] = esquema.anyOf.map((ramo) => referenciar(ramo, componentes));
  if (esquema.properties !== undefined) {
    copia['properties'] = Object.fromEntries(
      Object.entries(esquema.properties).map(([nome, valor]) => [nome, referenciar(valor, componentes)]),
    );
  }
  if (title === undefined) return copia;
  componentes[title] = copia;
  return { $ref: `#/components/schemas/${title}` };
}

/** Headers of a response: those that stand on every one, and the named ones. */
function cabecalhos(...alem: readonly ('ETag' | 'Retry-After')[]): Json {
  const nomes = Object.keys(CABECALHOS).filter((nome) => !['ETag', 'Retry-After'].includes(nome));
  return Object.fromEntries([...nomes, ...alem].map((nome) => [nome, { $ref: `#/components/headers/${nome}` }]));
}

function naoMudou(): Json {
  return { description: 'Nada mudou desde a resposta cujo ETag foi enviado.', headers: cabecalhos('ETag') };
}

function paginaSemChave(operationId: string, summary: string, tipo: string, type: string): Json {
  return {
    operationId,
    tags: ['Documentação'],
    summary,
    description: 'Não pede chave; conta no limite do IP de origem.',
    security: [],
    responses: {
      200: { description: 'Sucesso.', headers: cabecalhos(), content: { [tipo]: { schema: { type } } } },
      ...respostasDeErro(['parametro_invalido', 'limite_excedido', 'erro_interno']),
    },
  };
}
