import { SITUACOES_DE_CHAMADO, TIPOS_DE_AUTOR } from '../../../domain/chamados/chamados.types.ts';
import { id, instant, spokenText, textOrNull } from '../../../kit/fields/fields.ts';
import { camposDeAbertura, chamadoSchema, exemploChamado } from '../../../objects/chamados.schemas.ts';
import { closed } from '../../../platform/schema-type.ts';
import { cursorNaConsulta } from '../rota.ts';

const doChamado = chamadoSchema.properties;

const TICKET = {
  id,
  protocol: doChamado.protocolo,
  contract_id: doChamado.contrato_id,
  status: doChamado.situacao,
  priority: doChamado.prioridade,
  category: doChamado.categoria,
  subject: doChamado.assunto,
  description: doChamado.descricao,
  solution: doChamado.solucao,
  opened_at: doChamado.aberto_em,
  closed_at: doChamado.fechado_em,
  scheduled_for: doChamado.agendado_para,
  client: {
    ...closed(null, {
      id,
      name: { type: 'string' },
      phones: { type: 'array', items: { type: 'string' } },
      address: {
        anyOf: [
          closed(null, {
            zip_code: textOrNull,
            street: textOrNull,
            number: textOrNull,
            complement: textOrNull,
            district: textOrNull,
            city: textOrNull,
            state: textOrNull,
          }),
          { type: 'null' },
        ],
        description: 'Onde se atende: o endereço do contrato ou, sem contrato, o do cliente.',
      },
    }),
    description: 'Só para a equipe.',
  },
  assignee: {
    anyOf: [closed(null, { id, name: { type: 'string' } }), { type: 'null' }],
    description: 'Quem atende. Só para a equipe.',
  },
} as const;

const SO_DA_EQUIPE = { optional: ['client', 'assignee'] } as const;

export const ticketSchema = closed('Ticket', TICKET, SO_DA_EQUIPE);

export const entradaSchema = closed('TicketEntry', {
  id,
  action: {
    type: 'string',
    description: 'As notas da equipe são nota e responsavel, e só ela as vê.',
    examples: ['comentario'],
  },
  description: textOrNull,
  author_kind: {
    type: 'string',
    enum: TIPOS_DE_AUTOR,
    description: 'sistema é um programa do provedor.',
  },
  author: { ...textOrNull, description: 'O primeiro nome de quem é da equipe; nulo nos outros.' },
  occurred_at: instant,
});

export const detalheSchema = closed(
  'TicketDetail',
  {
    ...TICKET,
    history: { type: 'array', items: entradaSchema, description: 'Da entrada mais antiga para a mais nova.' },
  },
  SO_DA_EQUIPE,
);

export const consultaDeTickets = {
  type: 'object',
  additionalProperties: false,
  properties: {
    status: {
      type: 'string',
      enum: [...SITUACOES_DE_CHAMADO, 'em_aberto'],
      description: 'em_aberto é todo chamado que não foi solucionado nem cancelado.',
      examples: ['em_aberto'],
    },
    contract_id: { ...id, description: 'Só os chamados deste contrato.', examples: [12] },
    client_id: { ...id, description: 'Só os chamados deste cliente. Só da equipe.', examples: [7] },
    assigned: {
      type: 'string',
      enum: ['me', 'none', 'all'],
      description: 'Os de quem pergunta, os de ninguém ou todos; sem ele, me. Só da equipe.',
      examples: ['all'],
    },
    ...cursorNaConsulta,
  },
} as const;

const abertura = camposDeAbertura;

export const corpoDeAbertura = closed(
  'NewTicket',
  {
    subject: abertura.assunto,
    description: abertura.descricao,
    contract_id: {
      ...abertura.contrato_id,
      description: 'De que contrato se trata; exigido de quem tem mais de um que não está cancelado.',
    },
    category: { ...abertura.categoria, default: 'OUTRO' },
  },
  { optional: ['contract_id', 'category'] },
);

export const corpoDeComentario = closed(
  'NewTicketComment',
  {
    comment: {
      ...spokenText,
      minLength: 1,
      maxLength: 5000,
      description: 'Texto livre, que todos leem.',
      examples: ['Voltou a cair.'],
    },
    reopen: {
      type: 'boolean',
      description:
        'Reabre o chamado fechado, até 30 dias depois de fechado; do que está aberto não diz nada. Sem ele, não.',
      examples: [false],
    },
  },
  { optional: ['reopen'] },
);

export const exemploTicket = {
  id: exemploChamado.id,
  protocol: exemploChamado.protocolo,
  contract_id: exemploChamado.contrato_id,
  status: exemploChamado.situacao,
  priority: exemploChamado.prioridade,
  category: exemploChamado.categoria,
  subject: exemploChamado.assunto,
  description: exemploChamado.descricao,
  solution: exemploChamado.solucao,
  opened_at: exemploChamado.aberto_em,
  closed_at: exemploChamado.fechado_em,
  scheduled_for: exemploChamado.agendado_para,
};

export const exemploEntrada = {
  id: 301,
  action: 'comentario',
  description: 'Voltou a cair.',
  author_kind: 'cliente',
  author: null,
  occurred_at: '2026-11-10T13:05:00.000Z',
};
