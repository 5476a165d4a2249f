import type { Knex } from 'knex';
import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { REFERENCIA_DA_FATURA } from './dia/candidatas.queries.ts';
import { lerRegua } from './configuracao.queries.ts';
import { conveniosSemRetorno } from './dia/retornos.queries.ts';
import { MINIMOS_DA_REGUA, PASSOS } from './regua.types.ts';
import type { EntregaListada, Passo } from './regua.types.ts';

export type LeituraDaReguaService = ReturnType<typeof createLeituraDaReguaService>;

/** A step that was taken, as people see it. */
export interface PassoDado {
  readonly id: number;
  readonly passo: Passo;
  readonly clienteId: number;
  readonly cliente: string;
  readonly contratoId: number | null;
  readonly faturaId: number | null;
  readonly dia: Data;
  readonly valor: Centavos;
  readonly prazo: Data | null;
  readonly titulo: string | null;
  readonly texto: string | null;
  readonly email: string | null;
  readonly canal: string | null;
  readonly entregueEm: Date | null;
  readonly entreguePor: string | null;
  readonly entregaComo: string | null;
}

export interface PausaDaRegua {
  readonly id: number;
  readonly contratoId: number | null;
  readonly soBloqueio: boolean;
  readonly ate: Data | null;
  readonly motivo: string;
  readonly autor: string;
}

interface PassoRow {
  id: number;
  passo: Passo;
  cliente_id: number;
  cliente: string;
  contrato_id: number | null;
  fatura_id: number | null;
  dia: Data;
  valor: string;
  prazo: Data | null;
  titulo: string | null;
  texto: string | null;
  email_estado: string | null;
  canal: string | null;
  entregue_em: string | null;
  entregue_por: string | null;
  entrega_como: string | null;
}

const DO_PASSO = columns<PassoRow>('p', {
  id: true,
  passo: true,
  cliente_id: true,
  cliente: 'c.nome',
  contrato_id: true,
  fatura_id: true,
  dia: true,
  valor: true,
  prazo: true,
  titulo: true,
  texto: true,
  email_estado: true,
  canal: true,
  entregue_em: true,
  entregue_por: true,
  entrega_como: true,
});
const POR_PASSO = expressions<{ passo: Passo; quantos: number }>({ passo: 'passo', quantos: 'COUNT(*)' });
const DO_AVISO = columns<{ id: number }>('p', { id: true });

interface PausaRow {
  id: number;
  contrato_id: number | null;
  so_bloqueio: number;
  ate: Data | null;
  motivo: string | null;
  autor: string;
}
const DA_PAUSA = columns<PausaRow>('regua_pausas', {
  id: true,
  contrato_id: true,
  so_bloqueio: true,
  ate: true,
  motivo: true,
  autor: true,
});

const POR_PAGINA = 50;

/** How a provider's ladder stands, for staff. */
export function createLeituraDaReguaService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  const hoje = (): Data => hojeEm(provedor.fusoHorario, relogio.agora());
  const passos = (indice: string) =>
    tenant.from('regua_passos as p', indice).join('clientes as c', sameTenant('p', 'cliente_id', 'c', 'id'));

  return {
    hoje,
    regua: async () => lerRegua(tenant),

    /** The agreements whose file of today is awaited. Until it is here, nobody is blocked for an invoice whose payment may be in it. */
    async semRetorno(): Promise<string[]> {
      return (await conveniosSemRetorno(tenant, provedor, hoje())).map(({ nome }) => nome);
    },

    /**
     * Whether a client was told long enough ago of a debt that a contract answers for, and that is still open. Whoever was not should not be
     * blocked by hand either.
     */
    async avisado(clienteId: number, contratoId: number): Promise<boolean> {
      const { semEntrega } = await lerRegua(tenant);
      const ate = somarDias(hoje(), -MINIMOS_DA_REGUA.bloqueio);
      const entregue = toDatabaseTime(inicioDoDiaEm(provedor.fusoHorario, somarDias(ate, 1)));
      const avisos = tenant
        .from('regua_passos as p', 'regua_passos_cliente')
        .join('faturas as f', sameTenant('p', 'fatura_id', 'f', 'id'))
        .where({ 'p.cliente_id': clienteId, 'p.passo': 'aviso', 'f.grupo': 'aberta' })
        .where((q) => void q.where('p.contrato_id', contratoId).orWhereNull('p.contrato_id'))
        .where('p.dia', '<=', ate)
        .modify((q) => void (semEntrega || q.where('p.entregue_em', '<', entregue)))
        .whereRaw(`p.referencia = ${REFERENCIA_DA_FATURA}`);
      return (await rowsOf(avisos.limit(1), DO_AVISO)).length > 0;
    },

    /** How many steps of each kind a day had. */
    async contagem(dia: Data): Promise<ReadonlyMap<Passo, number>> {
      const rows = await rowsOf(
        tenant.from('regua_passos', 'regua_passos_dia').where({ dia }).groupBy('passo'),
        POR_PASSO,
      );
      return new Map(PASSOS.map((passo) => [passo, rows.find((row) => row.passo === passo)?.quantos ?? 0]));
    },

    /**
     * The steps of a day, of one kind, a page of them: those after an id, all or those whose delivery is as is said. `proxima`: after which the
     * next page begins; null: there is none.
     */
    async doDia(
      dia: Data,
      passo: Passo,
      {
        depoisDe = 0,
        entrega,
      }: { readonly depoisDe?: number | undefined; readonly entrega?: EntregaListada | undefined } = {},
    ): Promise<{ readonly passos: readonly PassoDado[]; readonly proxima: number | null }> {
      const deles = passos('regua_passos_dia')
        .where({ 'p.dia': dia, 'p.passo': passo })
        .where('p.id', '>', depoisDe)
        .modify(comEntrega, entrega);
      const rows = await rowsOf(deles.orderBy('p.id').limit(POR_PAGINA + 1), DO_PASSO);
      const pagina = rows.slice(0, POR_PAGINA).map(paraPasso);
      return { passos: pagina, proxima: rows.length > POR_PAGINA ? (pagina.at(-1)?.id ?? null) : null };
    },

    /** The ids of a day's steps whose delivery nobody knows: the first ones, up to a number. */
    async semEntrega(dia: Data, passo: Passo, entrega: EntregaListada, limite: number): Promise<number[]> {
      const deles = passos('regua_passos_dia').where({ 'p.dia': dia, 'p.passo': passo }).modify(comEntrega, entrega);
      return (await rowsOf(deles.orderBy('p.id').limit(limite), DO_AVISO)).map(({ id }) => id);
    },

    /** The newest steps of a client, or of one of his contracts. */
    async doCliente(clienteId: number, contratoId?: number): Promise<PassoDado[]> {
      const deles =
        contratoId === undefined
          ? passos('regua_passos_cliente')
          : passos('regua_passos_contrato').where('p.contrato_id', contratoId);
      const rows = deles.where('p.cliente_id', clienteId).orderBy('p.id', 'desc').limit(POR_PAGINA);
      return (await rowsOf(rows, DO_PASSO)).map(paraPasso);
    },

    /** The pauses of a client that are in force. */
    async pausas(clienteId: number): Promise<PausaDaRegua[]> {
      const delas = tenant.from('regua_pausas').where('cliente_id', clienteId).whereNull('encerrada_em');
      const rows = await rowsOf(
        delas.where((q) => void q.whereNull('ate').orWhere('ate', '>=', hoje())).orderBy('id'),
        DA_PAUSA,
      );
      return rows.map(({ id, contrato_id: contratoId, so_bloqueio, ate, motivo, autor }) => ({
        id,
        contratoId,
        soBloqueio: so_bloqueio === 1,
        ate,
        motivo: motivo ?? '',
        autor,
      }));
    },
  };
}

const ESTADOS: Readonly<Record<EntregaListada, readonly string[] | null>> = {
  sem_confirmacao: null,
  sem_email: ['sem_endereco', 'sem_correio'],
  falhou: ['falhou'],
};

function comEntrega(query: Knex.QueryBuilder, entrega: EntregaListada | undefined): void {
  if (entrega === undefined) return;
  void query.whereNull('p.entregue_em').whereNotNull('p.texto');
  const estados = ESTADOS[entrega];
  if (estados !== null) void query.whereIn('p.email_estado', [...estados]);
}

const paraPasso = (row: PassoRow): PassoDado => ({
  id: row.id,
  passo: row.passo,
  clienteId: row.cliente_id,
  cliente: row.cliente,
  contratoId: row.contrato_id,
  faturaId: row.fatura_id,
  dia: row.dia,
  valor: lerDinheiro(row.valor),
  prazo: row.prazo,
  titulo: row.titulo,
  texto: row.texto,
  email: row.email_estado,
  canal: row.canal,
  entregueEm: row.entregue_em === null ? null : fromDatabaseTime(row.entregue_em),
  entreguePor: row.entregue_por,
  entregaComo: row.entrega_como,
});
