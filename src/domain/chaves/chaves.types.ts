import type { Provedor } from '../provedores/provedores.types.ts';

/** What a key may do at `/api/v1`. */
const PERMISSOES_DA_API = [
  'clientes:leitura',
  'financeiro:leitura',
  'contratos:desbloqueio',
  'contratos:conexao',
  'chamados:leitura',
  'chamados:escrita',
  'planos:leitura',
  'pre_cadastro:escrita',
  'extratos:leitura',
] as const;

/** What only `/v1` has a use for. A key made before these gains nothing. */
export const PERMISSOES_DE_INTEGRACAO = [
  'clientes:escrita',
  'rede:leitura',
  'webhooks:leitura',
  'webhooks:escrita',
  'acesso:escrita',
  'push:escrita',
] as const;

export type Permissao = (typeof PERMISSOES_DA_API)[number] | (typeof PERMISSOES_DE_INTEGRACAO)[number];

/** What a route asks of a key: one permission, any of several, or all of several. */
export type Exigencia = Permissao | { readonly uma: readonly Permissao[] } | { readonly todas: readonly Permissao[] };

/** Whether somebody who has what `tem` says has enough. */
export function satisfaz(exigencia: Exigencia, tem: (permissao: Permissao) => boolean): boolean {
  if (typeof exigencia === 'string') return tem(exigencia);
  return 'uma' in exigencia ? exigencia.uma.some(tem) : exigencia.todas.every(tem);
}

/** In words: `a`, `a ou b`, `a e b`. */
export function escreverExigencia(
  exigencia: Exigencia,
  escrever = (permissao: Permissao): string => permissao,
): string {
  if (typeof exigencia === 'string') return escrever(exigencia);
  return 'uma' in exigencia ? exigencia.uma.map(escrever).join(' ou ') : exigencia.todas.map(escrever).join(' e ');
}

/** What can be given to a key. */
export const PERMISSOES: readonly Permissao[] = [...PERMISSOES_DA_API, ...PERMISSOES_DE_INTEGRACAO];

/** What a key can be kept from; each is one more wall, and taken away by nobody. */
export const RESTRICOES = ['somente_busca', 'dados_mascarados'] as const;
export type Restricao = (typeof RESTRICOES)[number];

/** What no key with a restriction can have: it would give all data away at once, or make others who see them. */
export const SEM_RESTRICAO: readonly Permissao[] = [
  'extratos:leitura',
  'acesso:escrita',
  'webhooks:leitura',
  'webhooks:escrita',
];

/** Requests a minute of a key that names no limit, and of a source without a valid key. */
export const LIMITE_PADRAO = 120;
export const LIMITE_MAXIMO = 1200;

/** A key without its text, which is shown once and kept nowhere. */
export interface Chave {
  readonly id: number;
  readonly nome: string;
  /** Start of the text, for people to tell keys apart. */
  readonly inicio: string;
  readonly permissoes: readonly Permissao[];
  /** In the order of `RESTRICOES`. */
  readonly restricoes: readonly Restricao[];
  /** Addresses and CIDR ranges; null admits every source. */
  readonly ipsPermitidos: readonly string[] | null;
  readonly limitePorMinuto: number;
  readonly expiraEm: Date | null;
  readonly revogadaEm: Date | null;
  readonly criadaEm: Date;
}

/** What can be said of a key; the rest is made with it. */
export type AjustesDaChave = Pick<
  Chave,
  'nome' | 'permissoes' | 'restricoes' | 'ipsPermitidos' | 'limitePorMinuto' | 'expiraEm'
>;

export interface ChaveFeita {
  readonly id: number;
  /** Shown once. */
  readonly texto: string;
}

/** A key with the tenant it belongs to: all that a request needs to be admitted. */
export interface ChaveComProvedor {
  readonly chave: Chave;
  readonly provedor: Provedor;
}

export interface NovaChave {
  readonly nome: string;
  readonly permissoes: readonly Permissao[];
  readonly restricoes?: readonly Restricao[];
  readonly ipsPermitidos?: readonly string[] | null;
  readonly limitePorMinuto?: number;
  readonly expiraEm?: Date | null;
}
