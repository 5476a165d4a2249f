import type { Knex } from 'knex';
import { fimDoDiaEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';
import type { FiltroDeNotas } from './lista.types.ts';

export interface LinhaDaListaRow {
  id: number;
  fatura_id: number;
  cliente_id: number;
  cliente_nome: string | null;
  situacao: SituacaoNfcom;
  finalidade: 'normal' | 'substituicao' | 'ajuste';
  ambiente: AmbienteNfcom;
  serie: number | null;
  numero: number | null;
  valor: string;
  referida_em: string | null;
  motivo_codigo: string | null;
  motivo: string | null;
}

export const DA_LISTA = columns<LinhaDaListaRow>('nfcom', {
  id: true,
  fatura_id: true,
  cliente_id: true,
  cliente_nome: 'clientes.nome',
  situacao: true,
  finalidade: true,
  ambiente: true,
  serie: true,
  numero: true,
  valor: true,
  referida_em: true,
  motivo_codigo: true,
  motivo: true,
});

export interface NotaInteiraRow extends LinhaDaListaRow {
  chave: string | null;
  protocolo: string | null;
  pedida_em: string | null;
  emitida_em: string | null;
  autorizada_em: string | null;
  cancelada_em: string | null;
  tipo_emissao: number;
  substitui_id: number | null;
  etapa: string | null;
  proxima_em: string | null;
  recusas: string | { codigo: string; mensagem: string }[] | null;
  tem_xml: number;
}

const INTEIRA = columns<NotaInteiraRow>('nfcom', {
  ...DA_LISTA.of,
  chave: true,
  protocolo: true,
  pedida_em: true,
  emitida_em: true,
  autorizada_em: true,
  cancelada_em: true,
  tipo_emissao: true,
  substitui_id: true,
  etapa: true,
  proxima_em: true,
  recusas: true,
  tem_xml: 'nfcom.xml_autorizado IS NOT NULL',
});

const DOCUMENTO = columns<{ xml_autorizado: Buffer | null }>('nfcom', { xml_autorizado: true });

const DERIVADA = columns<{ id: number; finalidade: string; situacao: SituacaoNfcom }>('nfcom', {
  id: true,
  finalidade: true,
  situacao: true,
});

const DA_TENTATIVA = columns<{
  operacao: 'envio' | 'consulta' | 'cancelamento';
  codigo: string | null;
  erro: string | null;
  em: string;
}>('nfcom_tentativas', { operacao: true, codigo: true, erro: true, em: true });

const DO_EVENTO = columns<{
  estado: 'pendente' | 'registrado' | 'recusado';
  justificativa: string;
  codigo: string | null;
  motivo: string | null;
  pedido_em: string;
}>('nfcom_eventos', { estado: true, justificativa: true, codigo: true, motivo: true, pedido_em: true });

const CONTADA = expressions<{ situacao: SituacaoNfcom; quantas: number }>({
  situacao: 'nfcom.situacao',
  quantas: 'COUNT(*)',
});

export interface RejeicaoRow {
  codigo: string | null;
  motivo: string | null;
  quantas: number;
}

/** What was said of one of them stands for all of its code. */
const REJEICAO = expressions<RejeicaoRow>({
  codigo: 'nfcom.motivo_codigo',
  motivo: 'MIN(nfcom.motivo)',
  quantas: 'COUNT(*)',
});

/** Attempts that a page shows. */
const MAIS_TENTATIVAS = 20;

export const comCliente = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.leftJoin('clientes', sameTenant('nfcom', 'cliente_id', 'clientes', 'id'));

/** Leaves of some notes those that a filter finds. @param fuso of the provider, whose days the filter's are */
export function filtrarNotas(
  query: Knex.QueryBuilder,
  fuso: string,
  { situacao, clienteId, de, ate }: FiltroDeNotas,
): void {
  if (situacao !== undefined) query.where('nfcom.situacao', situacao);
  if (clienteId !== undefined) query.where('nfcom.cliente_id', clienteId);
  if (de !== undefined) query.where('nfcom.referida_em', '>=', toDatabaseTime(inicioDoDiaEm(fuso, de)));
  if (ate !== undefined) query.where('nfcom.referida_em', '<=', toDatabaseTime(fimDoDiaEm(fuso, ate)));
}

export function createListaDeNotasQueries(tenant: TenantDb, fuso: string) {
  const filtrar = (query: Knex.QueryBuilder, filtro: FiltroDeNotas): void => filtrarNotas(query, fuso, filtro);

  return {
    /** The newest first; the place after a row is its day and id. Of a client by his own index, in the order of ids. */
    async pagina(
      filtro: FiltroDeNotas,
      depoisDe: readonly [em: string | null, id: number] | null,
      limite: number,
    ): Promise<LinhaDaListaRow[]> {
      const deCliente = filtro.clienteId !== undefined;
      const indice = deCliente
        ? 'nfcom_cliente'
        : filtro.situacao === undefined
          ? 'nfcom_referida'
          : 'nfcom_situacao_referida';
      const query = comCliente(tenant.from('nfcom', indice)).modify(filtrar, filtro);
      if (depoisDe !== null) {
        const [em, id] = depoisDe;
        if (deCliente) query.where('nfcom.id', '<', id);
        else if (em === null) query.whereNull('nfcom.referida_em').where('nfcom.id', '<', id);
        else {
          query.where(
            (q) =>
              void q
                .where('nfcom.referida_em', '<', em)
                .orWhere((igual) => void igual.where('nfcom.referida_em', em).where('nfcom.id', '<', id))
                .orWhereNull('nfcom.referida_em'),
          );
        }
      }
      const ordenada = deCliente
        ? query.orderBy('nfcom.id', 'desc')
        : query.orderBy([
            { column: 'nfcom.referida_em', order: 'desc' },
            { column: 'nfcom.id', order: 'desc' },
          ]);
      return rowsOf(ordenada.limit(limite), DA_LISTA);
    },

    /** How many notes of some states there are. The index begins with the state: of each, a period is one stretch of it. */
    async porSituacao(
      situacoes: readonly SituacaoNfcom[],
      { clienteId, de, ate }: FiltroDeNotas,
    ): Promise<{ situacao: SituacaoNfcom; quantas: number }[]> {
      const indice = clienteId === undefined ? 'nfcom_situacao_referida' : 'nfcom_cliente';
      const delas = tenant.from('nfcom', indice).whereIn('nfcom.situacao', [...situacoes]);
      return rowsOf(delas.modify(filtrar, { clienteId, de, ate }).groupBy('nfcom.situacao'), CONTADA);
    },

    /** Why notes were rejected, the commonest first. */
    async rejeicoes(filtro: FiltroDeNotas, limite: number): Promise<RejeicaoRow[]> {
      const delas = tenant
        .from('nfcom', 'nfcom_situacao_referida')
        .modify(filtrar, { ...filtro, situacao: 'rejeitada' });
      const ordenadas = delas.groupBy('nfcom.motivo_codigo').orderByRaw('COUNT(*) DESC, nfcom.motivo_codigo');
      return rowsOf(ordenadas.limit(limite), REJEICAO);
    },

    async documento(id: number): Promise<Buffer | null> {
      const [row] = await rowsOf(tenant.from('nfcom').where('nfcom.id', id), DOCUMENTO);
      return row?.xml_autorizado ?? null;
    },

    async inteira(id: number): Promise<NotaInteiraRow | undefined> {
      const [row] = await rowsOf(comCliente(tenant.from('nfcom')).where('nfcom.id', id), INTEIRA);
      return row;
    },

    /** Notes that correct or adjust one: they are of its invoice. */
    async derivadas(
      id: number,
      faturaId: number,
    ): Promise<{ id: number; finalidade: string; situacao: SituacaoNfcom }[]> {
      const dela = tenant.from('nfcom', 'nfcom_fatura').where('fatura_id', faturaId).where('substitui_id', id);
      return rowsOf(dela.orderBy('nfcom.id'), DERIVADA);
    },

    async tentativas(nfcomId: number) {
      const delas = tenant.from('nfcom_tentativas', 'nfcom_tentativas_nota').where('nfcom_id', nfcomId);
      return rowsOf(delas.orderBy('nfcom_tentativas.id', 'desc').limit(MAIS_TENTATIVAS), DA_TENTATIVA);
    },

    async eventos(nfcomId: number) {
      const deles = tenant.from('nfcom_eventos', 'nfcom_eventos_nota').where('nfcom_id', nfcomId);
      return rowsOf(deles.orderBy('nfcom_eventos.id', 'desc').limit(MAIS_TENTATIVAS), DO_EVENTO);
    },
  };
}
