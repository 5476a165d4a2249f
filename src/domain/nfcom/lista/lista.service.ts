import { fimDoDiaEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { ItemLido } from '../../../brazil/nfcom/itens/itens.leitura.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { rowsOf } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { exigirAmbiente } from '../ambiente.regras.ts';
import { cancelaveisAgora } from './cancelaveis.ts';
import { createCancelaveisQueries } from './cancelaveis.queries.ts';
import type { Cancelaveis, Contagem, FiltroDeCancelaveis } from './cancelaveis.queries.ts';
import { contarDesistidas, desistidasContadas } from '../desistencia/desistidas.ts';
import type { ContagemDeDesistidas } from '../desistencia/desistidas.queries.ts';
import { createRejeitadasQueries } from './rejeitadas.queries.ts';
import type { FiltroDeRejeitadas } from './rejeitadas.queries.ts';
import { foiAutorizada } from '../nfcom.regras.ts';
import { SITUACOES_DE_NFCOM, TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import type { AmbienteNfcom, SituacaoNfcom } from '../nfcom.types.ts';
import { createListaDeNotasQueries } from './lista.queries.ts';
import type { LinhaDaListaRow } from './lista.queries.ts';
import { createMesDeNotasQueries } from './mes.queries.ts';
import type { EventoDoMesRow, NotaDoMesRow } from './mes.queries.ts';
import { QUANTAS_POR_SAIR, porSair } from './por-sair.queries.ts';
import type { ContagemDePorSair } from './por-sair.queries.ts';
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
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
}) {
  const { fusoHorario: fuso } = provedor;
  const queries = createListaDeNotasQueries(tenant, fuso);
  const doMes = createMesDeNotasQueries(tenant);
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

    /** What notes are not with the authority yet and may still be given up together; see `por-sair.queries.ts`. */
    async quantasPorSair(filtro: FiltroDeNotas): Promise<ContagemDePorSair> {
      const em = relogio.agora();
      const [row] = await rowsOf(porSair(tenant, fuso, filtro), QUANTAS_POR_SAIR);
      return { notas: row?.notas ?? 0, ultima: row?.ultima ?? 0, soma: row?.soma ?? 0, em };
    },

    /** What authorised notes may be cancelled together now, and since when these were authorised; see `cancelaveis.queries.ts`. */
    async aCancelar(filtro: FiltroDeCancelaveis, agora: Date): Promise<Contagem & Pick<Cancelaveis, 'desde'>> {
      const quais = await cancelaveisAgora(tenant, fuso, agora);
      return { ...(await createCancelaveisQueries(tenant, fuso).contar(filtro, quais)), desde: quais.desde };
    },

    /**
     * Ids of the notes that were counted by {@link aCancelar} before, and whether they are those and no others: one that was asked for before may
     * have been authorised since, and by an hour from before that.
     *
     * @throws Recusa `nfcom_nao_autorizada` where they are of the other environment by now
     */
    async contadas(
      filtro: FiltroDeCancelaveis,
      agora: Date,
      contagem: Contagem,
    ): Promise<{ readonly ids: readonly number[]; readonly mesmas: boolean }> {
      const quais = await cancelaveisAgora(tenant, fuso, agora);
      exigirAmbiente(contagem.ambiente, quais.ambiente, 'nfcom_nao_autorizada');
      const ids = await createCancelaveisQueries(tenant, fuso).ids(filtro, quais, contagem);
      const soma = String(ids.reduce((total, id) => total + BigInt(id), 0n));
      return { ids, mesmas: ids.length === contagem.notas && soma === contagem.soma };
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

    /** In place of what notes that were given up together others would be asked for; see `desistidas.ts`. */
    desistidas: async (filtro: FiltroDeRejeitadas): Promise<ContagemDeDesistidas> =>
      contarDesistidas(tenant, fuso, filtro),

    /** @throws Recusa `transicao_invalida` where those that were counted are not the same any more */
    desistidasContadas: async (filtro: FiltroDeRejeitadas, contagem: ContagemDeDesistidas) =>
      desistidasContadas(tenant, fuso, filtro, contagem),

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
     * Notes of an environment authorised in a month ('AAAA-MM' of the provider's place), and then those authorised before that were cancelled or
     * replaced in it, some at a time: `depoisDe` is the `lugar` of the part before.
     */
    async doMes(
      { mes, ambiente }: MesDeNotas,
      depoisDe: LugarNoMes | null = null,
    ): Promise<{ readonly notas: readonly NotaDoMes[]; readonly lugar: LugarNoMes | null }> {
      const primeiro = `${mes}-01` as Data;
      const ultimo = somarDias(`${somarDias(primeiro, 32).slice(0, 8)}01` as Data, -1);
      const [de, ate] = [inicioDoDiaEm(fuso, primeiro), fimDoDiaEm(fuso, ultimo)];
      const parte = depoisDe?.parte ?? 'autorizadas';
      const rows = await doMes[parte](ambiente, de, ate, depoisDe?.ultima ?? null, POR_LOTE);
      const noMes = (row: NotaDoMesRow): boolean =>
        row.cancelada_em !== null && fromDatabaseTime(row.cancelada_em) <= ate;
      const eventos = await doMes.cancelamentos(rows.filter(noMes).map(({ id }) => id));
      const notas: NotaDoMes[] = [];
      for (const row of rows) {
        const cancelamento = await documentoDoCancelamento(eventos.get(row.id));
        const daqui = { autorizada: parte === 'autorizadas', cancelada: noMes(row) };
        notas.push({ ...paraNotaDoMes(row), cancelamento, noMes: daqui });
      }
      return { notas, lugar: lugarDepois(parte, rows) };
    },

    /** The document of a note's cancellation (procEventoNFCom); null where there is none. */
    async cancelamento(id: number): Promise<Buffer | null> {
      return documentoDoCancelamento((await doMes.cancelamentos([id])).get(id));
    },
  };
}

/** Trials have numbers of their own, and nothing of them is taxed: they are no part of a month of real notes. */
export interface MesDeNotas {
  readonly mes: string;
  readonly ambiente: AmbienteNfcom;
}

/** A place in a month: in which of its two parts, and after which note, by the time that the part goes by, as the database has it, and the id. */
export interface LugarNoMes {
  readonly parte: 'autorizadas' | 'canceladas';
  /** Null: at its beginning. */
  readonly ultima: readonly [em: string, id: number] | null;
}

function lugarDepois(parte: LugarNoMes['parte'], rows: readonly NotaDoMesRow[]): LugarNoMes | null {
  const ultima = rows.at(-1);
  if (rows.length === POR_LOTE && ultima !== undefined) {
    const em = parte === 'autorizadas' ? ultima.autorizada_em : ultima.cancelada_em;
    return { parte, ultima: [em ?? '', ultima.id] };
  }
  return parte === 'autorizadas' ? { parte: 'canceladas', ultima: null } : null;
}

async function documentoDoCancelamento(row: EventoDoMesRow | undefined): Promise<Buffer | null> {
  if (row === undefined || row.xml_resposta === null) return null;
  // What reads XML is loaded by the first who needs it.
  const { montarEventoProcessado } = await import('../../../brazil/nfcom/autoridade/evento-processado.ts');
  const xml = montarEventoProcessado(row.xml_assinado?.toString('utf8') ?? null, row.xml_resposta.toString('utf8'));
  return xml === null ? null : Buffer.from(xml);
}

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

const paraNotaDoMes = (row: NotaDoMesRow): Omit<NotaDoMes, 'cancelamento' | 'noMes'> => ({
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
