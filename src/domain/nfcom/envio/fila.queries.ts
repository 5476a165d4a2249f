import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import type { Write } from '../../escrita.ts';
import { SIMULTANEAS } from '../configuracao/configuracao.types.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { ETAPAS } from './envio.types.ts';
import { SEM_AUTORIDADE } from './desfecho.regras.ts';
import type { Alvo, Etapa } from './envio.types.ts';
import { DA_FILA, FILA_NOVA, daOutra, lerFila } from './fila.row.ts';
import type { EstadoRow, FilaRow } from './fila.row.ts';
import { PERGUNTAS } from './turnos/turnos.regras.ts';

const DE_QUEM = expressions<{ provedor_id: number }>({ provedor_id: 'd.provedor_id' });

type DaAutoridade = 'parada_ate' | 'sem_perguntar_ate';
/** What the authority of a note's own environment has said. */
const dita = (nota: 'nfcom' | 'd', coluna: DaAutoridade): string =>
  `IF(${nota}.ambiente = COALESCE(c.ambiente, 'homologacao'), f.${coluna}, f.outra_${coluna})`;

/** The first of each stage, of each provider and environment. */
const PRIMEIRAS = `SELECT etapa, provedor_id, ambiente, MIN(proxima_em) AS desde FROM nfcom FORCE INDEX (nfcom_fila_do_ambiente)
  WHERE etapa IN (${ETAPAS.map((etapa) => `'${etapa}'`).join(', ')}) GROUP BY etapa, provedor_id, ambiente`;

/**
 * Providers of which something is to be done now, by name and on purpose: also where the authority is away, but notes are issued offline. While
 * people have paused it, only what was sent is asked about, and what was authorised cancelled. The index gives the first note of each stage,
 * provider and environment in one step, however many wait; it does not where the stage is one that is named alone.
 */
export async function comNotasDevidas(db: Db, agora: Date): Promise<Alvo[]> {
  const em = toDatabaseTime(agora);
  const ausente = [...SEM_AUTORIDADE];
  const espera = (coluna: DaAutoridade): string => `COALESCE(${dita('d', coluna)}, '') <= ?`;
  const rows = await rowsOfSql(
    db,
    DE_QUEM,
    (colunas) =>
      `SELECT DISTINCT ${colunas} FROM (${PRIMEIRAS}) d
         LEFT JOIN nfcom_filas f ON f.provedor_id = d.provedor_id
         LEFT JOIN nfcom_configuracoes c ON c.provedor_id = d.provedor_id
        WHERE d.desde <= ? AND (f.posse_ate IS NULL OR f.posse_ate <= ?)
          AND (IF(d.etapa = 'montar', f.parada_ate IS NULL OR f.parada_ate <= ?
              OR (c.contingencia_desde IS NOT NULL AND f.codigo IN (${ausente.map(() => '?').join(', ')})),
            ${espera('parada_ate')}))
          AND (f.pausada_em IS NULL OR d.etapa NOT IN ('montar', 'enviar'))
          AND (d.etapa NOT IN (${PERGUNTAS.map(() => '?').join(', ')}) OR ${espera('sem_perguntar_ate')})`,
    [em, em, em, ...ausente, em, ...PERGUNTAS, em],
  );
  const alvos = rows.map(({ provedor_id: provedorId }) => ({ provedorId }));
  return onlyHere(db, alvos, ({ provedorId }) => provedorId);
}

const DAS_FILAS = expressions<{ esperam: number; desde: string | null; paradas: number }>({
  esperam: 'COUNT(*)',
  desde: 'MIN(IF(f.pausada_em IS NULL, nfcom.proxima_em, NULL))',
  paradas: 'COUNT(DISTINCT f.provedor_id)',
});

/**
 * How many notes of all providers that live here wait for something to be done, by name and on purpose; since when the first of them is due
 * that nobody lets wait on purpose, and of how many providers they wait because the queue stands or was paused. The index holds the notes that wait, and none of the others is read.
 */
export async function situacaoDasFilas(
  db: Db,
  agora: Date,
): Promise<{ readonly esperam: number; readonly atrasoMs: number | null; readonly paradas: number }> {
  const [row] = await rowsOfSql(
    db,
    DAS_FILAS,
    (colunas) =>
      `SELECT ${colunas} FROM nfcom FORCE INDEX (nfcom_fila_do_ambiente)
         STRAIGHT_JOIN provedores p ON p.id = nfcom.provedor_id AND p.mudanca IS NULL
         LEFT JOIN nfcom_configuracoes c ON c.provedor_id = nfcom.provedor_id
         LEFT JOIN nfcom_filas f ON f.provedor_id = nfcom.provedor_id AND (${dita('nfcom', 'parada_ate')} > ?
             OR f.pausada_em IS NOT NULL OR (${dita('nfcom', 'sem_perguntar_ate')} IS NOT NULL
               AND nfcom.etapa IN (${PERGUNTAS.map(() => '?').join(', ')})))
        WHERE nfcom.etapa IS NOT NULL`,
    [toDatabaseTime(agora), ...PERGUNTAS],
  );
  const { esperam = 0, desde = null, paradas = 0 } = row ?? {};
  const atrasoMs = desde === null ? null : agora.getTime() - fromDatabaseTime(desde).getTime();
  return { esperam, atrasoMs: atrasoMs === null || atrasoMs < 0 ? null : atrasoMs, paradas };
}

/** Of the provider's settings: where notes are issued, how many may be with the authority at a time, and whether they are issued offline. */
export interface ComoVai {
  readonly ambiente: AmbienteNfcom;
  readonly simultaneas: number;
  readonly offline: boolean;
}

export interface DevidaRow {
  id: number;
  etapa: Etapa;
  fatura_id: number;
  ambiente: AmbienteNfcom;
  chave: string | null;
  protocolo: string | null;
  digest: string | null;
  tipo_emissao: number;
  emitida_em: string | null;
  proxima_em: string;
}

const DEVIDA = columns<DevidaRow>('nfcom', {
  id: true,
  etapa: true,
  fatura_id: true,
  ambiente: true,
  chave: true,
  protocolo: true,
  digest: true,
  tipo_emissao: true,
  emitida_em: true,
  proxima_em: true,
});
const DE_COMO_VAI = columns<{
  ambiente: AmbienteNfcom;
  simultaneas: number;
  contingencia_desde: string | null;
}>('nfcom_configuracoes', {
  ambiente: true,
  simultaneas: true,
  contingencia_desde: true,
});
const XML = columns<{ id: number; xml_assinado: Buffer | null }>('nfcom', { id: true, xml_assinado: true });
const DA_SITUACAO = columns<{ id: number; situacao: string }>('faturas', { id: true, situacao: true });
const DESFEITA: ReadonlySet<string> = new Set(['cancelada', 'estornada']);
const DA_ETAPA = columns<{ etapa: Etapa }>('nfcom', { etapa: true });

export function createFilaQueries(w: Write) {
  const doAmbiente = (ambiente: AmbienteNfcom) => w.tenant.from('nfcom', 'nfcom_fila_do_ambiente').where({ ambiente });

  /** Stages of which some note is due: usually one or two of the six. The index has the first of each in one step. */
  async function etapasDevidas(
    agora: Date,
    etapas: readonly Etapa[],
    ambiente: AmbienteNfcom,
  ): Promise<ReadonlySet<Etapa>> {
    const primeiras = doAmbiente(ambiente)
      .whereIn('etapa', [...etapas])
      .groupBy('etapa')
      .havingRaw('MIN(nfcom.proxima_em) <= ?', [toDatabaseTime(agora)]);
    return new Set((await rowsOf(primeiras, DA_ETAPA)).map(({ etapa }) => etapa));
  }

  return {
    /** The queue's row, which until the transaction ends nobody else has. */
    async travar(): Promise<FilaRow> {
      const [row] = await rowsOf(w.from('nfcom_filas').forUpdate(), DA_FILA);
      if (row !== undefined) return lerFila(row);
      await w.insert('nfcom_filas', {}, { soughtBefore: true });
      return FILA_NOVA;
    },

    async anotarNaFila(mudancas: object): Promise<void> {
      await w.update('nfcom_filas', () => {}, mudancas);
    },

    /** How the other authority answers. */
    async anotarDaOutra(mudancas: Partial<EstadoRow>): Promise<void> {
      await w.update('nfcom_filas', () => {}, daOutra(mudancas));
    },

    /**
     * The next notes of an environment in some stages, in the order of these; of each, in the order in which they were asked for.
     *
     * @param quantas of each stage, at most
     * @param menos ids of those that are under way here, whatever is due of them
     */
    async devidas(
      agora: Date,
      etapas: readonly Etapa[],
      quantas: number,
      menos: ReadonlySet<number>,
      ambiente: AmbienteNfcom,
    ): Promise<DevidaRow[]> {
      const achadas: DevidaRow[] = [];
      const comAlguma = await etapasDevidas(agora, etapas, ambiente);
      for (const etapa of etapas) {
        if (!comAlguma.has(etapa)) continue;
        const delas = doAmbiente(ambiente)
          .where({ etapa })
          .where('proxima_em', '<=', toDatabaseTime(agora))
          .whereNotIn('nfcom.id', [...menos]);
        achadas.push(...(await rowsOf(delas.orderBy(['proxima_em', 'id']).limit(quantas), DEVIDA)));
      }
      return achadas;
    },

    async comoVai(): Promise<ComoVai> {
      const [row] = await rowsOf(w.from('nfcom_configuracoes'), DE_COMO_VAI);
      return {
        ambiente: row?.ambiente ?? 'homologacao',
        simultaneas: row?.simultaneas ?? SIMULTANEAS,
        offline: (row?.contingencia_desde ?? null) !== null,
      };
    },

    async tomar(ids: readonly number[], mudancas: object): Promise<void> {
      await w.update('nfcom', (q) => void q.whereIn('id', [...ids]), mudancas);
    },

    /** The signed bytes of notes, by their ids. */
    async xmls(ids: readonly number[]): Promise<ReadonlyMap<number, Buffer | null>> {
      const rows = ids.length === 0 ? [] : await rowsOf(w.from('nfcom').whereIn('id', [...ids]), XML);
      return new Map(rows.map(({ id, xml_assinado }) => [id, xml_assinado]));
    },

    /** Those of some invoices that were cancelled or returned; the others are neither until this transaction has ended. */
    async desfeitas(faturaIds: readonly number[]): Promise<ReadonlySet<number>> {
      if (faturaIds.length === 0) return new Set();
      const todas = w.from('faturas').whereIn('id', [...faturaIds]);
      const rows = await rowsOf(todas.forShare(), DA_SITUACAO);
      return new Set(rows.filter(({ situacao }) => DESFEITA.has(situacao)).map(({ id }) => id));
    },
  };
}
