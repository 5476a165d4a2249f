import { escreverExigencia } from '../../domain/chaves/chaves.types.ts';
import { FORMATS } from '../../kit/fields/formats.ts';
import type { Json } from '../../kit/reply/envelope.ts';
import { createDocument } from '../../kit/openapi/document.ts';
import { envelope } from './envelope.ts';
import { erros } from './erros.ts';
import type { Rota } from './rota.ts';

/** Base address of the public API on every host. */
export const BASE = '/api/v1';

const DESCRICAO = `API REST do provedor, para chamadas de servidor a servidor: chatbots, URAs, aplicativos e ferramentas de BI.

* Envie a chave em \`Authorization: Bearer <chave>\` ou em \`X-API-Key: <chave>\`. Nunca a ponha em página, aplicativo, repositório público ou URL.
* Todo sucesso tem \`sucesso: true\` e o conteúdo em \`dados\`; as listas trazem também \`paginacao\`.
* Datas são \`AAAA-MM-DD\`; instantes, ISO 8601 em UTC com milissegundos e \`Z\`. Dinheiro é número com duas casas, em reais.
* Campo sem informação vem \`null\`, nunca falta. Ignore os campos que não conhecer.
* Num texto livre, espaços e caracteres invisíveis do começo e do fim não contam nem são guardados; um texto só deles é vazio.
* Parâmetro desconhecido, vazio ou repetido é recusado com 400: um filtro escrito errado nunca devolve tudo.
* O limite por minuto é da chave. Ao receber 429, espere o tempo de \`Retry-After\`.
* Uma chave com \`somente_busca\` só lê listas de uma pessoa (\`busca_exigida\` sem dizer de quem); com \`dados_mascarados\`, cada campo vem como diz \`x-dados-mascarados\`. Com uma delas, não há extratos nem removidos, e quem busca em vão ou encontra gente demais numa hora recebe \`tentativas_excedidas\`. \`GET /status\` diz quais a chave tem.
* Agentes de IA usam estas rotas como ferramentas do Model Context Protocol, em \`/v1/mcp\`, com as mesmas chaves.`;

/** The OpenAPI 3.1 document of a route table. */
export function gerarOpenApi(routes: readonly Rota[]): Json {
  return createDocument({
    routes,
    info: {
      title: 'Malha — API pública',
      version: '1.0.0',
      summary: 'Back office de provedores de internet',
      description: DESCRICAO,
    },
    server: { url: BASE, description: 'O host do painel do provedor' },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <chave>' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'X-API-Key: <chave>' },
    },
    errors: erros,
    envelope,
    formats: FORMATS,
    common: [
      'parametro_invalido',
      'chave_ausente',
      'chave_invalida',
      'chave_revogada',
      'chave_expirada',
      'ip_nao_autorizado',
      'rota_inexistente',
      'limite_excedido',
      'erro_interno',
    ],
    mayBeRestricted: (permissao) => permissao !== null,
    ofRepetition: ['requisicao_em_andamento', 'chave_idempotencia_reutilizada'],
    describePermission: (permissao) =>
      permissao === null
        ? 'Qualquer chave válida serve.'
        : `Exige a permissão ${escreverExigencia(permissao, (uma) => `\`${uma}\``)}.`,
    errorTitle: 'Erro',
    pages: {
      group: 'Documentação',
      description: 'Não pede chave; conta no limite do IP de origem.',
      list: [
        {
          path: '/openapi.json',
          id: 'openapi',
          summary: 'Este documento',
          mime: 'application/json',
          type: 'object',
        },
        {
          path: '/docs',
          id: 'docs',
          summary: 'Esta documentação, para ler e experimentar',
          mime: 'text/html',
          type: 'string',
        },
      ],
    },
  });
}
