import { columns, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { onlyHere } from '../../platform/mysql/moving.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import { READ_TIMEOUT_MS } from '../../platform/mysql/tenant.ts';

import { COLUNAS_DA_REDE } from './configuracao/configuracao.types.ts';
import type { NasNaRedeRow, RedeRow } from './configuracao/configuracao.types.ts';

/** Another provider's contract with the same login. */
export interface OutroDonoRow {
  /** Of ours. */
  contrato_id: number;
  provedor_id: number;
  situacao: SituacaoContrato;
}

const DO_OUTRO_DONO = columns<OutroDonoRow>('o', { contrato_id: 'c.id', provedor_id: true, situacao: true });

interface NasDeProvedorRow extends NasNaRedeRow {
  provedor_id: number;
}

const DO_NAS = columns<NasDeProvedorRow>('provedores_nas', {
  provedor_id: true,
  nasipaddress: true,
  coa: true,
  bloqueio: true,
  bloqueio_nome: true,
});
const DONO_DO_NAS = columns<{ provedor_id: number }>('provedores_nas', { provedor_id: true });
const DO_PEDIDO = columns<{ provedor_id: number }>('rede_pedidos', { provedor_id: true });
const DA_DESCONEXAO = columns<{ provedor_id: number }>('rede_desconexoes', { provedor_id: true });

/**
 * What is asked of all tenants: who has work waiting, and who else has a login, because FreeRADIUS's tables know a login by its
 * name only.
 */
export function createFilaQueries(db: Db) {
  return {
    async provedoresComPedidos(): Promise<number[]> {
      const pedidos = db('rede_pedidos').whereNull('aplicado_em').distinct().timeout(READ_TIMEOUT_MS);
      const rows = await rowsOf(pedidos, DO_PEDIDO);
      return rows.map(({ provedor_id }) => provedor_id);
    },

    /** Of those that live here: a session of one that has moved is the other cell's to end. */
    async provedoresComDesconexoes(agora: Date): Promise<number[]> {
      const desconexoes = db('rede_desconexoes')
        .where('estado', 'pendente')
        .where('proxima_em', '<=', toDatabaseTime(agora))
        .distinct()
        .timeout(READ_TIMEOUT_MS);
      const rows = await onlyHere(db, await rowsOf(desconexoes, DA_DESCONEXAO), ({ provedor_id }) => provedor_id);
      return rows.map(({ provedor_id }) => provedor_id);
    },

    /** Contracts of other providers that have the login of one of these and were not cancelled. */
    async outrosDonos(provedorId: number, contratoIds: readonly number[]): Promise<OutroDonoRow[]> {
      return rowsOfSql(
        db,
        DO_OUTRO_DONO,
        (colunas) =>
          `SELECT ${colunas}
             FROM contratos c
             STRAIGHT_JOIN contratos o FORCE INDEX (contratos_de_login)
               ON o.login = c.login AND o.provedor_id <> c.provedor_id
            WHERE c.provedor_id = ? AND c.id IN (?) AND c.login <> ''
              AND o.situacao NOT IN ('cancelado', 'cancelado_definitivo')`,
        [provedorId, [...contratoIds]],
      );
    },

    /** The provider that a NAS address is of; null when it is nobody's. */
    async donoDoNas(nasipaddress: string): Promise<number | null> {
      const [row] = await rowsOf(db('provedores_nas').where({ nasipaddress }), DONO_DO_NAS);
      return row?.provedor_id ?? null;
    },

    /** What some providers have the network told; of those without a row nothing. */
    async redesDe(provedorIds: readonly number[]): Promise<RedeRow[]> {
      return rowsOf(db('provedores_rede').whereIn('provedor_id', provedorIds), COLUNAS_DA_REDE);
    },

    /** NASes of some providers. */
    async nasDe(provedorIds: readonly number[]): Promise<NasDeProvedorRow[]> {
      return rowsOf(db('provedores_nas').whereIn('provedor_id', provedorIds), DO_NAS);
    },
  };
}
