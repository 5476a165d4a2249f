import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv';
import { gerarOpenApi as gerarOpenApiDoApp } from '../../src/surfaces/app-api/openapi.ts';
import type { Rota as RotaDoApp } from '../../src/surfaces/app-api/rota.ts';
import { ROTAS as ROTAS_DO_APP } from '../../src/surfaces/app-api/rotas.ts';
import { gerarOpenApi } from '../../src/surfaces/public-api/openapi.ts';
import type { Rota } from '../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../src/surfaces/public-api/rotas.ts';

/** What a test received. */
export interface Recebida {
  readonly metodo: string;
  /** Path and query, as sent. */
  readonly alvo: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly texto: string;
}

const SEMPRE = [
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
];
// A `{` begins the JSON Schema of an event that has such a field.
const DINHEIRO = /"(?:valor|valor_atualizado|valor_pago)":(?!null|\{|-?\d+\.\d\d[,}])/;

interface Operacao {
  readonly responses: Record<string, { content?: Record<string, unknown> }>;
}

/** Throws with what of a response does not agree with the OpenAPI document. */
export type Contrato = (recebida: Recebida) => void;

let doServico: Contrato | undefined;

/** The contract of the service's own routes. What was asked of another surface is passed over. */
export function conferirResposta(recebida: Recebida): void {
  if (!/^(?:\/api)?\/v1(?:[/?]|$)/.test(recebida.alvo)) return;
  doServico ??= criarContrato(ROTAS);
  doServico(recebida);
}

/** The contract of some routes: no response may come to a test but by the documents that are made of them. */
export function criarContrato(rotas: readonly Rota[], doApp: readonly RotaDoApp[] = ROTAS_DO_APP): Contrato {
  // Each document takes a while to make: most test files ask one of the two surfaces, if any.
  let app: Contrato | undefined;
  let publica: Contrato | undefined;
  return (recebida) => {
    if (/^\/v1(?:[/?]|$)/.test(recebida.alvo)) {
      app ??= criarContratoDe('/v1', gerarOpenApiDoApp(doApp));
      app(recebida);
    } else {
      publica ??= criarContratoDe('/api/v1', gerarOpenApi(rotas));
      publica(recebida);
    }
  };
}

function criarContratoDe(base: string, gerado: object): Contrato {
  const documento = gerado as { paths: Record<string, Record<string, Operacao>> };
  const ajv = new Ajv2020({
    strict: false,
    formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, date: /^\d{4}-\d\d-\d\d$/, dinheiro: true },
  });
  ajv.addSchema(documento, 'openapi');
  const modelos = Object.keys(documento.paths).map((caminho) => ({
    caminho,
    padrao: new RegExp(`^${base}${caminho.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const validadores = new Map<string, ValidateFunction>();

  function validador(caminho: string): ValidateFunction {
    const pronto = validadores.get(caminho) ?? ajv.compile({ $ref: `openapi#${caminho}` });
    validadores.set(caminho, pronto);
    return pronto;
  }

  return ({ metodo, alvo, status, headers, texto }) => {
    const falha = (motivo: string): never => {
      throw new Error(`${metodo} ${alvo.slice(0, 200)} → ${status}: ${motivo}\n${texto.slice(0, 400)}`);
    };
    for (const nome of SEMPRE) if (typeof headers[nome] !== 'string') falha(`falta o cabeçalho ${nome}`);
    if ((headers['retry-after'] !== undefined) !== (status === 429 || status === 503)) {
      falha('Retry-After só em 429 e 503, e sempre neles');
    }
    if (metodo === 'OPTIONS' && status === 204) return;

    const [semConsulta = ''] = alvo.split('?');
    const modelo = modelos.find(({ padrao }) => padrao.test(semConsulta));
    const operacao = modelo === undefined ? undefined : documento.paths[modelo.caminho]?.[metodo.toLowerCase()];
    // Files of the documentation's viewer are no operations of the document.
    if (metodo === 'HEAD' || (status === 200 && semConsulta.startsWith(`${base}/docs/`))) return;
    if (modelo === undefined || operacao === undefined) {
      if (![400, 401, 403, 404, 429].includes(status)) falha('estado inesperado fora das rotas documentadas');
      conferir(validador('/components/schemas/Erro'));
      return;
    }
    const resposta = operacao.responses[String(status)] ?? falha('estado não documentado nesta rota');
    if (
      metodo === 'GET' &&
      [200, 206, 304].includes(status) &&
      modelo.caminho !== '/openapi.json' &&
      modelo.caminho !== '/docs' &&
      headers['etag'] === undefined
    ) {
      falha('falta o ETag');
    }
    if (resposta.content === undefined) {
      if (texto !== '') falha('não deveria ter corpo');
      return;
    }
    // Of a file there may be several forms.
    const tipos = Object.keys(resposta.content);
    const tipo = tipos.find((um) => String(headers['content-type']).startsWith(um));
    if (tipo === undefined) falha(`o tipo deveria ser ${tipos.join(' ou ')}`);
    if (tipo !== 'application/json') return;
    conferir(
      validador(
        ponteiro('paths', modelo.caminho, metodo.toLowerCase(), 'responses', String(status), 'content', tipo, 'schema'),
      ),
    );
    if (modelo.caminho !== '/openapi.json' && DINHEIRO.test(texto)) falha('dinheiro sem duas casas decimais');

    function conferir(validar: ValidateFunction): void {
      if (!validar(JSON.parse(texto))) falha(ajv.errorsText(validar.errors));
    }
  };
}

function ponteiro(...partes: string[]): string {
  return partes.map((parte) => `/${encodeURIComponent(parte.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}
