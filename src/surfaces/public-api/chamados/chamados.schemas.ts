import { SITUACOES_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import { id, idOuNulo, instante, instanteOuNulo, paginacaoNaConsulta, textoOuNulo } from '../esquemas.ts';

export const chamadoSchema = {
  title: 'Chamado',
  type: 'object',
  additionalProperties: false,
  required: [
    'id',
    'cliente_id',
    'contrato_id',
    'situacao',
    'prioridade',
    'categoria',
    'assunto',
    'descricao',
    'solucao',
    'aberto_em',
    'fechado_em',
    'agendado_para',
  ],
  properties: {
    id,
    cliente_id: id,
    contrato_id: idOuNulo,
    situacao: { type: 'string', enum: SITUACOES_DE_CHAMADO },
    prioridade: { type: 'string', enum: ['baixa', 'normal', 'alta', 'urgente'] },
    categoria: {
      type: ['string', 'null'],
      enum: ['TECNICO', 'FINANCEIRO', 'COMERCIAL', 'INSTALACAO', 'CANCELAMENTO', 'OUTRO', null],
    },
    assunto: { type: 'string' },
    descricao: { type: 'string' },
    solucao: textoOuNulo,
    aberto_em: instante,
    fechado_em: instanteOuNulo,
    agendado_para: instanteOuNulo,
  },
} as const;

export const entradaHistoricoSchema = {
  title: 'EntradaHistorico',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'acao', 'descricao', 'autor', 'ocorrido_em'],
  properties: {
    id,
    acao: { type: 'string', examples: ['comentario'] },
    descricao: textoOuNulo,
    autor: { ...textoOuNulo, description: 'Nome da chave ou de quem atendeu.' },
    ocorrido_em: instante,
  },
} as const;

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
    ...paginacaoNaConsulta,
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
