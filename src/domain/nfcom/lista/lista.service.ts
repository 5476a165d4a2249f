import { fimDoDiaEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { ItemLido } from '../../../brazil/nfcom/itens/itens.leitura.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createRejeitadasQueries } from '../emissao/rejeitadas.queries.ts';
import type { FiltroDeRejeitadas } from '../emissao/rejeitadas.queries.ts';
import { foiAutorizada } from '../nfcom.regras.ts';
import { SITUACOES_DE_NFCOM, TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';
import { createListaDeNotasQueries } from './lista.queries.ts';
import type { LinhaDaListaRow, NotaDoMesRow } from './lista.queries.ts';
import type { FiltroDeNotas, NotaDaLista, NotaDoMes, NotaInteira, NotasDoDia, PaginaDeNotas } from './lista.types.ts';

export type ListaDeNotasService = ReturnType<typeof createListaDeNotasService>;

/** Of how many days the notes that are done are counted. */
export const DIAS_CONTADOS = 90;
const POR_PAGINA = 50;
/** Reasons of a day that are told. */
const MAIS_MOTIVOS = 5;
/** Documents of a month that are held at a time; one has at most 1 MiB, and usually some KiB. */
const POR_LOTE = 100;

/** Fiscal notes as the staff sees them. */
export function createListaDeNotasService({
  tenant,
  provedor,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
}) {
  const { fusoHorario: fuso } = provedor;
  const queries = createListaDeNotasQueries(tenant, fuso);
  const rejeitadas = createRejeitadasQueries(tenant, fuso);
  return {
    /** Fifty notes, the newest first; `depoisDe` is what the page before gave as `proxima`, and what is none begins anew. */
    async listar(filtro: FiltroDeNotas, depoisDe: string | null = null): Promise<PaginaDeNotas> {
      const rows = await queries.pagina(filtro, lerLugar(depoisDe), POR_PAGINA + 1);
      const desta = rows.slice(0, POR_PAGINA);
      const ultima = desta.at(-1);
      const proxima = rows.length > POR_PAGINA && ultima !== undefined ? [ultima.referida_em, ultima.id] : null;
      return {
        itens: desta.map(paraLinha),
        proxima: proxima === null ? null : Buffer.from(JSON.stringify(proxima)).toString('base64url'),
      };
    },

    /**
     * How many notes there are in each state; `situacao` of the filter does not count. Without a period, those that are done are of the last
     * {@link DIAS_CONTADOS} days, so that what is read does not grow with the years; those that wait for something are all counted.
     */
    async porSituacao(filtro: FiltroDeNotas, hoje: Data): Promise<Readonly<Record<SituacaoNfcom, number>>> {
      const semPeriodo = filtro.de === undefined && filtro.ate === undefined;
      const prontas = semPeriodo ? { ...filtro, de: somarDias(hoje, -DIAS_CONTADOS) } : filtro;
      const esperando = SITUACOES_DE_NFCOM.filter((uma) => !foiAutorizada(uma));
      const rows = (
        await Promise.all([
          queries.porSituacao(SITUACOES_DE_NFCOM.filter(foiAutorizada), prontas),
          queries.porSituacao(esperando, filtro),
        ])
      ).flat();
      const contadas = new Map(rows.map(({ situacao, quantas }) => [situacao, quantas]));
      const de = (uma: SituacaoNfcom): number => contadas.get(uma) ?? 0;
      return Object.fromEntries(SITUACOES_DE_NFCOM.map((uma) => [uma, de(uma)])) as Record<SituacaoNfcom, number>;
    },

    /** How many rejected notes would be issued anew together, of those in which environment the provider issues now, and of the other. */
    async aReemitir(
      filtro: FiltroDeRejeitadas,
    ): Promise<{ readonly ambiente: AmbienteNfcom; readonly quantas: number; readonly deOutroAmbiente: number }> {
      const [{ ambiente }, rows] = await Promise.all([lerConfiguracaoNfcom(tenant), rejeitadas.quantas(filtro)]);
      const total = rows.reduce((soma, { quantas }) => soma + quantas, 0);
      const quantas = rows.find((uma) => uma.ambiente === ambiente)?.quantas ?? 0;
      return { ambiente, quantas, deOutroAmbiente: total - quantas };
    },

    /** Of the notes of a day: how many there are in each state, and why those that were rejected were, the commonest reasons first. */
    async doDia(dia: Data): Promise<NotasDoDia> {
      const dele = { de: dia, ate: dia };
      const [porSituacao, rejeicoes] = await Promise.all([
        this.porSituacao(dele, dia),
        queries.rejeicoes(dele, MAIS_MOTIVOS),
      ]);
      return { porSituacao, rejeicoes };
    },

    /** The items of an authorised note, as its document says them; none where it has no document. */
    async itens(id: number): Promise<readonly ItemLido[]> {
      // What reads XML is loaded by the first who needs it.
      const { lerItensDaNota } = await import('../../../brazil/nfcom/itens/itens.leitura.ts');
      return lerItensDaNota((await queries.documento(id))?.toString('utf8') ?? '');
    },

    /** A note with all that has become of it; null where the provider has none of that id. */
    async buscar(id: number): Promise<NotaInteira | null> {
      const row = await queries.inteira(id);
      if (row === undefined) return null;
      const [derivadas, tentativas, eventos] = await Promise.all([
        queries.derivadas(id, row.fatura_id),
        queries.tentativas(id),
        queries.eventos(id),
      ]);
      return {
        ...paraLinha(row),
        chave: row.chave,
        protocolo: row.protocolo,
        pedidaEm: instante(row.pedida_em),
        emitidaEm: instante(row.emitida_em),
        autorizadaEm: instante(row.autorizada_em),
        canceladaEm: instante(row.cancelada_em),
        emContingencia: row.tipo_emissao === TIPO_DE_EMISSAO.contingencia,
        deOutra: row.substitui_id,
        porOutras: derivadas,
        etapa: row.etapa,
        proximaEm: instante(row.proxima_em),
        recusas: row.recusas === null ? [] : jsonColumn(row.recusas),
        temXml: row.tem_xml === 1,
        tentativas: tentativas.map(({ em, ...resto }) => ({ ...resto, em: fromDatabaseTime(em) })),
        cancelamentos: eventos.map(({ pedido_em, ...resto }) => ({ ...resto, pedidoEm: fromDatabaseTime(pedido_em) })),
      };
    },

    /**
     * Notes of an environment authorised in a month ('AAAA-MM' of the provider's place), some at a time: `depoisDe` is
     * the `lugar` of the part before. Those that were cancelled or replaced since are among them.
     */
    async doMes(
      { mes, ambiente }: MesDeNotas,
      depoisDe: LugarNoMes | null = null,
    ): Promise<{ readonly notas: readonly NotaDoMes[]; readonly lugar: LugarNoMes | null }> {
      const primeiro = `${mes}-01` as Data;
      const ultimo = somarDias(`${somarDias(primeiro, 32).slice(0, 8)}01` as Data, -1);
      const [de, ate] = [inicioDoDiaEm(fuso, primeiro), fimDoDiaEm(fuso, ultimo)];
      const rows = await queries.autorizadas(ambiente, de, ate, depoisDe, POR_LOTE);
      const ultima = rows.at(-1);
      return {
        notas: rows.map(paraNotaDoMes),
        lugar: rows.length < POR_LOTE || ultima === undefined ? null : [ultima.autorizada_em, ultima.id],
      };
    },
  };
}

/** Trials have numbers of their own, and nothing of them is taxed: they are no part of a month of real notes. */
export interface MesDeNotas {
  readonly mes: string;
  readonly ambiente: AmbienteNfcom;
}

/** A place in a month: the time of authorisation, as the database has it, and the id. */
export type LugarNoMes = readonly [em: string, id: number];

const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));

const paraLinha = (row: LinhaDaListaRow): NotaDaLista => ({
  id: row.id,
  faturaId: row.fatura_id,
  clienteId: row.cliente_id,
  clienteNome: row.cliente_nome ?? '',
  situacao: row.situacao,
  finalidade: row.finalidade,
  ambiente: row.ambiente,
  serie: row.serie,
  numero: row.numero,
  valor: lerDinheiro(row.valor),
  em: instante(row.referida_em),
  motivoCodigo: row.motivo_codigo,
  motivo: row.motivo,
});

const paraNotaDoMes = (row: NotaDoMesRow): NotaDoMes => ({
  id: row.id,
  faturaId: row.fatura_id,
  contratoId: row.contrato_id,
  clienteId: row.cliente_id,
  clienteNome: row.cliente_nome ?? '',
  clienteDocumento: row.cliente_documento,
  situacao: row.situacao,
  finalidade: row.finalidade,
  ambiente: row.ambiente,
  serie: row.serie,
  numero: row.numero,
  chave: row.chave,
  protocolo: row.protocolo,
  valor: lerDinheiro(row.valor),
  emitidaEm: instante(row.emitida_em),
  autorizadaEm: fromDatabaseTime(row.autorizada_em),
  canceladaEm: instante(row.cancelada_em),
  xml: row.xml_autorizado,
});

/** A place that a page before gave; null where it is something else. */
function lerLugar(texto: string | null): readonly [string | null, number] | null {
  if (texto === null) return null;
  try {
    const lido: unknown = JSON.parse(Buffer.from(texto, 'base64url').toString());
    const partes: readonly unknown[] = Array.isArray(lido) ? lido : [];
    const [em, id] = partes;
    const valem = (em === null || (typeof em === 'string' && /^[\d: .-]{19,23}$/.test(em))) && Number.isSafeInteger(id);
    return valem && typeof id === 'number' ? [typeof em === 'string' ? em : null, id] : null;
  } catch {
    return null;
  }
}
