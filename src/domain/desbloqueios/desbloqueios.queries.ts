import type { Data } from '../../brazil/calendario/datas.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { DO_CONTRATO, juntarUltimo } from './ultimo.regras.ts';
import type { DoContratoRow } from './ultimo.regras.ts';

export interface DesbloqueioRow {
  ate: string;
  encerrado_em: string | null;
  /** Of the invoice that caused it; null when there was none. */
  situacao_da_causa: string | null;
}

const DO_DESBLOQUEIO = columns<DesbloqueioRow>('d', {
  ate: true,
  encerrado_em: true,
  situacao_da_causa: 'faturas.situacao',
});

/** The latest unblock of a contract. */
async function ultimoDesbloqueio(de: Pick<TenantDb, 'from'>, contratoId: number): Promise<DesbloqueioRow | undefined> {
  const ultimo = de
    .from('desbloqueios_confianca as d')
    .leftJoin('faturas', sameTenant('d', 'fatura_causa_id', 'faturas', 'id'))
    .where('d.contrato_id', contratoId)
    .orderBy('d.id', 'desc')
    .limit(1);
  const [row] = await rowsOf(ultimo, DO_DESBLOQUEIO);
  return row;
}

/** Contracts by their ids, or all of some clients. */
type QuaisContratos = { readonly contratoIds: readonly number[] } | { readonly clienteIds: readonly number[] };

/** Contracts, each with its latest unblock: one statement, however many they are. */
export async function contratosComUltimo(tenant: TenantDb, quais: QuaisContratos): Promise<DoContratoRow[]> {
  const contratos = juntarUltimo(tenant, tenant.from('contratos')).modify((q) => {
    if ('clienteIds' in quais) void q.whereIn('contratos.cliente_id', [...quais.clienteIds]);
    else void q.whereIn('contratos.id', [...quais.contratoIds]);
  });
  return rowsOf(contratos, DO_CONTRATO);
}

export function createDesbloqueiosQueries(w: Write) {
  return {
    buscarUltimo: async (contratoId: number) => ultimoDesbloqueio(w, contratoId),

    /** The oldest open invoice that was due by `corte`, of a contract or of a client; null when there is none. */
    async buscarAtrasada(
      de: { contrato_id: number } | { cliente_id: number; contrato_id?: null },
      corte: Data,
    ): Promise<number | null> {
      const atrasadas = w.from('faturas').where(de).where('grupo', 'aberta').where('vencimento', '<=', corte);
      const [row] = await rowsOf(atrasadas.orderBy(['vencimento', 'id']).limit(1), ID);
      return row?.id ?? null;
    },

    /** Ends what a job was too late to end. */
    async encerrarPassados(contratoId: number): Promise<void> {
      await w.update(
        'desbloqueios_confianca',
        (q) => void q.where('contrato_id', contratoId).whereNull('encerrado_em'),
        // Ended when its time was over, whenever that is noticed.
        { encerrado_em: w.tenant.db.ref('ate') },
      );
    },

    async inserir(linha: {
      contratoId: number;
      faturaCausaId: number | null;
      dias: number;
      motivo: string | null;
      aplicadoEm: Date;
      ate: Date;
      protocolo: string;
    }): Promise<number> {
      return w.insert('desbloqueios_confianca', {
        contrato_id: linha.contratoId,
        protocolo: linha.protocolo,
        fatura_causa_id: linha.faturaCausaId,
        chave_id: w.author.chaveId,
        dias: linha.dias,
        motivo: linha.motivo,
        aplicado_em: toDatabaseTime(linha.aplicadoEm),
        ate: toDatabaseTime(linha.ate),
      });
    },
  };
}
