import type { Knex } from 'knex';
import { lerDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { FaturaComExcedente, NaoIdentificado, Recusado, SomasDoPix } from './identificacao.types.ts';
import { ESPERAM, esperamDesde } from './pendentes.queries.ts';

type Soma = string | null;

interface RecebidoRow {
  id: number;
  end_to_end_id: string;
  txid: string | null;
  valor: string;
  devolvido: string;
  pago_em: string;
}

const DO_RECEBIDO = columns<RecebidoRow>('pix_recebidos', {
  id: true,
  end_to_end_id: true,
  txid: true,
  valor: true,
  devolvido: true,
  pago_em: true,
});

interface ExcedenteRow {
  id: number;
  cliente_id: number;
  situacao: string;
  valor_pago: string;
  excedente: string;
}

const DO_EXCEDENTE = columns<ExcedenteRow>('faturas', {
  id: true,
  cliente_id: true,
  situacao: true,
  valor_pago: true,
  excedente: 'faturas_lancamentos.valor - faturas_lancamentos.usado',
});

interface RecusadoRow {
  id: number;
  motivo: string;
  dito: string;
  receptor: string;
  criado_em: string;
}

const DO_RECUSADO = columns<RecusadoRow>('pix_recusados', {
  id: true,
  motivo: true,
  dito: true,
  receptor: true,
  criado_em: true,
});

const DO_IDENTIFICAVEL = columns<{ id: number; faturaId: number }>('pix_recebidos', {
  id: true,
  faturaId: 'faturas.id',
});

const DO_PIX = expressions<Record<'avisado' | 'devolvido' | 'sem_fatura', Soma>>({
  avisado: 'SUM(valor)',
  devolvido: 'SUM(devolvido)',
  sem_fatura: 'SUM(IF(fatura_id IS NULL, valor - devolvido, 0))',
});

const DO_BAIXADO = expressions<Record<'baixado' | 'devolvido', Soma>>({
  baixado: 'SUM(valor)',
  devolvido: 'SUM(devolvido)',
});

const DAS_FATURAS = expressions<Record<'no_total' | 'excedente', Soma>>({
  no_total: 'SUM(LEAST(faturas.valor_pago, vindo.veio))',
  // What became credit of other invoices is applied to them, unless it is too much there, too.
  excedente:
    'SUM(LEAST(GREATEST(COALESCE(faturas_lancamentos.valor - faturas_lancamentos.usado, 0), 0), vindo.veio + vindo.creditado))',
});

/** PIX and what became of them, for people to look at. */
export function createIdentificacaoQueries(tenant: TenantDb) {
  const recebidos = (): Knex.QueryBuilder => tenant.from('pix_recebidos');
  return {
    /** PIX for no invoice of which something is left, oldest payment first. */
    async naoIdentificados(limite: number): Promise<NaoIdentificado[]> {
      const semFatura = recebidos()
        .whereNull('fatura_id')
        .whereRaw('valor > devolvido')
        .orderBy(['pago_em', 'id'])
        .limit(limite);
      const rows = await rowsOf(semFatura, DO_RECEBIDO);
      return rows.map((row) => ({
        id: row.id,
        endToEndId: row.end_to_end_id,
        txid: row.txid,
        valor: lerDinheiro(row.valor),
        devolvido: lerDinheiro(row.devolvido),
        pagoEm: fromDatabaseTime(row.pago_em),
      }));
    },

    /** Invoices to which more came than was owed, the most first. */
    async comExcedente(limite: number): Promise<FaturaComExcedente[]> {
      const lancados = tenant
        .from('faturas_lancamentos')
        .join('faturas', sameTenant('faturas_lancamentos', 'fatura_id', 'faturas', 'id'))
        .where('faturas_lancamentos.tipo', 'excedente')
        .where('faturas_lancamentos.valor', '>', 0)
        .whereRaw('faturas_lancamentos.valor > faturas_lancamentos.usado')
        .orderBy('faturas_lancamentos.valor', 'desc')
        .limit(limite);
      const rows = await rowsOf(lancados, DO_EXCEDENTE);
      return rows.map((row) => ({
        faturaId: row.id,
        clienteId: row.cliente_id,
        situacao: row.situacao,
        valorPago: lerDinheiro(row.valor_pago),
        excedente: lerDinheiro(row.excedente),
      }));
    },

    /** What was told and could not be taken, newest first. */
    async recusados(limite: number): Promise<Recusado[]> {
      const rows = await rowsOf(tenant.from('pix_recusados').orderBy('id', 'desc').limit(limite), DO_RECUSADO);
      return rows.map(({ id, motivo, dito, receptor, criado_em }) => ({
        id,
        motivo,
        dito: jsonColumn<object>(dito),
        receptor,
        avisadoEm: fromDatabaseTime(criado_em),
      }));
    },

    /** PIX that wait whose txid an invoice has by now, up to a number. */
    async identificaveis(agora: Date, limite: number): Promise<{ id: number; faturaId: number }[]> {
      const esperam = recebidos()
        .join('faturas', sameTenant('pix_recebidos', 'txid', 'faturas', 'pix_txid'))
        .whereRaw(ESPERAM, [esperamDesde(agora)])
        .orderBy('pix_recebidos.id')
        .limit(limite);
      return rowsOf(esperam, DO_IDENTIFICAVEL);
    },

    /** Where all that was ever told is, by the rows of the PIX on one side and those of the invoices on the other. */
    async somas(): Promise<SomasDoPix> {
      const [pix] = await rowsOf(recebidos(), DO_PIX);
      const baixas = (): Knex.QueryBuilder => tenant.from('recebimentos_manuais').whereNull('desfeito_em');
      const [manuais] = await rowsOf(baixas(), DO_BAIXADO);
      const doBanco = (): Knex.QueryBuilder => tenant.from('boletos_recebidos').whereNull('desfeito_em');
      const [boletos] = await rowsOf(doBanco(), DO_PIX);
      const porMeio = recebidos()
        .whereNotNull('fatura_id')
        .select('fatura_id', tenant.db.raw('valor - devolvido AS valor, 0 AS credito'))
        .unionAll([
          baixas().select('fatura_id', tenant.db.raw('valor - devolvido, 0')),
          doBanco().whereNotNull('fatura_id').select('fatura_id', tenant.db.raw('valor - devolvido, 0')),
          tenant
            .from('faturas_ajustes')
            .whereNotNull('origem_fatura_id')
            .whereNull('desfeito_em')
            .select('fatura_id', tenant.db.raw('0'), 'valor'),
        ]);
      const porFatura = tenant.db
        .from(porMeio.as('um'))
        .groupBy('fatura_id')
        .select('fatura_id', tenant.db.raw('SUM(valor) AS veio, SUM(credito) AS creditado'))
        .as('vindo');
      // What an invoice holds by other ways is not of these: of each, at most what came by PIX, by boleto and by hand,
      // or from other invoices' surplus.
      const comPagamento = tenant
        .from('faturas')
        .join(porFatura, 'vindo.fatura_id', 'faturas.id')
        .leftJoin('faturas_lancamentos', function naFatura() {
          this.on('faturas_lancamentos.provedor_id', 'faturas.provedor_id')
            .andOn('faturas_lancamentos.fatura_id', 'faturas.id')
            .andOnVal('faturas_lancamentos.tipo', 'excedente');
        });
      const [faturas] = await rowsOf(comPagamento, DAS_FATURAS);
      const ler = (soma: Soma | undefined) => lerDinheiro(soma ?? '0');
      return {
        avisado: ler(pix?.avisado),
        baixado: ler(manuais?.baixado),
        boletos: ler(boletos?.avisado),
        devolvido: somarDinheiro(ler(pix?.devolvido), ler(boletos?.devolvido), ler(manuais?.devolvido)),
        naoIdentificado: somarDinheiro(ler(pix?.sem_fatura), ler(boletos?.sem_fatura)),
        nasFaturas: ler(faturas?.no_total),
        excedente: ler(faturas?.excedente),
      };
    },
  };
}
