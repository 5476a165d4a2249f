import { Failure } from '../../kit/reply/failure.ts';
import type { Errors } from '../../kit/reply/failure.ts';

/** Every code that a PSP is answered with. */
const ERROS = {
  parametro_invalido: { status: 400, message: 'corpo: fora do formato da API Pix.' },
  ip_nao_autorizado: { status: 403, message: 'O IP de origem não está na lista permitida deste receptor.' },
  nao_encontrado: { status: 404, message: 'Não há receptor neste endereço.' },
  metodo_nao_permitido: { status: 405, message: 'Envie POST.' },
  limite_excedido: { status: 429, message: 'Muitas tentativas; aguarde o tempo de Retry-After.' },
  erro_interno: { status: 500, message: 'Falha inesperada; tente de novo.' },
} as const;

export type CodigoErro = keyof typeof ERROS;

export const erros: Errors<CodigoErro> = {
  catalogue: ERROS,
  faults: {
    invalid: 'parametro_invalido',
    unknownRoute: 'nao_encontrado',
    forbidden: 'ip_nao_autorizado',
    range: 'parametro_invalido',
    limited: 'limite_excedido',
    unforeseen: 'erro_interno',
  },
  // Each PIX is judged by itself, and its refusal told of among the others.
  translate: () => null,
};

export const recusar = (codigo: CodigoErro, cabecalhos: Readonly<Record<string, string>> = {}): Failure<CodigoErro> =>
  new Failure(codigo, '', cabecalhos);
