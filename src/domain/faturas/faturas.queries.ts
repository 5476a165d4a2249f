import type { Knex } from 'knex';
import { diasEntre } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { readAfter, readPage } from '../../platform/paging/pages.ts';
import type { Page, PagePart, PageRequest, ListWalk, Slice, SliceRequest } from '../../platform/paging/pages.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { inicioNoBanco } from '../leituras.ts';
import { COLUNAS_DA_FATURA } from './faturas.types.ts';
import type {
  AbertasMudadas,
  FaturaRow,
  FiltroDoAssinante,
  FiltroFaturas,
  FiltroSituacaoFatura,
} from './faturas.types.ts';

/** What of an invoice decides how much of it is left to pay. */
type DividaRow = Pick<FaturaRow, 'id' | 'valor' | 'valor_pago' | 'abatido' | 'vencimento'>;

const DA_DIVIDA = columns<DividaRow>('faturas', {
  id: true,
  valor: true,
  valor_pago: true,
  abatido: true,
  vencimento: true,
});
const DAS_REGRAS = columns<{ provedor_id: number }>('regras_cobranca', { provedor_id: true });

/** Due dates this close hold few enough invoices to be sorted by emission afterwards. */
const DIAS_DE_UM_INTERVALO_CURTO = 31;

const DA_MAIS_NOVA = [
  { column: 'emitida_em', order: 'desc' },
  { column: 'id', order: 'desc' },
] as const;

export function createFaturasQueries(tenant: TenantDb) {
  return {
    /**
     * One page of invoices, newest first; what is overdue is judged by `hoje`, not by what a job has stored.
     *
     * @param mudadas which open invoices the date or the provider has changed since `atualizadoDesde`, though nobody wrote them.
     */
    async listar(
      filtro: FiltroFaturas,
      hoje: Data,
      mudadas: AbertasMudadas,
      pagina: PageRequest,
      leitura: ListWalk | null,
    ): Promise<Page<FaturaRow>> {
      const { atualizadoDesde, clienteId, contratoId } = filtro;
      const inicio = atualizadoDesde === undefined ? null : inicioNoBanco(atualizadoDesde);
      function filter(query: Knex.QueryBuilder): void {
        filtrar(query, filtro, hoje);
        if (inicio === null) return;
        query.where((since) => {
          since.where('faturas.atualizado_em', '>=', inicio);
          if (mudadas !== 'nenhuma') since.orWhere((abertas) => filtrarAbertas(abertas, mudadas, hoje));
        });
      }
      const todos = clienteId === undefined && contratoId === undefined;
      const indexes = indicesDe(filtro);
      return readPage(
        tenant,
        {
          table: 'faturas',
          indexes,
          whole: indexes.join() === 'faturas_emissao',
          order: DA_MAIS_NOVA,
          filter,
          ...(inicio !== null && todos ? { parts: partesDe(filtro, hoje, mudadas, inicio) } : {}),
        },
        pagina,
        async (rows) => rowsOf(rows, COLUNAS_DA_FATURA),
        leitura,
      );
    },

    /** Open invoices of some clients, the oldest due first. */
    async abertasDosClientes(clienteIds: readonly number[]): Promise<FaturaRow[]> {
      const delas = tenant
        .from('faturas', 'faturas_cliente')
        .whereIn('faturas.cliente_id', [...clienteIds])
        .where('faturas.grupo', 'aberta');
      return rowsOf(delas.orderBy(['faturas.vencimento', 'faturas.id']), COLUNAS_DA_FATURA);
    },

    /** Invoices of some clients after a place, newest first. */
    async listarApos(
      { clienteIds, contratoId, situacao }: FiltroDoAssinante,
      hoje: Data,
      pedida: SliceRequest,
    ): Promise<Slice<FaturaRow>> {
      const filter = (query: Knex.QueryBuilder): void => {
        filtrar(query, { contratoId, situacao }, hoje);
        query.whereIn('faturas.cliente_id', [...clienteIds]);
      };
      const indexes = [contratoId === undefined ? 'faturas_cliente' : 'faturas_contrato'];
      return readAfter(tenant, { table: 'faturas', indexes, order: DA_MAIS_NOVA, filter }, pedida, async (rows) =>
        rowsOf(rows, COLUNAS_DA_FATURA),
      );
    },

    /** Whether the provider has said since what stands in every open invoice: its host, who receives, its rules. */
    async provedorMudou(atualizadoDesde: Date): Promise<boolean> {
      const regras = tenant.from('regras_cobranca').where('atualizado_em', '>=', inicioNoBanco(atualizadoDesde));
      return (await rowsOf(regras, DAS_REGRAS)).length > 0;
    },

    async buscarPorId(id: number): Promise<FaturaRow | undefined> {
      const [row] = await rowsOf(tenant.from('faturas').where('faturas.id', id), COLUNAS_DA_FATURA);
      return row;
    },

    /** The next open invoices in the order of their emission, of those for which a bank or a PSP has made something. */
    async abertas(depoisDe: Pick<FaturaRow, 'emitida_em' | 'id'> | null, limite: number): Promise<FaturaRow[]> {
      const query = tenant
        .from('faturas', 'faturas_grupo')
        .where('grupo', 'aberta')
        .where((feitas) => void feitas.whereNotNull('linha_digitavel').orWhereNotNull('pix_copia_cola'))
        .orderBy(['emitida_em', 'id'])
        .limit(limite);
      if (depoisDe !== null) {
        const { emitida_em: emitidaEm, id } = depoisDe;
        query.whereRaw('(emitida_em > ? OR (emitida_em = ? AND id > ?))', [emitidaEm, emitidaEm, id]);
      }
      return rowsOf(query, COLUNAS_DA_FATURA);
    },

    /** Open invoices that are paid in part, or of which something was taken off, of a range of ids. */
    async pagasEmParte(depoisDe: number, ate: number): Promise<DividaRow[]> {
      const pagas = tenant
        .from('faturas')
        .where('id', '>', depoisDe)
        .where('id', '<=', ate)
        .where('grupo', 'aberta')
        .where((emParte) => void emParte.where('valor_pago', '>', 0).orWhere('abatido', '>', 0));
      return rowsOf(pagas, DA_DIVIDA);
    },
  };
}

type Filtro = Omit<FiltroFaturas, 'situacao'> & Pick<FiltroDoAssinante, 'situacao'>;

function filtrar(query: Knex.QueryBuilder, filtro: Filtro, hoje: Data): void {
  const { clienteId, contratoId, codigoExterno, situacao, vencimentoDe, vencimentoAte } = filtro;
  if (clienteId !== undefined) query.where('faturas.cliente_id', clienteId);
  if (contratoId !== undefined) query.where('faturas.contrato_id', contratoId);
  if (codigoExterno !== undefined) query.where('faturas.codigo_externo', codigoExterno);
  if (situacao !== undefined) filtrarSituacao(query, situacao, hoje);
  if (vencimentoDe !== undefined) query.where('faturas.vencimento', '>=', vencimentoDe);
  if (vencimentoAte !== undefined) query.where('faturas.vencimento', '<=', vencimentoAte);
}

/** Those that were written since, and those that were not but changed all the same. */
function partesDe(filtro: FiltroFaturas, hoje: Data, mudadas: AbertasMudadas, inicio: string): PagePart[] {
  const escritas: PagePart = {
    index: 'faturas_atualizado',
    filter(query) {
      filtrar(query, filtro, hoje);
      query.where('faturas.atualizado_em', '>=', inicio);
    },
  };
  if (mudadas === 'nenhuma') return [escritas];
  const deSi: PagePart = {
    index: 'faturas_grupo',
    filter(query) {
      filtrar(query, filtro, hoje);
      filtrarAbertas(query, mudadas, hoje);
      query.where('faturas.atualizado_em', '<', inicio);
    },
  };
  return [escritas, deSi];
}

function filtrarAbertas(query: Knex.QueryBuilder, quais: 'vencidas' | 'todas', hoje: Data): void {
  query.where('faturas.grupo', 'aberta');
  if (quais === 'vencidas') query.where('faturas.vencimento', '<', hoje);
}

/** Indexes of which one finds what a filter leaves. */
function indicesDe(filtro: FiltroFaturas): string[] {
  const { clienteId, contratoId, codigoExterno, situacao = 'todas', vencimentoDe, vencimentoAte } = filtro;
  if (codigoExterno !== undefined) return ['faturas_codigo_externo'];
  if (clienteId !== undefined || contratoId !== undefined) {
    return [
      ...(clienteId === undefined ? [] : ['faturas_cliente']),
      ...(contratoId === undefined ? [] : ['faturas_contrato']),
    ];
  }
  const daSituacao = situacao === 'todas' ? 'faturas_emissao' : 'faturas_grupo';
  if (vencimentoDe !== undefined || vencimentoAte !== undefined) {
    const poucosDias =
      vencimentoDe !== undefined &&
      vencimentoAte !== undefined &&
      diasEntre(vencimentoDe, vencimentoAte) < DIAS_DE_UM_INTERVALO_CURTO;
    return poucosDias ? ['faturas_vencimento'] : ['faturas_vencimento', daSituacao];
  }
  return situacao === 'pendente' || situacao === 'vencida' ? ['faturas_vencimento', daSituacao] : [daSituacao];
}

function filtrarSituacao(query: Knex.QueryBuilder, situacao: FiltroSituacaoFatura | 'processando', hoje: Data): void {
  switch (situacao) {
    case 'todas':
      return;
    case 'aberta':
      query.where('faturas.grupo', 'aberta');
      return;
    case 'pendente':
      query.where('faturas.grupo', 'aberta').where('faturas.vencimento', '>=', hoje);
      return;
    case 'vencida':
      query.where('faturas.grupo', 'aberta').where('faturas.vencimento', '<', hoje);
      return;
    case 'paga':
    case 'cancelada':
    case 'estornada':
    case 'processando':
      query.where('faturas.grupo', situacao);
  }
}
