import { CATEGORIAS_DE_CHAMADO, PRIORIDADES_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../chamados/chamados.types.ts';
import { campos, evento, id, idOuNulo, instante, quantos, semDados } from './evento.ts';

const situacao = { enum: SITUACOES_DE_CHAMADO } as const;

/** What happens with contracts, tickets and invites. */
export const DOS_ASSINANTES = {
  'chamado.aberto': evento({
    descricao: 'Abriu-se um chamado.',
    sai: true,
    dados: campos({
      cliente: id,
      contrato: idOuNulo,
      prioridade: { enum: PRIORIDADES_DE_CHAMADO },
      categoria: { enum: [...CATEGORIAS_DE_CHAMADO, null] },
    }),
    exemplo: { cliente: 12, contrato: 34, prioridade: 'normal', categoria: 'TECNICO' },
  }),
  'chamado.atualizado': evento({
    descricao: 'Mudou algo num chamado, ou alguém o comentou.',
    sai: true,
    dados: campos({
      cliente: id,
      contrato: idOuNulo,
      campos: { type: 'array', items: { enum: ['situacao', 'prioridade', 'solucao', 'comentario'] } },
      de: situacao,
      para: situacao,
    }),
    exemplo: { cliente: 12, contrato: null, campos: ['situacao', 'solucao'], de: 'aberto', para: 'solucionado' },
  }),
  'contrato.bloqueado': evento({
    descricao: 'Um contrato foi bloqueado por débito no fim do desbloqueio de confiança.',
    sai: true,
    dados: campos({ desbloqueio: id, origem: { enum: ['financeiro'] } }),
    exemplo: { desbloqueio: 7, origem: 'financeiro' },
  }),
  'contrato.desbloqueado': evento({
    descricao: 'Um contrato teve desbloqueio de confiança, até um instante; a fatura é a que o bloqueava.',
    sai: true,
    dados: campos({ dias: quantos, ate: instante, fatura: idOuNulo }),
    exemplo: { dias: 3, ate: '2026-11-27T02:59:59.999Z', fatura: 56 },
  }),
  'contrato.desbloqueio_encerrado': evento({
    descricao: 'Acabou o desbloqueio de confiança de um contrato que nada deve em atraso, ou que já não está ativo.',
    sai: true,
    dados: campos({ desbloqueio: id }),
    exemplo: { desbloqueio: 7 },
  }),
  'contrato.liberado': evento({
    descricao: 'Um contrato bloqueado foi liberado pelo pagamento de uma fatura.',
    sai: true,
    dados: campos({ fatura: id }),
    exemplo: { fatura: 56 },
  }),
  'convite.criado': evento({
    descricao: 'Criou-se um convite de pré-cadastro.',
    sai: false,
    dados: campos({
      plano: idOuNulo,
      dia_vencimento: { type: ['integer', 'null'], minimum: 1, maximum: 31 },
      expira_em: instante,
    }),
    exemplo: { plano: 2, dia_vencimento: null, expira_em: '2026-11-30T15:00:00.000Z' },
  }),
  'convite.expirado': semDados(false, 'Passou o prazo de um convite que ninguém usou.'),
} as const;
