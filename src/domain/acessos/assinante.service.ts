import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { ClientesService } from '../clientes/clientes.service.ts';
import type { Cliente } from '../clientes/clientes.types.ts';
import type { Contrato } from '../contratos/contratos.types.ts';
import { clienteTag, contratoTag } from '../tags.ts';
import { oCliente } from './acessos.queries.ts';

export type AssinantesService = ReturnType<typeof createAssinantesService>;

/** What a tax id reaches. */
export interface Assinante {
  /** Of several registrations the newest that is not cancelled; the newest where all are. */
  readonly cliente: Cliente;
  /** Oldest first. */
  readonly cadastros: readonly Cliente[];
  /** Of all registrations, by registration and id. */
  readonly contratos: readonly Contrato[];
}

export interface AssinantesDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
  readonly clientes: Pick<ClientesService, 'doDocumento'>;
}

const DONO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });

/** What is a subscriber's: all registrations of his tax id but those that are `pre_cadastro` only. */
export function createAssinantesService({ tenant, trail, clientes }: AssinantesDeps) {
  return {
    /** All of it, in one statement; null where the tax id reaches no registration. */
    async buscar(cpfCnpj: string): Promise<Assinante | null> {
      const todos = cpfCnpj === '' ? [] : await clientes.doDocumento(cpfCnpj);
      const cadastros = todos.filter(({ situacao, apagadoEm }) => situacao !== 'pre_cadastro' && apagadoEm === null);
      const cliente = oCliente(cadastros);
      if (cliente === undefined) return null;
      return { cliente, cadastros, contratos: cadastros.flatMap(({ contratos }) => contratos) };
    },

    /** The client of a contract, where the tax id reaches it; else null. */
    async donoDoContrato(cpfCnpj: string, contratoId: number): Promise<number | null> {
      if (cpfCnpj === '') return null;
      const contrato = tenant
        .from('contratos')
        .join('clientes', sameTenant('contratos', 'cliente_id', 'clientes', 'id'))
        .where('contratos.id', contratoId)
        .where('clientes.cpf_cnpj', cpfCnpj)
        .whereNot('clientes.situacao', 'pre_cadastro')
        .whereNull('clientes.apagado_em');
      const [row] = await rowsOf(contrato, DONO);
      if (row === undefined) return null;
      trail.dependsOn(contratoTag(contratoId), clienteTag(row.cliente_id));
      return row.cliente_id;
    },
  };
}
