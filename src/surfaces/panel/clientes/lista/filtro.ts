import { opcional } from '../../../../domain/campos/campos.ts';
import type { ValoresDe } from '../../../../domain/campos/campos.ts';
import { escolha, id, texto } from '../../../../domain/campos/leitores.ts';
import { SITUACOES_DE_CLIENTE } from '../../../../domain/clientes/clientes.types.ts';
import type { FiltroDeClientes } from '../../../../domain/listas/listas.types.ts';

/** What narrows the list, by the names that its address has. */
export const CONSULTA_DO_FILTRO = {
  situacao: opcional(escolha(SITUACOES_DE_CLIENTE)),
  cidade: opcional(texto(1, 80)),
  plano: opcional(id),
  conexao: opcional(escolha(['online', 'offline', 'bloqueado'])),
} as const;

export const CONSULTA_DA_LISTA = {
  ...CONSULTA_DO_FILTRO,
  ordem: opcional(escolha(['nome', 'id', 'recentes'])),
  colunas: opcional(texto(1, 120)),
  pagina: opcional(texto(1, 1000)),
} as const;

type ConsultaDoFiltro = ValoresDe<typeof CONSULTA_DO_FILTRO>;
export type ConsultaDaLista = ValoresDe<typeof CONSULTA_DA_LISTA>;

export const filtroDe = ({ situacao, cidade, plano, conexao }: ConsultaDoFiltro): FiltroDeClientes => ({
  situacao,
  cidade,
  planoId: plano,
  conexao,
});

export const temFiltro = ({ situacao, cidade, plano, conexao }: ConsultaDoFiltro): boolean =>
  [situacao, cidade, plano, conexao].some((dito) => dito !== undefined);
