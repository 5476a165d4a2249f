import type { Aviso } from '../../domain/rede/avisos/avisos.types.ts';
import { toIso } from '../../kit/fields/fields.ts';
import type { TypeOf } from '../../platform/schema-type.ts';
import type { avisoSchema } from './avisos.schemas.ts';

export function apresentarAviso(aviso: Aviso): TypeOf<typeof avisoSchema> {
  return {
    id: aviso.id,
    tipo: aviso.tipo,
    titulo: aviso.titulo,
    texto: aviso.texto,
    inicio: aviso.inicio.toISOString(),
    previsao: toIso(aviso.previsao),
    fim: toIso(aviso.fim),
    origem: aviso.origem,
  };
}
