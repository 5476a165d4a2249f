import { randomInt } from 'node:crypto';
import type { DocumentoAssinado, LoteDeNotas } from '../../../../workers/threads/nfcom/contract.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { DadosDaNota, Finalidade, MotivoDaSubstituicao } from '../../../brazil/nfcom/base/nota.types.ts';
import { montarNota } from '../../../brazil/nfcom/nota.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Threads } from '../../../platform/threads/threads.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lugarDoCsrt } from '../configuracao/configuracao.service.ts';
import { createConfiguracaoNfcomQueries } from '../configuracao/configuracao.queries.ts';
import type { ConfiguracaoNfcom } from '../configuracao/configuracao.types.ts';
import { faltasDoEmitente, lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { DA_NOTA } from '../emissao/emissao.queries.ts';
import type { NotaRow } from '../emissao/emissao.queries.ts';
import { MOTIVOS_DE_RECUSA } from '../emissao/emissao.types.ts';
import type { MotivoDeRecusaNfcom } from '../emissao/emissao.types.ts';
import { TIPO_DE_EMISSAO } from '../nfcom.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { tomarNumeros, verNumeros } from '../emissao/numeros.ts';
import { semVolta } from '../emissao/prazos.regras.ts';
import { lerContexto } from '../nota/contexto.ts';
import { montarDados } from '../nota/montagem.regras.ts';
import type { NotaAMontar } from '../nota/montagem.regras.ts';
import { createEstado, travarNotas } from './estado.ts';
import type { Identidades } from './identidade.ts';

interface AMontarRow extends NotaRow {
  codigo_numerico: string | null;
  pedido: string | Pedido | null;
}

/** What was asked for besides, of a substitution or an ajuste. */
interface Pedido {
  readonly motivo?: MotivoDaSubstituicao;
  readonly itens?: readonly { readonly item: number; readonly valor: Centavos }[];
}

const A_MONTAR = columns<AMontarRow>('nfcom', { ...DA_NOTA.of, codigo_numerico: true, pedido: true });

export interface PreparoDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
  readonly threads: Pick<Threads, 'run'>;
  readonly identidadeDe: Identidades;
  readonly autor: Actor;
}

interface Motivo {
  readonly codigo: string;
  readonly mensagem: string;
}

/** Why nothing could be prepared; null: it was. */
export type Impedimento = { readonly codigo: string; readonly motivo: string } | null;

/**
 * Builds notes, numbers them and signs them; numbers, keys and signed bytes are committed together, before anything is sent. The numbers are
 * only looked at until then: where another process has taken one meanwhile, all of it is thrown away and done anew.
 */
export function createPreparo({ db, write, relogio, segredos, threads, identidadeDe, autor }: PreparoDeps) {
  async function csrtDe(tenant: TenantDb, { responsavel }: ConfiguracaoNfcom): Promise<string | null> {
    if (responsavel === null || responsavel.csrtId === null) return null;
    const row = await createConfiguracaoNfcomQueries(tenant).ler();
    const selado = row?.responsavel_csrt ?? null;
    return selado === null ? null : segredos.open(lugarDoCsrt(tenant.provedorId), selado).toString();
  }

  return async function preparar(provedor: Provedor, ids: readonly number[]): Promise<Impedimento> {
    const tenant = createTenantDb(db, provedor.id);
    const agora = relogio.agora();
    const configuracao = await lerConfiguracaoNfcom(tenant);
    const [falta] = faltasDoEmitente(configuracao);
    const { cnpj } = configuracao.emitente;
    if (falta !== undefined || cnpj === null) return { codigo: 'sem_configuracao', motivo: falta?.mensagem ?? '' };
    const identidade = await identidadeDe(tenant, cnpj, agora);
    if (!identidade.certa) return identidade;

    const rows = await rowsOf(
      tenant
        .from('nfcom')
        .whereIn('nfcom.id', [...ids])
        .where('etapa', 'montar')
        .orderBy('nfcom.id'),
      A_MONTAR,
    );
    const contexto = await lerContexto(
      tenant,
      provedor,
      configuracao,
      [...new Set(rows.map(({ fatura_id }) => fatura_id))],
      agora,
    );
    const anteriores = await anterioresDe(tenant, rows);
    const csrt = await csrtDe(tenant, configuracao);
    const { ambiente, serie } = configuracao;
    const numeracao = { ambiente, serie };
    const proximo = await createConfiguracaoNfcomQueries(tenant).proximo(numeracao);
    const livres = await verNumeros(tenant, numeracao, proximo, rows.length);

    const recusadas = new Map<number, readonly Motivo[]>();
    const boas: {
      readonly row: AMontarRow;
      readonly dados: DadosDaNota;
      readonly contratoId: number;
      readonly novo: boolean;
    }[] = [];
    let novas = 0;
    for (const row of rows) {
      const deOutro = deOutroAmbiente(row, anteriores, ambiente);
      if (deOutro !== null) {
        recusadas.set(row.id, [{ codigo: deOutro, mensagem: MOTIVOS_DE_RECUSA[deOutro] }]);
        continue;
      }
      const novo = row.numero === null || row.serie === null;
      const nota: NotaAMontar = {
        faturaId: row.fatura_id,
        contratoId: row.contrato_id,
        serie: novo ? serie : (row.serie ?? serie),
        numero: novo ? (livres[novas] ?? 0) : (row.numero ?? 0),
        codigoNumerico: row.codigo_numerico ?? String(randomInt(10_000_000)).padStart(7, '0'),
        emitidaEm: agora,
        emContingencia: configuracao.contingencia !== null && row.finalidade === 'normal',
        csrt,
        ...(await doPedido(row, anteriores)),
      };
      const montada = montarDados(provedor, contexto, nota);
      const conferida = montada.certo ? montarNota(montada.dados, () => '') : null;
      if (montada.certo && conferida?.certo === true) {
        boas.push({ row, dados: montada.dados, contratoId: montada.contratoId, novo });
        if (novo) novas += 1;
      } else if (!montada.certo) recusadas.set(row.id, montada.motivos);
      else if (conferida?.certo === false) recusadas.set(row.id, conferida.recusas);
    }
    const assinadas =
      boas.length === 0
        ? []
        : await threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', {
            chave: identidade.certificado,
            esquema: configuracao.esquema,
            documentos: boas.map(({ dados }) => ({ tipo: 'nota', dados })),
          });
    // What the schema refuses has no number, so those after it would have others: they are built again.
    const primeira = assinadas.findIndex(({ certo }) => !certo);
    const prontas = primeira === -1 ? boas : boas.slice(0, primeira);
    const errada = assinadas[primeira];
    const daErrada = boas[primeira]?.row.id;
    if (errada?.certo === false && daErrada !== undefined) recusadas.set(daErrada, errada.recusas);

    await write(autor, provedor.id, async (w) => {
      const estado = createEstado(w, agora);
      const quantos = prontas.filter(({ novo }) => novo).length;
      const numeros = quantos === 0 ? [] : await tomarNumeros(w, numeracao, quantos);
      if (numeros.some((numero, n) => numero !== livres[n])) throw new OutroTomou();
      const travadas = await travarNotas(w, [...prontas.map(({ row }) => row.id), ...recusadas.keys()]);
      for (const [n, { row, dados, contratoId }] of prontas.entries()) {
        const assinada = assinadas[n];
        const antes = travadas.get(row.id);
        if (antes === undefined || antes.etapa !== 'montar' || assinada?.certo !== true) throw new OutroTomou();
        await estado.guardarVersao(antes, null);
        await estado.mudar(antes, {
          situacao: 'processando',
          etapa: 'enviar',
          contrato_id: contratoId,
          ambiente,
          serie: dados.serie,
          numero: dados.numero,
          codigo_numerico: dados.codigoNumerico,
          tipo_emissao: TIPO_DE_EMISSAO[dados.contingencia === null ? 'normal' : 'contingencia'],
          chave: assinada.chave,
          digest: assinada.digest,
          valor: escreverDinheiro(assinada.totais?.nota ?? (0 as Centavos)),
          xml_assinado: Buffer.from(assinada.xml),
          emitida_em: toDatabaseTime(agora),
          proxima_em: toDatabaseTime(agora),
          tentativas: 0,
        });
      }
      for (const [id, motivos] of recusadas) {
        const nota = travadas.get(id);
        if (nota === undefined || nota.etapa !== 'montar') continue;
        const [{ codigo, mensagem } = { codigo: 'esquema', mensagem: '' }] = motivos;
        // One that has a key is here because the authority does not have it.
        if (nota.numero !== null && semVolta(codigo)) await estado.solta(nota, codigo, mensagem);
        else await estado.rejeitada(nota, codigo, mensagem, motivos);
      }
    }).catch((error: unknown) => {
      if (!(error instanceof OutroTomou)) throw error;
    });
    return null;
  };
}

/** Why a note that was asked for in a trial is none of the real ones, to which the provider has gone over since, and the other way round. */
function deOutroAmbiente(
  { substitui_id, ambiente }: AMontarRow,
  anteriores: ReadonlyMap<number, AnteriorRow>,
  deAgora: AmbienteNfcom,
): MotivoDeRecusaNfcom | null {
  if (substitui_id !== null && anteriores.get(substitui_id)?.ambiente !== deAgora) return 'nota_de_outro_ambiente';
  return ambiente === deAgora ? null : 'pedida_em_outro_ambiente';
}

/** Another process was quicker, or somebody changed a note meanwhile. */
class OutroTomou extends Error {}

/** A note that a substitution or an ajuste is of. */
interface AnteriorRow {
  id: number;
  ambiente: AmbienteNfcom;
  chave: string | null;
  xml_autorizado: Buffer | null;
}

const ANTERIOR = columns<AnteriorRow>('nfcom', { id: true, ambiente: true, chave: true, xml_autorizado: true });

/** The notes that substitutions and ajustes are of. */
async function anterioresDe(tenant: TenantDb, rows: readonly AMontarRow[]): Promise<ReadonlyMap<number, AnteriorRow>> {
  const ids = rows.flatMap(({ substitui_id: id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const delas = await rowsOf(tenant.from('nfcom').whereIn('nfcom.id', ids), ANTERIOR);
  return new Map(delas.map((row) => [row.id, row]));
}

async function doPedido(
  { finalidade, substitui_id, pedido }: AMontarRow,
  anteriores: ReadonlyMap<number, AnteriorRow>,
): Promise<{ readonly finalidade: Finalidade; readonly ajuste: NotaAMontar['ajuste'] }> {
  const anterior = substitui_id === null ? undefined : anteriores.get(substitui_id);
  const chave = anterior?.chave ?? '';
  const lido = pedido === null ? {} : jsonColumn<Pedido>(pedido);
  if (finalidade === 'substituicao') {
    return { finalidade: { tipo: 'substituicao', chave, motivo: lido.motivo ?? '02' }, ajuste: null };
  }
  if (finalidade === 'ajuste') {
    // What reads XML is loaded by the first who needs it.
    const { lerItensDaNota } = await import('../../../brazil/nfcom/itens/itens.leitura.ts');
    const daNota = lerItensDaNota(anterior?.xml_autorizado?.toString('utf8') ?? '');
    return { finalidade: { tipo: 'ajuste', entrada: false }, ajuste: { chave, itens: lido.itens ?? [], daNota } };
  }
  return { finalidade: { tipo: 'normal' }, ajuste: null };
}
