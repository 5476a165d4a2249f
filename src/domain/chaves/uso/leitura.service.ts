import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { paraChave } from '../chaves.queries.ts';
import type { Chave } from '../chaves.types.ts';
import { createUsoQueries } from './leitura.queries.ts';
import type { ChaveDaEquipeRow } from './leitura.queries.ts';

export type LeituraDeChavesService = ReturnType<typeof createLeituraDeChavesService>;

/** A key as staff see it. */
export interface ChaveDaEquipe extends Chave {
  readonly estado: 'ativa' | 'expirada' | 'revogada';
  /** The row's version, for `alterar`. */
  readonly atualizadoEm: Date;
  /** The user of the panel who made it; null: the terminal did. */
  readonly criadaPor: { readonly id: number; readonly nome: string } | null;
  /** The key that took its place. */
  readonly renovadaPor: number | null;
  /** Exact to a minute or so; null: never, of what is kept. */
  readonly ultimoUsoEm: Date | null;
  /** Requests of the last 30 days, today's among them. */
  readonly pedidos30Dias: number;
}

const DIAS = 30;
/** Kept for 400 days; see retencao.types.ts. */
const MAIS_DIAS = 400;

export interface LeituraDeChavesDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Keys and their use, for staff. What was asked in the last minute may not be counted yet. */
export function createLeituraDeChavesService({ tenant, provedor, relogio }: LeituraDeChavesDeps) {
  const queries = createUsoQueries(tenant);
  const hoje = (): Data => hojeEm(provedor.fusoHorario, relogio.agora());

  async function ler(id: number | null): Promise<ChaveDaEquipe[]> {
    const rows = await queries.chaves(id);
    const ids = rows.map((row) => row.id);
    const [somas, ultimos] = [await queries.somas(ids, somarDias(hoje(), 1 - DIAS)), await queries.ultimos(ids)];
    const pedidosDe = new Map(somas.map(({ chave_id, pedidos }) => [chave_id, Number(pedidos)]));
    const ultimoDe = new Map(ultimos.map(({ chave_id, ultimo_em }) => [chave_id, fromDatabaseTime(ultimo_em)]));
    return rows.map((row) => ({
      ...paraChaveDaEquipe(row, relogio.agora()),
      ultimoUsoEm: ultimoDe.get(row.id) ?? null,
      pedidos30Dias: pedidosDe.get(row.id) ?? 0,
    }));
  }

  return {
    /** All keys of the provider, newest first, the revoked ones included. */
    listar: async (): Promise<ChaveDaEquipe[]> => ler(null),

    async buscarPorId(id: number): Promise<ChaveDaEquipe | null> {
      const [chave] = await ler(id);
      return chave ?? null;
    },

    /** Requests of each of the last days, today's last; a day without any has 0. */
    async serie(id: number, dias = DIAS): Promise<{ readonly dia: Data; readonly pedidos: number }[]> {
      const quantos = Math.min(Math.max(1, dias), MAIS_DIAS);
      const desde = somarDias(hoje(), 1 - quantos);
      const pedidosDe = new Map((await queries.dias(id, desde)).map(({ dia, pedidos }) => [dia, pedidos]));
      return Array.from({ length: quantos }, (_, n) => {
        const dia = somarDias(desde, n);
        return { dia, pedidos: pedidosDe.get(dia) ?? 0 };
      });
    },
  };
}

function paraChaveDaEquipe(row: ChaveDaEquipeRow, agora: Date): Omit<ChaveDaEquipe, 'ultimoUsoEm' | 'pedidos30Dias'> {
  const chave = paraChave(row);
  const expirou = chave.expiraEm !== null && chave.expiraEm <= agora;
  return {
    ...chave,
    estado: chave.revogadaEm !== null ? 'revogada' : expirou ? 'expirada' : 'ativa',
    atualizadoEm: fromDatabaseTime(row.atualizado_em),
    criadaPor: row.criada_por === null ? null : { id: row.criada_por, nome: row.criada_por_nome ?? '' },
    renovadaPor: row.renovada_por,
  };
}
