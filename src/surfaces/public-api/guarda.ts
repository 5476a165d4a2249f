import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { lerData } from '../../brazil/calendario/datas.ts';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import { normalizarTelefone } from '../../brazil/pessoa/telefone.ts';
import type { ObjectSchema, Schema } from '../../platform/schema-type.ts';
import { ErroApi } from './erros.ts';
import type { CodigoErro } from './erros.ts';

const ID = /^[1-9]\d{0,15}$/;
/** RFC 3339, section 5.6, without leap seconds; the day is judged by the calendar. */
const INSTANTE = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const INTEIRO = /^-?(0|[1-9]\d{0,15})$/;

/** Formats with an error code of their own; any other fault is `parametro_invalido`. */
const CODIGO_POR_FORMATO: Readonly<Record<string, CodigoErro>> = {
  cpf_cnpj: 'cpf_cnpj_invalido',
  telefone: 'telefone_invalido',
};

const ajv = new Ajv({
  useDefaults: true,
  allowUnionTypes: true,
  formats: {
    date: (texto: string) => lerData(texto) !== null,
    'date-time': (texto: string) => INSTANTE.test(texto) && lerData(texto.slice(0, 10)) !== null,
    cpf_cnpj: (texto: string) => normalizarCpfCnpj(texto) !== null,
    telefone: (texto: string) => normalizarTelefone(texto) !== null,
    dinheiro: true,
  },
});

/** Turns what a request carries into what a route declared, or says what is wrong with it. */
export interface Guarda {
  /** @throws ErroApi `id_invalido` */
  id(texto: string): number;
  /** @param query the URL's query, without `?` @throws ErroApi 400 naming the parameter */
  consulta(query: string): unknown;
  /** @throws ErroApi 400 naming the field */
  corpo(json: unknown): unknown;
}

/** Compiles the checks of one route. */
export function criarGuarda(consulta: ObjectSchema | null, corpo: ObjectSchema | null): Guarda {
  const esquemaDaConsulta = consulta ?? { type: 'object', additionalProperties: false, properties: {} };
  const conferirConsulta = ajv.compile(esquemaDaConsulta);
  const conferirCorpo = corpo === null ? null : ajv.compile(corpo);
  return {
    id(texto) {
      const numero = ID.test(texto) ? Number(texto) : Number.NaN;
      if (!Number.isSafeInteger(numero)) throw new ErroApi('id_invalido');
      return numero;
    },

    consulta(query) {
      return conferir(conferirConsulta, lerConsulta(query, esquemaDaConsulta), esquemaDaConsulta);
    },

    corpo(json) {
      if (conferirCorpo === null || corpo === null) return undefined;
      const valores = conferir(conferirCorpo, comTextosAparados(json, corpo), corpo);
      conferirTextos(valores);
      return valores;
    },
  };
}

/** A query as an object; integers become numbers here, so that the schema never has to guess what text means. */
function lerConsulta(query: string, { properties }: ObjectSchema): Record<string, unknown> {
  const valores: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [nome, texto] of new URLSearchParams(query)) {
    if (Object.hasOwn(valores, nome)) throw invalido(nome, 'não pode ser repetido');
    const inteiro = Object.hasOwn(properties, nome) && properties[nome]?.type === 'integer' && INTEIRO.test(texto);
    valores[nome] = inteiro ? Number(texto) : texto;
  }
  return valores;
}

function conferir(validar: ValidateFunction, valor: unknown, esquema: ObjectSchema): unknown {
  if (validar(valor)) return valor;
  const [erro] = validar.errors ?? [];
  throw erro === undefined ? new ErroApi('parametro_invalido') : paraErro(erro, esquema);
}

/** A body whose free texts are as they will be stored, and counted: without what nobody sees at their ends. */
function comTextosAparados(json: unknown, { properties }: ObjectSchema): unknown {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return json;
  const campos = Object.entries(json).map(([nome, valor]: [string, unknown]) => {
    const livre = Object.hasOwn(properties, nome) && ehTextoLivre(properties[nome]);
    return [nome, livre && typeof valor === 'string' ? aparar(valor) : valor];
  });
  return Object.fromEntries(campos) as unknown;
}

/** What people write, and not one of the words or forms that a program knows. */
function ehTextoLivre(esquema: Schema | undefined): boolean {
  return esquema?.type === 'string' && esquema.enum === undefined && esquema.format === undefined;
}

/** JSON may escape half of a surrogate pair, which is no character and which no store keeps. @throws ErroApi */
function conferirTextos(corpo: unknown): void {
  for (const [campo, valor] of Object.entries(corpo ?? {})) {
    if (typeof valor === 'string' && !valor.isWellFormed()) throw invalido(campo, 'tem um caractere que não existe');
  }
}

function paraErro(erro: ErrorObject, esquema: ObjectSchema): ErroApi {
  const campo = erro.instancePath.slice(1).replaceAll('/', '.');
  const params = erro.params as Record<string, unknown>;
  switch (erro.keyword) {
    case 'additionalProperties':
      return invalido(String(params['additionalProperty']), 'não é conhecido nesta rota');
    case 'required':
      return invalido(String(params['missingProperty']), 'é obrigatório');
    case 'minProperties':
      return new ErroApi('parametro_invalido', 'corpo: envie ao menos um campo.');
    case 'format': {
      const codigo = CODIGO_POR_FORMATO[String(params['format'])];
      return codigo === undefined
        ? invalido(campo, MENSAGEM_DE_FORMATO[String(params['format'])])
        : new ErroApi(codigo);
    }
    case 'enum':
      return invalido(campo, `deve ser um de: ${(esquema.properties[campo]?.enum ?? []).filter(Boolean).join(', ')}`);
    case 'type':
      return invalido(campo, `deve ser ${nomeDoTipo(esquema.properties[campo])}`);
    case 'minimum':
    case 'maximum':
      return invalido(
        campo,
        `deve ser ${erro.keyword === 'minimum' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])}`,
      );
    case 'minLength':
    case 'maxLength':
      return invalido(
        campo,
        `deve ter ${erro.keyword === 'minLength' ? 'no mínimo' : 'no máximo'} ${String(params['limit'])} caracteres`,
      );
    default:
      return invalido(campo);
  }
}

const MENSAGEM_DE_FORMATO: Readonly<Record<string, string>> = {
  date: 'deve ser uma data que exista, na forma AAAA-MM-DD',
  'date-time': 'deve ser uma data e hora ISO 8601',
};

const NOMES_DOS_TIPOS: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'um número inteiro',
  number: 'um número',
  boolean: 'verdadeiro ou falso',
  null: 'nulo',
};

function nomeDoTipo(esquema: Schema | undefined): string {
  const tipos = [esquema?.type ?? 'object'].flat();
  return tipos.map((tipo) => NOMES_DOS_TIPOS[tipo] ?? 'um objeto').join(' ou ');
}

function invalido(campo: string, problema = 'tem um valor inválido'): ErroApi {
  // What the caller wrote is repeated only as far as it helps, and never with control characters.
  const nome = campo === '' ? 'corpo' : campo.slice(0, 60).replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return new ErroApi('parametro_invalido', `${nome}: ${problema}.`);
}
