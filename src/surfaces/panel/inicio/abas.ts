import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import type { Html } from '../../../kit/html/html.ts';
import { abaDaRede } from '../rede/aba.ts';
import type { Chamada } from '../rota.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { atendimento } from './atendimento.ts';
import { financeiro } from './financeiro.ts';
import { geral } from './geral.ts';

/** A view of the first page: its name in the address, who may see it, and what stands in it. */
export interface AbaDoInicio {
  readonly nome: string;
  readonly texto: string;
  /** Any of these shows it. */
  readonly de: readonly PermissaoPainel[];
  readonly corpo: (chamada: Chamada) => Promise<Html>;
}

/** All of them, in their order. */
const ABAS: readonly AbaDoInicio[] = [
  { nome: 'geral', texto: 'Geral', de: ['inicio.ver'], corpo: geral },
  { nome: 'financeiro', texto: 'Financeiro', de: ['faturas.ver'], corpo: financeiro },
  { nome: 'atendimento', texto: 'Atendimento', de: ['chamados.ver'], corpo: atendimento },
  { nome: 'rede', texto: 'Rede', de: ['rede.ver'], corpo: abaDaRede },
];

export const abasDe = (sessao: Sessao): readonly AbaDoInicio[] => ABAS.filter(({ de }) => pode(sessao, ...de));
