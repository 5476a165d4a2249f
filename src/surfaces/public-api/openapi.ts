import type { Schema } from '../../platform/schema-type.ts';
import { ERROS } from './erros.ts';
import type { CodigoErro } from './erros.ts';
import { paginacaoSchema } from './esquemas.ts';
import { CABECALHOS, cabecalhos } from './openapi-cabecalhos.ts';
import { parametros } from './openapi-parametros.ts';
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

const DESCRICAO = `API REST do provedor, para chamadas de servidor a servidor: chatbots, URAs, aplicativos e ferramentas de BI.

* Envie a chave em \`Authorization: Bearer <chave>\` ou em \`X-API-Key: <chave>\`. Nunca a ponha em página, aplicativo, repositório público ou URL.
* Todo sucesso tem \`sucesso: true\` e o conteúdo em \`dados\`; as listas trazem também \`paginacao\`.
* Datas são \`AAAA-MM-DD\`; instantes, ISO 8601 em UTC com milissegundos e \`Z\`. Dinheiro é número com duas casas, em reais.
* Campo sem informação vem \`null\`, nunca falta. Ignore os campos que não conhecer.
* Num texto livre, espaços e caracteres invisíveis do começo e do fim não contam nem são guardados; um texto só deles é vazio.
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
      ...(rota.abrir === null
        ? {
            [rota.sucesso]: {
              description: 'Sucesso.',
              headers: cabecalhos(...(rota.metodo === 'GET' ? (['ETag'] as const) : [])),
              content: {
                'application/json': { schema: envelope(rota, componentes), example: exemploDoEnvelope(rota) },
              },
            },
          }
        : respostasDeArquivo()),
      ...(rota.metodo === 'GET' ? { 304: naoMudou() } : {}),
      ...respostasDeErro(codigosDaRota(rota)),
    },
  };
}

/** A file whole, and a part of it. */
function respostasDeArquivo(): Json {
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return {
    200: { description: 'O arquivo inteiro.', headers: cabecalhos('ETag', 'Accept-Ranges'), content },
    206: {
      description: 'O intervalo pedido em Range.',
      headers: cabecalhos('ETag', 'Accept-Ranges', 'Content-Range'),
      content,
    },
  };
}

function idDaOperacao({ metodo, caminho }: Rota): string {
  const palavras = caminho.replaceAll(/[{}]/g, '').split(/[/-]/).filter(Boolean);
  return [metodo.toLowerCase(), ...palavras]
    .map((p, i) => (i === 0 ? p : `${p[0]?.toUpperCase()}${p.slice(1)}`))
    .join('');
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
