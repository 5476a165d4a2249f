import { COMO_SE_ACERTA, TIPOS_DE_ITEM } from '../../../faturamento/faturamento.types.ts';
import { campos, data, dinheiro, evento, id, idOuNulo, nomes, quantos, semDados } from '../evento.ts';

const semFatura = campos({ valor: dinheiro, devolvido: dinheiro }, ['devolvido']);
const daFatura = campos({ fatura: id });
/** `de` is the id of what came in, among those of its `meio`. */
const daDevolucao = campos({ meio: { enum: ['pix', 'boleto', 'manual'] }, de: id, fatura: idOuNulo, valor: dinheiro });
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
  'boleto_recebido.nao_identificado': evento({
    descricao: 'Um banco disse que se pagou um boleto de que não se conhece a fatura.',
    sai: false,
    dados: semFatura,
    exemplo: { valor: '99.90' },
  }),
  'boleto_recebido.desfeito': evento({
    descricao: 'Um banco desfez a liquidação de um boleto.',
    sai: false,
    dados: campos({ fatura: idOuNulo, valor: dinheiro }),
    exemplo: { fatura: 56, valor: '99.90' },
  }),
  'boleto_recebido.era_pix': evento({
    descricao: 'O PSP contou o PIX de um boleto que o banco já contara: conta uma vez, como PIX.',
    sai: false,
    dados: campos({ fatura: idOuNulo, valor: dinheiro }),
    exemplo: { fatura: 56, valor: '99.90' },
  }),
  'boleto_recebido.vinculado': evento({
    descricao: 'Uma pessoa disse de que fatura é o dinheiro de um boleto.',
    sai: false,
    dados: daFatura,
    exemplo: { fatura: 56 },
  }),
  'boleto_recebido.desvinculado': evento({
    descricao: 'Desfez-se o que uma pessoa tinha dito do dinheiro de um boleto.',
    sai: false,
    dados: daFatura,
    exemplo: { fatura: 56 },
  }),
  'devolucao.pedida': evento({
    descricao: 'Uma pessoa pediu que se devolva dinheiro que entrou.',
    sai: false,
    dados: daDevolucao,
    exemplo: { meio: 'pix', de: 78, fatura: 56, valor: '20.00' },
  }),
  'devolucao.feita': evento({
    descricao: 'O dinheiro que se pediu que fosse devolvido foi devolvido.',
    sai: false,
    dados: daDevolucao,
    exemplo: { meio: 'pix', de: 78, fatura: 56, valor: '20.00' },
  }),
  'devolucao.nao_realizada': evento({
    descricao: 'O banco não devolveu o que se pediu: o valor está livre de novo.',
    sai: false,
    dados: daDevolucao,
    exemplo: { meio: 'pix', de: 78, fatura: 56, valor: '20.00' },
  }),
  'pix_recusado.guardado': semDados(false, 'Guardou-se um aviso de PIX que não se pôde usar.'),
  'faturas.vencidas': evento({
    descricao: 'Marcaram-se as faturas que venceram até um dia.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 120 },
  }),
  'faturas.geradas': evento({
    descricao: 'Fizeram-se, num dia, as cobranças que vencem daí a tantos dias.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-11-24', linhas: 310 },
  }),
  'faturamento.configurado': evento({
    descricao: 'Mudou como o provedor fatura os meses.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['antecedencia'] },
  }),
  'faturamento.mandado': evento({
    descricao:
      'Uma pessoa pediu as faturas de um mês, a prévia delas, ou que um faturamento se desfaça: o worker o faz.',
    sai: false,
    dados: campos({ tipo: { type: 'string', enum: ['previa', 'faturas', 'desfazer'] }, mes: data }),
    exemplo: { tipo: 'faturas', mes: '2026-12-01' },
  }),
  'faturamento.parado': evento({
    descricao: 'Uma pessoa parou o que se pedira de um mês; o que já se fez dele fica.',
    sai: false,
    dados: campos({ tipo: { type: 'string', enum: ['previa', 'faturas'] }, mes: data }),
    exemplo: { tipo: 'faturas', mes: '2026-12-01' },
  }),
  'faturamento.desistido': evento({
    descricao:
      'Uma pessoa desistiu do que não se consegue desfazer de um faturamento: fica como está, e o resto se desfaz; `seguidas`: também de muitas que falham uma após a outra.',
    sai: false,
    dados: campos({ mes: data, seguidas: { type: 'boolean' } }, ['seguidas']),
    exemplo: { mes: '2026-12-05' },
  }),
  'faturamento.falhou': evento({
    descricao:
      'O que se pediu de um mês falhou várias vezes seguidas; dito uma vez de cada pedido, que se tenta de novo.',
    sai: false,
    dados: campos({
      tipo: { type: 'string', enum: ['previa', 'faturas', 'desfazer'] },
      mes: data,
      vezes: quantos,
    }),
    exemplo: { tipo: 'faturas', mes: '2026-12-01', vezes: 3 },
  }),
  'faturamento.pedido': evento({
    descricao: 'Uma pessoa fez as cobranças de um mês antes do tempo; em partes.',
    sai: false,
    dados: campos({ mes: data, faturas: quantos }),
    exemplo: { mes: '2026-12-01', faturas: 500 },
  }),
  'faturamento.desfeito': evento({
    descricao: 'Desfez-se um faturamento, e cancelaram-se as suas faturas.',
    sai: false,
    dados: campos({ faturas: quantos }),
    exemplo: { faturas: 310 },
  }),
  'faturamento.carne': evento({
    descricao: 'Fez-se um carnê dos próximos meses de um contrato.',
    sai: false,
    dados: campos({ cliente: id, contrato: id, parcelas: quantos }),
    exemplo: { cliente: 12, contrato: 34, parcelas: 12 },
  }),
  'contrato.item_adicionado': evento({
    descricao: 'Um contrato ganhou um adicional ou um desconto.',
    sai: false,
    dados: campos({ cliente: id, item: id, tipo: { enum: TIPOS_DE_ITEM }, valor: dinheiro }),
    exemplo: { cliente: 12, item: 7, tipo: 'desconto', valor: '10.00' },
  }),
  'contrato.item_encerrado': evento({
    descricao: 'Acabou um adicional ou um desconto de um contrato.',
    sai: false,
    dados: campos({ cliente: id, item: id, tipo: { enum: TIPOS_DE_ITEM } }),
    exemplo: { cliente: 12, item: 7, tipo: 'desconto' },
  }),
  'contrato.item_removido': evento({
    descricao: 'Tirou-se de um contrato um adicional ou um desconto que nenhuma cobrança tinha contado.',
    sai: false,
    dados: campos({ cliente: id, item: id, tipo: { enum: TIPOS_DE_ITEM } }),
    exemplo: { cliente: 12, item: 7, tipo: 'recorrente' },
  }),
  'contrato.credito_acertado': evento({
    descricao: 'Anotou-se como acertado o crédito que um contrato que acabou tinha deixado ao cliente.',
    sai: false,
    dados: campos({ cliente: id, como: { enum: COMO_SE_ACERTA }, valor: dinheiro }),
    exemplo: { cliente: 12, como: 'devolvido', valor: '17.00' },
  }),
  'promessas.conferidas': evento({
    descricao: 'Conferiram-se as promessas de pagamento cujo dia passou.',
    sai: false,
    dados: doDia,
    exemplo: { dia: '2026-12-01', linhas: 4 },
  }),
  'excedentes.creditados': evento({
    descricao: 'Fez-se do que se pagou a mais crédito do que se deve.',
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
