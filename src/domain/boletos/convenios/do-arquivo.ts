import { gunzipSync } from 'node:zlib';
import type { OcorrenciasDaParte } from '../../../../workers/threads/cnab/contract.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { documentoDe } from '../remessas/entradas.ts';
import { falaDoTitulo } from '../retornos/titulo.regras.ts';
import type { ConvenioRow } from './convenios.types.ts';

interface NumeradoRow {
  id: number;
  convenio_id: number;
  fatura_id: number;
  numero: string;
}

const NUMERADO = columns<NumeradoRow>('boletos', {
  id: true,
  convenio_id: true,
  fatura_id: true,
  numero: true,
});

/**
 * Of several agreements whose headers say the same, which one a bank's file is of: the one whose titles its lines name. Each numbers its titles
 * from one, so the number alone says nothing: what was sent with a title and comes back does.
 *
 * @param partes of the file, as they are kept; looked at one after the other until one of them tells
 * @returns null where nothing of the file tells
 */
export async function convenioDoArquivo(
  tenant: TenantDb,
  candidatos: readonly ConvenioRow[],
  partes: readonly Uint8Array[],
): Promise<ConvenioRow | null> {
  const [unico] = candidatos;
  if (unico === undefined || candidatos.length === 1) return unico ?? null;
  const ids = candidatos.map(({ id }) => id);
  for (const parte of partes) {
    const ocorrencias = JSON.parse(gunzipSync(parte).toString()) as OcorrenciasDaParte;
    const numeros = [...new Set(ocorrencias.flatMap(({ nossoNumero }) => nossoNumero || []))];
    const deles = tenant.from('boletos').whereIn('convenio_id', ids).whereIn('numero', numeros);
    const porNumero = groupBy(numeros.length === 0 ? [] : await rowsOf(deles, NUMERADO), ({ numero }) => numero);
    const falados = new Set(
      ocorrencias.flatMap((ocorrencia) =>
        (porNumero.get(ocorrencia.nossoNumero) ?? []).flatMap(({ id, convenio_id: convenio, fatura_id: fatura }) =>
          falaDoTitulo(ocorrencia, { id, documento: documentoDe(fatura) }) === true ? convenio : [],
        ),
      ),
    );
    // Of two, people decide: what is the other's is unidentified then.
    if (falados.size > 0) return falados.size > 1 ? null : (candidatos.find(({ id }) => falados.has(id)) ?? null);
  }
  return null;
}
