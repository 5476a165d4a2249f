import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';

/** A PIX that is for no invoice that is known. */
export interface NaoIdentificado {
  readonly id: number;
  readonly endToEndId: string;
  readonly txid: string | null;
  readonly valor: Centavos;
  readonly devolvido: Centavos;
  readonly pagoEm: Date;
}

/** An invoice to which more came than was owed. */
export interface FaturaComExcedente {
  readonly faturaId: number;
  readonly clienteId: number;
  readonly situacao: string;
  readonly valorPago: Centavos;
  readonly excedente: Centavos;
}

/** What was told of a PIX and could not be taken. */
export interface Recusado {
  readonly id: number;
  readonly motivo: string;
  readonly dito: object;
  readonly receptor: string;
  readonly avisadoEm: Date;
}

/**
 * Sums over all PIX of a provider, and what banks told of boletos (`boletos`), and what was registered by hand
 * (`baixado`); `nasFaturas` is what invoices say that they hold of it, surplus included.
 */
export interface SomasDoPix {
  readonly avisado: Centavos;
  readonly boletos: Centavos;
  readonly baixado: Centavos;
  readonly devolvido: Centavos;
  readonly naoIdentificado: Centavos;
  readonly nasFaturas: Centavos;
  readonly excedente: Centavos;
}

/** Where all that was told and registered is. `diferenca` is these three less all the others: 0, unless another program changed the rows. */
export interface BalancoDoPix {
  readonly avisado: Centavos;
  readonly boletos: Centavos;
  readonly baixado: Centavos;
  readonly aplicado: Centavos;
  readonly excedente: Centavos;
  readonly naoIdentificado: Centavos;
  readonly devolvido: Centavos;
  readonly diferenca: Centavos;
}
