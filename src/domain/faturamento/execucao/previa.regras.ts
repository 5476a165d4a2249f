import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Cobranca, ContratoAFaturar } from '../faturamento.types.ts';
import type { CobrancaDoContrato } from './faturas.regras.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

export const ESTRANHEZAS = {
  sem_preco: 'o contrato não tem preço',
  sem_endereco: 'o cliente não tem endereço completo',
  sem_conta: 'o provedor não tem conta de cobrança',
  sem_ativacao: 'não se sabe desde quando está ativo',
  fora: 'o preço, ou a soma, não cabe numa fatura: fica sem cobrança',
  outro_valor: 'o valor é bem diferente do da última cobrança',
  credito: 'a cobrança é negativa: fica como crédito para a próxima',
  credito_sem_proxima: 'o contrato acabou, e sobra crédito do cliente',
} as const;
type Estranheza = keyof typeof ESTRANHEZAS;

/** A charge at which somebody should look before it is made. */
export interface CobrancaEstranha {
  readonly contratoId: number;
  readonly clienteId: number;
  readonly valor: Centavos;
  readonly ultima: Centavos | null;
  readonly porque: readonly Estranheza[];
}

/** What a month would come to. */
export interface PreviaDoFaturamento {
  /** The month of the due days. */
  readonly mes: Data;
  readonly cobrancas: number;
  readonly faturas: number;
  readonly total: Centavos;
  readonly isentas: number;
  /** What of it is of months before each charge's own: put right, or not charged in its time. */
  readonly anteriores: { readonly cobrancas: number; readonly total: Centavos };
  /** What is due in the month and was made already. */
  readonly feitas: { readonly cobrancas: number; readonly total: Centavos };
  /** The first hundred. */
  readonly estranhas: readonly CobrancaEstranha[];
  readonly estranhasAoTodo: number;
}

/** A contract that is left out, as what is odd. */
export const estranhoDeFora = ({ id, clienteId, valor }: ContratoAFaturar): CobrancaEstranha => ({
  contratoId: id,
  clienteId,
  valor,
  ultima: null,
  porque: ['fora'],
});

/** What a charge asks for, or takes off, of months before its own. */
export const deMesesAnteriores = ({ competencia, itens }: Cobranca): number =>
  itens.reduce((soma, { tipo, ref, valor }) => (tipo !== 'saldo' && ref < competencia ? soma + valor : soma), 0);

/** From which part of what was charged last a sum is far from it: a half more, or a half less. */
const LONGE = 0.5;

/** What is odd of a charge; null: nothing. */
export function estranhezaDe(
  { contrato, cobranca }: CobrancaDoContrato,
  { semEndereco, semConta }: { readonly semEndereco: boolean; readonly semConta: boolean },
): CobrancaEstranha | null {
  if (cobranca.isenta) return null;
  const acabou = SITUACOES_DE_CANCELADO.includes(contrato.situacao);
  const ultima = contrato.feitas
    .filter(({ tipo, valor }) => tipo === 'mensalidade' && valor > 0)
    .reduce<Centavos | null>((_, { valor }) => valor, null);
  const { valor } = cobranca;
  const longe = ultima !== null && valor > 0 && Math.abs(valor - ultima) > ultima * LONGE;
  const porque: Estranheza[] = [
    ...(contrato.valor === 0 && !acabou ? (['sem_preco'] as const) : []),
    ...(semEndereco && valor > 0 ? (['sem_endereco'] as const) : []),
    ...(semConta && valor > 0 ? (['sem_conta'] as const) : []),
    ...(contrato.ativadoEm === null && !acabou ? (['sem_ativacao'] as const) : []),
    ...(longe ? (['outro_valor'] as const) : []),
    ...(valor < 0 ? [acabou ? ('credito_sem_proxima' as const) : ('credito' as const)] : []),
  ];
  return porque.length === 0 ? null : { contratoId: contrato.id, clienteId: contrato.clienteId, valor, ultima, porque };
}
