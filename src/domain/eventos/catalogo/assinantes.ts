import { CATEGORIAS_DE_CHAMADO, PRIORIDADES_DE_CHAMADO, SITUACOES_DE_CHAMADO } from '../../chamados/chamados.types.ts';
import { campos, evento, id, idOuNulo, instante, semDados } from './evento.ts';

const situacao = { enum: SITUACOES_DE_CHAMADO } as const;

/** What happens with tickets and invites. */
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
