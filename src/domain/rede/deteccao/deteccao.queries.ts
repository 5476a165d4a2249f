import { columns, expressions, rowsOf, rowsOfSql } from '../../../platform/mysql/columns.ts';
import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { onlyHere } from '../../../platform/mysql/moving.ts';
import { READ_TIMEOUT_MS, sameTenant } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { SEM_RESPOSTA } from '../../conexoes/sessoes.regras.ts';
import { COBRE, COM_LINHA } from '../avisos/cobertura.queries.ts';
import { previsaoVencidaAntesDe } from '../avisos/explicacao.regras.ts';
import { JANELA_SEGUNDOS, LIMIARES_PADRAO } from './deteccao.regras.ts';
import type { QuedasDoSegundo } from './deteccao.regras.ts';

/** A minute of a server in which lines dropped that nobody has looked at yet. */
export interface MinutoRow {
  provedor_id: number;
  nas: string;
  minuto: string;
  quedas: number;
  /** With those of the minutes before and after it. */
  perto: number;
  minimo: number;
  percentual: number;
}

const DO_MINUTO = columns<MinutoRow>('d', {
  provedor_id: true,
  nas: true,
  minuto: true,
  quedas: true,
  // MariaDB makes decimals of these, which come as text.
  perto: 'CAST(d.quedas + COALESCE(a.quedas, 0) + COALESCE(b.quedas, 0) AS UNSIGNED)',
  minimo: `CAST(COALESCE(p.queda_minimo, ${LIMIARES_PADRAO.minimo}) AS UNSIGNED)`,
  percentual: `CAST(COALESCE(p.queda_percentual, ${LIMIARES_PADRAO.percentual}) AS UNSIGNED)`,
});

const DO_DETECTADO = columns<{ provedor_id: number; id: number }>('avisos_de_rede', { provedor_id: true, id: true });

/** Servers that one run looks at, and minutes of each from either end of what waits. */
const MAIS_SERVIDORES = 1000;
const MINUTOS_DE_CADA_PONTA = 5;

/** A server of which minutes wait, the first and the last of them. */
interface LugarRow {
  provedor_id: number;
  nas: string;
  de: string;
  ate: string;
}

const MINUTOS = `JSON_TABLE(?, '$[*]' COLUMNS (
    provedor_id BIGINT UNSIGNED PATH '$[0]', nas VARCHAR(15) CHARACTER SET ascii COLLATE ascii_bin PATH '$[1]',
    minuto DATETIME PATH '$[2]', quedas INT UNSIGNED PATH '$[3]'
  )) AS lidos
  STRAIGHT_JOIN rede_quedas d ON d.provedor_id = lidos.provedor_id AND d.nas = lidos.nas AND d.minuto = lidos.minuto`;

const VIZINHO = (nome: string, passo: string): string =>
  `LEFT JOIN rede_quedas ${nome} ON ${nome}.provedor_id = d.provedor_id AND ${nome}.nas = d.nas
     AND ${nome}.minuto = d.minuto ${passo} INTERVAL 1 MINUTE`;

/**
 * The first or the last minute of a server that waits, by one look into the index. The columns stand on the right because the rule against
 * filtering `provedor_id` by hand reads texts only, and this query crosses tenants on purpose.
 */
const PONTA = (ordem: 'ASC' | 'DESC', provedor: string, nas: string): string =>
  `(SELECT q.minuto FROM rede_quedas q FORCE INDEX (rede_quedas_por_avaliar)
     WHERE q.por_avaliar = 1 AND ${provedor} = q.provedor_id AND ${nas} = q.nas ORDER BY q.minuto ${ordem} LIMIT 1)`;

/** provedores_nas keeps the address in another character set; compared as it is, it may not be found by the index of rede_quedas. */
const NAS_EM_ASCII = 'CONVERT(n.nasipaddress USING ascii) COLLATE ascii_bin';

/**
 * Servers that have something to be looked at: the one of each provider that has the newest minute, then the next one of each, and so on. Each
 * server is asked for it: grouped, every minute that waits would be read. Where nothing waits, none is asked.
 */
const POR_VEZ = `
  SELECT l.*, ROW_NUMBER() OVER (PARTITION BY l.provedor_id ORDER BY l.ate DESC, l.nas) AS vez
    FROM (SELECT n.provedor_id, ${NAS_EM_ASCII} AS nas, ${PONTA('DESC', 'n.provedor_id', NAS_EM_ASCII)} AS ate
            FROM provedores_nas n
            STRAIGHT_JOIN provedores daqui ON daqui.id = n.provedor_id AND daqui.mudanca IS NULL
           WHERE EXISTS (SELECT 1 FROM rede_quedas q FORCE INDEX (rede_quedas_por_avaliar) WHERE q.por_avaliar = 1)) AS l
   WHERE l.ate IS NOT NULL ORDER BY vez, l.provedor_id`;

const DO_LUGAR = columns<LugarRow>('s', {
  provedor_id: true,
  nas: true,
  de: PONTA('ASC', 's.provedor_id', 's.nas'),
  ate: true,
});

/** The minutes at both ends of what waits. */
function pontas({ provedor_id, nas, de, ate }: LugarRow): (readonly [number, string, string])[] {
  const passos = Array.from({ length: MINUTOS_DE_CADA_PONTA }, (_, n) => n * 60_000);
  const [primeiro, ultimo] = [fromDatabaseTime(de).getTime(), fromDatabaseTime(ate).getTime()];
  const minutos = new Set(passos.flatMap((passo) => [primeiro + passo, ultimo - passo]));
  return [...minutos].map((minuto) => [provedor_id, nas, toDatabaseTime(new Date(minuto))]);
}

/** What of all providers is to be looked at. Crosses tenants, by name and on purpose; each row says whose it is. */
export function createSuspeitasQueries(db: Db) {
  return {
    /**
     * By provider and server, the oldest first. Of a server the newest minutes and the oldest ones, and of all providers as many servers in
     * turn: what cannot be looked at of one, or is very much, keeps no other waiting, and costs a run no more.
     */
    async porAvaliar(servidores = MAIS_SERVIDORES): Promise<MinutoRow[]> {
      const lugares = await rowsOfSql(
        db,
        DO_LUGAR,
        (colunas) => `SELECT /*+ MAX_EXECUTION_TIME(${READ_TIMEOUT_MS}) */ ${colunas} FROM (${POR_VEZ} LIMIT ?) AS s`,
        [servidores],
      );
      if (lugares.length === 0) return [];
      return rowsOfSql(
        db,
        DO_MINUTO,
        (colunas) =>
          `SELECT /*+ MAX_EXECUTION_TIME(${READ_TIMEOUT_MS}) */ ${colunas}
             FROM ${MINUTOS}
             ${VIZINHO('a', '-')} ${VIZINHO('b', '+')}
             LEFT JOIN provedores_rede p ON p.provedor_id = d.provedor_id
            WHERE d.por_avaliar = 1
            ORDER BY d.provedor_id, d.nas, d.minuto`,
        [JSON.stringify(lugares.flatMap(pontas))],
      );
    },

    /** Of drops that were added since, each is looked at by the next run. */
    async avaliadas(minutos: readonly MinutoRow[]): Promise<void> {
      if (minutos.length === 0) return;
      await db.raw(`UPDATE ${MINUTOS} SET d.avaliadas = GREATEST(d.avaliadas, lidos.quedas)`, [
        JSON.stringify(minutos.map(({ provedor_id, nas, minuto, quedas }) => [provedor_id, nas, minuto, quedas])),
      ]);
    },

    /** Detected notices that are open and that nobody has confirmed. */
    async vigiados(): Promise<{ provedor_id: number; id: number }[]> {
      const abertos = db(db.raw('avisos_de_rede FORCE INDEX (avisos_de_rede_detectados)'))
        .where('origem', 'detectado')
        .whereNull('fim')
        .whereNull('confirmado_em')
        .timeout(READ_TIMEOUT_MS);
      return onlyHere(db, await rowsOf(abertos, DO_DETECTADO), ({ provedor_id }) => provedor_id);
    },
  };
}

const DO_SEGUNDO = columns<QuedasDoSegundo>('x', {
  segundo: 'TO_SECONDS(x.queda_em)',
  porta: true,
  quedas: 'COUNT(*)',
  fora: 'CAST(SUM(x.aberta = 0) AS UNSIGNED)',
});

const POR_PORTA = columns<{ porta: string | null; quantas: number }>('x', { porta: true, quantas: 'COUNT(*)' });
const FORA = expressions<{ quantas: number; ultima: string | null }>({
  quantas: 'COUNT(*)',
  ultima: 'MAX(x.queda_em)',
});

/** Where a notice was detected. */
interface LugarDetectado {
  readonly nas: string;
  readonly porta: string | null;
}

export function createDeteccaoQueries(tenant: TenantDb) {
  /** Lines that last dropped at a server since a moment, of contracts that notices are for. */
  const cairam = (nas: string, desde: string) =>
    tenant
      .from('conexoes as x', 'conexoes_queda')
      .join('contratos', sameTenant('x', 'contrato_id', 'contratos', 'id'))
      .where('x.queda_em', '>=', desde)
      .where('x.queda_nas', nas)
      .whereIn('contratos.situacao', COM_LINHA);

  return {
    /**
     * Lines by the second of their last drop, around a minute of a server; without those that only fell silent or that a notice in force
     * explains, and without drops that a detected one is about that is open or that staff closed. Of one that closed by itself,
     * `detectado_ate` is null: what is down of its lines again is judged again.
     */
    async quedas(nas: string, { de, ate }: { de: Date; ate: Date }, agora: Date): Promise<QuedasDoSegundo[]> {
      const cobertos = tenant
        .from('avisos_de_rede as v')
        .join('avisos_de_rede_alvos as a', sameTenant('v', 'id', 'a', 'aviso_id'))
        .whereNull('v.fim')
        .where('v.inicio', '<=', toDatabaseTime(agora))
        // As `explicaQuedas` says it of one.
        .where('v.tipo', '<>', 'informativo')
        .whereRaw('(v.previsao IS NULL OR v.previsao > ?)', [toDatabaseTime(previsaoVencidaAntesDe(agora))])
        // One that is not the staff's yet is about its own drops alone.
        .whereRaw("(v.origem <> 'detectado' OR v.confirmado_em IS NOT NULL)")
        .whereRaw(COBRE);
      const ditos = tenant
        .from('avisos_de_rede as v')
        .whereRaw('v.detectado_nas = x.queda_nas AND (v.detectado_porta IS NULL OR v.detectado_porta = x.porta)')
        .whereRaw('x.queda_em >= v.detectado_de')
        .whereRaw(`x.queda_em <= v.detectado_ate + INTERVAL ${JANELA_SEGUNDOS} SECOND`);
      const linhas = cairam(nas, toDatabaseTime(de))
        .leftJoin('provedores_nas as n', sameTenant('x', 'nas', 'n', 'nasipaddress'))
        .where('x.queda_em', '<', toDatabaseTime(ate))
        .whereRaw("COALESCE(x.queda_causa, '') <> ?", [SEM_RESPOSTA])
        .whereNotExists(cobertos)
        .whereNotExists(ditos)
        .groupByRaw('1, 2');
      return rowsOf(linhas, DO_SEGUNDO);
    },

    /** Lines that are online at a server, by port. */
    async online(nas: string): Promise<Map<string | null, number>> {
      const linhas = tenant
        .from('conexoes as x', 'conexoes_nas')
        .where({ 'x.nas': nas, 'x.aberta': 1 })
        .groupBy('x.porta');
      return new Map((await rowsOf(linhas, POR_PORTA)).map(({ porta, quantas }) => [porta, quantas]));
    },

    /** How many lines that dropped there in a time are not back, and the last drop of these. */
    async fora(
      { nas, porta }: LugarDetectado,
      { de, ate }: { readonly de: Date; readonly ate: Date },
    ): Promise<{ quantas: number; ultima: Date | null }> {
      const linhas = cairam(nas, toDatabaseTime(de))
        .where('x.queda_em', '<=', toDatabaseTime(ate))
        .where('x.aberta', 0);
      if (porta !== null) void linhas.where('x.porta', porta);
      const [contadas] = await rowsOf(linhas, FORA);
      const ultima = contadas?.ultima ?? null;
      return { quantas: contadas?.quantas ?? 0, ultima: ultima === null ? null : fromDatabaseTime(ultima) };
    },
  };
}
