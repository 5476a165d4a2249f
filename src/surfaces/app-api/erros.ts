import { TooManyAttempts } from '../../access/attempts.ts';
import type { AppSession } from '../../access/callers.ts';
import { chavePode } from '../../domain/chaves/poder.regras.ts';
import { CamposInvalidos, EntradaInvalida, Recusa } from '../../domain/erros.ts';
import type { Falta, MotivoDeRecusa } from '../../domain/erros.ts';
import { FORMATS } from '../../kit/fields/formats.ts';
import { Failure, faultIn } from '../../kit/reply/failure.ts';
import type { Catalogue, Errors, Fault } from '../../kit/reply/failure.ts';

const PEDE_CREDENCIAL = { 'WWW-Authenticate': 'Bearer' };

const semCredencial = <const Mensagem extends string>(message: Mensagem) =>
  ({ status: 401, message, headers: PEDE_CREDENCIAL }) as const;

/** Every code that `/v1` answers with, its HTTP status and what it says to people. */
export const ERROS = {
  parametro_invalido: { status: 400, message: 'Parâmetro ou corpo fora do formato esperado.' },
  id_invalido: { status: 400, message: FORMATS.id.message },
  cpf_cnpj_invalido: { status: 400, message: FORMATS.cpf_cnpj.message },
  telefone_invalido: { status: 400, message: FORMATS.telefone.message },
  cursor_invalido: { status: 400, message: 'cursor: não é desta lista, ou passou de uma hora; comece de novo.' },
  credencial_ausente: semCredencial('Envie a credencial em Authorization: Bearer <token>, ou a chave em X-API-Key.'),
  token_invalido: semCredencial('Token desconhecido.'),
  token_expirado: semCredencial('Token fora da validade; renove-o.'),
  sessao_encerrada: semCredencial('A sessão foi encerrada; entre de novo.'),
  chave_invalida: semCredencial('Chave desconhecida.'),
  chave_revogada: semCredencial('Chave revogada pelo provedor.'),
  chave_expirada: semCredencial('Chave fora da validade.'),
  credenciais_incorretas: semCredencial('O documento ou a senha não conferem.'),
  codigo_incorreto: semCredencial('O código não confere.'),
  segundo_fator_exigido: semCredencial('Envie também o código do segundo fator.'),
  ip_nao_autorizado: { status: 403, message: 'O IP de origem não está na lista permitida desta chave.' },
  permissao_insuficiente: { status: 403, message: 'A credencial não permite o que esta rota faz.' },
  busca_exigida: { status: 403, message: 'Esta chave só lê listas de quem foi procurado.' },
  troca_de_senha_exigida: { status: 403, message: 'Troque a senha antes de continuar.' },
  segundo_fator_ausente: { status: 403, message: 'O perfil exige um segundo fator, e não há nenhum cadastrado.' },
  nao_encontrado: { status: 404, message: 'Registro não encontrado.' },
  rota_inexistente: { status: 404, message: 'Rota inexistente.' },
  provedor_desconhecido: { status: 404, message: 'Este endereço não é de nenhum provedor; diga-o em X-Panel-Host.' },
  nfcom_inexistente: { status: 404, message: 'Não há nota fiscal.' },
  cliente_duplicado: { status: 409, message: 'cpf_cnpj: outro cliente que não está cancelado tem este documento.' },
  desbloqueio_ativo: { status: 409, message: 'O contrato já tem um desbloqueio de confiança em vigor.' },
  requisicao_em_andamento: { status: 409, message: 'Uma requisição com esta Idempotency-Key está em andamento.' },
  intervalo_invalido: { status: 416, message: 'Range: o arquivo não tem esses bytes.' },
  versao_divergente: { status: 412, message: 'O registro mudou desde que foi lido; leia-o de novo.' },
  desbloqueio_desabilitado: { status: 422, message: 'O provedor não habilitou o desbloqueio de confiança.' },
  contrato_nao_bloqueado: { status: 422, message: 'O contrato não está bloqueado.' },
  bloqueio_manual: { status: 422, message: 'O bloqueio foi feito manualmente pelo provedor.' },
  fatura_anterior_em_aberto: {
    status: 422,
    message: 'O desbloqueio já foi usado e a fatura que o causou continua em aberto.',
  },
  plano_indisponivel: { status: 422, message: 'O plano não existe ou está inativo.' },
  chave_idempotencia_reutilizada: { status: 422, message: 'Esta Idempotency-Key já foi usada com outro pedido.' },
  senha_fraca: { status: 422, message: 'A senha é fácil demais.' },
  senha_repetida: { status: 422, message: 'É a senha de antes.' },
  fatura_nao_aberta: { status: 422, message: 'A fatura não está aberta.' },
  nfcom_nao_autorizada: { status: 422, message: 'A nota fiscal não está autorizada.' },
  formato_indisponivel: { status: 422, message: 'A nota fiscal não existe neste formato; formats diz em quais.' },
  contrato_invalido: { status: 422, message: 'O contrato não existe ou é de outro cliente.' },
  acesso_indisponivel: { status: 422, message: 'Este cadastro ainda não dá acesso ao app.' },
  cliente_cancelado: { status: 422, message: 'O cliente está cancelado.' },
  transicao_invalida: { status: 422, message: 'Da situação em que está, o chamado não pode ir para esta.' },
  limite_de_chamados: { status: 422, message: 'Há chamados em aberto demais; espere a resposta deles.' },
  limite_de_webhooks: { status: 422, message: 'O provedor já tem todos os webhooks que pode ter.' },
  url_nao_permitida: { status: 422, message: 'url: não é um endereço para o qual se possa enviar.' },
  evento_desconhecido: { status: 422, message: 'Não há evento deste nome.' },
  webhook_desativado: { status: 422, message: 'O webhook está pausado ou desativado; ative-o antes.' },
  transicao_de_cliente_invalida: {
    status: 422,
    message: 'situacao: da situação em que está, o cliente não pode ir para esta.',
  },
  limite_excedido: {
    status: 429,
    message: 'Limite de requisições por minuto atingido; aguarde o tempo de Retry-After.',
  },
  tentativas_excedidas: { status: 429, message: 'Tentativas demais; aguarde o tempo de Retry-After.' },
  limite_de_testes: {
    status: 429,
    message: 'Já houve seis testes no último minuto; espere um pouco.',
    headers: { 'Retry-After': '60' },
  },
  erro_interno: { status: 500, message: 'Falha inesperada; tente de novo.' },
  provedor_em_mudanca: {
    status: 503,
    message: 'O provedor está mudando de servidores e por ora só se lê; repita daqui a pouco.',
    headers: { 'Retry-After': '10' },
  },
  ocupado: {
    status: 503,
    message: 'Há pedidos demais agora; repita daqui a pouco.',
    headers: { 'Retry-After': '5' },
  },
} as const satisfies Catalogue<string>;

export type CodigoErro = keyof typeof ERROS;

/** Rules of the domain that have no code of their own here, and under which code they are said, in their own words. */
const COM_OUTRO_CODIGO: Readonly<Partial<Record<MotivoDeRecusa, CodigoErro>>> = {
  confirmacao_exigida: 'transicao_de_cliente_invalida',
  cliente_apagado: 'cliente_cancelado',
  codigo_so_da_equipe: 'acesso_indisponivel',
  responsavel_indisponivel: 'parametro_invalido',
  // Why it is weak, the domain says.
  senha_fraca: 'senha_fraca',
};

/** The field that a rule is about, where the domain does not name it. */
const CAMPO: Readonly<Partial<Record<CodigoErro, string>>> = { contrato_invalido: 'contrato_id' };

export const erros: Errors<CodigoErro, AppSession> = {
  catalogue: ERROS,
  faults: {
    invalid: 'parametro_invalido',
    unknownRoute: 'rota_inexistente',
    forbidden: 'permissao_insuficiente',
    range: 'intervalo_invalido',
    limited: 'limite_excedido',
    unforeseen: 'erro_interno',
    moving: 'provedor_em_mudanca',
    stale: 'versao_divergente',
    searchOnly: 'busca_exigida',
    tooCurious: 'tentativas_excedidas',
  },
  translate(error, session) {
    if (error instanceof CamposInvalidos) return comFaltas(error.faltas);
    if (error instanceof TooManyAttempts) return tentativasDemais(error.waitSeconds);
    if (error instanceof EntradaInvalida) return new Failure('parametro_invalido', error.message);
    return error instanceof Recusa ? daRecusa(error, session) : null;
  },
};

/** What the domain says of the fields of a form, as this surface says it. */
export function faltasDitas(faltas: readonly Falta[]): Fault<CodigoErro>[] {
  return faltas.map(({ campo, codigo, mensagem }) =>
    faultIn(campo === 'corpo' ? null : campo, codigo, `${campo}: ${mensagem}.`),
  );
}

function comFaltas(faltas: readonly Falta[]): Failure<CodigoErro> {
  const ditas = faltasDitas(faltas);
  const [primeira] = ditas;
  return new Failure(primeira?.code ?? 'parametro_invalido', primeira?.message, {}, ditas);
}

const tentativasDemais = (segundos: number): Failure<CodigoErro> =>
  new Failure('tentativas_excedidas', '', { 'Retry-After': String(segundos) });

/** Until then a code may be made again, unless there were as many as a day may have. */
const HORA_EM_SEGUNDOS = 3600;

function daRecusa({ motivo, detalhe, message }: Recusa, session: AppSession | undefined): Failure<CodigoErro> | null {
  if (motivo === 'limite_de_codigos') return tentativasDemais(HORA_EM_SEGUNDOS);
  const outro = COM_OUTRO_CODIGO[motivo];
  const codigo = outro ?? (isCodigo(motivo) ? motivo : null);
  if (codigo === null) return null;
  const dita = outro === undefined ? ERROS[codigo].message : `${message}.`;
  const recordId = podeLerClientes(session) ? (detalhe.registroId ?? null) : null;
  const fault = { code: codigo, message: dita, field: detalhe.campo ?? CAMPO[codigo] ?? null, recordId };
  return new Failure(codigo, dita, {}, [fault]);
}

/** All records that stand in somebody's way are clients. */
const podeLerClientes = (session: AppSession | undefined): boolean =>
  (session?.kind === 'chave' && session.rights.restricted === null && chavePode(session.chave, 'clientes:leitura')) ||
  (session?.kind === 'equipe' && session.quem.permissoes.includes('clientes.ver'));

function isCodigo(motivo: string): motivo is CodigoErro {
  return Object.hasOwn(ERROS, motivo);
}

/** Ends the request with an error of the catalogue unless the condition holds. */
export function exigir(condicao: unknown, codigo: CodigoErro): asserts condicao {
  if (condicao === false || condicao === null || condicao === undefined) throw new Failure(codigo);
}
