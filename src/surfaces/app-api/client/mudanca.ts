import type { AppSession } from '../../../access/callers.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import { lerMudancaDeCliente } from '../../../domain/clientes/cadastro/cadastro.regras.ts';
import { CamposInvalidos } from '../../../domain/erros.ts';
import { faultIn } from '../../../kit/reply/failure.ts';
import type { Fault } from '../../../kit/reply/failure.ts';
import { faltasDitas } from '../erros.ts';
import type { CodigoErro } from '../erros.ts';
import { senhaNoCorpo } from '../auth/auth.schemas.ts';

const parte = (maxLength: number, exemplo: string) =>
  ({ type: ['string', 'null'], maxLength, examples: [exemplo] }) as const;

/** What a subscriber changes of himself. Names, tax id and birth date are the provider's people's to change. */
export const corpoDeMudanca = {
  title: 'ClientChange',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    email: { type: ['string', 'null'], maxLength: 254, description: 'Nulo o apaga.', examples: ['maria@example.com'] },
    phones: {
      type: 'array',
      items: { type: 'string' },
      description: 'De 1 a 5, de 10 a 13 dígitos, com DDD; os repetidos contam uma vez.',
      examples: [['35999990001']],
    },
    address: {
      type: 'object',
      additionalProperties: false,
      description: 'O que falta fica como está; nulo apaga.',
      examples: [{ zip_code: '37130001', city: 'Alfenas', state: 'MG' }],
      properties: {
        zip_code: parte(9, '37130001'),
        street: parte(160, 'Rua das Acácias'),
        number: parte(20, '120'),
        complement: parte(80, 'Casa 2'),
        district: parte(80, 'Centro'),
        city: parte(80, 'Alfenas'),
        state: parte(2, 'MG'),
      },
    },
    trade_name: {
      type: ['string', 'null'],
      maxLength: 160,
      description: 'Nome fantasia, só de pessoa jurídica.',
      examples: ['Padaria da Praça'],
    },
    senha: { ...senhaNoCorpo, description: 'Obrigatória com email ou phones.' },
  },
} as const;

/** The fields as the domain calls them, by how they are sent. */
const NA_CASA: Readonly<Record<string, string>> = { email: 'email', phones: 'telefones', trade_name: 'nome_fantasia' };
const DO_ENDERECO: Readonly<Record<string, string>> = {
  zip_code: 'cep',
  street: 'logradouro',
  number: 'numero',
  complement: 'complemento',
  district: 'bairro',
  city: 'cidade',
  state: 'uf',
};

/** Beside these a body needs the password. */
const CONTATOS = ['email', 'phones'] as const;

const foraDe = (nomes: Readonly<Record<string, string>>, daCasa: string): string =>
  Object.entries(nomes).find(([, nome]) => nome === daCasa)?.[0] ?? daCasa;

function campoDeFora(campo: string): string {
  const [primeiro = campo, ...resto] = campo.split('.');
  if (primeiro === 'endereco') return ['address', ...resto.map((nome) => foraDe(DO_ENDERECO, nome))].join('.');
  return [foraDe(NA_CASA, primeiro), ...resto].join('.');
}

const eObjeto = (valor: unknown): valor is Readonly<Record<string, unknown>> =>
  typeof valor === 'object' && valor !== null && !Array.isArray(valor);

const traduzir = (dados: Readonly<Record<string, unknown>>, nomes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(dados).flatMap(([nome, valor]) => {
      const daCasa = Object.hasOwn(nomes, nome) ? nomes[nome] : undefined;
      return daCasa === undefined ? [] : [[daCasa, valor] as const];
    }),
  );

/** A body as the domain takes a change of a client; fields that are none of a change's are left out. */
export function mudancaDe(corpo: object): Record<string, unknown> {
  const dados = corpo as Readonly<Record<string, unknown>>;
  const { address } = dados;
  return {
    ...traduzir(dados, NA_CASA),
    ...(address === undefined ? {} : { endereco: eObjeto(address) ? traduzir(address, DO_ENDERECO) : address }),
  };
}

export const mudaContato = (corpo: object): boolean => CONTATOS.some((nome) => Object.hasOwn(corpo, nome));

/** What is wrong with a body beside its form, by the names under which it was sent. */
export function julgarMudanca(corpo: unknown, session: AppSession): readonly Fault<CodigoErro>[] {
  if (!eObjeto(corpo) || session.kind !== 'cliente') return [];
  const faltas: Fault<CodigoErro>[] = [];
  const falta = (campo: string | null, mensagem: string): void => {
    faltas.push(faultIn(campo, 'parametro_invalido', `${campo ?? 'corpo'}: ${mensagem}.`));
  };
  const mudanca = mudancaDe(corpo);
  if (Object.keys(mudanca).length === 0) falta(null, 'diga ao menos um de: email, phones, address, trade_name');
  if (Array.isArray(corpo['phones']) && corpo['phones'].length === 0) falta('phones', 'deve ter no mínimo 1');
  const { address } = corpo;
  if (eObjeto(address) && Object.keys(address).length === 0) falta('address', 'diga ao menos um dos seus campos');
  if (mudaContato(corpo) && corpo['senha'] === undefined) falta('senha', 'é obrigatória com email ou phones');
  try {
    const { provedor, at, quem } = session;
    // The document says whether there may be a trade name.
    lerMudancaDeCliente({ ...mudanca, cpf_cnpj: quem.cpfCnpj }, hojeEm(provedor.fusoHorario, at));
  } catch (error) {
    if (!(error instanceof CamposInvalidos)) throw error;
    faltas.push(...faltasDitas(error.faltas.map((uma) => ({ ...uma, campo: campoDeFora(uma.campo) }))));
  }
  return faltas;
}
