import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { groupBy } from '../../../platform/group-by.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { DO_ENDERECO, paraEndereco } from '../../enderecos/enderecos.types.ts';
import type { Endereco, EnderecoRow } from '../../enderecos/enderecos.types.ts';
import type { Chamado } from '../chamados.types.ts';

/** Where whoever visits has to go, and whom to call before. */
export interface Destino {
  readonly telefones: readonly string[];
  /** Of the ticket's contract or, of a ticket without one, of the client. */
  readonly endereco: Endereco | null;
}

type LugarRow = EnderecoRow & { id: number };
const DO_CONTRATO = columns<LugarRow>('contratos', { id: true, ...DO_ENDERECO });
const DO_CLIENTE = columns<LugarRow>('clientes', { id: true, ...DO_ENDERECO });
const DO_TELEFONE = columns<{ cliente_id: number; numero: string }>('clientes_telefones', {
  cliente_id: true,
  numero: true,
});

/** By the tickets' ids, in three statements, however many tickets there are. */
export async function destinosDe(
  tenant: TenantDb,
  chamados: readonly Pick<Chamado, 'id' | 'clienteId' | 'contratoId'>[],
): Promise<ReadonlyMap<number, Destino>> {
  if (chamados.length === 0) return new Map();
  const contratos = chamados.flatMap(({ contratoId }) => (contratoId === null ? [] : [contratoId]));
  const clientes = [...new Set(chamados.map(({ clienteId }) => clienteId))];
  const [dosContratos, dosClientes, telefones] = await Promise.all([
    rowsOf(tenant.from('contratos').whereIn('contratos.id', contratos), DO_CONTRATO),
    rowsOf(tenant.from('clientes').whereIn('clientes.id', clientes), DO_CLIENTE),
    rowsOf(
      tenant
        .from('clientes_telefones')
        .whereIn('clientes_telefones.cliente_id', clientes)
        .orderBy('clientes_telefones.id'),
      DO_TELEFONE,
    ),
  ]);
  const porId = (rows: readonly LugarRow[]) => new Map(rows.map((row) => [row.id, paraEndereco(row)]));
  const [deContrato, deCliente] = [porId(dosContratos), porId(dosClientes)];
  const deles = groupBy(telefones, ({ cliente_id }) => cliente_id);
  return new Map(
    chamados.map(({ id, clienteId, contratoId }) => {
      const endereco = (contratoId === null ? deCliente.get(clienteId) : deContrato.get(contratoId)) ?? null;
      return [id, { endereco, telefones: (deles.get(clienteId) ?? []).map(({ numero }) => numero) }];
    }),
  );
}
