import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { RetencaoService } from '../../src/domain/retencao/retencao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ATOR = atorDaTarefa('retencao.limpar');

/** Deletes what is older than it is kept; resolves to how many rows of each table. */
export function createRetencaoLimparJob(retencao: RetencaoService): JobHandler<'retencao.limpar'> {
  return async (_payload, { signal }) => retencao.limpar(ATOR, signal);
}
