import { hojeEm, inicioDoDiaEm, somarDias } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { lerDinheiro } from '../../brazil/dinheiro.ts';
import { calcularEncargos } from '../../brazil/encargos.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import type { Page, PageRequest } from '../../platform/pages.ts';
import type { Relogio } from '../../platform/relogio.ts';
import type { Trail } from '../../platform/response-cache/trail.ts';
import type { TenantDb } from '../../platform/tenant.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';
import { createFaturasQueries } from './faturas.queries.ts';
import type { Fatura, FaturaRow, FiltroFaturas, SegundaVia } from './faturas.types.ts';

export type FaturasService = ReturnType<typeof createFaturasService>;

export interface FaturasDeps {
  readonly tenant: TenantDb;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly trail: Trail;
}

export function createFaturasService({ tenant, provedor, relogio, trail }: FaturasDeps) {
  const queries = createFaturasQueries(tenant);

  /** The provider's date; what is overdue, and what is owed, changes when the next one begins. */
  function hoje(): Data {
    const data = hojeEm(provedor.fusoHorario, relogio.agora());
    trail.changesAt(inicioDoDiaEm(provedor.fusoHorario, somarDias(data, 1)));
    return data;
  }

  return {
    /** One page of invoices, newest first. */
    async listar(filtro: FiltroFaturas, pagina: PageRequest): Promise<Page<Fatura>> {
      trail.dependsOn(filtro.clienteId === undefined ? FATURAS_TAG : clienteTag(filtro.clienteId));
      const data = hoje();
      const { itens, total } = await queries.listar(filtro, data, pagina);
      return { itens: itens.map((row) => paraFatura(row, provedor, data)), total };
    },

    /** The invoice, or null when this tenant has none of that id. */
    async buscarPorId(id: number): Promise<Fatura | null> {
      trail.dependsOn(faturaTag(id));
      const row = await queries.buscarPorId(id);
      return row === undefined ? null : paraFatura(row, provedor, hoje());
    },
  };
}

/** What a stored invoice is on a given day: state, amount to pay and ways to pay do not wait for a job. */
function paraFatura(row: FaturaRow, provedor: Provedor, hoje: Data): Fatura {
  const aberta = row.situacao === 'pendente' || row.situacao === 'vencida';
  const vencimento = row.vencimento as Data;
  const vencida = aberta && vencimento < hoje;
  const valor = lerDinheiro(row.valor);
  const aPagar = vencida ? calcularEncargos({ valor, vencimento, hoje, regras: provedor.regras }).total : valor;
  return {
    id: row.id,
    clienteId: row.cliente_id,
    contratoId: row.contrato_id,
    descricao: row.descricao,
    situacao: aberta ? (vencida ? 'vencida' : 'pendente') : row.situacao,
    tipo: row.tipo,
    valor,
    valorAtualizado: aPagar > valor ? aPagar : null,
    valorPago: lerDinheiro(row.valor_pago),
    vencimento,
    emitidaEm: fromDatabaseTime(row.emitida_em),
    pagoEm: row.pago_em === null ? null : fromDatabaseTime(row.pago_em),
    segundaVia: aberta ? segundaVia(row, provedor.panelHost) : null,
  };
}

/** The links live on the provider's own host, behind the invoice's unguessable token. */
function segundaVia(row: FaturaRow, panelHost: string): SegundaVia {
  const temPix = row.pix_copia_cola !== null;
  const temBoleto = row.linha_digitavel !== null;
  const pagina = (caminho: string): string => `https://${panelHost}/${caminho}/${row.token}`;
  return {
    linkPagamento: temPix || temBoleto ? pagina('pagar') : null,
    pdf: temBoleto ? pagina('boleto') : null,
    paginaPix: temPix ? pagina('pix') : null,
    pixCopiaCola: row.pix_copia_cola,
    linhaDigitavel: row.linha_digitavel,
    codigoBarras: row.codigo_barras,
  };
}
