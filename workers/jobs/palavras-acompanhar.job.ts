import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { AcompanhamentoDePalavrasService } from '../../src/domain/clientes/palavras/acompanhamento.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('palavras.acompanhar');

/** Keeps the words of names that were written past this release. */
export function createPalavrasAcompanharJob(
  acompanhamento: AcompanhamentoDePalavrasService,
): JobHandler<'palavras.acompanhar'> {
  return async (_payload, { signal }) => ({ refeitos: await acompanhamento.acompanhar(ACTOR, signal) });
}
