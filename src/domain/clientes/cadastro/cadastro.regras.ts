import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerAlteracao, lerCampos, opcional } from '../../campos/campos.ts';
import type { Campo, Forma, ValoresDe } from '../../campos/campos.ts';
import { escolha } from '../../campos/leitores.ts';
import type { Endereco } from '../../enderecos/enderecos.types.ts';
import { CamposInvalidos } from '../../erros.ts';
import type { Falta } from '../../erros.ts';
import { CAMPOS_DO_CLIENTE } from '../cadastro.campos.ts';
import { SITUACOES_DE_CLIENTE } from '../clientes.types.ts';
import type { SituacaoCliente } from '../clientes.types.ts';
import type { NovoCliente, TipoDePessoa } from './cadastro.types.ts';

/** Nobody who signs a contract was born before. */
const PRIMEIRO_NASCIMENTO = '1900-01-01';

/** A change may name every state, so that one that nobody may give is refused as a move and not as a misspelling. */
const CAMPOS_DA_MUDANCA = { ...CAMPOS_DO_CLIENTE, situacao: opcional(escolha(SITUACOES_DE_CLIENTE)) } as const;

type Parcial<F extends Forma> = ValoresDe<{ readonly [C in keyof F]: Campo<ValoresDe<F>[C], undefined> }>;
export type MudancaDeCliente = Parcial<typeof CAMPOS_DA_MUDANCA>;

/** Parts of a registration that must agree with one another; what is not known of them is not judged. */
type Coerentes = Partial<
  Pick<MudancaDeCliente, 'cpf_cnpj' | 'tipo' | 'nome_fantasia' | 'data_nascimento'> & { readonly nome: unknown }
>;

const SEM_ENDERECO: Endereco = {
  cep: null,
  logradouro: null,
  numero: null,
  complemento: null,
  bairro: null,
  cidade: null,
  uf: null,
};

/** A CPF has 11 digits; what is longer is a CNPJ. */
export const tipoDe = (cpfCnpj: string): TipoDePessoa => (cpfCnpj.length === 11 ? 'pf' : 'pj');

/**
 * Where a person may take a client from each state; staying is no move. `bloqueado` follows from
 * contracts, and `cancelado` from being cancelled: neither is given.
 */
const VAI_PARA: Readonly<Record<SituacaoCliente, readonly SituacaoCliente[]>> = {
  ativo: ['inativo', 'observacao', 'pre_cadastro'],
  bloqueado: ['ativo', 'inativo', 'observacao', 'pre_cadastro'],
  inativo: ['ativo', 'observacao', 'pre_cadastro'],
  observacao: ['ativo', 'inativo', 'pre_cadastro'],
  pre_cadastro: ['ativo', 'inativo', 'observacao'],
  cancelado: ['ativo'],
};

export const podeIr = (de: SituacaoCliente, para: SituacaoCliente): boolean =>
  de === para || VAI_PARA[de].includes(para);

/** @throws CamposInvalidos that names all faulty fields, those that do not agree with others included */
export function lerNovoCliente(dados: unknown, hoje: Data): NovoCliente {
  const lido = comCoerencia(CAMPOS_DO_CLIENTE, dados, () => lerCampos(CAMPOS_DO_CLIENTE, dados), hoje);
  return {
    nome: lido.nome,
    nomeFantasia: lido.nome_fantasia ?? null,
    cpfCnpj: lido.cpf_cnpj,
    email: lido.email ?? null,
    telefones: lido.telefones ?? [],
    situacao: lido.situacao ?? 'ativo',
    dataNascimento: lido.data_nascimento ?? null,
    endereco: { ...SEM_ENDERECO, ...definidos(lido.endereco ?? {}) },
    codigoExterno: lido.codigo_externo ?? null,
  };
}

/** @throws CamposInvalidos; what depends on the client as it is, `faltasDaMudanca` judges */
export function lerMudancaDeCliente(dados: unknown, hoje: Data): MudancaDeCliente {
  return comCoerencia(CAMPOS_DA_MUDANCA, dados, () => lerAlteracao(CAMPOS_DA_MUDANCA, dados), hoje);
}

/** @throws CamposInvalidos where a change does not agree with the document that the client has, or will have */
export function julgarMudanca(mudanca: MudancaDeCliente, cpfCnpj: string, hoje: Data): void {
  const faltas = faltasDeCoerencia({ ...mudanca, cpf_cnpj: mudanca.cpf_cnpj ?? cpfCnpj }, hoje);
  if (faltas.length > 0) throw new CamposInvalidos(faltas);
}

/** What was said of an object's fields; those that were not said are left out. */
export function definidos<T extends object>(campos: T): { [C in keyof T]?: Exclude<T[C], undefined> } {
  return Object.fromEntries(Object.entries(campos).filter(([, valor]) => valor !== undefined)) as {
    [C in keyof T]?: Exclude<T[C], undefined>;
  };
}

/** Reads by a form, and judges together with its faults whether what could be read agrees. */
function comCoerencia<T extends Coerentes>(forma: Forma, dados: unknown, ler: () => T, hoje: Data): T {
  let lido: T | null = null;
  let faltas: readonly Falta[] = [];
  try {
    lido = ler();
  } catch (error) {
    if (!(error instanceof CamposInvalidos)) throw error;
    ({ faltas } = error);
  }
  const incoerentes = faltasDeCoerencia(lido ?? legiveis(forma, dados), hoje);
  if (lido === null || incoerentes.length > 0) throw new CamposInvalidos([...faltas, ...incoerentes]);
  return lido;
}

/** The fields that can be read by themselves, whatever is wrong with others. */
function legiveis(forma: Forma, dados: unknown): Coerentes {
  if (typeof dados !== 'object' || dados === null) return {};
  const lidos = Object.entries(forma).flatMap(([nome, { ler }]) => {
    const lido = Object.hasOwn(dados, nome) ? ler((dados as Readonly<Record<string, unknown>>)[nome]) : null;
    return lido !== null && 'valor' in lido ? [[nome, lido.valor] as const] : [];
  });
  return Object.fromEntries(lidos);
}

function faltasDeCoerencia({ cpf_cnpj, tipo, nome_fantasia, data_nascimento }: Coerentes, hoje: Data): Falta[] {
  const faltas: Falta[] = [];
  const falta = (campo: string, mensagem: string): void => {
    faltas.push({ campo, codigo: 'parametro_invalido', mensagem });
  };
  const doDocumento = cpf_cnpj === undefined ? null : tipoDe(cpf_cnpj);
  if (tipo !== undefined && doDocumento !== null && tipo !== doDocumento) {
    falta('tipo', `deve ser ${doDocumento}, como diz o cpf_cnpj`);
  }
  if (typeof nome_fantasia === 'string' && doDocumento === 'pf') {
    falta('nome_fantasia', 'só pessoa jurídica (CNPJ) tem');
  }
  if (typeof data_nascimento === 'string') {
    if (doDocumento === 'pj') falta('data_nascimento', 'só pessoa física (CPF) tem');
    else if (data_nascimento > hoje) falta('data_nascimento', 'não pode ser no futuro');
    else if (data_nascimento < PRIMEIRO_NASCIMENTO) falta('data_nascimento', 'não pode ser antes de 1900');
  }
  return faltas;
}
