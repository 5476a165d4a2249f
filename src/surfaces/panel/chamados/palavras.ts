import type { EstadoConexao } from '../../../domain/conexoes/conexoes.types.ts';
import type { CategoriaChamado, PrioridadeChamado, SituacaoChamado } from '../../../domain/chamados/chamados.types.ts';
import type { OrigemChamado } from '../../../domain/chamados/fila/fila.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { icone } from '../componentes/icone.ts';
import type { Opcao } from '../formulario/campos.ts';

export const SITUACOES: Readonly<Record<SituacaoChamado, string>> = {
  aberto: 'aberto',
  em_andamento: 'em andamento',
  pendente: 'pendente',
  pendente_terceiro: 'pendente de terceiro',
  reaberto: 'reaberto',
  solucionado: 'solucionado',
  cancelado: 'cancelado',
};

export const PRIORIDADES: Readonly<Record<PrioridadeChamado, string>> = {
  urgente: 'urgente',
  alta: 'alta',
  normal: 'normal',
  baixa: 'baixa',
};

export const CATEGORIAS: Readonly<Record<CategoriaChamado, string>> = {
  TECNICO: 'Técnico',
  FINANCEIRO: 'Financeiro',
  COMERCIAL: 'Comercial',
  INSTALACAO: 'Instalação',
  CANCELAMENTO: 'Cancelamento',
  OUTRO: 'Outro',
};

export const ORIGENS: Readonly<Record<OrigemChamado, string>> = { api: 'API', app: 'App', painel: 'Painel' };

export const opcoesDe = (nomes: Readonly<Record<string, string>>): readonly Opcao[] =>
  Object.entries(nomes).map(([valor, texto]) => ({ valor, texto }));

const SINAIS = { urgente: 'alert-triangle', alta: 'chevron-up', normal: null, baixa: 'chevron-down' } as const;

/** The word, with a sign before what is not usual. */
export function prioridade(qual: PrioridadeChamado): Html {
  const sinal = SINAIS[qual];
  return html`<span class="prioridade ${qual}">${sinal === null ? null : icone(sinal)} ${PRIORIDADES[qual]}</span>`;
}

const CORES = {
  aberto: 'blue',
  em_andamento: 'azure',
  pendente: 'yellow',
  pendente_terceiro: 'yellow',
  reaberto: 'orange',
  solucionado: 'green',
  cancelado: 'secondary',
} as const;

export const situacao = (qual: SituacaoChamado): Html => etiqueta(SITUACOES[qual], CORES[qual]);

export const origem = (qual: OrigemChamado): Html =>
  etiqueta(ORIGENS[qual], qual === 'api' ? 'purple' : qual === 'app' ? 'azure' : 'secondary');

const PONTOS: Readonly<Record<EstadoConexao, string>> = {
  online: 'ponto on',
  offline: 'ponto off',
  desconhecido: 'ponto',
};

/** Whether the line is connected now. */
export const conexao = (qual: EstadoConexao): Html =>
  html`<span class="text-nowrap"
    ><span class="${PONTOS[qual]}" aria-hidden="true"></span>${qual === 'desconhecido' ? 'sem notícia' : qual}</span
  >`;

const PALAVRAS = new RegExp(`\\b(${[...Object.keys(SITUACOES), ...Object.keys(CATEGORIAS)].join('|')})\\b`, 'g');

/** What the history says of a change, with the words that people read. */
export const doHistorico = (descricao: string): string =>
  descricao.replaceAll(PALAVRAS, (nome) =>
    nome in SITUACOES ? SITUACOES[nome as SituacaoChamado] : CATEGORIAS[nome as CategoriaChamado],
  );
