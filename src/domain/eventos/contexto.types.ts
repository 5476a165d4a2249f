import type { CategoriaChamado, PrioridadeChamado, SituacaoChamado } from '../chamados/chamados.types.ts';
import type { Fatura } from '../faturas/faturas.types.ts';
import type { DadosDosEventos } from './catalogo.types.ts';

/** What an event of a fiscal note says since it says more than its number and amount. */
export type NotaDita = Pick<DadosDosEventos['nfcom.autorizada'], 'ambiente' | 'finalidade'>;

/** A ticket as it is when it is told of. */
export interface ChamadoDito {
  readonly cliente_id: number;
  readonly contrato_id: number | null;
  readonly situacao: SituacaoChamado;
  readonly prioridade: PrioridadeChamado;
  readonly categoria: CategoriaChamado | null;
  readonly origem: string;
  readonly agendadoPara: Date | null;
  readonly responsavelId: number | null;
}

/** What the events' own data do not say, read when they are told. */
export interface Contexto {
  readonly faturas: ReadonlyMap<number, Fatura>;
  readonly chamados: ReadonlyMap<number, ChamadoDito>;
  /** How many contracts each notice of the network covers. */
  readonly cobertos: ReadonlyMap<number, number>;
}
