import type { Knex } from 'knex';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { SituacaoCliente } from '../../clientes/clientes.types.ts';
import type { TipoDeCanal } from '../push.types.ts';
import type { NomeDePush } from '../tipos.regras.ts';

interface AparelhoRow {
  id: number;
  acesso_id: number | null;
  usuario_id: number | null;
  sessao_id: number | null;
  tipo: TipoDeCanal;
  silenciados: string | NomeDePush[];
}

const DO_APARELHO = columns<AparelhoRow>('push_dispositivos', {
  id: true,
  acesso_id: true,
  usuario_id: true,
  sessao_id: true,
  tipo: true,
  silenciados: true,
});

/** A device that somebody may be told things on now: its session, where it has one, goes on. */
export interface Aparelho {
  readonly id: number;
  readonly acessoId: number | null;
  readonly usuarioId: number | null;
  /** Null of a browser of the panel. */
  readonly sessaoId: number | null;
  readonly noPainel: boolean;
  readonly tipo: TipoDeCanal;
  readonly silenciados: readonly NomeDePush[];
}

const paraAparelho = (row: AparelhoRow): Aparelho => ({
  id: row.id,
  acessoId: row.acesso_id,
  usuarioId: row.usuario_id,
  sessaoId: row.sessao_id,
  noPainel: row.sessao_id === null,
  tipo: row.tipo,
  silenciados: jsonColumn<NomeDePush[]>(row.silenciados),
});

interface AlcanceRow {
  cliente_id: number;
  acesso_id: number;
  situacao: SituacaoCliente;
}

const DO_ALCANCE = columns<AlcanceRow>('clientes', {
  cliente_id: 'clientes.id',
  acesso_id: 'a.id',
  situacao: 'clientes.situacao',
});
const ID_DO_CLIENTE = columns<{ id: number }>('clientes', { id: 'clientes.id' });
const DO_USUARIO = columns<{ usuario_id: number }>('push_dispositivos', { usuario_id: true });
const DO_CONTRATO = columns<{ cliente_id: number }>('contratos', { cliente_id: true });
const ALGUM = columns<{ id: number }>('push_dispositivos', { id: true });

/** By the access that reaches a registration: who has only registered himself is reached by none. */
export interface Alcance {
  readonly acessoId: number;
  readonly situacao: SituacaoCliente;
}

const POR_COMANDO = 1000;

function* partes<T>(todos: readonly T[]): Generator<T[]> {
  for (let de = 0; de < todos.length; de += POR_COMANDO) yield todos.slice(de, de + POR_COMANDO);
}

export function createDestinosQueries(de: Pick<TenantDb, 'from'>, agora: Date) {
  /** Registrations that somebody with a device reaches. */
  const alcancados = (): Knex.QueryBuilder =>
    de
      .from('clientes')
      .join('app_acessos as a', sameTenant('clientes', 'cpf_cnpj', 'a', 'cpf_cnpj'))
      .whereNull('a.desativado_em')
      .whereNull('clientes.apagado_em')
      .whereNot('clientes.situacao', 'pre_cadastro')
      .whereIn('a.id', de.from('push_dispositivos').whereNotNull('acesso_id').select('acesso_id'));

  return {
    async haAparelhos(): Promise<boolean> {
      return (await rowsOf(de.from('push_dispositivos').limit(1), ALGUM)).length > 0;
    },

    /** Of some clients, those who have a device. */
    async alcances(clientes: readonly number[]): Promise<Map<number, Alcance>> {
      const achados = new Map<number, Alcance>();
      for (const alguns of partes(clientes)) {
        const rows = await rowsOf(alcancados().whereIn('clientes.id', alguns), DO_ALCANCE);
        for (const { cliente_id, acesso_id: acessoId, situacao } of rows)
          achados.set(cliente_id, { acessoId, situacao });
      }
      return achados;
    },

    /** All clients who have a device. */
    async clientesComAparelho(): Promise<number[]> {
      return (await rowsOf(alcancados(), ID_DO_CLIENTE)).map(({ id }) => id);
    },

    async clientesDosContratos(contratos: readonly number[]): Promise<number[]> {
      const deles = de.from('contratos').whereIn('id', [...contratos]);
      return [...new Set((await rowsOf(deles, DO_CONTRATO)).map(({ cliente_id }) => cliente_id))];
    },

    /** The staff that has devices. */
    async usuariosComAparelho(): Promise<number[]> {
      const deles = de.from('push_dispositivos').whereNotNull('usuario_id').distinct();
      return (await rowsOf(deles, DO_USUARIO)).map(({ usuario_id }) => usuario_id);
    },

    /** Devices of some accesses or people, locked until the transaction ends: nobody else counts what is sent to them meanwhile. */
    async travarAparelhos(dono: 'acesso_id' | 'usuario_id', ids: readonly number[]): Promise<Aparelho[]> {
      const achados: Aparelho[] = [];
      const vivas = de
        .from('app_sessoes')
        .whereNull('encerrada_em')
        .where('vale_ate', '>', toDatabaseTime(agora))
        .select('id');
      for (const alguns of partes([...ids].toSorted((a, b) => a - b))) {
        const deles = de
          .from('push_dispositivos')
          .whereIn(dono, alguns)
          .where((q) => void q.whereNull('sessao_id').orWhereIn('sessao_id', vivas.clone()))
          .orderBy('id')
          .forUpdate();
        achados.push(...(await rowsOf(deles, DO_APARELHO)).map(paraAparelho));
      }
      return achados;
    },
  };
}
