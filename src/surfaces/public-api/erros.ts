import { Recusa } from '../../domain/erros.ts';

/** Every code that the API answers with, its HTTP status and what it says to the person who integrates. */
export const ERROS = {
  parametro_invalido: { status: 400, mensagem: 'Parâmetro ou corpo fora do formato esperado.' },
  cpf_cnpj_invalido: { status: 400, mensagem: 'cpf_cnpj: informe um CPF (11 dígitos) ou CNPJ (14 posições).' },
  telefone_invalido: { status: 400, mensagem: 'telefone: informe de 10 a 13 dígitos, com DDD.' },
  id_invalido: { status: 400, mensagem: 'id: informe um inteiro positivo, sem sinal nem zeros à esquerda.' },
  chave_ausente: {
    status: 401,
    mensagem: 'Envie a chave em Authorization: Bearer <chave> ou em X-API-Key: <chave>.',
  },
  chave_invalida: { status: 401, mensagem: 'Chave desconhecida.' },
  chave_revogada: { status: 401, mensagem: 'Chave revogada pelo provedor.' },
  chave_expirada: { status: 401, mensagem: 'Chave fora da validade.' },
  ip_nao_autorizado: { status: 403, mensagem: 'O IP de origem não está na lista permitida desta chave.' },
  permissao_insuficiente: { status: 403, mensagem: 'A chave não tem a permissão que esta rota exige.' },
  nao_encontrado: { status: 404, mensagem: 'Registro não encontrado.' },
  rota_inexistente: { status: 404, mensagem: 'Rota inexistente.' },
  desbloqueio_ativo: { status: 409, mensagem: 'O contrato já tem um desbloqueio de confiança em vigor.' },
  requisicao_em_andamento: { status: 409, mensagem: 'Uma requisição com esta Idempotency-Key está em andamento.' },
  intervalo_invalido: { status: 416, mensagem: 'Range: o arquivo não tem esses bytes.' },
  desbloqueio_desabilitado: { status: 422, mensagem: 'O provedor não habilitou o desbloqueio de confiança.' },
  contrato_nao_bloqueado: { status: 422, mensagem: 'O contrato não está bloqueado.' },
  bloqueio_manual: { status: 422, mensagem: 'O bloqueio foi feito manualmente pelo provedor.' },
  fatura_anterior_em_aberto: {
    status: 422,
    mensagem: 'O desbloqueio já foi usado e a fatura que o causou continua em aberto.',
  },
  transicao_invalida: { status: 422, mensagem: 'O chamado não pode ir para esta situação.' },
  contrato_invalido: { status: 422, mensagem: 'O contrato não existe ou é de outro cliente.' },
  cliente_cancelado: { status: 422, mensagem: 'O cliente está cancelado.' },
  plano_indisponivel: { status: 422, mensagem: 'O plano não existe ou está inativo.' },
  chave_idempotencia_reutilizada: { status: 422, mensagem: 'Esta Idempotency-Key já foi usada com outro corpo.' },
  limite_excedido: {
    status: 429,
    mensagem: 'Limite de requisições por minuto atingido; aguarde o tempo de Retry-After.',
  },
  erro_interno: { status: 500, mensagem: 'Falha inesperada; tente de novo.' },
} as const satisfies Record<string, { status: number; mensagem: string }>;

export type CodigoErro = keyof typeof ERROS;

/** Ends a request with an error of the catalogue. */
export class ErroApi extends Error {
  readonly codigo: CodigoErro;

  /** @param mensagem replaces the catalogue's text where the error can name what is wrong. */
  constructor(codigo: CodigoErro, mensagem: string = ERROS[codigo].mensagem) {
    super(mensagem);
    this.codigo = codigo;
  }

  get status(): number {
    return ERROS[this.codigo].status;
  }
}

/** What a caller is told of a failure: a refusal of the business by its reason, and nothing of what was not foreseen. */
export function paraErroApi(error: unknown): ErroApi {
  if (error instanceof ErroApi) return error;
  return new ErroApi(error instanceof Recusa ? error.motivo : 'erro_interno');
}

/** Ends the request with an error of the catalogue unless the condition holds. */
export function exigir(condicao: unknown, codigo: CodigoErro, mensagem?: string): asserts condicao {
  if (condicao === false || condicao === null || condicao === undefined) throw new ErroApi(codigo, mensagem);
}

/** The body of an error. */
export function corpoDoErro(erro: ErroApi): { sucesso: false; erro: { codigo: CodigoErro; mensagem: string } } {
  return { sucesso: false, erro: { codigo: erro.codigo, mensagem: erro.message } };
}
