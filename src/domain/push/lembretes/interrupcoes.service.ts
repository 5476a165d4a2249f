import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantWriter } from '../../../platform/mysql/tenant.ts';
import type { Aviso } from '../../rede/avisos/avisos.types.ts';
import { ditosDesde, dizerUmaVezCada } from './uma-vez.service.ts';

/** An outage that comes and goes is told to devices so often at most. */
const DE_NOVO_MS = 3_600_000;
const TIPO = 'interrupcao_detectada';
const DO_ANTERIOR = columns<{ id: number }>('antes', { id: true });

/**
 * Whether devices are to be told of an open notice: of a detected one not where they were told of another of the same place less than an hour
 * ago. That they are told now is written down.
 */
export async function dizerInterrupcaoSeNova(
  w: Pick<TenantWriter, 'from' | 'insert'>,
  { id, origem, confirmadoEm }: Pick<Aviso, 'id' | 'origem' | 'confirmadoEm'>,
  agora: Date,
): Promise<boolean> {
  if (origem !== 'detectado' || confirmadoEm !== null) return true;
  const ditos = await ditosDesde(w, [TIPO], new Date(agora.getTime() - DE_NOVO_MS));
  if (ditos.length > 0) {
    const doMesmoLugar = w
      .from('avisos_de_rede as este')
      .join('avisos_de_rede as antes', sameTenant('este', 'detectado_nas', 'antes', 'detectado_nas'))
      .where('este.id', id)
      .whereIn(
        'antes.id',
        ditos.map(({ recurso_id }) => recurso_id),
      )
      .whereRaw('antes.detectado_porta <=> este.detectado_porta')
      .limit(1);
    if ((await rowsOf(doMesmoLugar, DO_ANTERIOR)).length > 0) return false;
  }
  await dizerUmaVezCada(w, [{ tipo: TIPO, recurso_id: id, quando: toDatabaseTime(agora) }], agora);
  return true;
}
