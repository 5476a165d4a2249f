import { corteDoAtraso } from '../../../brazil/calendario/calendario-bancario.ts';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { COLUNAS_DO_BOLETO } from '../boletos.types.ts';
import type { BoletoRow, Motivo } from '../boletos.types.ts';
import type { Cnab } from '../cnab.ts';
import { COLUNAS_DO_CONVENIO } from '../convenios/convenios.types.ts';
import type { ConvenioRow } from '../convenios/convenios.types.ts';
import { prepararRemessa } from './preparo.ts';
import type { Recusada } from './pagador.regras.ts';
import { createRejeitadosQueries } from './rejeitados.queries.ts';
import { COLUNAS_DA_REMESSA, situacaoDa } from './remessas.types.ts';
import type { RemessaRow, SituacaoDaRemessa } from './remessas.types.ts';

export type LeituraDeBoletosService = ReturnType<typeof createLeituraDeBoletosService>;

interface LeituraDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly cnab: Cnab;
}

/** What a file would hold if it were made now. */
interface Previa {
  readonly entradas: number;
  readonly total: Centavos;
  readonly instrucoes: Readonly<Record<'baixa' | 'vencimento' | 'valor', number>>;
  /** Some of those that it would not hold, and how many there are. */
  readonly recusadas: readonly Recusada[];
  readonly recusadasAoTodo: number;
  /** Whether there is more than one file holds; the rest goes into the next. */
  readonly haMais: boolean;
}

export interface Remessa extends RemessaRow {
  readonly situacao: SituacaoDaRemessa;
}

/** A title of an invoice, for staff. */
interface BoletoDito extends Omit<BoletoRow, 'motivos' | 'criado_em' | 'registrado_em' | 'encerrado_em'> {
  readonly motivos: readonly Motivo[];
  readonly criadoEm: Date;
  readonly registradoEm: Date | null;
  readonly encerradoEm: Date | null;
}

const REMESSAS_NA_LISTA = 100;
/** Business days after which a bank has answered; titles that are older than so many days are overdue or written off. */
const DIAS_DE_RESPOSTA = 3;
const DIAS_ATRAS = 90;

const REJEITADOS_NA_LISTA = 50;
const MOTIVOS_NA_LISTA = 50;

export interface BoletoRejeitado extends BoletoDito {
  readonly clienteId: number;
  readonly clienteNome: string;
}

/** What a bank said of some refusals, and how many they are. */
export interface RejeitadosPorMotivo {
  /** Names the reason. */
  readonly chave: string;
  readonly motivos: readonly Motivo[];
  readonly quantos: number;
}

/** What there is to read of agreements, files and titles. */
export function createLeituraDeBoletosService({ tenant, provedor, relogio, cnab }: LeituraDeps) {
  async function convenio(id: number): Promise<ConvenioRow> {
    const [row] = await rowsOf(tenant.from('convenios_bancarios').where({ id }), COLUNAS_DO_CONVENIO);
    recusarSeNao(row, 'nao_encontrado', { campo: 'convenio' });
    return row;
  }

  return {
    /** @throws Recusa `nao_encontrado` */
    convenio,

    async convenios(): Promise<ConvenioRow[]> {
      return rowsOf(tenant.from('convenios_bancarios').orderBy('id'), COLUNAS_DO_CONVENIO);
    },

    /** What a file of the agreement would hold now, and what it would not and why. @throws Recusa `nao_encontrado` */
    async previa(convenioId: number): Promise<Previa> {
      const row = await convenio(convenioId);
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const preparo = await prepararRemessa(tenant, { provedor, convenio: row, cnab, hoje });
      const { entradas, haMais, instrucoes, recusadas, recusadasAoTodo } = preparo;
      const de = (movimento: string): number =>
        instrucoes.filter(({ titulo }) => titulo.movimento === movimento).length;
      return {
        entradas: entradas.length,
        total: somarDinheiro(...entradas.map(({ titulo }) => titulo.valor)),
        instrucoes: { baixa: de('baixa'), vencimento: de('vencimento'), valor: de('valor') },
        recusadas,
        recusadasAoTodo,
        haMais,
      };
    },

    /** The last files, the newest first. */
    async remessas(): Promise<Remessa[]> {
      const query = tenant.from('remessas').orderBy('id', 'desc').limit(REMESSAS_NA_LISTA);
      return (await rowsOf(query, COLUNAS_DA_REMESSA)).map(comSituacao);
    },

    /**
     * Files of the last months that a bank has had for three business days, and of which no title and no instruction was answered: it may have
     * refused them whole, of which no retorno tells. The oldest first.
     */
    async semResposta(): Promise<Remessa[]> {
      const hoje = hojeEm(provedor.fusoHorario, relogio.agora());
      const { calendario } = provedor.regras;
      let ate = hoje;
      for (let n = 0; n < DIAS_DE_RESPOSTA; n += 1) ate = corteDoAtraso(ate, calendario);
      const respondido = (tabela: string, ...situacoes: readonly string[]) =>
        tenant
          .from(`${tabela} as t`)
          .whereRaw('t.remessa_id = remessas.id')
          .whereNotIn('t.situacao', situacoes)
          .select(tenant.db.raw('1'));
      const query = tenant
        .from('remessas', 'remessas_dia')
        .whereIn('convenio_id', tenant.from('convenios_bancarios').select('id'))
        .whereBetween('dia', [somarDias(hoje, -DIAS_ATRAS), ate])
        .whereNull('desfeita_em')
        .where((q) => void q.whereNotNull('baixada_em').orWhereNotNull('enviada_em'))
        .whereNotExists(respondido('boletos', 'enviado'))
        .whereNotExists(respondido('boletos_instrucoes', 'pedida', 'desfeita'));
      return (await rowsOf(query.orderBy('id').limit(REMESSAS_NA_LISTA), COLUNAS_DA_REMESSA)).map(comSituacao);
    },

    /** @throws Recusa `nao_encontrado` */
    async remessa(id: number): Promise<Remessa> {
      const [row] = await rowsOf(tenant.from('remessas').where({ id }), COLUNAS_DA_REMESSA);
      recusarSeNao(row, 'nao_encontrado', { campo: 'remessa' });
      return comSituacao(row);
    },

    /** Whether a bank has answered any of a file's titles or instructions: it has the file then. */
    async respondida(id: number): Promise<boolean> {
      const titulos = tenant.from('boletos').where('remessa_id', id).whereNotIn('situacao', ['enviado', 'desfeito']);
      const pedidos = tenant
        .from('boletos_instrucoes')
        .where('remessa_id', id)
        .whereNotIn('situacao', ['pedida', 'desfeita']);
      const achados = await Promise.all([titulos, pedidos].map(async (q) => rowsOf(q.limit(1), ID)));
      return achados.some((rows) => rows.length > 0);
    },

    /** The titles of an invoice, the newest first. */
    async daFatura(faturaId: number): Promise<BoletoDito[]> {
      const query = tenant.from('boletos', 'boletos_fatura').where('fatura_id', faturaId).orderBy('id', 'desc');
      return (await rowsOf(query, COLUNAS_DO_BOLETO)).map(dizer);
    },

    /** For what reasons banks refused boletos of open invoices, and how many for each. */
    async rejeitadosPorMotivo(): Promise<RejeitadosPorMotivo[]> {
      const rows = await createRejeitadosQueries(tenant).porMotivo(MOTIVOS_NA_LISTA);
      return rows.map(({ motivos, ...row }) => ({ ...row, motivos: jsonColumn<readonly Motivo[]>(motivos ?? []) }));
    },

    /** Boletos of open invoices that a bank refused, with its reasons: a page of them, after an invoice. */
    async rejeitados({
      motivo,
      depoisDe = 0,
    }: { readonly motivo?: string | undefined; readonly depoisDe?: number | undefined } = {}): Promise<{
      readonly boletos: readonly BoletoRejeitado[];
      readonly proxima: number | null;
    }> {
      const rows = await createRejeitadosQueries(tenant).pagina(motivo, depoisDe, REJEITADOS_NA_LISTA + 1);
      const pagina = rows.slice(0, REJEITADOS_NA_LISTA);
      return {
        boletos: pagina.map((row) => ({ ...dizer(row), clienteId: row.cliente_id, clienteNome: row.cliente_nome })),
        proxima: rows.length > pagina.length ? (pagina.at(-1)?.fatura_id ?? null) : null,
      };
    },
  };
}

const comSituacao = (row: RemessaRow): Remessa => ({ ...row, situacao: situacaoDa(row) });

function dizer({ motivos, criado_em, registrado_em, encerrado_em, ...row }: BoletoRow): BoletoDito {
  const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
  return {
    ...row,
    motivos: jsonColumn<readonly Motivo[]>(motivos ?? []),
    criadoEm: fromDatabaseTime(criado_em),
    registradoEm: instante(registrado_em),
    encerradoEm: instante(encerrado_em),
  };
}
