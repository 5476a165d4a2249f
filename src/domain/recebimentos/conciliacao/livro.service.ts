import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { centavos, lerDinheiro, somarDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { listarPagamentos } from '../../faturas/apuracao.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { COLUNAS_DA_DEVOLUCAO, MEIOS_DEVOLVIDOS } from '../devolucoes/devolucoes.types.ts';
import type { DevolucaoRow, MeioDevolvido } from '../devolucoes/devolucoes.types.ts';
import { createIdentificacaoQueries } from '../identificacao/identificacao.queries.ts';
import type { FaturaComExcedente } from '../identificacao/identificacao.types.ts';
import type { EntradaDoLivro, Livro, Proposta, Recorte, SituacaoDaEntrada } from './conciliacao.types.ts';
import { createLivroQueries } from './livro.queries.ts';
import type { Faixa, Lugar, SobraRow } from './livro.queries.ts';
import { sobraPorPagamento } from './livro.regras.ts';
import { proporFaturas } from './propostas.service.ts';

export type LivroService = ReturnType<typeof createLivroService>;

const MAIORES = 20;
/** Lines of a page of a list. */
const POR_PAGINA = 50;
const POR_LOTE = 1000;
const DEVOLUCAO = columns<DevolucaoRow>('devolucoes_pedidas', COLUNAS_DA_DEVOLUCAO.of);

export interface PaginaDeEntradas {
  readonly itens: readonly EntradaDoLivro[];
  /** By which the next ones are asked for; null at the end. */
  readonly proxima: string | null;
}

interface PaginaDeDevolucoes {
  readonly itens: readonly DevolucaoDaLista[];
  /** By which the next ones are asked for; null at the end. */
  readonly proxima: number | null;
}

export interface Pedido {
  readonly recorte: Recorte | null;
  readonly situacao: SituacaoDaEntrada | null;
  readonly depois: string | null;
}

/**
 * The one ledger of money received, for people: PIX, boletos and what was registered by hand.
 *
 * @param porLote rows that are read at once of what may be long
 */
export function createLivroService(tenant: TenantDb, provedor: Provedor, porLote = POR_LOTE) {
  const queries = createLivroQueries(tenant);
  const { fusoHorario } = provedor;

  function faixaDe({ de, ate, conta }: Recorte): Faixa {
    const inicio = (dia: Recorte['de']): string => toDatabaseTime(inicioDoDiaEm(fusoHorario, dia));
    const padrao = provedor.contas.find(({ id }) => id === conta)?.padrao === true;
    return {
      de: inicio(de),
      antesDe: inicio(somarDias(ate, 1)),
      conta: conta === null ? null : { id: conta, padrao },
    };
  }

  /** Adds the surplus of some invoices to the sums of the means by which it came in the period. */
  async function somarSobras(
    somas: Map<MeioDevolvido, Centavos>,
    { de, antesDe }: Faixa,
    sobras: readonly SobraRow[],
  ): Promise<void> {
    const ids = sobras.map(({ id }) => id);
    const porFatura = groupBy(await listarPagamentos(tenant, ids), ({ fatura_id }) => fatura_id);
    for (const { id, valor } of sobras) {
      for (const [{ meio, pago_em }, dela] of sobraPorPagamento(lerDinheiro(valor), porFatura.get(id) ?? [])) {
        const noMeio = MEIOS_DEVOLVIDOS.find((um) => um === meio);
        if (noMeio === undefined || pago_em < de || pago_em >= antesDe) continue;
        somas.set(noMeio, centavos((somas.get(noMeio) ?? 0) + dela));
      }
    }
  }

  /** Of what came in in a period, the surplus by means. */
  async function sobrasPorMeio(faixa: Faixa): Promise<ReadonlyMap<MeioDevolvido, Centavos>> {
    const somas = new Map<MeioDevolvido, Centavos>();
    let sobras: readonly SobraRow[] = [];
    do {
      sobras = await queries.sobras(faixa, sobras.at(-1)?.id ?? 0, porLote);
      if (sobras.length > 0) await somarSobras(somas, faixa, sobras);
    } while (sobras.length === porLote);
    return somas;
  }

  return {
    /** Where what came in in a period is, by means; a handful of statements, and two more for each thousand invoices with surplus. */
    async livro(recorte: Recorte): Promise<Livro> {
      const faixa = faixaDe(recorte);
      const [somas, excedentes, { diferenca, maiores }] = await Promise.all([
        Promise.all(MEIOS_DEVOLVIDOS.map(async (meio) => ({ meio, ...(await queries.somas(meio, faixa)) }))),
        sobrasPorMeio(faixa),
        queries.divergencias(faixa, MAIORES),
      ]);
      const linhas = somas.map(({ meio, quantidade, avisado, devolvido, sem_fatura }) => {
        const excedente = excedentes.get(meio) ?? centavos(0);
        const [todo, voltou, solto] = [lerSoma(avisado), lerSoma(devolvido), lerSoma(sem_fatura)];
        const aplicado = centavos(todo - voltou - solto - excedente);
        return { meio, quantidade, avisado: todo, aplicado, excedente, naoIdentificado: solto, devolvido: voltou };
      });
      return { linhas, diferenca: lerDinheiro(diferenca), divergentes: maiores };
    },

    /** What came in by one means, the newest first. A `depois` that names no place begins at the first page. */
    async listar(
      meio: MeioDevolvido,
      { recorte, situacao, depois }: Pedido,
      limite = POR_PAGINA,
    ): Promise<PaginaDeEntradas> {
      const faixa = recorte === null ? null : faixaDe(recorte);
      const lidas = await queries.entradas(meio, { faixa, situacao, depois: lerLugar(depois), limite: limite + 1 });
      const itens = lidas.slice(0, limite);
      const ultimo = itens.at(-1)?.lugar;
      return { itens, proxima: lidas.length > limite && ultimo !== undefined ? ultimo.join(' ') : null };
    },

    /** The same by larger pages, for a file. */
    async lote(meio: MeioDevolvido, pedido: Pedido): Promise<PaginaDeEntradas> {
      return this.listar(meio, pedido, porLote);
    },

    buscar: async (meio: MeioDevolvido, id: number): Promise<EntradaDoLivro | null> => queries.entrada(meio, id),

    /** Invoices that something without one may be of, the likeliest first. */
    async propostas(entrada: EntradaDoLivro): Promise<Proposta[]> {
      return proporFaturas(tenant, provedor, entrada, hojeEm(fusoHorario, entrada.pagoEm));
    },

    /** Invoices to which more came than was owed, the most first. */
    comExcedente: async (): Promise<FaturaComExcedente[]> => createIdentificacaoQueries(tenant).comExcedente(porLote),

    /** A page of returns that people asked for, the newest first; of one thing that came in, or of all; `depois`: those after one. */
    async devolucoes(
      de: { readonly meio: MeioDevolvido; readonly id: number } | null,
      depois?: number,
    ): Promise<PaginaDeDevolucoes> {
      const coluna = { pix: 'pix_id', boleto: 'boleto_id', manual: 'manual_id' } as const;
      const indice = de === null ? 'PRIMARY' : `devolucoes_pedidas_${de.meio}`;
      const query = tenant
        .from('devolucoes_pedidas', indice)
        .orderBy('id', 'desc')
        .limit(POR_PAGINA + 1);
      if (de !== null) query.where(coluna[de.meio], de.id);
      if (depois !== undefined) query.where('id', '<', depois);
      const lidas = await rowsOf(query, DEVOLUCAO);
      const itens = lidas.slice(0, POR_PAGINA).map((row) => ({
        id: row.id,
        meio: row.meio,
        de: row.pix_id ?? row.boleto_id ?? row.manual_id ?? 0,
        faturaId: row.fatura_id,
        valor: lerDinheiro(row.valor),
        situacao: row.situacao,
        motivo: row.motivo,
        forma: row.forma,
        recusa: row.recusa,
        autor: row.autor,
        pedidaEm: fromDatabaseTime(row.pedida_em),
      }));
      return { itens, proxima: lidas.length > POR_PAGINA ? (itens.at(-1)?.id ?? null) : null };
    },
  };
}

/** A sum of SQL, which is null of no rows. */
const lerSoma = (soma: string | null): Centavos => lerDinheiro(soma ?? '0.00');

/** A return as people see it. */
export interface DevolucaoDaLista {
  readonly id: number;
  readonly meio: MeioDevolvido;
  readonly de: number;
  readonly faturaId: number | null;
  readonly valor: Centavos;
  readonly situacao: DevolucaoRow['situacao'];
  readonly motivo: string | null;
  readonly forma: string | null;
  readonly recusa: string | null;
  readonly autor: string;
  readonly pedidaEm: Date;
}

const LUGAR = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}) ([1-9]\d{0,15})$/;

function lerLugar(texto: string | null): Lugar | null {
  const [, pagoEm, id] = LUGAR.exec(texto ?? '') ?? [];
  return pagoEm === undefined || id === undefined ? null : [pagoEm, Number(id)];
}

/** All means together. */
export function somarLivro({ linhas }: Livro): Omit<Livro['linhas'][number], 'meio'> {
  const somar = (de: 'avisado' | 'aplicado' | 'excedente' | 'naoIdentificado' | 'devolvido'): Centavos =>
    somarDinheiro(...linhas.map((linha) => linha[de]));
  return {
    quantidade: linhas.reduce((soma, { quantidade }) => soma + quantidade, 0),
    avisado: somar('avisado'),
    aplicado: somar('aplicado'),
    excedente: somar('excedente'),
    naoIdentificado: somar('naoIdentificado'),
    devolvido: somar('devolvido'),
  };
}
