import type { Chamado } from '../domain/chamados/chamados.types.ts';
import { toIso } from '../kit/fields/fields.ts';
import type { TypeOf } from '../platform/schema-type.ts';
import type { chamadoSchema } from './chamados.schemas.ts';

export function apresentarChamado(chamado: Chamado): TypeOf<typeof chamadoSchema> {
  return {
    id: chamado.id,
    protocolo: chamado.protocolo,
    cliente_id: chamado.clienteId,
    contrato_id: chamado.contratoId,
    situacao: chamado.situacao,
    prioridade: chamado.prioridade,
    categoria: chamado.categoria,
    assunto: chamado.assunto,
    descricao: chamado.descricao,
    solucao: chamado.solucao,
    aberto_em: chamado.abertoEm.toISOString(),
    fechado_em: toIso(chamado.fechadoEm),
    agendado_para: toIso(chamado.agendadoPara),
  };
}
