import type { Who } from '../../access/callers.ts';
import { FORMATS } from '../../kit/fields/formats.ts';
import { createDocument } from '../../kit/openapi/document.ts';
import type { Json } from '../../kit/reply/envelope.ts';
import { envelope } from './envelope.ts';
import { erros } from './erros.ts';
import { BASE } from './rota.ts';
import type { Rota } from './rota.ts';
import { EVENTOS_NO_DOCUMENTO } from './webhooks/eventos.ts';

const DESCRICAO = `API do aplicativo do assinante e das integrações do provedor.

* O assinante e a equipe entram por \`POST /auth/login\`, enviam o token em \`Authorization: Bearer <token>\` e, ao receber \`token_expirado\`, o renovam.
* Uma integração envia a sua chave em \`X-API-Key: <chave>\` ou em \`Authorization: Bearer <chave>\`. As chaves são as da API pública, com permissões próprias daqui.
* Todo sucesso tem \`success: true\` e o conteúdo em \`data\`; as listas trazem também \`meta\`. O fim de uma lista tem \`next_cursor\` nulo.
* Todo erro tem \`success: false\`, uma \`message\` para pessoas e \`errors\`, com **todos** os campos errados. Programas decidem por \`errors[0].code\`.
* Datas são \`AAAA-MM-DD\`; instantes, ISO 8601 em UTC com milissegundos e \`Z\`. Dinheiro é número com duas casas, em reais.
* Campo sem informação vem \`null\`, nunca falta. Ignore os campos que não conhecer.
* Parâmetro desconhecido, vazio ou repetido é recusado com 400.
* O limite por minuto é da credencial, e o de uma chave vale para as duas APIs juntas. Ao receber 429 ou 503, espere o tempo de \`Retry-After\`.`;

/** The OpenAPI 3.1 document of a route table. */
export function gerarOpenApi(routes: readonly Rota[]): Json {
  return createDocument({
    routes,
    info: {
      title: 'Malha — API do aplicativo e das integrações',
      version: '1.0.0',
      summary: 'Assinantes, equipe e integrações de provedores de internet',
      description: DESCRICAO,
    },
    server: { url: BASE, description: 'O host do painel do provedor' },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <credencial>' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'X-API-Key: <chave>' },
    },
    errors: erros,
    envelope,
    formats: FORMATS,
    common: ['parametro_invalido', 'rota_inexistente', 'limite_excedido', 'erro_interno', 'ocupado'],
    mayBeRestricted: (quem) => quem?.chave !== undefined,
    ofCredential: [
      'credencial_ausente',
      'token_invalido',
      'token_expirado',
      'sessao_encerrada',
      'chave_invalida',
      'chave_revogada',
      'chave_expirada',
      'ip_nao_autorizado',
      'troca_de_senha_exigida',
      'segundo_fator_ausente',
    ],
    ofVisit: ['provedor_desconhecido'],
    ofRepetition: ['requisicao_em_andamento', 'chave_idempotencia_reutilizada'],
    ofCursor: ['cursor_invalido'],
    describePermission: quemPode,
    errorTitle: 'Erro',
    webhooks: EVENTOS_NO_DOCUMENTO,
    pages: {
      group: 'Documentação',
      description: 'Não pede credencial; conta no limite do IP de origem.',
      list: [
        { path: '/openapi.json', id: 'openapi', summary: 'Este documento', mime: 'application/json', type: 'object' },
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

function quemPode(who: Who | null): string {
  if (who === null) return 'Qualquer credencial válida serve.';
  const { chave, equipe, cliente } = who;
  const ditos = [
    ...(cliente === true ? ['ao assinante, no que é seu'] : []),
    ...(equipe === true ? ['à equipe'] : []),
    ...(equipe === undefined || equipe === true ? [] : [`à equipe com a permissão \`${equipe}\` do painel`]),
    ...(chave === undefined ? [] : [`a chaves com a permissão \`${chave}\``]),
  ];
  return `Serve ${ditos.join('; ')}.`;
}
