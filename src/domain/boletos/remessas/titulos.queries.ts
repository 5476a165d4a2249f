import type { Knex } from 'knex';
import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ConvenioRow } from '../convenios/convenios.types.ts';

/** An invoice whose boleto is to be registered, with who pays it. */
export interface ARegistrarRow {
  fatura_id: number;
  cliente_id: number;
  valor: string;
  valor_pago: string;
  abatido: string;
  vencimento: string;
  emitida_em: string;
  pix_txid: string | null;
  nome: string;
  cpf_cnpj: string;
  logradouro: string | null;
  numero: string | null;
  complemento: string | null;
  bairro: string | null;
  cidade: string | null;
  cep: string | null;
  uf: string | null;
}

export const A_REGISTRAR = columns<ARegistrarRow>('f', {
  fatura_id: 'f.id',
  cliente_id: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  emitida_em: true,
  pix_txid: true,
  nome: 'c.nome',
  cpf_cnpj: 'c.cpf_cnpj',
  logradouro: 'c.logradouro',
  numero: 'c.numero',
  complemento: 'c.complemento',
  bairro: 'c.bairro',
  cidade: 'c.cidade',
  cep: 'c.cep',
  uf: 'c.uf',
});

/** A title that the bank has, and what of its invoice is otherwise by now. */
export interface AMudarRow extends ARegistrarRow {
  boleto_id: number;
  boleto_numero: string | null;
  boleto_valor: string;
  boleto_vencimento: string;
  grupo: string;
}

const A_MUDAR = columns<AMudarRow>('f', {
  ...A_REGISTRAR.of,
  boleto_id: 'b.id',
  boleto_numero: 'b.numero',
  boleto_valor: 'b.valor',
  boleto_vencimento: 'b.vencimento',
  grupo: true,
});

const QUANTAS = expressions<{ quantas: number }>({ quantas: 'COUNT(*)' });

interface TravadaRow {
  id: number;
  cliente_id: number;
  valor: string;
  valor_pago: string;
  abatido: string;
  vencimento: string;
  boleto_situacao: string | null;
  grupo: string;
}

const TRAVADA = columns<TravadaRow>('faturas', {
  id: true,
  cliente_id: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
  boleto_situacao: true,
  grupo: true,
});

const SEM_LUGAR = columns<{ id: number; cliente_id: number }>('faturas', { id: true, cliente_id: true });

function registravel(query: Knex.QueryBuilder, hoje: Data): void {
  query.where('f.vencimento', '>=', hoje).where('f.valor_pago', 0).where('f.abatido', 0);
}

function naoRegistravel(query: Knex.QueryBuilder, hoje: Data): void {
  query.where((nao) => {
    void nao.where('f.vencimento', '<', hoje).orWhere('f.valor_pago', '>', 0).orWhere('f.abatido', '>', 0);
  });
}

/** A bank answers on the next business day, and holidays may come between. */
const DIAS_SEM_RESPOSTA = 10;

/** Of an invoice, that its boleto is to be written off, whatever else is asked of it. */
const ENCERRADA = "(f.grupo <> 'aberta' OR f.valor_pago > 0 OR f.abatido > 0)";

export function createTitulosQueries(tenant: TenantDb, { id: convenioId, cobrador_id: cobradorId }: ConvenioRow) {
  const { db } = tenant;
  const aRegistrar = (): Knex.QueryBuilder =>
    tenant
      .from('faturas as f', 'faturas_boleto')
      .join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id'))
      .where('f.boleto_situacao', 'a_registrar')
      .where('f.cobrador_id', cobradorId)
      .where('f.grupo', 'aberta');

  /**
   * Asked already, or refused for just what would be asked for now: a refused due date stands in no write-off's way once its invoice is paid
   * or cancelled. What was not answered for long is asked for again: not each bank has a word for each refusal.
   */
  const jaPedido = (hoje: Data): Knex.QueryBuilder =>
    tenant
      .from('boletos_instrucoes as i')
      .select(db.raw('1'))
      .whereRaw('i.boleto_id = b.id')
      .whereRaw(
        `(i.situacao = 'pedida' AND i.criada_em >= ? OR i.situacao = 'recusada' AND CASE i.movimento
          WHEN 'baixa' THEN ${ENCERRADA} OR f.valor <> b.valor
          WHEN 'valor' THEN NOT ${ENCERRADA} AND f.valor <> b.valor AND i.valor = f.valor
          ELSE NOT ${ENCERRADA} AND f.valor = b.valor AND i.vencimento = f.vencimento END)`,
        [somarDias(hoje, -DIAS_SEM_RESPOSTA)],
      );

  return {
    /** The next invoices after an id that wait for their boleto, and that a bank may take it of, by their ids. */
    async aRegistrar(hoje: Data, depoisDe: number, limite: number): Promise<ARegistrarRow[]> {
      const proximas = aRegistrar().modify(registravel, hoje).where('f.id', '>', depoisDe);
      return rowsOf(proximas.orderBy('f.id').limit(limite), A_REGISTRAR);
    },

    /** Those that no bank would take it of: they are overdue, or paid in part. */
    async semRegistro(hoje: Data, limite: number): Promise<ARegistrarRow[]> {
      return rowsOf(aRegistrar().modify(naoRegistravel, hoje).orderBy('f.id').limit(limite), A_REGISTRAR);
    },

    async quantasSemRegistro(hoje: Data): Promise<number> {
      const [row] = await rowsOf(aRegistrar().modify(naoRegistravel, hoje), QUANTAS);
      return row?.quantas ?? 0;
    },

    /**
     * Titles of the agreement that the bank has otherwise than their invoices are by now, by their ids: of invoices that are open no more, or
     * paid in part, or of another amount or due date.
     */
    async aMudar(hoje: Data, limite: number): Promise<AMudarRow[]> {
      const query = tenant
        .from('boletos as b', 'boletos_situacao')
        .join('faturas as f', sameTenant('b', 'fatura_id', 'f', 'id'))
        .join('clientes as c', sameTenant('f', 'cliente_id', 'c', 'id'))
        .where('b.convenio_id', convenioId)
        .where('b.situacao', 'registrado')
        .whereNotExists(jaPedido(hoje))
        .where((mudou) => {
          void mudou
            .whereRaw(ENCERRADA)
            .orWhereRaw('f.valor <> b.valor')
            .orWhereRaw('(f.vencimento <> b.vencimento AND f.vencimento >= ?)', [hoje]);
        });
      return rowsOf(query.orderBy('b.id').limit(limite), A_MUDAR);
    },

    /** Invoices, locked until the transaction ends, by their ids. */
    async travar(ids: readonly number[]): Promise<TravadaRow[]> {
      return rowsOf(tenant.from('faturas').whereIn('id', ids).orderBy('id').forUpdate(), TRAVADA);
    },

    /** Invoices that wait for a boleto and are no longer open: there is nothing to register. Locked. */
    async encerradas(limite: number): Promise<{ id: number; cliente_id: number }[]> {
      const query = tenant
        .from('faturas', 'faturas_boleto')
        .where({ boleto_situacao: 'a_registrar', cobrador_id: cobradorId })
        .whereNot('grupo', 'aberta');
      return rowsOf(query.orderBy('id').limit(limite).forUpdate(), SEM_LUGAR);
    },
  };
}
