import type { EntradaHistorico } from '../../../domain/chamados/chamados.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { entradaHistoricoSchema } from './chamados.schemas.ts';

export function apresentarEntrada(entrada: EntradaHistorico): TypeOf<typeof entradaHistoricoSchema> {
  return {
    id: entrada.id,
    acao: entrada.acao,
    descricao: entrada.descricao,
    autor: entrada.autor,
    ocorrido_em: entrada.ocorridoEm.toISOString(),
  };
}
