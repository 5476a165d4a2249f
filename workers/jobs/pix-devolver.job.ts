import { atorDaTarefa } from '../../src/domain/actor.ts';
import type { DevolucoesAoPspService } from '../../src/domain/psp/devolucoes/devolucoes.service.ts';
import type { JobHandler } from './catalogue.ts';

const ACTOR = atorDaTarefa('pix.devolver');

/** Asks PSPs for the returns of PIX that people asked for. */
export function createPixDevolverJob(devolucoes: DevolucoesAoPspService): JobHandler<'pix.devolver'> {
  return async (_payload, { signal }) => {
    await devolucoes.devolver(ACTOR, signal);
  };
}
