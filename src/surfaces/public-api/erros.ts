import { TooManyAttempts } from '../../access/attempts.ts';
import { Recusa } from '../../domain/erros.ts';
import { FORMATS } from '../../kit/fields/formats.ts';
import { Failure } from '../../kit/reply/failure.ts';
import type { Catalogue, Errors } from '../../kit/reply/failure.ts';

/** Every code that the API answers with, its HTTP status and what it says to the person who integrates. */
export const ERROS = {
  parametro_invalido: { status: 400, message: 'Parâmetro ou corpo fora do formato esperado.' },
  cpf_cnpj_invalido: { status: 400, message: FORMATS.cpf_cnpj.message },
  telefone_invalido: { status: 400, message: FORMATS.telefone.message },
  id_invalido: { status: 400, message: FORMATS.id.message },
  chave_ausente: {
    status: 401,
    message: 'Envie a chave em Authorization: Bearer <chave> ou em X-API-Key: <chave>.',
  },
  chave_invalida: { status: 401, message: 'Chave desconhecida.' },
  chave_revogada: { status: 401, message: 'Chave revogada pelo provedor.' },
  chave_expirada: { status: 401, message: 'Chave fora da validade.' },
  ip_nao_autorizado: { status: 403, message: 'O IP de origem não está na lista permitida desta chave.' },
  permissao_insuficiente: { status: 403, message: 'A chave não tem a permissão que esta rota exige.' },
  busca_exigida: { status: 403, message: 'Esta chave só lê listas de quem foi procurado.' },
  nao_encontrado: { status: 404, message: 'Registro não encontrado.' },
  rota_inexistente: { status: 404, message: 'Rota inexistente.' },
  desbloqueio_ativo: { status: 409, message: 'O contrato já tem um desbloqueio de confiança em vigor.' },
  promessa_ativa: { status: 409, message: 'O contrato já tem uma promessa de pagamento em aberto.' },
  desconexao_recente: { status: 409, message: 'A sessão deste contrato foi encerrada há menos de dois minutos.' },
  requisicao_em_andamento: { status: 409, message: 'Uma requisição com esta Idempotency-Key está em andamento.' },
  intervalo_invalido: { status: 416, message: 'Range: o arquivo não tem esses bytes.' },
  desbloqueio_desabilitado: { status: 422, message: 'O provedor não habilitou o desbloqueio de confiança.' },
  contrato_nao_bloqueado: { status: 422, message: 'O contrato não está bloqueado.' },
  bloqueio_manual: { status: 422, message: 'O bloqueio foi feito manualmente pelo provedor.' },
  fatura_anterior_em_aberto: {
    status: 422,
    message: 'O desbloqueio, ou a promessa, já foi usado e a fatura de que era continua em aberto.',
  },
  transicao_invalida: { status: 422, message: 'O chamado não pode ir para esta situação.' },
  contrato_invalido: { status: 422, message: 'O contrato não existe ou é de outro cliente.' },
  cliente_cancelado: { status: 422, message: 'O cliente está cancelado.' },
  contrato_offline: { status: 422, message: 'O contrato não tem sessão aberta.' },
  plano_indisponivel: { status: 422, message: 'O plano não existe ou está inativo.' },
  promessa_desabilitada: { status: 422, message: 'O provedor não aceita promessas de pagamento.' },
  promessa_fora_do_prazo: {
    status: 422,
    message: 'A data da promessa passou, ou está além do prazo que o provedor dá.',
  },
  nada_a_pagar: { status: 422, message: 'O contrato não tem fatura em aberto que vença até esse dia.' },
  fatura_nao_aberta: { status: 422, message: 'A fatura não está em aberto.' },
  email_indisponivel: { status: 422, message: 'O serviço não tem servidor de e-mail configurado.' },
  cliente_sem_email: { status: 422, message: 'O cadastro do cliente não tem e-mail.' },
  chave_idempotencia_reutilizada: { status: 422, message: 'Esta Idempotency-Key já foi usada com outro corpo.' },
  limite_excedido: {
    status: 429,
    message: 'Limite de requisições por minuto atingido; aguarde o tempo de Retry-After.',
  },
  tentativas_excedidas: { status: 429, message: 'Tentativas demais; aguarde o tempo de Retry-After.' },
  erro_interno: { status: 500, message: 'Falha inesperada; tente de novo.' },
  provedor_em_mudanca: {
    status: 503,
    message: 'O provedor está mudando de servidores e por ora só se lê; repita daqui a pouco.',
    headers: { 'Retry-After': '10' },
  },
} as const satisfies Catalogue<string>;

export type CodigoErro = keyof typeof ERROS;

export const erros: Errors<CodigoErro> = {
  catalogue: ERROS,
  faults: {
    invalid: 'parametro_invalido',
    unknownRoute: 'rota_inexistente',
    forbidden: 'permissao_insuficiente',
    range: 'intervalo_invalido',
    limited: 'limite_excedido',
    unforeseen: 'erro_interno',
    moving: 'provedor_em_mudanca',
    searchOnly: 'busca_exigida',
    tooCurious: 'tentativas_excedidas',
  },
  translate(error) {
    if (error instanceof TooManyAttempts) {
      return new Failure('tentativas_excedidas', '', { 'Retry-After': String(error.waitSeconds) });
    }
    // A rule that no route of this API can meet has no code here.
    return error instanceof Recusa && isCodigo(error.motivo) ? error.motivo : null;
  },
};

function isCodigo(motivo: string): motivo is CodigoErro {
  return Object.hasOwn(ERROS, motivo);
}

/** Ends the request with an error of the catalogue unless the condition holds. */
export function exigir(condicao: unknown, codigo: CodigoErro, mensagem?: string): asserts condicao {
  if (condicao === false || condicao === null || condicao === undefined) throw new Failure(codigo, mensagem);
}
