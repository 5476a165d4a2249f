import type { Knex } from 'knex';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { JanelaDeQuedas } from '../conexoes.types.ts';
import { JUNTAR_OUVIDAS, abertaEm } from '../radacct.regras.ts';

/** The newest session of a login on the provider's servers: ids follow the order in which sessions began, and the index of names ends in them. */
const nova = (quais: string): string => `(
  SELECT s.radacctid FROM radacct AS s FORCE INDEX (username)
    STRAIGHT_JOIN provedores_nas AS pn ON pn.provedor_id = contratos.provedor_id AND pn.nasipaddress = s.nasipaddress
   WHERE s.username = contratos.login AND contratos.login <> '' AND ${quais}
   ORDER BY s.radacctid DESC LIMIT 1)`;

/** The session that the record `x` holds as open. */
const A_DO_REGISTRO = `${abertaEm('s')} AND s.acctstarttime <=> x.sessao_desde`;

/** Of the server `n`, by the index also where there are so few that MariaDB would read them whole. */
const JUNTAR_NAS = 'LEFT JOIN nas FORCE INDEX (nasname) ON nas.nasname = n.nasipaddress';

/** Joins a session of each of `contratos` as `r`: the one that its record holds as open, or else the newest. */
const JUNTAR_NOVA = `LEFT JOIN radacct AS r FORCE INDEX (PRIMARY)
  ON r.radacctid = COALESCE(IF(x.ouvida_em IS NULL, NULL, ${nova(A_DO_REGISTRO)}), ${nova('TRUE')})`;

/** Joins to `contratos` what `COLUNAS_DO_DETALHE` are of. */
export const juntarDetalhe = (contratos: Knex.QueryBuilder): Knex.QueryBuilder =>
  contratos
    .leftJoin('conexoes as x', sameTenant('contratos', 'id', 'x', 'contrato_id'))
    .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
    .joinRaw(JUNTAR_NAS)
    .joinRaw(JUNTAR_NOVA)
    .joinRaw(JUNTAR_OUVIDAS);

/** Drops of each of `contratos` over the last local days. */
export function somasDeQuedas(tenant: TenantDb, { hoje, de7, de30 }: JanelaDeQuedas) {
  const somar = (primeiro: string) =>
    tenant
      .from('quedas_diarias as q', 'PRIMARY')
      .whereRaw('q.contrato_id = contratos.id')
      .whereBetween('q.dia', [primeiro, hoje])
      .select(tenant.db.raw('CAST(COALESCE(SUM(q.quedas), 0) AS UNSIGNED)'));
  return { quedas_7: somar(de7), quedas_30: somar(de30) };
}
