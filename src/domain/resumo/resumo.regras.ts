import type { Chamado } from '../chamados/chamados.types.ts';
import { SITUACOES_DE_CANCELADO } from '../contratos/contratos.types.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import type { DesbloqueioPossivel } from '../desbloqueios/leitura.service.ts';
import type { Fatura } from '../faturas/faturas.types.ts';

/** What most likely answers a call, in the order in which it is looked for. */
export const SUGESTOES = [
  'aviso_de_rede',
  'bloqueado_manual',
  'desbloqueio_disponivel',
  'bloqueado_por_fatura',
  'offline',
  'fatura_vencida',
  'chamado_em_andamento',
  'sem_pendencia',
] as const;
export type Sugestao = (typeof SUGESTOES)[number];

/**
 * Of a person's contracts as many as are told of, in the order in which they came: the one that was asked for, then those that may be why
 * somebody calls (blocked, offline, under a notice), then the others, those that are cancelled last, and of each the newest.
 */
export function contratosADizer<Um extends ContratoNaFila>(
  todos: readonly Um[],
  pedido: number | null,
  limite: number,
): readonly Um[] {
  if (todos.length <= limite) return todos;
  const vez = (um: Um): number => {
    if (um.id === pedido) return 0;
    if (SITUACOES_DE_CANCELADO.includes(um.situacao)) return 3;
    return temProblema(um) ? 1 : 2;
  };
  const ditos = new Set(todos.toSorted((a, b) => vez(a) - vez(b) || b.id - a.id).slice(0, limite));
  return todos.filter((um) => ditos.has(um));
}

type ContratoNaFila = Pick<Contrato, 'id' | 'situacao' | 'conexao'> & {
  readonly avisos: readonly Pick<Contrato['avisos'][number], 'tipo'>[];
};

const temProblema = ({ situacao, conexao, avisos }: ContratoNaFila): boolean =>
  situacao !== 'ativo' || conexao === 'offline' || avisos.some(({ tipo }) => tipo !== 'informativo');

/** What a suggestion is made from; null: whoever asks may not read it. */
export interface CasoDaChamada {
  readonly contratos: readonly {
    readonly contrato: Pick<Contrato, 'situacao' | 'conexao'> & {
      readonly avisos: readonly Pick<Contrato['avisos'][number], 'tipo'>[];
    };
    readonly desbloqueio: Pick<DesbloqueioPossivel, 'impede' | 'bloqueio'>;
  }[];
  readonly faturas: readonly Pick<Fatura, 'situacao'>[] | null;
  readonly chamados: readonly Pick<Chamado, 'id'>[] | null;
}

/**
 * What most likely answers the call of whoever has these contracts. Those that are cancelled count for nothing, and a notice that only
 * informs explains no line.
 */
export function sugestaoDe({ contratos: todos, faturas, chamados }: CasoDaChamada): Sugestao {
  const contratos = todos.filter(({ contrato }) => !SITUACOES_DE_CANCELADO.includes(contrato.situacao));
  const vale: Readonly<Record<Sugestao, boolean>> = {
    aviso_de_rede: contratos.some(({ contrato }) => contrato.avisos.some(({ tipo }) => tipo !== 'informativo')),
    bloqueado_manual: contratos.some(({ desbloqueio }) => desbloqueio.bloqueio === 'manual'),
    desbloqueio_disponivel: contratos.some(({ desbloqueio }) => desbloqueio.impede === null),
    bloqueado_por_fatura: contratos.some(({ desbloqueio }) => desbloqueio.bloqueio === 'financeiro'),
    offline: contratos.some(({ contrato }) => contrato.situacao === 'ativo' && contrato.conexao === 'offline'),
    fatura_vencida: (faturas ?? []).some(({ situacao }) => situacao === 'vencida'),
    chamado_em_andamento: (chamados ?? []).length > 0,
    sem_pendencia: true,
  };
  return SUGESTOES.find((sugestao) => vale[sugestao]) ?? 'sem_pendencia';
}
