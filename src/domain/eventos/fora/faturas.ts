import { MOTIVOS_DE_CANCELAMENTO } from '../../faturas/emissao/emissao.types.ts';
import type { TipoDeFora } from './dito.ts';
import { dados, data, dataOuNula, dinheiro, dinheiroOuNulo, id, idOuNulo, instanteOuNulo, textos } from './dito.ts';

/** What every event of an invoice says: as it was when the message was written, moments after what happened. */
const F = {
  fatura_id: id,
  contrato_id: idOuNulo,
  situacao: { enum: ['pendente', 'vencida', 'paga', 'cancelada', 'estornada', 'processando'] },
  tipo: { enum: ['boleto', 'pix', 'carne', 'carteira', null] },
  valor: dinheiro,
  valor_pago: dinheiro,
  vencimento: data,
  pago_em: instanteOuNulo,
} as const;

const EXEMPLO_F = {
  cliente_id: 1042,
  fatura_id: 9001,
  contrato_id: 77,
  situacao: 'pendente',
  tipo: 'boleto',
  valor: 99.9,
  valor_pago: 0,
  vencimento: '2026-11-12',
  pago_em: null,
} as const;

const pagamento = dados({
  ...F,
  recebimento_id: idOuNulo,
  falta: dinheiroOuNulo,
  excedente: dinheiroOuNulo,
});
const devolucao = dados({ ...F, devolvido: dinheiroOuNulo });

const PAGA = { ...EXEMPLO_F, situacao: 'paga', valor_pago: 102.23, pago_em: '2026-11-22T17:02:08.000Z' } as const;
const NADA_MAIS = { recebimento_id: 5120, falta: null, excedente: null } as const;

/** What those outside hear of invoices. */
export const DE_FORA_DAS_FATURAS = {
  'fatura.criada': {
    descricao: 'Uma fatura foi emitida, ou importada em aberto.',
    dados: dados(F),
    exemplo: EXEMPLO_F,
  },
  'fatura.segunda_via_pedida': {
    descricao: 'Pediram que a segunda via de uma fatura chegue ao cliente: mande-a pelo seu canal.',
    dados: dados({ ...F, canal: { enum: ['evento'] } }),
    exemplo: { ...EXEMPLO_F, canal: 'evento' },
  },
  'fatura.alterada': {
    descricao: 'Mudou o valor, o vencimento ou a forma de pagar de uma fatura; `campos` diz o quê.',
    dados: dados({ ...F, campos: textos }),
    exemplo: { ...EXEMPLO_F, campos: ['vencimento'] },
  },
  'fatura.a_vencer': {
    descricao: 'Faltam poucos dias para o vencimento de uma fatura; quantos, o provedor configura.',
    dados: dados(F),
    exemplo: EXEMPLO_F,
  },
  'fatura.vencida': {
    descricao: 'Começou o dia seguinte ao vencimento de uma fatura, e ela continua em aberto.',
    dados: dados({ ...F, valor_atualizado: dinheiroOuNulo }),
    exemplo: { ...EXEMPLO_F, situacao: 'vencida', valor_atualizado: 101.93 },
  },
  'fatura.cobrada': {
    descricao:
      'A régua de cobrança disse algo de uma fatura a quem a deve: um lembrete, ou o aviso de débito, que diz desde que dia pode haver bloqueio.',
    dados: dados({
      ...F,
      passo: { enum: ['lembrete', 'vencimento', 'aviso'] },
      a_pagar: dinheiro,
      bloqueio_desde: dataOuNula,
    }),
    exemplo: { ...EXEMPLO_F, situacao: 'vencida', passo: 'aviso', a_pagar: 101.93, bloqueio_desde: '2026-11-28' },
  },
  'fatura.paga': { descricao: 'Uma fatura ficou paga.', dados: pagamento, exemplo: { ...PAGA, ...NADA_MAIS } },
  'fatura.paga_em_parte': {
    descricao: 'Uma fatura recebeu um pagamento, e ainda falta algo.',
    dados: pagamento,
    exemplo: { ...EXEMPLO_F, valor_pago: 50, ...NADA_MAIS, falta: 49.9 },
  },
  'fatura.paga_a_mais': {
    descricao: 'Uma fatura recebeu mais do que se devia dela.',
    dados: pagamento,
    exemplo: { ...PAGA, ...NADA_MAIS, excedente: 99.9 },
  },
  'fatura.estornada': {
    descricao: 'Foi devolvido tudo o que se pagou de uma fatura.',
    dados: devolucao,
    exemplo: { ...EXEMPLO_F, situacao: 'estornada', devolvido: 99.9 },
  },
  'fatura.devolvida_em_parte': {
    descricao: 'Foi devolvida parte do que se pagou de uma fatura.',
    dados: devolucao,
    exemplo: { ...EXEMPLO_F, valor_pago: 89.9, devolvido: 10 },
  },
  'fatura.reaberta': {
    descricao: 'Voltou a ser devida uma fatura que estava paga ou estornada.',
    dados: dados({ ...F, falta: dinheiroOuNulo }),
    exemplo: { ...EXEMPLO_F, falta: 101.23 },
  },
  'fatura.cancelada': {
    descricao: 'Uma fatura foi cancelada.',
    dados: dados({ ...F, motivo_codigo: { enum: MOTIVOS_DE_CANCELAMENTO } }),
    exemplo: { ...EXEMPLO_F, situacao: 'cancelada', motivo_codigo: 'a_pedido' },
  },
} as const satisfies Readonly<Record<string, TipoDeFora>>;
