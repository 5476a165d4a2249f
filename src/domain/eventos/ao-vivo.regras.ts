import { CHAMADOS_TAG, SINO_TAG } from '../tags.ts';
import { CONEXOES_AGREGADAS, LINHAS_ALTERADAS } from './eventos.types.ts';

/** What an open panel hears of. `sessao` never reaches a page: it has a stream look whether its own session still holds. */
export type TipoAoVivo = 'chamado' | 'notificacao' | 'conexao' | 'importacao' | 'tarefa' | 'sessao';

/** Thousands of connections change a day: of them it is told at most every few seconds that some did, and not which. */
export const RAROS: ReadonlySet<string> = new Set<TipoAoVivo>(['conexao']);

/** By the beginning of an event's name. */
const POR_RECURSO: Readonly<Record<string, TipoAoVivo>> = {
  chamado: 'chamado',
  importacao: 'importacao',
  tarefa: 'tarefa',
  sessao: 'sessao',
};

/** Events that may end sessions, without saying which: each open panel of the provider looks after its own. */
const ENCERRA_SESSOES = /^(?:usuario\.(?:alterado|desativado|senha_trocada|fator_\w+)|perfil\.alterado)$/;

interface EventoPublicado {
  readonly tipo: string;
  readonly recurso_id: number | null;
}

/** What open panels are told of events that were published, by ids alone. `etiquetas` are those of all of them; null: of everything. */
export function aoVivo(
  eventos: readonly EventoPublicado[],
  etiquetas: readonly string[] | null,
): { tipo: TipoAoVivo; id: number | null }[] {
  const tocou = etiquetas === null || etiquetas.includes(SINO_TAG);
  const ditos = eventos.flatMap(({ tipo, recurso_id: id }): { tipo: TipoAoVivo; id: number | null }[] => {
    if (tipo === CONEXOES_AGREGADAS) return [{ tipo: 'conexao' as const, id: null }];
    if (tipo === LINHAS_ALTERADAS) {
      // Rows that were written past Malha say whose they are by their tags alone.
      const deChamados = etiquetas === null || etiquetas.includes(CHAMADOS_TAG);
      return deChamados ? [{ tipo: 'chamado' as const, id: null }] : [];
    }
    const [recurso = ''] = tipo.split('.');
    const dito = POR_RECURSO[recurso];
    if (ENCERRA_SESSOES.test(tipo)) return [{ tipo: 'sessao' as const, id: null }];
    return dito === undefined ? [] : [{ tipo: dito, id }];
  });
  return tocou ? [...ditos, { tipo: 'notificacao', id: null }] : ditos;
}
