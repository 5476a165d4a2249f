import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import type { Icone } from '../ativos/icones.ts';
import { BASE } from '../ativos/ativos.ts';
import { conta } from './contadores.ts';
import { icone } from '../componentes/icone.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

interface Entrada {
  readonly nome: string;
  readonly texto: string;
  readonly caminho: string;
  readonly icone: Icone;
  /** Any of these shows it. */
  readonly de: readonly PermissaoPainel[];
}

/** The menu, in its order. A screen names the entry under which it is found. */
const MENU: readonly Entrada[] = [
  { nome: 'inicio', texto: 'Início', caminho: '', icone: 'home', de: ['inicio.ver'] },
  { nome: 'clientes', texto: 'Clientes', caminho: '/clientes', icone: 'users', de: ['clientes.ver'] },
  { nome: 'contratos', texto: 'Contratos', caminho: '/contratos', icone: 'router', de: ['clientes.ver'] },
];

/** The way of an invoice: it is made, goes to the bank, is paid or asked for, and has its note. */
const COBRANCA: readonly Entrada[] = [
  { nome: 'faturas', texto: 'Faturas', caminho: '/faturas', icone: 'file-invoice', de: ['faturas.ver'] },
  { nome: 'faturamento', texto: 'Faturamento', caminho: '/faturamento', icone: 'receipt', de: ['cobranca.faturar'] },
  { nome: 'boletos', texto: 'Boletos no banco', caminho: '/boletos', icone: 'barcode', de: ['cobranca.faturar'] },
  { nome: 'conciliacao', texto: 'Conciliação', caminho: '/conciliacao', icone: 'scale', de: ['conciliacao.ver'] },
  {
    nome: 'regua',
    texto: 'Régua de cobrança',
    caminho: '/regua',
    icone: 'stairs-down',
    de: ['cobranca.editar', 'faturas.ver'],
  },
  { nome: 'nfcom', texto: 'Notas fiscais', caminho: '/nfcom', icone: 'file-text', de: ['nfcom.ver'] },
];

const OPERACAO: readonly Entrada[] = [
  { nome: 'chamados', texto: 'Chamados', caminho: '/chamados', icone: 'ticket', de: ['chamados.ver'] },
  { nome: 'planos', texto: 'Planos', caminho: '/planos', icone: 'package', de: ['clientes.ver', 'planos.gerir'] },
  { nome: 'convites', texto: 'Convites', caminho: '/convites', icone: 'user-plus', de: ['convites.gerir'] },
  { nome: 'rede', texto: 'Rede', caminho: '/rede', icone: 'building-broadcast-tower', de: ['rede.ver'] },
  { nome: 'tarefas', texto: 'Tarefas', caminho: '/tarefas', icone: 'clipboard-list', de: ['tarefas.ver'] },
];

/** The pages of the settings, below `/configuracoes`. */
const CONFIGURACOES: readonly Entrada[] = [
  {
    nome: 'provedor',
    texto: 'Provedor',
    caminho: '/configuracoes/provedor',
    icone: 'settings',
    de: ['configuracoes.editar'],
  },
  {
    nome: 'cobranca',
    texto: 'Cobrança',
    caminho: '/configuracoes/cobranca',
    icone: 'credit-card',
    de: ['cobranca.editar'],
  },
  {
    nome: 'configuracao-faturamento',
    texto: 'Faturamento',
    caminho: '/configuracoes/faturamento',
    icone: 'calendar',
    de: ['cobranca.editar'],
  },
  {
    nome: 'bancos',
    texto: 'Convênios bancários',
    caminho: '/configuracoes/bancos',
    icone: 'building-bank',
    de: ['cobranca.editar'],
  },
  {
    nome: 'configuracao-regua',
    texto: 'Régua de cobrança',
    caminho: '/configuracoes/cobranca/regua',
    icone: 'stairs-down',
    de: ['cobranca.editar'],
  },
  {
    nome: 'configuracao-nfcom',
    texto: 'Notas fiscais',
    caminho: '/configuracoes/nfcom',
    icone: 'file-text',
    de: ['nfcom.configurar'],
  },
  {
    nome: 'api',
    texto: 'API pública',
    caminho: '/configuracoes/api',
    icone: 'key',
    de: ['chaves.ver', 'chaves.gerir'],
  },
  {
    nome: 'webhooks',
    texto: 'Integrações e webhooks',
    caminho: '/configuracoes/webhooks',
    icone: 'webhook',
    de: ['webhooks.ver', 'webhooks.gerir'],
  },
  { nome: 'usuarios', texto: 'Usuários', caminho: '/configuracoes/usuarios', icone: 'user', de: ['usuarios.gerir'] },
  { nome: 'perfis', texto: 'Perfis', caminho: '/configuracoes/perfis', icone: 'shield-lock', de: ['usuarios.gerir'] },
  {
    nome: 'aplicativo',
    texto: 'Aplicativo e push',
    caminho: '/configuracoes/app',
    icone: 'device-mobile',
    de: ['configuracoes.editar'],
  },
  {
    nome: 'importacao',
    texto: 'Importação',
    caminho: '/configuracoes/importacao',
    icone: 'file-import',
    de: ['importacao.usar'],
  },
  {
    nome: 'auditoria',
    texto: 'Auditoria',
    caminho: '/configuracoes/auditoria',
    icone: 'history',
    de: ['auditoria.ver'],
  },
];

/** The entries of the menu that a user may open. `atual`: the one that is marked. `chamados`: how many tickets are open. */
export function menu(sessao: Sessao, atual: string | undefined, chamados: number | null): Html {
  const vistas = (entradas: readonly Entrada[]): readonly Entrada[] => entradas.filter(({ de }) => pode(sessao, ...de));
  const linha = ({ nome, texto, caminho, icone: desenho }: Entrada): Html =>
    html`<li>
      <a href="${BASE}${caminho}" ${nome === atual ? html`aria-current="page"` : null}
        >${icone(desenho)} ${texto}
        ${nome === 'chamados' ? conta('chamados', chamados, 'badge bg-primary text-primary-fg', 'abertos') : null}</a
      >
    </li>`;
  const grupo = (titulo: string, entradas: readonly Entrada[]): Html | null => {
    const dele = vistas(entradas);
    return dele.length === 0
      ? null
      : html`<li class="mt-3"><span class="px-3 text-secondary">${titulo}</span></li>
          ${dele.map(linha)}`;
  };
  return html`<ul>
    ${vistas(MENU).map(linha)} ${grupo('Cobrança', COBRANCA)} ${grupo('Operação', OPERACAO)}
    ${grupo('Configurações', CONFIGURACOES)}
  </ul>`;
}
