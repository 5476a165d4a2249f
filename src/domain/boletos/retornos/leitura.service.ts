import { rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../../erros.ts';
import { arquivoDoBanco } from '../arquivo.ts';
import type { Motivo } from '../boletos.types.ts';
import { COLUNAS_DA_LINHA, COLUNAS_DO_RETORNO } from './retornos.types.ts';
import type { Contas, LinhaRow, ResultadoDaLinha, RetornoRow } from './retornos.types.ts';

export type LeituraDeRetornosService = ReturnType<typeof createLeituraDeRetornosService>;

/** A file of a bank, with how far it is and what its lines did. */
export interface Retorno extends Omit<RetornoRow, 'contas' | 'recebido_em' | 'concluido_em' | 'tentar_em'> {
  readonly contas: Contas;
  readonly recebidoEm: Date;
  readonly concluidoEm: Date | null;
  /** When one that failed is tried again. */
  readonly tentarEm: Date | null;
}

interface LinhaDoRetorno extends Omit<LinhaRow, 'motivos'> {
  readonly motivos: readonly Motivo[];
}

export interface PaginaDeLinhas {
  readonly linhas: readonly LinhaDoRetorno[];
  /** The line after which the next page begins; null where there is none. */
  readonly proxima: number | null;
}

const NA_LISTA = 100;
const LINHAS_NA_TELA = 200;

/** What banks have answered. */
export function createLeituraDeRetornosService({ tenant }: { readonly tenant: TenantDb }) {
  return {
    /** The last files, the newest first. */
    async retornos(): Promise<Retorno[]> {
      const query = tenant.from('retornos').orderBy('id', 'desc').limit(NA_LISTA);
      return (await rowsOf(query, COLUNAS_DO_RETORNO)).map(dizer);
    },

    /** @throws Recusa `nao_encontrado` */
    async retorno(id: number): Promise<Retorno> {
      const [row] = await rowsOf(tenant.from('retornos').where({ id }), COLUNAS_DO_RETORNO);
      recusarSeNao(row, 'nao_encontrado', { campo: 'retorno' });
      return dizer(row);
    },

    /** The file as it came; null once its time is over. @throws Recusa `nao_encontrado` */
    async arquivo(id: number): Promise<{ readonly nome: string; readonly conteudo: Buffer } | null> {
      const { nome } = await this.retorno(id);
      const conteudo = await arquivoDoBanco(tenant, 'retorno_id', id);
      return conteudo === null ? null : { nome, conteudo };
    },

    /** A page of the lines of a file after one of them, in their order, of one result or of all. */
    async linhas(retornoId: number, resultado: ResultadoDaLinha | null, depoisDe: number): Promise<PaginaDeLinhas> {
      const query = tenant
        .from('retornos_linhas', resultado === null ? 'retornos_linhas_linha' : 'retornos_linhas_resultado')
        .where({ retorno_id: retornoId })
        .where('linha', '>', depoisDe)
        .orderBy('linha')
        .limit(LINHAS_NA_TELA + 1);
      if (resultado !== null) query.where({ resultado });
      const rows = await rowsOf(query, COLUNAS_DA_LINHA);
      const linhas = rows
        .slice(0, LINHAS_NA_TELA)
        .map(({ motivos, ...row }) => ({ ...row, motivos: jsonColumn<readonly Motivo[]>(motivos ?? []) }));
      return { linhas, proxima: rows.length > LINHAS_NA_TELA ? (linhas.at(-1)?.linha ?? null) : null };
    },
  };
}

function dizer({ contas, recebido_em, concluido_em, tentar_em, ...row }: RetornoRow): Retorno {
  return {
    ...row,
    contas: jsonColumn<Contas>(contas ?? {}),
    recebidoEm: fromDatabaseTime(recebido_em),
    concluidoEm: concluido_em === null ? null : fromDatabaseTime(concluido_em),
    tentarEm: tentar_em === null ? null : fromDatabaseTime(tentar_em),
  };
}
