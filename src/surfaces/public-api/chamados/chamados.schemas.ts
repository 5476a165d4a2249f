import { SITUACOES_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import { SITUACOES_PEDIDAS } from '../../../domain/chamados/transicoes.regras.ts';
import { id, idOrNull, instant, instantOrNull, spokenText, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { atualizadoDesdeNaConsulta, paginacaoNaConsulta } from '../esquemas.ts';

const PRIORIDADES = ['baixa', 'normal', 'alta', 'urgente'] as const;
const CATEGORIAS = ['TECNICO', 'FINANCEIRO', 'COMERCIAL', 'INSTALACAO', 'CANCELAMENTO', 'OUTRO'] as const;

export const chamadoSchema = closed('Chamado', {
  id,
  cliente_id: id,
  contrato_id: idOrNull,
  situacao: { type: 'string', enum: SITUACOES_DE_CHAMADO },
  prioridade: { type: 'string', enum: PRIORIDADES },
  categoria: { type: ['string', 'null'], enum: [...CATEGORIAS, null] },
  assunto: { type: 'string' },
  descricao: { type: 'string' },
  solucao: textOrNull,
  aberto_em: instant,
  fechado_em: instantOrNull,
  agendado_para: instantOrNull,
});

export const entradaHistoricoSchema = closed('EntradaHistorico', {
  id,
  acao: { type: 'string', examples: ['comentario'] },
  descricao: textOrNull,
  autor: { ...textOrNull, description: 'Nome da chave ou de quem atendeu.' },
  ocorrido_em: instant,
});

export const consultaDeChamados = {
  type: 'object',
  additionalProperties: false,
  properties: {
    cliente_id: { ...id, description: 'Só os chamados deste cliente.', examples: [7] },
    contrato_id: { ...id, description: 'Só os chamados deste contrato.', examples: [12] },
    situacao: {
      type: 'string',
      enum: [...SITUACOES_DE_CHAMADO, 'em_aberto'],
      description: 'em_aberto é todo chamado que não foi solucionado nem cancelado.',
      examples: ['em_aberto'],
    },
    ...atualizadoDesdeNaConsulta,
    ...paginacaoNaConsulta,
  },
} as const;

export const corpoDeAbertura = closed(
  'NovoChamado',
  {
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
      enum: PRIORIDADES,
      default: 'normal',
      description: 'Urgência do atendimento.',
      examples: ['normal'],
    },
    categoria: { type: 'string', enum: CATEGORIAS, description: 'Área que atende.', examples: ['TECNICO'] },
  },
  { optional: ['contrato_id', 'prioridade', 'categoria'] },
);

export const corpoDeAtualizacao = {
  title: 'MudancaDeChamado',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
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
    prioridade: { type: 'string', enum: PRIORIDADES, description: 'Urgência do atendimento.', examples: ['alta'] },
    comentario: {
      ...spokenText,
      minLength: 1,
      maxLength: 5000,
      description: 'Texto livre, que fica no histórico do chamado.',
      examples: ['Técnico a caminho.'],
    },
  },
} as const;

export const exemploChamado = {
  id: 88,
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

export const exemploEntrada = {
  id: 301,
  acao: 'aberto',
  descricao: 'Chamado aberto.',
  autor: 'chatbot',
  ocorrido_em: '2026-11-10T13:05:00.000Z',
};

export const exemploSolucionado = {
  ...exemploChamado,
  situacao: 'solucionado',
  solucao: 'Conector refeito na caixa de atendimento.',
  fechado_em: '2026-11-10T16:40:00.000Z',
};
