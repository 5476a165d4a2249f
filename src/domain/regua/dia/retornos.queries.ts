import type { Knex } from 'knex';
import { corteDoAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerHorario } from '../../../brazil/calendario/horario.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { ULTIMA_HORA } from '../regua.types.ts';

/** An agreement of which no file came for so long holds nobody back: none is going to come. */
const DIAS_DE_SILENCIO = 10;
/**
 * On so many days of the last ones came files of an agreement of which none told for certain what it has: its bank dates them in a way that never
 * does, or nobody pays by it. From then on one that may have the payments of a day is taken to have them.
 */
const DIAS_SEM_CERTEZA = 5;

interface RetornoRecebidoRow {
  convenio_id: number;
  nome: string;
  recebido_em: string;
  concluido_em: string | null;
  gravado_em: Data | null;
  pago_ate: Data | null;
}

/** An agreement of which payments of the last business day may not be here. */
export interface SemRetorno {
  readonly convenioId: number;
  readonly nome: string;
  /** A file of it is being applied, or could not be. */
  readonly aplicando: boolean;
}

const DOS_RETORNOS = columns<RetornoRecebidoRow>('r', {
  convenio_id: true,
  nome: 'c.nome',
  recebido_em: true,
  concluido_em: true,
  gravado_em: true,
  pago_ate: true,
});
const DO_BOLETO = columns<{ fatura_id: number }>('boletos', { fatura_id: true });

/**
 * Whether a file is known to have the payments of a business day. Banks write it in the night after the day, and date it by either of the two:
 * one that is dated by a later day has them, and so has one with a payment of the day. One that is dated by the day itself may be of the day before.
 */
const temCertamente = ({ gravado_em, pago_ate }: RetornoRecebidoRow, util: Data): boolean =>
  (gravado_em !== null && gravado_em > util) || (pago_ate !== null && pago_ate >= util);

/** Agreements whose file of a day is not here, or not applied yet: payments of the last business day may be in it. */
export async function conveniosSemRetorno(de: TenantDb, provedor: Provedor, dia: Data): Promise<SemRetorno[]> {
  const { fusoHorario, regras } = provedor;
  const ultimoUtil = corteDoAtraso(dia, regras.calendario);
  const desde = toDatabaseTime(inicioDoDiaEm(fusoHorario, somarDias(ultimoUtil, 1)));
  const noite = lerHorario(fusoHorario, `${ultimoUtil}T${ULTIMA_HORA}:00`);
  const daNoite = ({ recebido_em: em }: RetornoRecebidoRow): boolean => noite !== null && em >= toDatabaseTime(noite);
  const query = de
    .from('retornos as r', 'retornos_recebidos')
    .join('convenios_bancarios as c', (on) => on.on('c.provedor_id', 'r.provedor_id').andOn('c.id', 'r.convenio_id'))
    .where('r.recebido_em', '>=', toDatabaseTime(inicioDoDiaEm(fusoHorario, somarDias(dia, -DIAS_DE_SILENCIO))))
    .orderBy(['r.convenio_id', 'r.id']);
  const porConvenio = groupBy(await rowsOf(query, DOS_RETORNOS), ({ convenio_id: id }) => id);

  /** Whether one of an agreement's files has the payments of the last business day, as far as can be told. */
  function emDia(dele: readonly RetornoRecebidoRow[]): boolean {
    // A bank that sends its file in the evening of the day itself has told of the day when the ladder's hours were over.
    if (dele.some((um) => daNoite(um) && um.pago_ate !== null && um.pago_ate >= ultimoUtil)) return true;
    const novos = dele.filter(({ recebido_em: em }) => em >= desde);
    if (novos.some((um) => temCertamente(um, ultimoUtil))) return true;
    if (!novos.some(({ gravado_em: em }) => em === null || em === ultimoUtil)) return false;
    const dias = groupBy(dele, ({ recebido_em: em }) => hojeEm(fusoHorario, fromDatabaseTime(em)));
    const certo = [...dias].some(([quando, doDia]) => {
      const util = corteDoAtraso(quando, regras.calendario);
      return doDia.some((um) => temCertamente(um, util));
    });
    return !certo && dias.size >= DIAS_SEM_CERTEZA;
  }

  return [...porConvenio].flatMap(([convenioId, dele]): SemRetorno[] => {
    const aplicando = dele.some(({ concluido_em: em }) => em === null);
    return aplicando || !emDia(dele) ? [{ convenioId, nome: dele[0]?.nome ?? '', aplicando }] : [];
  });
}

/** Keeps of `boletos` those whose payment may be in what those agreements' files are about to tell; a registered one, or any while one is applied. */
export const podemEstarPagos = (faltam: readonly SemRetorno[], tabela = 'boletos') => {
  const idsDe = (deles: readonly SemRetorno[]): number[] => deles.map(({ convenioId }) => convenioId);
  return (query: Knex.QueryBuilder): void =>
    void query.where((q) => {
      void q
        .where((registrado) => {
          void registrado.where(`${tabela}.situacao`, 'registrado').whereIn(`${tabela}.convenio_id`, idsDe(faltam));
        })
        .orWhereIn(`${tabela}.convenio_id`, idsDe(faltam.filter(({ aplicando }) => aplicando)));
    });
};

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
  if (faturaIds.length === 0) return new Set();
  const faltam = await conveniosSemRetorno(de, provedor, dia);
  if (faltam.length === 0) return new Set();
  const boletos = de
    .from('boletos', 'boletos_fatura')
    .whereIn('fatura_id', [...faturaIds])
    .modify(podemEstarPagos(faltam));
  return new Set((await rowsOf(boletos, DO_BOLETO)).map(({ fatura_id: id }) => id));
}
