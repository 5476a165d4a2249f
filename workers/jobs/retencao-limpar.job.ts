import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { RetencaoService } from '../../src/domain/retencao/retencao.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('retencao.limpar');

/** Deletes what is older than its retention time; resolves to the number of rows of each table. */
export function createRetencaoLimparJob(retencao: RetencaoService): JobHandler<'retencao.limpar'> {
  return async (_payload, { signal }) => retencao.limpar(ACTOR, signal);
}
