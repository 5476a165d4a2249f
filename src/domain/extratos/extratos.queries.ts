import type { Data } from '../../brazil/calendario/datas.ts';
import { fromDatabaseTime, jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import { readPage } from '../../platform/paging/pages.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import type { ArquivoDoExtrato, Extrato, ExtratoRow } from './extratos.types.ts';

const COLUNAS = ['id', 'dia', 'situacao', 'tentativa', 'consistente_em', 'arquivos'];

export function createExtratosQueries(tenant: TenantDb) {
  return {
    /** One page of extracts, newest day first. */
    async listar(pagina: PageRequest): Promise<Page<ExtratoRow>> {
      const order = [{ column: 'dia', order: 'desc' }] as const;
      return readPage<ExtratoRow>(
        tenant,
        { table: 'extratos', indexes: ['extratos_dia'], order, filter: () => {} },
        pagina,
        (rows) => rows.select(COLUNAS.map((coluna) => `extratos.${coluna}`)),
      );
    },

    async buscarPorId(id: number): Promise<ExtratoRow | undefined> {
      const [row] = await tenant.from('extratos').where('extratos.id', id).select<ExtratoRow[]>(COLUNAS);
      return row;
    },

    /** Days of before `antesDe` that still have files, or may. */
    async antigos(antesDe: Data): Promise<ExtratoRow[]> {
      return tenant
        .from('extratos')
        .where('dia', '<', antesDe)
        .whereNot('situacao', 'removido')
        .orderBy('dia')
        .select<ExtratoRow[]>(COLUNAS);
    },
  };
}

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
      const [row] = await w
        .from('extratos')
        .where({ dia })
        .forUpdate()
        .select<{ id: number; tentativas: number; tentativa: number | null }[]>();
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
      const depois = await w.from('extratos').where({ id }).where('tentativas', '>', tentativa).select<object[]>('id');
      return depois.length > 0;
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
