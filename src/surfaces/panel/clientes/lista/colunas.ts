import type { ClienteDaLista } from '../../../../domain/listas/listas.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { etiqueta } from '../../componentes/cartao.ts';
import { documento, escreverTelefone } from '../../componentes/escrita.ts';
import type { PermissaoPainel } from '../../../../domain/usuarios/permissoes.regras.ts';
import { pode } from '../../sessao.ts';
import type { Sessao } from '../../sessao.ts';

interface ColunaEscolhida {
  readonly nome: string;
  readonly titulo: string;
  /** Whether it is shown to who has not chosen. */
  readonly deInicio: boolean;
  readonly direita?: boolean;
  /** What one must be able to see for it; without it, it is there for nobody else to choose. */
  readonly permissao?: PermissaoPainel;
  readonly celula: (cliente: ClienteDaLista, sessao: Sessao) => Html | string | number | null;
}

/** Columns beside the name and the state, which are always there. */
const COLUNAS: readonly ColunaEscolhida[] = [
  { nome: 'numero', titulo: 'Número', deInicio: false, direita: true, celula: ({ id }) => id },
  {
    nome: 'documento',
    titulo: 'CPF ou CNPJ',
    deInicio: true,
    celula: ({ cpfCnpj }, sessao) =>
      cpfCnpj === '' ? null : html`<span class="inteiro">${documento(sessao, cpfCnpj)}</span>`,
  },
  {
    nome: 'telefone',
    titulo: 'Telefone',
    deInicio: true,
    celula: ({ telefones: [primeiro] }) =>
      primeiro === undefined ? null : html`<span class="inteiro">${escreverTelefone(primeiro)}</span>`,
  },
  { nome: 'email', titulo: 'E-mail', deInicio: false, celula: ({ email }) => email },
  {
    nome: 'cidade',
    titulo: 'Cidade',
    deInicio: true,
    celula: ({ cidade, uf }) => (uf === null || cidade === null ? cidade : `${cidade}/${uf}`),
  },
  { nome: 'plano', titulo: 'Plano', deInicio: true, celula: ({ plano }) => plano?.nome ?? null },
  { nome: 'contratos', titulo: 'Contratos', deInicio: false, direita: true, celula: ({ contratos }) => contratos },
  {
    nome: 'vencida',
    titulo: 'Faturas',
    deInicio: true,
    permissao: 'faturas.ver',
    celula: ({ vencida }) =>
      vencida ? etiqueta('Com vencida', 'red') : html`<span class="text-secondary">Em dia</span>`,
  },
];

/** Those that somebody may choose. */
export const colunasPara = (sessao: Sessao): readonly ColunaEscolhida[] =>
  COLUNAS.filter(({ permissao }) => permissao === undefined || pode(sessao, permissao));

/** The columns that an address names, between commas; those that everybody sees where it names none. */
export function colunasDe(texto: string | undefined, sessao: Sessao): readonly ColunaEscolhida[] {
  const nomes = texto?.split(',');
  return colunasPara(sessao).filter(({ nome, deInicio }) => (nomes === undefined ? deInicio : nomes.includes(nome)));
}

/** How an address names the columns once one is shown, or no longer. Without any, none of these is left to name. */
export function trocar(vistas: readonly ColunaEscolhida[], nome: string): string {
  const ha = vistas.some((uma) => uma.nome === nome);
  const nomes = COLUNAS.map((uma) => uma.nome).filter((um) =>
    um === nome ? !ha : vistas.some((uma) => uma.nome === um),
  );
  return nomes.length === 0 ? 'nenhuma' : nomes.join(',');
}
