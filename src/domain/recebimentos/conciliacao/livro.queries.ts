import type { Knex } from 'knex';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Columns } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { MEIOS_DEVOLVIDOS } from '../devolucoes/devolucoes.types.ts';
import type { MeioDevolvido } from '../devolucoes/devolucoes.types.ts';
import type { Divergente, EntradaDoLivro, SituacaoDaEntrada } from './conciliacao.types.ts';

const TABELAS = { pix: 'pix_recebidos', boleto: 'boletos_recebidos', manual: 'recebimentos_manuais' } as const;
/** The index by the instant of the payment, which a period is read by. */
const INDICES = {
  pix: 'pix_recebidos_pagos',
  boleto: 'boletos_recebidos_pagos',
  manual: 'recebimentos_manuais_no_dia',
} as const;

/** Instants, as the database writes them; `antesDe` is not in it. `conta`: null: all; `padrao`: also of what says no account. */
export interface Faixa {
  readonly de: string;
  readonly antesDe: string;
  readonly conta: { readonly id: number; readonly padrao: boolean } | null;
}

interface SomasRow {
  quantidade: number;
  avisado: string | null;
  devolvido: string | null;
  sem_fatura: string | null;
}
const SOMAS = (tabela: string) =>
  expressions<SomasRow>({
    quantidade: 'COUNT(*)',
    avisado: `SUM(${tabela}.valor)`,
    devolvido: `SUM(${tabela}.devolvido)`,
    sem_fatura: `SUM(IF(${tabela}.fatura_id IS NULL, ${tabela}.valor - ${tabela}.devolvido, 0))`,
  });

interface EntradaRow {
  id: number;
  fatura_id: number | null;
  cliente_id: number | null;
  identificador: string;
  txid: string | null;
  valor: string;
  devolvido: string;
  tarifa: string;
  pago_em: string;
  vinculado_em: string | null;
  desfeito_em: string | null;
}

const DO_PIX = columns<EntradaRow>('pix_recebidos', {
  id: true,
  fatura_id: true,
  cliente_id: 'faturas.cliente_id',
  identificador: 'pix_recebidos.end_to_end_id',
  txid: true,
  valor: true,
  devolvido: true,
  tarifa: '0.00',
  pago_em: true,
  vinculado_em: true,
  desfeito_em: 'NULL',
});
const ENTRADAS: Readonly<Record<MeioDevolvido, Columns<EntradaRow>>> = {
  pix: DO_PIX,
  boleto: columns<EntradaRow>('boletos_recebidos', {
    ...DO_PIX.of,
    identificador: 'boletos_recebidos.nosso_numero',
    txid: 'NULL',
    tarifa: true,
    desfeito_em: true,
  }),
  manual: columns<EntradaRow>('recebimentos_manuais', {
    ...DO_PIX.of,
    identificador: 'recebimentos_manuais.forma',
    txid: 'NULL',
    vinculado_em: 'NULL',
    desfeito_em: true,
  }),
};

export interface SobraRow {
  /** The invoice. */
  id: number;
  valor: string;
}
const DA_SOBRA = columns<SobraRow>('faturas', {
  id: true,
  valor: 'faturas_lancamentos.valor - faturas_lancamentos.usado',
});

interface DivergenteRow {
  id: number;
  valor_pago: string;
  veio: string;
}
const DO_DIVERGENTE = columns<DivergenteRow>('faturas', { id: true, valor_pago: true, veio: 'vindo.veio' });
const DA_DIFERENCA = expressions<{ diferenca: string | null }>({ diferenca: 'SUM(vindo.veio - faturas.valor_pago)' });

/** Where somebody is in a list of what came in, the newest first. */
export type Lugar = readonly [pagoEm: string, id: number];

/** The ledger of one tenant, for reading. */
export function createLivroQueries(tenant: TenantDb) {
  /** What came in in a period, of an account: of money with an invoice it is the invoice's; else that of the boleto, or the default one. */
  function noPeriodo(meio: MeioDevolvido, { de, antesDe, conta }: Faixa): Knex.QueryBuilder {
    const tabela = TABELAS[meio];
    const query = tenant
      .from(tabela, INDICES[meio])
      .where(`${tabela}.pago_em`, '>=', de)
      .where(`${tabela}.pago_em`, '<', antesDe);
    if (meio !== 'pix') query.whereNull(`${tabela}.desfeito_em`);
    if (conta === null) return query;
    const semFatura = meio === 'boleto' ? 'boletos_recebidos.cobrador_id' : 'NULL';
    const daConta = `IF(${tabela}.fatura_id IS NULL, ${semFatura}, faturas.cobrador_id)`;
    return query
      .leftJoin('faturas', sameTenant(tabela, 'fatura_id', 'faturas', 'id'))
      .whereRaw(
        conta.padrao ? `COALESCE(${daConta}, ?) = ?` : `${daConta} = ?`,
        conta.padrao ? [conta.id, conta.id] : [conta.id],
      );
  }

  /** By invoice, what came to it in a period. */
  function vindo(faixa: Faixa): Knex.QueryBuilder {
    const [pix, ...outros] = MEIOS_DEVOLVIDOS.map((meio) => {
      const tabela = TABELAS[meio];
      return noPeriodo(meio, faixa)
        .whereNotNull(`${tabela}.fatura_id`)
        .select(`${tabela}.fatura_id`, tenant.db.raw(`${tabela}.valor - ${tabela}.devolvido AS valor`));
    });
    const todos = (pix ?? noPeriodo('pix', faixa)).unionAll(outros).as('um');
    return tenant.db
      .from(todos)
      .groupBy('fatura_id')
      .select('fatura_id', tenant.db.raw('SUM(valor) AS veio'))
      .as('vindo');
  }

  const comDivergencia = (faixa: Faixa): Knex.QueryBuilder =>
    tenant
      .from('faturas')
      .join(vindo(faixa), 'vindo.fatura_id', 'faturas.id')
      .whereRaw('vindo.veio > faturas.valor_pago');

  return {
    async somas(meio: MeioDevolvido, faixa: Faixa): Promise<SomasRow> {
      const [row] = await rowsOf(noPeriodo(meio, faixa), SOMAS(TABELAS[meio]));
      return row ?? { quantidade: 0, avisado: null, devolvido: null, sem_fatura: null };
    },

    /** Invoices with surplus of which no credit was made, to which something came in a period; those after one of them, by their ids. */
    async sobras({ de, antesDe, conta }: Faixa, depoisDe: number, limite: number): Promise<SobraRow[]> {
      const query = tenant
        .from('faturas_lancamentos', 'faturas_lancamentos_tipo')
        .join('faturas', sameTenant('faturas_lancamentos', 'fatura_id', 'faturas', 'id'))
        .where('faturas_lancamentos.tipo', 'excedente')
        .where('faturas_lancamentos.fatura_id', '>', depoisDe)
        .where('faturas_lancamentos.valor', '>', 0)
        .whereRaw('faturas_lancamentos.valor > faturas_lancamentos.usado')
        .where((alguma) => {
          for (const tabela of Object.values(TABELAS)) {
            const dele = tenant
              .from(tabela)
              .whereRaw(`${tabela}.fatura_id = faturas.id`)
              .where(`${tabela}.pago_em`, '>=', de)
              .where(`${tabela}.pago_em`, '<', antesDe)
              .select(tenant.db.raw('1'));
            alguma.orWhereExists(dele);
          }
        });
      if (conta !== null) {
        query.whereRaw(
          conta.padrao ? 'COALESCE(faturas.cobrador_id, ?) = ?' : 'faturas.cobrador_id = ?',
          conta.padrao ? [conta.id, conta.id] : [conta.id],
        );
      }
      return rowsOf(query.orderBy('faturas_lancamentos.fatura_id').limit(limite), DA_SOBRA);
    },

    /** What came in a period to invoices that do not hold it, and the largest of these. */
    async divergencias(faixa: Faixa, limite: number): Promise<{ diferenca: string; maiores: Divergente[] }> {
      const [soma] = await rowsOf(comDivergencia(faixa), DA_DIFERENCA);
      if ((soma?.diferenca ?? null) === null) return { diferenca: '0.00', maiores: [] };
      const maiores = comDivergencia(faixa).orderByRaw('vindo.veio - faturas.valor_pago DESC').limit(limite);
      return {
        diferenca: soma?.diferenca ?? '0.00',
        maiores: (await rowsOf(maiores, DO_DIVERGENTE)).map(({ id, valor_pago, veio }) => ({
          faturaId: id,
          valorPago: lerDinheiro(valor_pago),
          veio: lerDinheiro(veio),
        })),
      };
    },

    /** What came in by one means, the newest first; without a period, all of it. */
    async entradas(
      meio: MeioDevolvido,
      { faixa, situacao, depois, limite }: DaLista,
    ): Promise<readonly (EntradaDoLivro & { readonly lugar: Lugar })[]> {
      const tabela = TABELAS[meio];
      const query = faixa === null ? tenant.from(tabela) : noPeriodo(meio, faixa);
      if (faixa === null && meio !== 'pix') query.whereNull(`${tabela}.desfeito_em`);
      if (faixa === null || faixa.conta === null)
        query.leftJoin('faturas', sameTenant(tabela, 'fatura_id', 'faturas', 'id'));
      if (situacao === 'nao_identificada')
        query.whereNull(`${tabela}.fatura_id`).whereRaw(`${tabela}.valor > ${tabela}.devolvido`);
      if (situacao === 'devolvida') query.where(`${tabela}.devolvido`, '>', 0);
      if (depois !== null) {
        const [pagoEm, id] = depois;
        query
          .where(`${tabela}.pago_em`, '<=', pagoEm)
          .whereRaw(`(${tabela}.pago_em < ? OR ${tabela}.id < ?)`, [pagoEm, id]);
      }
      query.orderBy([
        { column: `${tabela}.pago_em`, order: 'desc' },
        { column: `${tabela}.id`, order: 'desc' },
      ]);
      const rows = await rowsOf(query.limit(limite), ENTRADAS[meio]);
      return rows.map((row) => ({ ...lerEntrada(meio, row), lugar: [row.pago_em, row.id] as const }));
    },

    async entrada(meio: MeioDevolvido, id: number): Promise<EntradaDoLivro | null> {
      const tabela = TABELAS[meio];
      const query = tenant.from(tabela).leftJoin('faturas', sameTenant(tabela, 'fatura_id', 'faturas', 'id'));
      const [row] = await rowsOf(query.where(`${tabela}.id`, id), ENTRADAS[meio]);
      return row === undefined ? null : lerEntrada(meio, row);
    },
  };
}

interface DaLista {
  readonly faixa: Faixa | null;
  readonly situacao: SituacaoDaEntrada | null;
  readonly depois: Lugar | null;
  readonly limite: number;
}

function lerEntrada(meio: MeioDevolvido, row: EntradaRow): EntradaDoLivro {
  return {
    meio,
    id: row.id,
    faturaId: row.fatura_id,
    clienteId: row.cliente_id,
    identificador: row.identificador,
    txid: row.txid,
    valor: lerDinheiro(row.valor),
    devolvido: lerDinheiro(row.devolvido),
    tarifa: lerDinheiro(row.tarifa),
    pagoEm: fromDatabaseTime(row.pago_em),
    vinculado: row.vinculado_em !== null,
    desfeito: row.desfeito_em !== null,
  };
}
