import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { jsonDecimal } from '../../../platform/json.ts';
import type { JsonDecimal } from '../../../platform/json.ts';

interface Pagamento {
  readonly recebimento?: number;
  readonly falta?: string;
  readonly excedente?: string;
}

/** What a payment says besides its invoice. */
export const doPagamento = ({ recebimento, falta, excedente }: Pagamento) => ({
  recebimento_id: recebimento ?? null,
  falta: decimalOuNulo(falta),
  excedente: decimalOuNulo(excedente),
});

export const reais = (valor: Centavos): JsonDecimal => jsonDecimal(escreverDinheiro(valor));
export const reaisOuNulo = (valor: Centavos | null): JsonDecimal | null => (valor === null ? null : reais(valor));
export const decimalOuNulo = (texto?: string): JsonDecimal | null => (texto === undefined ? null : jsonDecimal(texto));
