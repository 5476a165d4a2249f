import type { Knex } from 'knex';
import { corteDoAtraso } from '../../brazil/calendario/calendario-bancario.ts';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import { horaEm } from '../../brazil/calendario/horario.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { reabrirDesde } from '../tarefas/reabertura.service.ts';
import { lerRegua } from './configuracao.queries.ts';
import { REFERENCIA_DA_FATURA } from './dia/candidatas.queries.ts';
import { conveniosSemRetorno, podemEstarPagos } from './dia/retornos.queries.ts';
import { ULTIMA_HORA } from './regua.types.ts';

const DE_QUEM = columns<{ cliente_id: number; contrato_id: number | null }>('f', {
  cliente_id: true,
  contrato_id: true,
});
const DO_DESBLOQUEIO = columns<{ contrato_id: number }>('d', { contrato_id: true });

/** Whether the provider's ladder is on. */
export const temRegua = async (tenant: TenantDb): Promise<boolean> => (await lerRegua(tenant)).ativaDesde !== null;

/** The local hour from which a day's ladder is done; null where it is off, and there is nothing to wait for. */
export async function horaDaRegua(tenant: TenantDb): Promise<number | null> {
  const { ativaDesde, hora } = await lerRegua(tenant);
  return ativaDesde === null ? null : hora;
}

/**
 * Has today's ladder done again where it was begun: what some of it waited for is here. What it did is not done twice. From its last hour on it
 * is left as it is, for nobody would do it any more.
 */
export async function retomarRegua(
  w: Write,
  { fusoHorario }: Pick<Provedor, 'fusoHorario'>,
  agora: Date,
): Promise<void> {
  if (horaEm(fusoHorario, agora) >= ULTIMA_HORA || !(await temRegua(w.tenant))) return;
  await reabrirDesde(w, 'regua.aplicar', hojeEm(fusoHorario, agora));
}

/**
 * Of some contracts in debt whose trust unblocks are over, those that are blocked again. Where there is a ladder: for an invoice for which they
 * were blocked before, by it or by the unblock's own account. Of whatever else is late by now, the ladder has yet to tell them.
 */
export async function bloqueiamDeNovo<C extends { readonly id: number; readonly cliente_id: number }>(
  w: Write,
  contratos: readonly C[],
  desbloqueios: readonly number[],
): Promise<readonly C[]> {
  if (contratos.length === 0 || !(await temRegua(w.tenant))) return contratos;
  const passos = w
    .from('faturas as f')
    .join('regua_passos as p', sameTenant('f', 'id', 'p', 'fatura_id'))
    .whereIn('f.cliente_id', [...new Set(contratos.map(({ cliente_id }) => cliente_id))])
    .where({ 'f.grupo': 'aberta', 'p.passo': 'bloqueio' })
    .whereRaw(`p.referencia = ${REFERENCIA_DA_FATURA}`);
  const causas = w
    .from('desbloqueios_confianca as d')
    .join('faturas as f', sameTenant('d', 'fatura_causa_id', 'f', 'id'))
    .whereIn('d.id', [...desbloqueios])
    .where('f.situacao', 'vencida');
  const bloqueadas = await rowsOf(passos, DE_QUEM);
  const naoPagas = new Set((await rowsOf(causas, DO_DESBLOQUEIO)).map(({ contrato_id }) => contrato_id));
  return contratos.filter(
    ({ id, cliente_id }) =>
      naoPagas.has(id) ||
      bloqueadas.some((uma) => uma.contrato_id === id || (uma.contrato_id === null && uma.cliente_id === cliente_id)),
  );
}

/**
 * The end of a trust unblock waits for so long for a bank's file: a Friday's payment is known on Wednesday where banks are closed from Saturday to
 * Tuesday. Who uploads files ever later does not give everybody a connection without an end.
 */
const DIAS_DE_ESPERA = 5;

/**
 * Leaves out of a query of `desbloqueios_confianca` those whose contract may be paid by what a bank is about to tell: some of what it owes late has
 * a boleto in an agreement whose file with the payments of the last business day is not here. One statement, with or without a ladder.
 */
export async function semEsperaDeRetorno(
  w: Write,
  provedor: Provedor,
  agora: Date,
): Promise<(query: Knex.QueryBuilder) => void> {
  const { fusoHorario, regras } = provedor;
  const hoje = hojeEm(fusoHorario, agora);
  const faltam = await conveniosSemRetorno(w.tenant, provedor, hoje);
  if (faltam.length === 0) return () => {};
  const comBoleto = (faturas: Knex.QueryBuilder): Knex.QueryBuilder =>
    faturas
      .join('boletos as b', sameTenant('f', 'id', 'b', 'fatura_id'))
      .where('f.grupo', 'aberta')
      .where('f.vencimento', '<=', corteDoAtraso(hoje, regras.calendario))
      .modify(podemEstarPagos(faltam, 'b'))
      .select(w.tenant.db.raw('1'));
  const doContrato = w.from('faturas as f').whereRaw('f.contrato_id = desbloqueios_confianca.contrato_id');
  const causa = w.from('faturas as f').whereRaw('f.id = desbloqueios_confianca.fatura_causa_id');
  const avulsas = w
    .from('contratos as c')
    .join('faturas as f', sameTenant('c', 'cliente_id', 'f', 'cliente_id'))
    .whereRaw('c.id = desbloqueios_confianca.contrato_id')
    .whereNull('f.contrato_id');
  const limite = toDatabaseTime(inicioDoDiaEm(fusoHorario, somarDias(hoje, -DIAS_DE_ESPERA)));
  return (query) =>
    void query.where((q) => {
      void q.where('ate', '<', limite).orWhere((ninguem) => {
        for (const deles of [doContrato, causa, avulsas]) void ninguem.whereNotExists(comBoleto(deles.clone()));
      });
    });
}
