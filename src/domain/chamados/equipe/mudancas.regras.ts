import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ChamadoRow } from '../chamados.types.ts';
import { estaFechado } from '../transicoes.regras.ts';
import type { SituacaoPedida } from '../transicoes.regras.ts';
import type { Colunas } from './equipe.queries.ts';

/** A change that everybody sees: its columns, and the entry of the history that tells of it. */
export interface Mudanca {
  readonly colunas: Colunas;
  readonly acao: 'situacao' | 'prioridade' | 'categoria' | 'solucao' | 'agendamento' | 'comentario';
  readonly descricao: string;
}

type Antes = Pick<ChamadoRow, 'situacao' | 'prioridade' | 'categoria' | 'solucao'>;

export function daSituacao(
  antes: Pick<Antes, 'situacao'>,
  situacao: SituacaoPedida | undefined,
  agora: string,
): Mudanca | null {
  if (situacao === undefined || situacao === antes.situacao) return null;
  const fechado_em = estaFechado(situacao) ? agora : null;
  const descricao = `De ${antes.situacao} para ${situacao}.`;
  return { colunas: { situacao, fechado_em }, acao: 'situacao', descricao };
}

export function daPrioridade(
  antes: Pick<Antes, 'prioridade'>,
  prioridade: ChamadoRow['prioridade'] | undefined,
): Mudanca | null {
  if (prioridade === undefined || prioridade === antes.prioridade) return null;
  return { colunas: { prioridade }, acao: 'prioridade', descricao: `De ${antes.prioridade} para ${prioridade}.` };
}

export function daCategoria(antes: Antes, categoria: ChamadoRow['categoria'] | undefined): Mudanca | null {
  if (categoria === undefined || categoria === antes.categoria) return null;
  const descricao = `De ${antes.categoria ?? 'nenhuma'} para ${categoria ?? 'nenhuma'}.`;
  return { colunas: { categoria }, acao: 'categoria', descricao };
}

export function daSolucao(antes: Pick<Antes, 'solucao'>, solucao: string | undefined): Mudanca | null {
  return solucao === undefined || solucao === antes.solucao
    ? null
    : { colunas: { solucao }, acao: 'solucao', descricao: solucao };
}

export const doComentario = (texto: string): Mudanca => ({ colunas: {}, acao: 'comentario', descricao: texto });

/** How long a visit takes where nobody says it. */
export const MINUTOS_DA_VISITA = 60;

/** The day and hour are said as the provider's clocks show them. */
export function daVisita(quando: Date | null, minutos: number | null, fuso: string): Mudanca {
  const colunas = { agendado_para: quando === null ? null : toDatabaseTime(quando), agendado_minutos: minutos };
  if (quando === null) return { colunas, acao: 'agendamento', descricao: 'Visita desmarcada.' };
  const dia = quando.toLocaleString('pt-BR', { timeZone: fuso, dateStyle: 'short', timeStyle: 'short' });
  return { colunas, acao: 'agendamento', descricao: `Visita marcada para ${dia}.` };
}

export function juntas(mudancas: readonly (Mudanca | null)[]) {
  const feitas = mudancas.filter((mudanca) => mudanca !== null);
  const colunas = feitas.reduce<Colunas>((todas, mudanca) => ({ ...todas, ...mudanca.colunas }), {});
  return { colunas, entradas: feitas.map(({ acao, descricao }) => ({ acao, descricao })) };
}
