import { hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { estaAberta } from '../faturas/apuracao.regras.ts';
import type { SituacaoFatura } from '../faturas/faturas.types.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { COLUNAS_DA_RENEGOCIACAO } from './renegociacoes.types.ts';
import type { MembroRow, RenegociacaoRow, SituacaoRenegociacao } from './renegociacoes.types.ts';

export type ConsultaDeRenegociacoesService = ReturnType<typeof createConsultaDeRenegociacoesService>;

export interface Renegociacao {
  readonly id: number;
  readonly clienteId: number;
  readonly situacao: SituacaoRenegociacao;
  readonly devido: Centavos;
  readonly desconto: Centavos;
  readonly criadaEm: Date;
  /** The first due date of an instalment that is still open. */
  readonly abertaDesde: Data | null;
}

/** An agreement with the invoices that it took the place of, and its instalments. */
export interface RenegociacaoInteira extends Renegociacao {
  readonly motivo: string | null;
  readonly autor: string;
  readonly quebra: { readonly em: Date; readonly motivo: string | null } | null;
  readonly faturas: readonly {
    readonly id: number;
    readonly papel: 'origem' | 'parcela';
    /** Of an instalment; the down payment is number 0. */
    readonly numero: number | null;
    readonly vencimento: Data;
    readonly valor: Centavos;
    readonly situacao: SituacaoFatura;
  }[];
}

export interface FiltroDeRenegociacoes {
  readonly clienteId?: number | undefined;
  /** Only those in force of which an instalment has been overdue for so many days: what staff, or the ladder, may break. */
  readonly atrasoDias?: number | undefined;
}

interface ComAtrasoRow extends RenegociacaoRow {
  aberta_desde: string | null;
}

const COM_ATRASO = columns<ComAtrasoRow>('renegociacoes', {
  ...COLUNAS_DA_RENEGOCIACAO.of,
  aberta_desde: "MIN(IF(faturas.grupo = 'aberta', faturas.vencimento, NULL))",
});

interface FaturaDoAcordoRow extends Pick<MembroRow, 'papel' | 'numero'> {
  id: number;
  vencimento: string;
  valor: string;
  situacao: SituacaoFatura;
}

const DA_FATURA = columns<FaturaDoAcordoRow>('faturas', {
  id: true,
  papel: 'renegociacoes_faturas.papel',
  numero: 'renegociacoes_faturas.numero',
  vencimento: true,
  valor: true,
  situacao: true,
});

/** Agreements about overdue invoices, for people to look at. */
export function createConsultaDeRenegociacoesService({
  tenant,
  provedor,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}) {
  return {
    /** One with all its invoices, as they are today; null when the provider has none of that id. */
    async buscar(id: number): Promise<RenegociacaoInteira | null> {
      const [row] = await rowsOf(tenant.from('renegociacoes').where('id', id), COLUNAS_DA_RENEGOCIACAO);
      if (row === undefined) return null;
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const deles = tenant
        .from('renegociacoes_faturas')
        .join('faturas', sameTenant('renegociacoes_faturas', 'fatura_id', 'faturas', 'id'))
        .where('renegociacoes_faturas.renegociacao_id', id)
        .orderBy(['faturas.vencimento', 'faturas.id']);
      const faturas = (await rowsOf(deles, DA_FATURA)).map((fatura) => ({
        ...fatura,
        vencimento: fatura.vencimento as Data,
        valor: lerDinheiro(fatura.valor),
        situacao: estaAberta(fatura) ? (fatura.vencimento < hoje ? 'vencida' : 'pendente') : fatura.situacao,
      }));
      const abertas = faturas.filter((fatura) => fatura.papel === 'parcela' && estaAberta(fatura));
      return {
        ...paraRenegociacao({ ...row, aberta_desde: abertas[0]?.vencimento ?? null }),
        motivo: row.motivo,
        autor: row.autor,
        quebra:
          row.quebrada_em === null ? null : { em: fromDatabaseTime(row.quebrada_em), motivo: row.quebrada_motivo },
        faturas,
      };
    },

    /** The newest first, up to a number. */
    async listar({ clienteId, atrasoDias }: FiltroDeRenegociacoes, limite: number): Promise<Renegociacao[]> {
      const query = tenant
        .from('renegociacoes')
        .join('renegociacoes_faturas', sameTenant('renegociacoes', 'id', 'renegociacoes_faturas', 'renegociacao_id'))
        .join('faturas', sameTenant('renegociacoes_faturas', 'fatura_id', 'faturas', 'id'))
        .where('renegociacoes_faturas.papel', 'parcela')
        .groupBy('renegociacoes.id')
        .orderBy('renegociacoes.id', 'desc')
        .limit(limite);
      if (clienteId !== undefined) query.where('renegociacoes.cliente_id', clienteId);
      if (atrasoDias !== undefined) {
        const corte = somarDias(hojeEm(provedor.fusoHorario, relogio.agora()), -atrasoDias);
        query.whereNull('renegociacoes.quebrada_em').having('aberta_desde', '<=', corte);
      }
      return (await rowsOf(query, COM_ATRASO)).map(paraRenegociacao);
    },
  };
}

function paraRenegociacao(row: ComAtrasoRow): Renegociacao {
  const emVigor = row.aberta_desde === null ? 'cumprida' : 'vigente';
  return {
    id: row.id,
    clienteId: row.cliente_id,
    situacao: row.quebrada_em === null ? emVigor : 'quebrada',
    devido: lerDinheiro(row.devido),
    desconto: lerDinheiro(row.desconto),
    criadaEm: fromDatabaseTime(row.criada_em),
    abertaDesde: row.aberta_desde as Data | null,
  };
}
