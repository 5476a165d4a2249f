import { SITUACOES_DE_CHAMADO } from '../../../domain/chamados/chamados.types.ts';
import { camposDeAbertura, camposDeMudanca } from '../../../objects/chamados.schemas.ts';
import { atualizadoDesdeNaConsulta, protocoloNaConsulta } from '../../../objects/consulta.ts';
import { id, instant, textOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import { paginacaoNaConsulta } from '../esquemas.ts';

export const entradaHistoricoSchema = closed('EntradaHistorico', {
  id,
  acao: { type: 'string', examples: ['comentario'], mask: 'none' },
  descricao: { ...textOrNull, mask: 'text' },
  autor: { ...textOrNull, mask: 'text', description: 'Nome da chave ou de quem atendeu.' },
  ocorrido_em: instant,
});

export const consultaDeChamados = {
  type: 'object',
  additionalProperties: false,
  properties: {
    protocolo: { ...protocoloNaConsulta, description: 'Só o chamado deste protocolo.' },
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

export const corpoDeAbertura = closed('NovoChamado', camposDeAbertura, {
  optional: ['contrato_id', 'prioridade', 'categoria'],
});

export const corpoDeAtualizacao = {
  title: 'MudancaDeChamado',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: camposDeMudanca,
} as const;

export const exemploEntrada = {
  id: 301,
  acao: 'aberto',
  descricao: 'Chamado aberto.',
  autor: 'chatbot',
  ocorrido_em: '2026-11-10T13:05:00.000Z',
};
