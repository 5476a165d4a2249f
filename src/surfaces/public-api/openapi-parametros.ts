import { CABECALHOS } from './openapi-cabecalhos.ts';
import type { Rota } from './rota.ts';

type Json = Record<string, unknown>;

const ARQUIVO = {
  name: 'arquivo',
  in: 'path',
  required: true,
  description: 'Nome de um dos arquivos do registro.',
  schema: { type: 'string' },
  example: 'clientes.parquet',
};

const RANGE = {
  name: 'Range',
  in: 'header',
  required: false,
  description: 'Os bytes que se quer, em um só intervalo; vários são respondidos com o arquivo inteiro.',
  schema: { type: 'string' },
  example: 'bytes=1048576-',
};

const IF_RANGE = {
  name: 'If-Range',
  in: 'header',
  required: false,
  description: 'ETag do que já se tem: se o arquivo mudou, vem inteiro.',
  schema: { type: 'string' },
  example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
};

/** What may be sent to a route besides its body. */
export function parametros(rota: Rota): Json[] {
  const doCaminho: Json[] = rota.caminho.includes('{id}')
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
  if (rota.abrir !== null) doCaminho.push(ARQUIVO);
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
  const deArquivo = rota.abrir === null ? [] : [RANGE, IF_RANGE];
  return [...doCaminho, ...daConsulta, requestId, rota.metodo === 'GET' ? ifNoneMatch : idempotencyKey, ...deArquivo];
}
