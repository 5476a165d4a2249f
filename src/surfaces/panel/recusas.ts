import { CamposInvalidos, Conflito, EntradaInvalida, Recusa } from '../../domain/erros.ts';
import type { MotivoDeRecusa } from '../../domain/erros.ts';
import { TooManyAttempts } from '../../access/attempts.ts';
import type { EstadoDoFormulario } from './formulario/estado.ts';

/** Ends a request with a page that says what is wrong and what to do. */
export class Recusado extends Error {
  readonly status: number;
  readonly titulo: string;
  readonly texto: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, titulo: string, texto: string, headers: Readonly<Record<string, string>> = {}) {
    super(titulo);
    this.status = status;
    this.titulo = titulo;
    this.texto = texto;
    this.headers = headers;
  }
}

export const naoEncontrado = (): Recusado =>
  new Recusado(404, 'Não encontrado', 'Não há nada neste endereço, ou foi removido. Volte e procure de novo.');

export const LINK_SEM_VALOR = (): Recusado =>
  new Recusado(
    410,
    'Este link não vale mais',
    'Ele não existe, já foi usado ou venceu. Peça outro a quem o enviou, ou use “Esqueci a senha” na entrada.',
  );

/** Refusals that are no fault of a form, with how they are answered wherever they come up. */
const PROPRIAS: Readonly<Partial<Record<MotivoDeRecusa, () => Recusado>>> = {
  nao_encontrado: naoEncontrado,
  link_invalido: LINK_SEM_VALOR,
  ocupado: () =>
    new Recusado(503, 'Há pedidos demais agora', 'Nada foi feito. Espere alguns segundos e tente de novo.', {
      'Retry-After': '5',
    }),
  provedor_em_mudanca: () =>
    new Recusado(
      503,
      'Por ora só se lê',
      'O provedor está mudando de servidores. Nada foi feito; espere um minuto e repita.',
      { 'Retry-After': '10' },
    ),
  sessao_encerrada: () =>
    new Recusado(401, 'Sua sessão terminou', 'Nada foi feito. Entre de novo e repita o que queria fazer.'),
  prova_exigida: () =>
    new Recusado(
      403,
      'Falta confirmar que é você',
      'Nada foi feito. Volte, comece de novo e confirme quando for pedido.',
    ),
};

/** How long to wait, in words. */
function espera(segundos: number): string {
  if (segundos < 60) return segundos === 1 ? '1 segundo' : `${segundos} segundos`;
  const minutos = Math.ceil(segundos / 60);
  return minutos === 1 ? '1 minuto' : `${minutos} minutos`;
}

/** What is said to who tries too often, by what he tries. */
const DEMAIS: Readonly<Record<TooManyAttempts['of'], (quanto: string) => [titulo: string, texto: string]>> = {
  senha: (quanto) => [
    'Tentativas demais',
    `Por segurança, espere ${quanto} e tente de novo. Até lá nem a senha certa é aceita.`,
  ],
  envio: (quanto) => [
    'Já se pediu várias vezes',
    `Para não encher a caixa de entrada de ninguém, espere ${quanto} e peça de novo.`,
  ],
};

/** A refusal of the domain as a page; null when the error is not foreseen. */
export function paraPessoas(error: unknown): Recusado | null {
  if (error instanceof Recusado) return error;
  if (error instanceof Recusa) {
    const propria = PROPRIAS[error.motivo];
    if (propria !== undefined) return propria();
    if (error.motivo === 'permissao_que_falta') {
      return new Recusado(403, 'Seu perfil não permite isto', `${maiuscula(error.message)}.`);
    }
    if (error.motivo === 'versao_divergente') {
      return new Recusado(
        409,
        'Alguém mudou isto antes',
        'Nada foi gravado. Veja como ficou e, se for preciso, repita.',
      );
    }
    return new Recusado(422, 'Não foi possível', `${maiuscula(error.message)}.`);
  }
  if (error instanceof TooManyAttempts) {
    const { of, waitSeconds } = error;
    const [titulo, texto] = DEMAIS[of](espera(waitSeconds));
    return new Recusado(429, titulo, texto, { 'Retry-After': String(waitSeconds) });
  }
  if (error instanceof Conflito)
    return new Recusado(409, 'Alguém fez o mesmo agora há pouco', `${maiuscula(error.message)}.`);
  if (error instanceof EntradaInvalida)
    return new Recusado(422, 'Confira o que foi informado', `${maiuscula(error.message)}.`);
  return null;
}

/** The status with which a form comes back, and what it shows; null when the error is not one of what was typed or of a rule. */
export function noFormulario(
  error: unknown,
  digitado: EstadoDoFormulario['digitado'],
): { status: 409 | 422; estado: EstadoDoFormulario } | null {
  if (error instanceof CamposInvalidos)
    return { status: 422, estado: { digitado, faltas: error.faltas, recusa: null } };
  // A field may name what is not there; else there is nothing to go on with.
  if (error instanceof Recusa && PROPRIAS[error.motivo] !== undefined && error.detalhe.campo === undefined) return null;
  if (error instanceof Recusa || error instanceof EntradaInvalida || error instanceof Conflito) {
    const campo = error instanceof Recusa ? error.detalhe.campo : undefined;
    const mensagem =
      error instanceof Recusa && campo !== undefined ? error.message.slice(campo.length + 2) : error.message;
    const status =
      error instanceof Conflito || (error instanceof Recusa && error.motivo === 'versao_divergente') ? 409 : 422;
    return {
      status,
      estado:
        campo === undefined
          ? { digitado, faltas: [], recusa: `${maiuscula(mensagem)}.` }
          : { digitado, faltas: [{ campo, mensagem }], recusa: null },
    };
  }
  return null;
}

const maiuscula = (texto: string): string => texto.charAt(0).toUpperCase() + texto.slice(1);
