import { campos, data, dinheiro, evento, id, quantos, semDados } from './evento.ts';

/** What a judgement came to beside the invoice's state, where it is not nothing. */
const JUIZO = { falta: dinheiro, desconto: dinheiro, excedente: dinheiro } as const;
const juizo = campos(JUIZO, ['falta', 'desconto', 'excedente']);

const DO_PIX = {
  recebimento: id,
  valor: dinheiro,
  devolvido: dinheiro,
  tomado: dinheiro,
  naturezas: { type: 'array', items: { type: 'string' } },
  ...JUIZO,
} as const;

/** What a PIX did to an invoice: of the PIX all that was paid, given back and taken by the MED until now; natures of this devolution alone. */
const movimento = campos(DO_PIX, ['devolvido', 'tomado', 'naturezas', 'falta', 'desconto', 'excedente']);

/** Without a PIX where a person had the invoice judged anew. */
const quitacao = campos(DO_PIX, [
  'recebimento',
  'valor',
  'devolvido',
  'tomado',
  'naturezas',
  'falta',
  'desconto',
  'excedente',
]);

const semFatura = campos({ valor: dinheiro, devolvido: dinheiro }, ['devolvido']);
const daFatura = campos({ fatura: id });
const doDia = campos({ dia: data, linhas: quantos });

/** What happens with invoices, with what is received, and with the work of a day. */
export const DO_DINHEIRO = {
  'fatura.paga': evento({
    descricao: 'Uma fatura ficou paga.',
    sai: true,
    dados: quitacao,
    exemplo: { recebimento: 78, valor: '99.90' },
  }),
  'fatura.paga_em_parte': evento({
    descricao: 'Uma fatura recebeu um pagamento, e ainda falta algo.',
    sai: true,
    dados: movimento,
    exemplo: { recebimento: 78, valor: '50.00', falta: '49.90' },
  }),
  'fatura.paga_a_mais': evento({
    descricao: 'Uma fatura que nada devia recebeu um pagamento.',
    sai: true,
    dados: movimento,
    exemplo: { recebimento: 79, valor: '99.90', excedente: '99.90' },
  }),
  'fatura.devolvida_em_parte': evento({
    descricao: 'Devolveu-se, ou o MED tomou, parte do que se pagou de uma fatura.',
    sai: true,
    dados: movimento,
    exemplo: { recebimento: 78, valor: '99.90', devolvido: '10.00', naturezas: ['ORIGINAL'], falta: '10.00' },
  }),
  'fatura.estornada': evento({
    descricao: 'Devolveu-se tudo o que se pagou de uma fatura.',
    sai: true,
    dados: movimento,
    exemplo: { recebimento: 78, valor: '99.90', devolvido: '99.90', naturezas: ['MED_FRAUDE'], tomado: '99.90' },
  }),
  'fatura.reaberta': evento({
    descricao: 'Uma fatura estornada, ou cujo PIX se desvinculou, voltou a ser devida.',
    sai: true,
    dados: juizo,
    exemplo: { falta: '101.23' },
  }),
  'recebimento.nao_identificado': evento({
    descricao: 'Chegou um PIX de que não se conhece a fatura.',
    sai: false,
    dados: semFatura,
    exemplo: { valor: '99.90' },
  }),
  'recebimento.devolvido': evento({
    descricao: 'Devolveu-se algo de um PIX sem fatura.',
    sai: false,
    dados: semFatura,
    exemplo: { valor: '99.90', devolvido: '99.90' },
  }),
  'recebimento.vinculado': evento({
    descricao: 'Uma pessoa disse de que fatura é um PIX.',
    sai: false,
    dados: daFatura,
    exemplo: { fatura: 56 },
  }),
  'recebimento.desvinculado': evento({
    descricao: 'Desfez-se o que uma pessoa tinha dito de um PIX.',
    sai: false,
    dados: daFatura,
    exemplo: { fatura: 56 },
  }),
  'pix_recusado.guardado': semDados(false, 'Guardou-se um aviso de PIX que não se pôde usar.'),
  'faturas.vencidas': evento({
    descricao: 'Marcaram-se as faturas que venceram até um dia.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 120 },
  }),
  'faturas.recalculadas': evento({
    descricao: 'Gravou-se o que cada fatura vencida pede num dia.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 800 },
  }),
  'extrato.gerado': evento({
    descricao: 'O extrato de um dia ficou pronto.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 54_321 },
  }),
} as const;
