import { groupBy } from '../../platform/group-by.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { ABERTA } from '../conexoes/radacct.regras.ts';
import type { EstadoDaDesconexao, ResultadoDoPedido } from '../rede/rede.types.ts';
import type { PassoNaRede } from './rede.regras.ts';

interface PassoRow {
  contrato_id: number;
  pedido_id: number;
  pedido_em: string;
  aplicado_em: string | null;
  resultado: ResultadoDoPedido | null;
  /** Of a session that the request changes or ends, as all that follows; null where it has none. */
  radacctid: number | null;
  estado: EstadoDaDesconexao | null;
  concluida_em: string | null;
  segue: 0 | 1;
}

const DO_PASSO = columns<PassoRow>('p', {
  contrato_id: true,
  pedido_id: 'p.id',
  pedido_em: true,
  aplicado_em: true,
  resultado: true,
  radacctid: 's.radacctid',
  estado: 's.estado',
  concluida_em: 's.concluida_em',
  segue: 'r.radacctid IS NOT NULL',
});

/** What was asked of the network since the unblock in force of each contract, by the contract; one statement, however many they are. */
export async function passosNaRede(
  tenant: Pick<TenantDb, 'from'>,
  contratoIds: readonly number[],
): Promise<ReadonlyMap<number, PassoNaRede[]>> {
  if (contratoIds.length === 0) return new Map();
  const passos = tenant
    .from('desbloqueios_confianca as d')
    .join('rede_pedidos as p', function on() {
      sameTenant('d', 'contrato_id', 'p', 'contrato_id').call(this);
      this.on('p.pedido_em', '>=', 'd.aplicado_em');
    })
    .leftJoin('rede_desconexoes as s', sameTenant('p', 'id', 's', 'pedido_id'))
    .joinRaw(`LEFT JOIN radacct r ON r.radacctid = s.radacctid AND ${ABERTA}`)
    .whereIn('d.contrato_id', [...contratoIds])
    .whereNull('d.encerrado_em')
    .orderBy(['p.id', 's.id']);
  const rows = await rowsOf(passos, DO_PASSO);
  const porContrato = groupBy(rows, ({ contrato_id }) => contrato_id);
  return new Map([...porContrato].map(([id, dele]) => [id, dele.map(paraPasso)]));
}

function paraPasso(row: PassoRow): PassoNaRede {
  const { pedido_id: pedidoId, resultado, radacctid, estado } = row;
  return {
    pedidoId,
    pedidoEm: fromDatabaseTime(row.pedido_em),
    aplicadoEm: instante(row.aplicado_em),
    resultado,
    sessao:
      radacctid === null || estado === null
        ? null
        : { id: radacctid, estado, concluidaEm: instante(row.concluida_em), segue: row.segue === 1 },
  };
}

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
