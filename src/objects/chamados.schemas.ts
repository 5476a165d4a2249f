import {
  SITUACOES_DE_CHAMADO,
  CATEGORIAS_DE_CHAMADO,
  PRIORIDADES_DE_CHAMADO,
} from '../domain/chamados/chamados.types.ts';
import { SITUACOES_PEDIDAS } from '../domain/chamados/transicoes.regras.ts';
import { id, idOrNull, instant, instantOrNull, spokenText, textOrNull } from '../kit/fields/fields.ts';
import { closed } from '../platform/schema-type.ts';

export const chamadoSchema = closed('Chamado', {
  id,
  protocolo: {
    ...textOrNull,
    mask: 'none',
    description:
      'Número que se dá ao assinante: AAAAMMDD e 6 dígitos; nulo nos chamados mais antigos que os protocolos.',
  },
  cliente_id: { ...id, person: true },
  contrato_id: idOrNull,
  situacao: { type: 'string', enum: SITUACOES_DE_CHAMADO },
  prioridade: { type: 'string', enum: PRIORIDADES_DE_CHAMADO },
  categoria: { type: ['string', 'null'], enum: [...CATEGORIAS_DE_CHAMADO, null] },
  assunto: { type: 'string', mask: 'text' },
  descricao: { type: 'string', mask: 'text' },
  solucao: { ...textOrNull, mask: 'text' },
  aberto_em: instant,
  fechado_em: instantOrNull,
  agendado_para: instantOrNull,
});

/** What opens a ticket. */
export const camposDeAbertura = {
  cliente_id: { ...id, description: 'Cliente de quem é o chamado.', examples: [7] },
  contrato_id: {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Contrato de que se trata, do mesmo cliente.',
    examples: [12],
  },
  assunto: {
    ...spokenText,
    minLength: 3,
    maxLength: 300,
    description: 'O problema em poucas palavras.',
    examples: ['Sem conexão'],
  },
  descricao: {
    ...spokenText,
    minLength: 3,
    maxLength: 5000,
    description: 'O problema por extenso.',
    examples: ['A luz LOS da ONU está vermelha desde as 8h.'],
  },
  prioridade: {
    type: 'string',
    enum: PRIORIDADES_DE_CHAMADO,
    default: 'normal',
    description: 'Urgência do atendimento.',
    examples: ['normal'],
  },
  categoria: { type: 'string', enum: CATEGORIAS_DE_CHAMADO, description: 'Área que atende.', examples: ['TECNICO'] },
} as const;

/** What changes a ticket; each may be missing. */
export const camposDeMudanca = {
  situacao: {
    type: 'string',
    enum: SITUACOES_PEDIDAS,
    description: 'Situação para a qual o chamado vai. Um chamado fechado só pode ser reaberto.',
    examples: ['solucionado'],
  },
  solucao: {
    ...spokenText,
    minLength: 3,
    maxLength: 5000,
    description: 'O que resolveu o problema.',
    examples: ['Conector refeito na caixa de atendimento.'],
  },
  prioridade: {
    type: 'string',
    enum: PRIORIDADES_DE_CHAMADO,
    description: 'Urgência do atendimento.',
    examples: ['alta'],
  },
  comentario: {
    ...spokenText,
    minLength: 1,
    maxLength: 5000,
    description: 'Texto livre, que fica no histórico do chamado.',
    examples: ['Técnico a caminho.'],
  },
} as const;

export const exemploChamado = {
  id: 88,
  protocolo: '20261110000042',
  cliente_id: 7,
  contrato_id: 12,
  situacao: 'aberto',
  prioridade: 'normal',
  categoria: 'TECNICO',
  assunto: 'Sem conexão',
  descricao: 'A luz LOS da ONU está vermelha desde as 8h.',
  solucao: null,
  aberto_em: '2026-11-10T13:05:00.000Z',
  fechado_em: null,
  agendado_para: null,
};

export const exemploSolucionado = {
  ...exemploChamado,
  situacao: 'solucionado',
  solucao: 'Conector refeito na caixa de atendimento.',
  fechado_em: '2026-11-10T16:40:00.000Z',
};
