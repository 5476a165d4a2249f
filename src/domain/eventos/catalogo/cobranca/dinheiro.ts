import { campos, data, dinheiro, evento, id, quantos, semDados } from '../evento.ts';

const semFatura = campos({ valor: dinheiro, devolvido: dinheiro }, ['devolvido']);
const daFatura = campos({ fatura: id });
const doDia = campos({ dia: data, linhas: quantos });

/** What happens with what is received, and with the work of a day. */
export const DO_DINHEIRO = {
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
  'promessas.conferidas': evento({
    descricao: 'Conferiram-se as promessas de pagamento cujo dia passou.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-12-01', linhas: 4 },
  }),
  'faturas.recalculadas': evento({
    descricao: 'Gravou-se o que cada fatura vencida pede num dia.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 800 },
  }),
  'somas.fechadas': evento({
    descricao: 'Somaram-se os dias que acabaram, para os números do painel.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 75 },
  }),
  'extrato.gerado': evento({
    descricao: 'O extrato de um dia ficou pronto.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 54_321 },
  }),
} as const;
