import type { Atendimento } from '../../../domain/atendimentos/atendimentos.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { atendimentoSchema } from './atendimentos.schemas.ts';

export function apresentarAtendimento(atendimento: Atendimento): TypeOf<typeof atendimentoSchema> {
  return {
    protocolo: atendimento.protocolo,
    tipo: atendimento.tipo,
    canal: atendimento.canal,
    cliente_id: atendimento.clienteId,
    contrato_id: atendimento.contratoId,
    chamado_id: atendimento.chamadoId,
    assunto: atendimento.assunto,
    resumo: atendimento.resumo,
    autor: atendimento.autor,
    aberto_em: atendimento.abertoEm.toISOString(),
  };
}
