import { Refusal } from '../../platform/refusal.ts';
import type { Apagamento } from './apagamento/apagamento.types.ts';

/** Ends the write of an erasure that was only to be seen: by the same code, and then undone. */
export class Simulado extends Refusal {
  readonly apagado: Apagamento;

  constructor(apagado: Apagamento) {
    super('apagamento simulado');
    this.apagado = apagado;
  }
}
