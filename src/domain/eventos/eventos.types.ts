/** The event of aggregated connections. */
export const CONEXOES_AGREGADAS = 'conexoes.agregadas';

/** The event of rows that were written past Malha: triggers write it, by this name. */
export const LINHAS_ALTERADAS = 'linhas.alteradas';

/** The event of a daily task that is over, also where it changed nothing: of it open panels alone are told. */
export const TAREFA_TERMINADA = 'tarefa.terminada';

/** Events that say nothing but their tags, and come in thousands of rows: they are deleted when published. */
export const APAGADOS_QUANDO_PUBLICADOS: ReadonlySet<string> = new Set([
  CONEXOES_AGREGADAS,
  LINHAS_ALTERADAS,
  TAREFA_TERMINADA,
]);
