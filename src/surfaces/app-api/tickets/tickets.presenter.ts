import type { ChamadoDaEquipeNoApp, EntradaNoApp } from '../../../domain/chamados/app/app.types.ts';
import type { Chamado } from '../../../domain/chamados/chamados.types.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { entradaSchema, ticketSchema } from './tickets.schemas.ts';

type Ticket = TypeOf<typeof ticketSchema>;

export const apresentarTicket = (chamado: Chamado): Ticket => ({
  id: chamado.id,
  protocol: chamado.protocolo,
  contract_id: chamado.contratoId,
  status: chamado.situacao,
  priority: chamado.prioridade,
  category: chamado.categoria,
  subject: chamado.assunto,
  description: chamado.descricao,
  solution: chamado.solucao,
  opened_at: chamado.abertoEm.toISOString(),
  closed_at: toIso(chamado.fechadoEm),
  scheduled_for: toIso(chamado.agendadoPara),
});

export function apresentarTicketDaEquipe(chamado: ChamadoDaEquipeNoApp): Ticket {
  const { cliente, responsavel } = chamado;
  const { endereco } = cliente;
  return {
    ...apresentarTicket(chamado),
    client: {
      id: chamado.clienteId,
      name: cliente.nome,
      phones: [...cliente.telefones],
      address:
        endereco === null
          ? null
          : {
              zip_code: endereco.cep,
              street: endereco.logradouro,
              number: endereco.numero,
              complement: endereco.complemento,
              district: endereco.bairro,
              city: endereco.cidade,
              state: endereco.uf,
            },
    },
    assignee: responsavel === null ? null : { id: responsavel.id, name: responsavel.nome },
  };
}

export const apresentarEntrada = (entrada: EntradaNoApp): TypeOf<typeof entradaSchema> => ({
  id: entrada.id,
  action: entrada.acao,
  description: entrada.descricao,
  author_kind: entrada.autorTipo,
  author: entrada.autorTipo === 'equipe' ? (entrada.autor?.split(' ')[0] ?? null) : null,
  occurred_at: entrada.ocorridoEm.toISOString(),
});
