import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { ETAPAS } from './envio.types.ts';
import type { Alvo, Etapa } from './envio.types.ts';

const DE_QUEM = expressions<{ provedor_id: number }>({ provedor_id: 'd.provedor_id' });

/**
 * Providers of which something is to be done now, by name and on purpose. The index gives the first note of each in one step, however many
 * wait.
 */
export async function comNotasDevidas(db: Db, agora: Date): Promise<Alvo[]> {
  const primeiras = ETAPAS.map(
    (etapa) =>
      `SELECT provedor_id, MIN(proxima_em) AS desde FROM nfcom FORCE INDEX (nfcom_fila) WHERE etapa = '${etapa}' GROUP BY provedor_id`,
  );
  const em = toDatabaseTime(agora);
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT DISTINCT ${colunas} FROM (${primeiras.join(' UNION ALL ')}) d
         LEFT JOIN nfcom_filas f ON f.provedor_id = d.provedor_id
        WHERE d.desde <= ? AND (f.parada_ate IS NULL OR f.parada_ate <= ?) AND (f.posse_ate IS NULL OR f.posse_ate <= ?)`,
    [em, em, em],
  );
  return rows.map(({ provedor_id: provedorId }) => ({ provedorId }));
}

export interface FilaRow {
  posse_ate: string | null;
  parada_ate: string | null;
  codigo: string | null;
  falhas: number;
  rejeicao: string | null;
  rejeicoes: number;
}

const DA_FILA = columns<FilaRow>('nfcom_filas', {
  posse_ate: true,
  parada_ate: true,
  codigo: true,
  falhas: true,
  rejeicao: true,
  rejeicoes: true,
});

interface DevidaRow {
  id: number;
  etapa: Etapa;
  fatura_id: number;
  ambiente: AmbienteNfcom;
  chave: string | null;
  protocolo: string | null;
  digest: string | null;
  tentativas: number;
}

const DEVIDA = columns<DevidaRow>('nfcom', {
  id: true,
  etapa: true,
  fatura_id: true,
  ambiente: true,
  chave: true,
  protocolo: true,
  digest: true,
  tentativas: true,
});
const XML = columns<{ xml_assinado: Buffer | null }>('nfcom', { xml_assinado: true });
const DA_FATURA = columns<{ situacao: string }>('faturas', { situacao: true });

export function createFilaQueries(w: Write) {
  const daEtapa = (etapa: Etapa) => w.from('nfcom').where({ etapa });

  return {
    /** The queue's row, which until the transaction ends nobody else has. */
    async travar(): Promise<FilaRow> {
      const [row] = await rowsOf(w.from('nfcom_filas').forUpdate(), DA_FILA);
      if (row !== undefined) return row;
      await w.insert('nfcom_filas', {}, { soughtBefore: true });
      return { posse_ate: null, parada_ate: null, codigo: null, falhas: 0, rejeicao: null, rejeicoes: 0 };
    },

    async anotarNaFila(mudancas: object): Promise<void> {
      await w.update('nfcom_filas', () => {}, mudancas);
    },

    /** The next notes, in the order in which they were asked for; what is under way already is finished first. */
    async devidas(agora: Date, montarAoTodo: number): Promise<DevidaRow[]> {
      for (const etapa of ETAPAS) {
        const delas = daEtapa(etapa).where('proxima_em', '<=', toDatabaseTime(agora)).orderBy(['proxima_em', 'id']);
        const achadas = await rowsOf(delas.limit(etapa === 'montar' ? montarAoTodo : 1), DEVIDA);
        if (achadas.length > 0) return achadas;
      }
      return [];
    },

    async tomar(ids: readonly number[], mudancas: object): Promise<void> {
      await w.update('nfcom', (q) => void q.whereIn('id', [...ids]), mudancas);
    },

    async xml(id: number): Promise<Buffer | null> {
      const [row] = await rowsOf(w.from('nfcom').where('id', id), XML);
      return row?.xml_assinado ?? null;
    },

    async situacaoDaFatura(faturaId: number): Promise<string | null> {
      const [row] = await rowsOf(w.from('faturas').where('id', faturaId).forShare(), DA_FATURA);
      return row?.situacao ?? null;
    },
  };
}
