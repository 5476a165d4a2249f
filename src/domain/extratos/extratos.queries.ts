import type { Data } from '../../brazil/calendario/datas.ts';
import { ID, columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import { readPage } from '../../platform/paging/pages.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { COLUNAS_DO_EXTRATO } from './extratos.types.ts';
import type { ArquivoDoExtrato, Extrato, ExtratoRow } from './extratos.types.ts';

export function createExtratosQueries(tenant: TenantDb) {
  return {
    /** One page of extracts, newest day first. */
    async listar(pagina: PageRequest): Promise<Page<ExtratoRow>> {
      const order = [{ column: 'dia', order: 'desc' }] as const;
      return readPage(
        tenant,
        { table: 'extratos', indexes: ['extratos_dia'], order, filter: () => {} },
        pagina,
        async (rows) => rowsOf(rows, COLUNAS_DO_EXTRATO),
      );
    },

    async buscarPorId(id: number): Promise<ExtratoRow | undefined> {
      const [row] = await rowsOf(tenant.from('extratos').where('extratos.id', id), COLUNAS_DO_EXTRATO);
      return row;
    },

    /** Days of before `antesDe` that still have files, or may. */
    async antigos(antesDe: Data): Promise<ExtratoRow[]> {
      const antigos = tenant
        .from('extratos')
        .where('dia', '<', antesDe)
        .whereNot('situacao', 'removido')
        .orderBy('dia');
      return rowsOf(antigos, COLUNAS_DO_EXTRATO);
    },
  };
}

/** What is known of a day's tries: how many began, and whose files are served. */
interface TentativasRow {
  readonly id: number;
  readonly tentativas: number;
  readonly tentativa: number | null;
}

const DAS_TENTATIVAS = columns<TentativasRow>('extratos', { id: true, tentativas: true, tentativa: true });

/** A try at a day's extract. */
export interface Tentativa {
  readonly id: number;
  readonly tentativa: number;
}

/** A try as it begins. */
export interface Comeco extends Tentativa {
  /** Whose files are served meanwhile. */
  readonly servida: number | null;
}

export function createGravacaoDeExtratos(w: Write) {
  return {
    /** Notes a new try at a day. What an earlier one left goes on being served until this one is done. */
    async comecar(dia: Data, agora: Date): Promise<Comeco> {
      const [row] = await rowsOf(w.from('extratos').where({ dia }).forUpdate(), DAS_TENTATIVAS);
      if (row === undefined) {
        const id = await w.insert('extratos', { dia, criado_em: toDatabaseTime(agora) }, { soughtBefore: true });
        return { id, tentativa: 1, servida: null };
      }
      const { id } = row;
      const tentativa = row.tentativas + 1;
      await w.update('extratos', (query) => void query.where({ id }), { tentativas: tentativa });
      await w.update('extratos', (query) => void query.where({ id }).whereNull('tentativa'), { situacao: 'gerando' });
      return { id, tentativa, servida: row.tentativa };
    },

    /** Has a try's files served, unless another began since; says whether. */
    async concluir(
      { id, tentativa }: Tentativa,
      { consistenteEm, arquivos }: { consistenteEm: Date; arquivos: readonly ArquivoDoExtrato[] },
    ): Promise<boolean> {
      const mudadas = await w.update('extratos', (query) => void query.where({ id, tentativas: tentativa }), {
        situacao: 'pronto',
        tentativa,
        consistente_em: toDatabaseTime(consistenteEm),
        arquivos: JSON.stringify(arquivos),
        bytes: arquivos.reduce((soma, { bytes }) => soma + bytes, 0),
      });
      return mudadas === 1;
    },

    /** Whether another try has begun since, and cleared this one's files away. */
    async passou({ id, tentativa }: Tentativa): Promise<boolean> {
      const depois = w.from('extratos').where({ id }).where('tentativas', '>', tentativa);
      return (await rowsOf(depois, ID)).length > 0;
    },

    /** Notes that a try came to nothing, where nothing else is served. */
    async falhar({ id, tentativa }: Tentativa): Promise<void> {
      const dela = { id, tentativas: tentativa, situacao: 'gerando' };
      await w.update('extratos', (query) => void query.where(dela), { situacao: 'falhou' });
    },

    async remover(id: number): Promise<void> {
      await w.update('extratos', (query) => void query.where({ id }), { situacao: 'removido', tentativa: null });
    },
  };
}

export function paraExtrato(row: ExtratoRow): Extrato {
  return {
    id: row.id,
    dia: row.dia,
    situacao: row.situacao,
    consistenteEm: row.consistente_em === null ? null : fromDatabaseTime(row.consistente_em),
    arquivos: row.tentativa === null || row.arquivos === null ? [] : jsonColumn<ArquivoDoExtrato[]>(row.arquivos),
  };
}
