import { SITUACOES_DE_CONTRATO } from '../../contratos/contratos.types.ts';
import { campos, data, dinheiro, evento, id, idOuNulo, instante, nomes, quantos } from './evento.ts';

const cliente = { cliente: id } as const;

/** What happens with contracts and plans. */
export const DOS_CONTRATOS = {
  'contrato.criado': evento({
    descricao: 'Fez-se um contrato; de outro, quando é uma troca de titular.',
    sai: true,
    dados: campos({ ...cliente, plano: id, situacao: { enum: SITUACOES_DE_CONTRATO }, do_contrato: id }, [
      'do_contrato',
    ]),
    exemplo: { cliente: 12, plano: 2, situacao: 'pendente' },
  }),
  'contrato.ativado': evento({
    descricao: 'Um contrato passou a ativo: começou, ou voltou de uma suspensão ou de um cancelamento.',
    sai: true,
    dados: campos({ ...cliente, de: { enum: SITUACOES_DE_CONTRATO } }),
    exemplo: { cliente: 12, de: 'pendente' },
  }),
  'contrato.bloqueado': evento({
    descricao: 'Um contrato foi bloqueado, por débito ou pela equipe; o desbloqueio é o que acabou com isso.',
    sai: true,
    dados: campos({ ...cliente, origem: { enum: ['financeiro', 'manual'] }, fatura: idOuNulo, desbloqueio: id }, [
      'desbloqueio',
    ]),
    exemplo: { cliente: 12, origem: 'financeiro', fatura: null, desbloqueio: 7 },
  }),
  'contrato.liberado': evento({
    descricao: 'Um contrato bloqueado foi liberado, pelo pagamento de uma fatura ou pela equipe.',
    sai: true,
    dados: campos({ ...cliente, por: { enum: ['pagamento', 'manual'] }, fatura: idOuNulo }),
    exemplo: { cliente: 12, por: 'pagamento', fatura: 56 },
  }),
  'contrato.desbloqueado': evento({
    descricao: 'Um contrato teve desbloqueio de confiança, até um instante; a fatura é a que o bloqueava.',
    sai: true,
    dados: campos({ ...cliente, dias: quantos, ate: instante, fatura: idOuNulo }),
    exemplo: { cliente: 12, dias: 3, ate: '2026-11-27T02:59:59.999Z', fatura: 56 },
  }),
  'contrato.desbloqueio_encerrado': evento({
    descricao: 'Acabou o desbloqueio de confiança de um contrato que nada deve em atraso, ou que já não está ativo.',
    sai: true,
    dados: campos({ ...cliente, desbloqueio: id }),
    exemplo: { cliente: 12, desbloqueio: 7 },
  }),
  'contrato.desbloqueio_terminando': evento({
    descricao: 'É o último dia do desbloqueio de confiança de um contrato.',
    sai: false,
    dados: campos({ ...cliente, ate: instante }),
    exemplo: { cliente: 12, ate: '2026-11-27T02:59:59.999Z' },
  }),
  'contrato.rescisao_avisada': evento({
    descricao: 'A régua de cobrança avisou a quem está bloqueado a partir de que dia o contrato pode ser rescindido.',
    sai: true,
    dados: campos({ ...cliente, registro: id, valor: dinheiro, prazo: data }),
    exemplo: { cliente: 12, registro: 302, valor: '102.90', prazo: '2027-01-26' },
  }),
  'contrato.rescisao_devida': evento({
    descricao: 'Passou o prazo de um contrato bloqueado por débito: a equipe pode rescindi-lo.',
    sai: true,
    dados: campos({ ...cliente, valor: dinheiro }),
    exemplo: { cliente: 12, valor: '102.90' },
  }),
  'contrato.inativado': evento({
    descricao: 'Um contrato foi suspenso, a pedido do cliente.',
    sai: true,
    dados: campos(cliente),
    exemplo: { cliente: 12 },
  }),
  'contrato.cancelado': evento({
    descricao: 'Um contrato foi cancelado; em definitivo, quando já não pode voltar e largou o login.',
    sai: true,
    dados: campos({ ...cliente, definitivo: { type: 'boolean' } }),
    exemplo: { cliente: 12, definitivo: false },
  }),
  'contrato.plano_alterado': evento({
    descricao: 'Um contrato passou a outro plano; o valor é o que ele tem desde então.',
    sai: true,
    dados: campos({ ...cliente, plano_anterior: id, plano: id, valor: dinheiro }),
    exemplo: { cliente: 12, plano_anterior: 2, plano: 3, valor: '129.90' },
  }),
  'contrato.alterado': evento({
    descricao: 'Mudou algo num contrato que não é a situação nem o plano.',
    sai: false,
    dados: campos({ ...cliente, campos: nomes }),
    exemplo: { cliente: 12, campos: ['dia_vencimento'] },
  }),
  'plano.criado': evento({ descricao: 'Pôs-se um plano à venda.', sai: false, dados: null, exemplo: null }),
  'plano.alterado': evento({
    descricao: 'Mudou um plano; de um valor novo se diz se os contratos o acompanham.',
    sai: false,
    dados: campos({ campos: nomes, contratos: { enum: ['manter', 'acompanhar'] } }, ['contratos']),
    exemplo: { campos: ['valor'], contratos: 'manter' },
  }),
  'plano.acompanhado': evento({
    descricao: 'Contratos de um plano que mudou o acompanharam: tantos no valor, tantos na rede.',
    sai: false,
    dados: campos({ valores: quantos, rede: quantos }),
    exemplo: { valores: 480, rede: 500 },
  }),
  'plano.retirado': evento({ descricao: 'Tirou-se um plano da venda.', sai: false, dados: null, exemplo: null }),
  'plano.reposto': evento({ descricao: 'Pôs-se de novo um plano à venda.', sai: false, dados: null, exemplo: null }),
} as const;
