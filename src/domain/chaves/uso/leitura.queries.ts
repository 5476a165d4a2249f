import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { DA_CHAVE } from '../chaves.queries.ts';
import type { ChaveRow } from '../chaves.queries.ts';

interface DaEquipeRow {
  criada_por: number | null;
  criada_por_nome: string | null;
  atualizado_em: string;
  renovada_por: number | null;
}

export type ChaveDaEquipeRow = ChaveRow & DaEquipeRow;

const DA_EQUIPE = columns<DaEquipeRow>('chaves_api', {
  criada_por: true,
  criada_por_nome: 'usuarios.nome',
  atualizado_em: true,
  renovada_por: true,
});

interface SomaRow {
  chave_id: number;
  pedidos: number | string;
}

const DA_SOMA = expressions<SomaRow>({ chave_id: 'chave_id', pedidos: 'SUM(pedidos)' });
const DO_ULTIMO = expressions<{ chave_id: number; ultimo_em: string }>({
  chave_id: 'chave_id',
  ultimo_em: 'MAX(ultimo_em)',
});
const DO_DIA = columns<{ dia: Data; pedidos: number }>('chaves_uso', { dia: true, pedidos: true });

export function createUsoQueries(tenant: TenantDb) {
  return {
    /** Keys with who made them, newest first. */
    async chaves(id: number | null): Promise<ChaveDaEquipeRow[]> {
      const chaves = tenant
        .from('chaves_api')
        .leftJoin('usuarios', sameTenant('chaves_api', 'criada_por', 'usuarios', 'id'))
        .modify((q) => void (id === null || q.where('chaves_api.id', id)))
        .orderBy('chaves_api.id', 'desc');
      return rowsOf(chaves, DA_CHAVE, DA_EQUIPE);
    },

    /** Requests of each key from a day on. */
    async somas(chaveIds: readonly number[], desde: Data): Promise<SomaRow[]> {
      if (chaveIds.length === 0) return [];
      const usos = tenant
        .from('chaves_uso')
        .whereIn('chave_id', [...chaveIds])
        .where('dia', '>=', desde)
        .groupBy('chave_id');
      return rowsOf(usos, DA_SOMA);
    },

    /** When each key was last used, of all that is kept. */
    async ultimos(chaveIds: readonly number[]): Promise<{ chave_id: number; ultimo_em: string }[]> {
      if (chaveIds.length === 0) return [];
      const usos = tenant
        .from('chaves_uso')
        .whereIn('chave_id', [...chaveIds])
        .groupBy('chave_id');
      return rowsOf(usos, DO_ULTIMO);
    },

    async dias(chaveId: number, desde: Data): Promise<{ dia: Data; pedidos: number }[]> {
      const usos = tenant.from('chaves_uso').where({ chave_id: chaveId }).where('dia', '>=', desde).orderBy('dia');
      return rowsOf(usos, DO_DIA);
    },
  };
}
