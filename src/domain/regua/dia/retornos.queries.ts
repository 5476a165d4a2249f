import { corteDoAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, computed, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';

/** An agreement of which no file came for so long holds nobody back: none is going to come. */
const DIAS_DE_SILENCIO = 10;

/** How far an agreement's files from the bank are. */
interface RetornosRow {
  convenio_id: number;
  nome: string;
  /** A file of it is being applied, or could not be. */
  aplicando: number;
  /** One came that has the payments of the last business day. */
  em_dia: number;
}

const DOS_RETORNOS = columns<Pick<RetornosRow, 'convenio_id' | 'nome'>>('r', { convenio_id: true, nome: 'c.nome' });
const DO_BOLETO = columns<{ fatura_id: number; convenio_id: number; situacao: string }>('boletos', {
  fatura_id: true,
  convenio_id: true,
  situacao: true,
});

/** Agreements whose file of a day is not here, or not applied yet: payments of the last business day may be in it. */
export async function conveniosSemRetorno(de: TenantDb, provedor: Provedor, dia: Data): Promise<RetornosRow[]> {
  const { fusoHorario, regras } = provedor;
  // Banks write a file in the night after a business day, and date it by either of the two days.
  const ultimoUtil = corteDoAtraso(dia, regras.calendario);
  const desde = toDatabaseTime(inicioDoDiaEm(fusoHorario, somarDias(ultimoUtil, 1)));
  const query = de
    .from('retornos as r', 'retornos_recebidos')
    .join('convenios_bancarios as c', (on) => on.on('c.provedor_id', 'r.provedor_id').andOn('c.id', 'r.convenio_id'))
    .where('r.recebido_em', '>=', toDatabaseTime(inicioDoDiaEm(fusoHorario, somarDias(dia, -DIAS_DE_SILENCIO))))
    .groupBy('r.convenio_id', 'c.nome')
    .orderBy('r.convenio_id');
  const contas = computed<{ aplicando: number; em_dia: number }>({
    aplicando: de.db.raw('MAX(r.concluido_em IS NULL)'),
    em_dia: de.db.raw('MAX(r.recebido_em >= ? AND COALESCE(r.gravado_em, ?) >= ?)', [desde, dia, ultimoUtil]),
  });
  const rows = await rowsOf(query, DOS_RETORNOS, contas);
  return rows.filter(({ aplicando, em_dia }) => aplicando === 1 || em_dia === 0);
}

/**
 * Of some invoices, those that may be paid by what a bank has told or is about to tell: their boleto is registered, and the agreement's file with
 * the payments of the last business day has not come; or a file of it is being applied, whatever the boleto is by now. Two statements.
 */
export async function esperamRetorno(
  de: TenantDb,
  provedor: Provedor,
  dia: Data,
  faturaIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const faltam = new Map(
    (await conveniosSemRetorno(de, provedor, dia)).map((convenio) => [convenio.convenio_id, convenio]),
  );
  if (faltam.size === 0) return new Set();
  const boletos = de
    .from('boletos', 'boletos_fatura')
    .whereIn('fatura_id', [...faturaIds])
    .whereIn('convenio_id', [...faltam.keys()]);
  const deles = (await rowsOf(boletos, DO_BOLETO)).filter(
    ({ convenio_id: id, situacao }) => situacao === 'registrado' || faltam.get(id)?.aplicando === 1,
  );
  return new Set(deles.map(({ fatura_id: id }) => id));
}
