import { CamposInvalidos, Conflito, EntradaInvalida, Recusa } from '../../domain/erros.ts';
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

/** A refusal of the domain as a page; null when the error is not foreseen. */
export function paraPessoas(error: unknown): Recusado | null {
  if (error instanceof Recusado) return error;
  if (error instanceof Recusa) {
    if (error.motivo === 'nao_encontrado') return naoEncontrado();
    if (error.motivo === 'versao_divergente') {
      return new Recusado(
        409,
        'Alguém mudou isto antes',
        'Nada foi gravado. Veja como ficou e, se for preciso, repita.',
      );
    }
    return new Recusado(422, 'Não foi possível', `${maiuscula(error.message)}.`);
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
  if (error instanceof Recusa && error.motivo === 'nao_encontrado') return null;
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
