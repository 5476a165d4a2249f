import { FORMAS_DE_PAGAMENTO } from '../../../recebimentos/manuais/manuais.types.ts';
import { MOTIVOS_DE_CANCELAMENTO } from '../../../faturas/emissao/emissao.types.ts';
import { campos, data, dataOuNula, dinheiro, evento, id, idOuNulo, quantos } from '../evento.ts';

const CLIENTE = { cliente: id } as const;

/** What a judgement came to beside the invoice's state, where it is not nothing. */
const JUIZO = { falta: dinheiro, desconto: dinheiro, excedente: dinheiro } as const;
const juizo = campos({ ...CLIENTE, ...JUIZO }, ['falta', 'desconto', 'excedente']);

const DO_PAGAMENTO = {
  ...CLIENTE,
  recebimento: id,
  boleto: id,
  manual: id,
  valor: dinheiro,
  devolvido: dinheiro,
  tomado: dinheiro,
  naturezas: { type: 'array', items: { type: 'string' } },
  ...JUIZO,
} as const;

/**
 * What a payment did to an invoice: `recebimento` is a PIX's id, `boleto` that of money that came by one, `manual` that
 * of one registered by hand. Of a PIX all that was paid, given back and taken by the MED until now; natures of this
 * devolution alone.
 */
const movimento = campos(DO_PAGAMENTO, [
  'recebimento',
  'boleto',
  'manual',
  'devolvido',
  'tomado',
  'naturezas',
  'falta',
  'desconto',
  'excedente',
]);

/** Without a payment where the invoice was judged anew for another reason: a discount, a credit, a person's word. */
const quitacao = campos(DO_PAGAMENTO, [
  'recebimento',
  'boleto',
  'manual',
  'valor',
  'devolvido',
  'tomado',
  'naturezas',
  'falta',
  'desconto',
  'excedente',
]);

const baixa = campos({ ...CLIENTE, manual: id, forma: { enum: FORMAS_DE_PAGAMENTO }, valor: dinheiro });
const ajuste = campos({
  ...CLIENTE,
  ajuste: id,
  tipo: { enum: ['desconto', 'credito'] },
  valor: dinheiro,
  origem: idOuNulo,
});
const renegociacao = campos({ ...CLIENTE, faturas: quantos, parcelas: quantos, devido: dinheiro, desconto: dinheiro });

/** What happens with invoices. */
export const DAS_FATURAS = {
  'fatura.criada': evento({
    descricao: 'Emitiu-se uma fatura.',
    sai: true,
    dados: campos(
      // The last two of the invoices of a booklet or an agreement, which are made together: which of them it is, and of how many.
      { ...CLIENTE, contrato: idOuNulo, valor: dinheiro, renegociacao: id, parcela: quantos, parcelas: quantos },
      ['renegociacao', 'parcela', 'parcelas'],
    ),
    exemplo: { cliente: 12, contrato: null, valor: '99.90' },
  }),
  'fatura.segunda_via_pedida': evento({
    descricao: 'Pediu-se que a segunda via de uma fatura chegue ao cliente por quem o provedor tem para isso.',
    sai: true,
    dados: campos({ ...CLIENTE, canal: { enum: ['evento'] } }),
    exemplo: { cliente: 12, canal: 'evento' },
  }),
  'fatura.segunda_via_por_email': evento({
    descricao: 'Pediu-se que a segunda via de uma fatura vá ao e-mail do cadastro.',
    sai: false,
    dados: campos(CLIENTE),
    exemplo: { cliente: 12 },
  }),
  'fatura.alterada': evento({
    descricao: 'Mudou o vencimento de uma fatura, o que se deve dela, ou por onde se paga.',
    sai: true,
    dados: campos({
      ...CLIENTE,
      campos: {
        type: 'array',
        items: { enum: ['vencimento', 'descricao', 'linha_digitavel', 'nosso_numero', 'codigo_externo', 'abatido'] },
      },
    }),
    exemplo: { cliente: 12, campos: ['vencimento'] },
  }),
  'fatura.a_vencer': evento({
    descricao: 'Uma fatura vence daqui a poucos dias.',
    sai: true,
    dados: campos({ ...CLIENTE, vencimento: data }),
    exemplo: { cliente: 12, vencimento: '2026-11-27' },
  }),
  'fatura.vencida': evento({
    descricao: 'Uma fatura venceu, e continua em aberto.',
    sai: true,
    dados: campos({ ...CLIENTE, vencimento: data }),
    exemplo: { cliente: 12, vencimento: '2026-11-23' },
  }),
  'fatura.cobrada': evento({
    descricao: 'A régua de cobrança disse algo de uma fatura a quem a deve; o registro guarda o texto.',
    sai: true,
    dados: campos({
      ...CLIENTE,
      contrato: idOuNulo,
      passo: { enum: ['lembrete', 'vencimento', 'aviso'] },
      registro: id,
      valor: dinheiro,
      prazo: dataOuNula,
    }),
    exemplo: { cliente: 12, contrato: 8, passo: 'aviso', registro: 301, valor: '102.90', prazo: '2026-12-09' },
  }),
  'fatura.cancelada': evento({
    descricao: 'Cancelou-se uma fatura.',
    sai: true,
    dados: campos({ ...CLIENTE, motivo_codigo: { enum: MOTIVOS_DE_CANCELAMENTO }, renegociacao: id }, ['renegociacao']),
    exemplo: { cliente: 12, motivo_codigo: 'a_pedido' },
  }),
  'fatura.paga': evento({
    descricao: 'Uma fatura ficou paga.',
    sai: true,
    dados: quitacao,
    exemplo: { cliente: 12, recebimento: 78, valor: '99.90' },
  }),
  'fatura.paga_em_parte': evento({
    descricao: 'Uma fatura recebeu um pagamento, e ainda falta algo.',
    sai: true,
    dados: movimento,
    exemplo: { cliente: 12, manual: 5, valor: '50.00', falta: '49.90' },
  }),
  'fatura.paga_a_mais': evento({
    descricao: 'Uma fatura que nada devia recebeu um pagamento.',
    sai: true,
    dados: movimento,
    exemplo: { cliente: 12, recebimento: 79, valor: '99.90', excedente: '99.90' },
  }),
  'fatura.devolvida_em_parte': evento({
    descricao: 'Devolveu-se, ou o MED tomou, parte do que se pagou de uma fatura.',
    sai: true,
    dados: movimento,
    exemplo: {
      cliente: 12,
      recebimento: 78,
      valor: '99.90',
      devolvido: '10.00',
      naturezas: ['ORIGINAL'],
      falta: '10.00',
    },
  }),
  'fatura.estornada': evento({
    descricao: 'Devolveu-se tudo o que se pagou de uma fatura.',
    sai: true,
    dados: movimento,
    exemplo: {
      cliente: 12,
      recebimento: 78,
      valor: '99.90',
      devolvido: '99.90',
      naturezas: ['MED_FRAUDE'],
      tomado: '99.90',
    },
  }),
  'fatura.reaberta': evento({
    descricao: 'Voltou a ser devida uma fatura estornada, ou de que se desfez ou tomou o que a quitava.',
    sai: true,
    dados: juizo,
    exemplo: { cliente: 12, falta: '101.23' },
  }),
  'fatura.baixada': evento({
    descricao: 'Uma pessoa registrou um pagamento de uma fatura.',
    sai: false,
    dados: baixa,
    exemplo: { cliente: 12, manual: 5, forma: 'dinheiro', valor: '99.90' },
  }),
  'fatura.baixa_desfeita': evento({
    descricao: 'Uma pessoa desfez o registro de um pagamento.',
    sai: false,
    dados: baixa,
    exemplo: { cliente: 12, manual: 5, forma: 'dinheiro', valor: '99.90' },
  }),
  'fatura.ajustada': evento({
    descricao:
      'Uma pessoa deu um desconto numa fatura, ou aplicou nela um crédito; a origem é a fatura de que ele sobrou.',
    sai: false,
    dados: ajuste,
    exemplo: { cliente: 12, ajuste: 3, tipo: 'credito', valor: '10.00', origem: 55 },
  }),
  'fatura.ajuste_desfeito': evento({
    descricao: 'Uma pessoa desfez um desconto ou um crédito.',
    sai: false,
    dados: ajuste,
    exemplo: { cliente: 12, ajuste: 3, tipo: 'desconto', valor: '10.00', origem: null },
  }),
  'fatura.credito_descoberto': evento({
    descricao: 'O que sobrou de uma fatura já não cobre os créditos que dela se fizeram; falta o valor.',
    sai: false,
    dados: campos({ ...CLIENTE, valor: dinheiro }),
    exemplo: { cliente: 12, valor: '10.00' },
  }),
  'renegociacao.criada': evento({
    descricao: 'Faturas vencidas de um cliente deram lugar a um acordo.',
    sai: false,
    dados: renegociacao,
    exemplo: { cliente: 12, faturas: 3, parcelas: 6, devido: '310.00', desconto: '10.00' },
  }),
  'renegociacao.quebrada': evento({
    descricao: 'Um acordo se quebrou: as faturas de antes voltaram, menos o que dele se pagou.',
    sai: false,
    dados: campos({ ...CLIENTE, pago: dinheiro, canceladas: quantos }),
    exemplo: { cliente: 12, pago: '100.00', canceladas: 4 },
  }),
} as const;
