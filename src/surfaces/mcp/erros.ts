import type { KeySurface } from '../../access/ports.ts';
import type { Envelope } from '../../kit/reply/envelope.ts';
import { Failure } from '../../kit/reply/failure.ts';
import type { Catalogue, Errors } from '../../kit/reply/failure.ts';

/** The codes of a tool's refusals are its route's, so they are any text here. */
export interface DoMcp extends KeySurface {
  readonly code: string;
}

/** Every code with which a request is refused before any tool is asked. */
const ERROS = {
  json_invalido: { status: 400, message: 'corpo: deve ser JSON em UTF-8.' },
  mensagem_invalida: { status: 400, message: 'corpo: deve ser uma mensagem JSON-RPC 2.0.' },
  chave_ausente: {
    status: 401,
    message: 'Envie a chave em Authorization: Bearer <chave> ou em X-API-Key: <chave>.',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  chave_invalida: { status: 401, message: 'Chave desconhecida.', headers: { 'WWW-Authenticate': 'Bearer' } },
  chave_revogada: { status: 401, message: 'Chave revogada pelo provedor.', headers: { 'WWW-Authenticate': 'Bearer' } },
  chave_expirada: { status: 401, message: 'Chave fora da validade.', headers: { 'WWW-Authenticate': 'Bearer' } },
  ip_nao_autorizado: { status: 403, message: 'O IP de origem não está na lista permitida desta chave.' },
  origem_nao_permitida: { status: 403, message: 'Origin: o provedor não lista esta origem.' },
  metodo_nao_permitido: { status: 405, message: 'Este endereço só aceita POST.', headers: { Allow: 'POST' } },
  corpo_grande: { status: 413, message: 'corpo: deve ter até 64 KiB.' },
  tipo_nao_aceito: { status: 415, message: 'corpo: envie application/json em UTF-8, sem compressão.' },
  limite_excedido: {
    status: 429,
    message: 'Limite de requisições por minuto atingido; aguarde o tempo de Retry-After.',
  },
  erro_interno: { status: 500, message: 'Falha inesperada; tente de novo.' },
} as const satisfies Catalogue<string>;

export const erros: Errors<string> = {
  catalogue: ERROS,
  faults: {
    invalid: 'mensagem_invalida',
    unknownRoute: 'metodo_nao_permitido',
    forbidden: 'ip_nao_autorizado',
    range: 'mensagem_invalida',
    limited: 'limite_excedido',
    unforeseen: 'erro_interno',
  },
  translate: () => null,
};

/** Refuses a request; the message replaces the catalogue's. */
export const recusar = (codigo: keyof typeof ERROS, mensagem?: string): Failure => new Failure(codigo, mensagem);

/** JSON-RPC 2.0, section 5.1; -32000 is the first of the codes that it leaves to servers. */
const DO_JSON_RPC = new Map([
  ['json_invalido', -32_700],
  ['mensagem_invalida', -32_600],
  ['erro_interno', -32_603],
]);

/** A refusal as clients of the protocol read it. Which message it answers is not told: the refused may be no message. */
export const envelope: Pick<Envelope, 'failure'> = {
  failure: (codigo, message) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: DO_JSON_RPC.get(codigo) ?? -32_000, message, data: { codigo } },
  }),
};
