import { setTimeout as sleep } from 'node:timers/promises';
import { copySlice } from '../../platform/mysql/copy/copy.ts';
import type { Slice } from '../../platform/mysql/copy/copy.ts';
import { shapeOf } from '../../platform/mysql/copy/shape.ts';
import type { Shape } from '../../platform/mysql/copy/shape.ts';
import { expressions, rowsOf, rowsOfSql } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { withLease } from '../../platform/mysql/schema/lease.ts';
import { WAITING_INDEX } from '../../platform/mysql/outbox.ts';
import { isDuplicate } from '../../platform/refusal.ts';
import { EntradaInvalida } from '../erros.ts';
import { TAGS_DE_TUDO } from '../tags.ts';
import { PROPRIAS, fatiasDe } from './fatias.ts';
import { largarLogins, loginsDe } from './logins.ts';

type Mudanca = 'chegando' | 'saindo' | 'foi' | null;

/** Rows of a table that went along. */
export interface TabelaLevada {
  readonly tabela: string;
  readonly linhas: number;
}

export interface Mudou {
  readonly tabelas: readonly TabelaLevada[];
  /** For how long the provider was only read. */
  readonly soLeituraMs: number;
  /** In how many turns it was copied before. */
  readonly voltas: number;
}

export interface MudancaDeps {
  /** By the schema's owner, of the cell that it leaves and of the one that it goes to; each with two connections to spare. */
  readonly origem: Db;
  readonly destino: Db;
  /** Leads callers to the new cell. If it rejects, it has led nobody there, and the provider stays where it is. */
  readonly trocar: () => Promise<void>;
  /** Takes a line for each step. */
  readonly dizer: (linha: string) => void;
  /** Milliseconds for what is under way at the old cell once callers are led to the new one. */
  readonly espera: number;
}

/** While a turn copies more turns of rows than this, another one follows before writers have to wait. */
const POUCO = 20;
const MAIS_VOLTAS = 8;
/** The most time in which what was committed must be told to the caches of a cell. */
const PRAZO_DO_AVISO_MS = 60_000;

const SITUACAO = expressions<{ mudanca: Mudanca }>({ mudanca: 'mudanca' });
const ID = expressions<{ id: number }>({ id: 'id' });
const HOST = expressions<{ host: string }>({ host: 'panel_host' });
const GRUPO = expressions<{ groupname: string }>({ groupname: 'groupname' });
const NOME = expressions<{ nome: string }>({ nome: 'name' });
const VERSAO = expressions<{ versao: string }>({ versao: 'VERSION()' });
const QUANTOS = expressions<{ n: number }>({ n: 'COUNT(*)' });

/**
 * Moves a provider from one cell to another: copies its rows while everything goes on, again and again until little differs; then it is only
 * read until the rest is copied and every table is the same, callers are led to the new cell, and it is written there. Whoever began it and
 * died begins again, and does not copy again what is there.
 */
export function createMudanca({ origem, destino, trocar, dizer, espera }: MudancaDeps) {
  const formas = new Map<string, Shape>();

  async function formaDe(tabela: string): Promise<Shape> {
    const forma = formas.get(tabela) ?? (await shapeOf(origem, tabela, PROPRIAS[tabela] ?? []));
    formas.set(tabela, forma);
    return forma;
  }

  async function copiar(
    de: Db,
    provedorId: number,
    fatias: readonly Slice[],
  ): Promise<{ linhas: Map<string, number>; mudadas: number }> {
    const linhas = new Map<string, number>();
    let mudadas = 0;
    for (const fatia of fatias) {
      try {
        // RADIUS rows are found by the contracts' logins: those of a login that no contract has any more are not found afterwards.
        const antes = fatia.table === 'contratos' ? await loginsDe(destino, provedorId) : [];
        const { rows, changed } = await copySlice(de, destino, fatia, await formaDe(fatia.table));
        if (changed > 0) await largarLogins(destino, antes);
        linhas.set(fatia.table, (linhas.get(fatia.table) ?? 0) + rows);
        mudadas += changed;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        throw new EntradaInvalida(
          `${fatia.table}: a outra célula já tem linhas com números deste provedor; cada célula numera à sua maneira, veja docs/celulas.md`,
        );
      }
    }
    return { linhas, mudadas };
  }

  async function situacaoEm(db: Db, provedorId: number): Promise<{ mudanca: Mudanca } | undefined> {
    const [row] = await rowsOf(db('provedores').where({ id: provedorId }), SITUACAO);
    return row;
  }

  /** Does nothing where somebody has changed it meanwhile. */
  async function dizerQueEsta(db: Db, provedorId: number, de: Mudanca, para: Mudanca): Promise<void> {
    const mudadas = await db('provedores')
      .where({ id: provedorId })
      .whereRaw('mudanca <=> ?', [de])
      .update({ mudanca: para });
    if (mudadas === 0) throw new Error(`a situação do provedor ${provedorId} mudou por outras mãos`);
  }

  /** Whoever copies, and whoever gives up, is alone: a second one would write over what is by then written in the new cell. */
  const sozinho = async <T>(db: Db, provedorId: number, fazer: () => Promise<T>): Promise<T> =>
    withLease(
      db,
      {
        name: `mudanca_${provedorId}`,
        waitSeconds: 1,
        late: `outro comando está mudando o provedor ${provedorId}: espere que termine; se ele morreu, tente de novo em meio minuto`,
      },
      fazer,
    );

  /** Copied over it, that provider would lose its name and its rows their provider. */
  async function conferirHost(provedorId: number): Promise<void> {
    const [meu] = await rowsOf(origem('provedores').where({ id: provedorId }), HOST);
    const deOutro = destino('provedores')
      .where({ panel_host: meu?.host ?? '' })
      .whereNot({ id: provedorId });
    const [outro] = await rowsOf(deOutro, ID);
    if (outro === undefined) return;
    throw new EntradaInvalida(`a outra célula já tem o host ${meu?.host ?? ''}, do provedor ${outro.id}`);
  }

  /** Has the processes of a cell forget what they keep of a provider, through its outbox, and waits until they have. */
  async function esquecer(db: Db, provedorId: number): Promise<boolean> {
    await db('eventos').insert({
      provedor_id: provedorId,
      tipo: 'alteracao',
      recurso_id: null,
      dados: null,
      etiquetas: JSON.stringify(TAGS_DE_TUDO),
    });
    return publicado(db, provedorId);
  }

  async function publicado(db: Db, provedorId: number): Promise<boolean> {
    const fim = performance.now() + PRAZO_DO_AVISO_MS;
    while ((await aPublicar(db, provedorId)) > 0) {
      if (performance.now() > fim) return false;
      await sleep(50);
    }
    return true;
  }

  async function aPublicar(db: Db, provedorId: number): Promise<number> {
    const esperam = db(db.raw('eventos FORCE INDEX (??)', [WAITING_INDEX])).where({ provedor_id: provedorId });
    const [row] = await rowsOf(esperam.whereNull('publicado_em'), QUANTOS);
    return row?.n ?? 0;
  }

  /** What is wrong with two cells, before anything is written. */
  async function conferirCelulas(): Promise<void> {
    const [daqui = '', dela = ''] = await Promise.all(
      [origem, destino].map(async (db) => {
        const [row] = await rowsOfSql(db, VERSAO, (list) => `SELECT ${list}`);
        return row?.versao ?? '';
      }),
    );
    if (daqui.includes('MariaDB') !== dela.includes('MariaDB')) {
      throw new EntradaInvalida('as duas células não têm o mesmo banco: uma é MariaDB, a outra MySQL');
    }
    const [minhas, suas] = await Promise.all(
      [origem, destino].map(async (db) => {
        const rows = await rowsOf(db('migracoes').orderBy('name'), NOME);
        return rows.map(({ nome }) => nome).join('\n');
      }),
    );
    if (minhas !== suas)
      throw new EntradaInvalida('as duas células não têm a mesma versão do esquema: rode malha migrate nas duas');
  }

  async function levarGrupos(provedorId: number): Promise<void> {
    for (const tabela of ['radgroupcheck', 'radgroupreply'] as const) {
      const { columns } = await formaDe(tabela);
      const daqui = expressions<Record<string, string | number>>(
        Object.fromEntries(columns.map((coluna) => [coluna, `t.\`${coluna}\``])),
      );
      const linhas = await rowsOfSql(
        origem,
        daqui,
        (list) =>
          `SELECT ${list} FROM ${tabela} t WHERE t.groupname IN (
             SELECT g.groupname FROM contratos c JOIN radusergroup g ON g.username = c.login WHERE c.provedor_id = ? AND c.login <> '')
           ORDER BY t.id`,
        [provedorId],
      );
      const existentes = await rowsOfSql(
        destino,
        GRUPO,
        (list) => `SELECT ${list} FROM radgroupcheck UNION SELECT ${list} FROM radgroupreply`,
      );
      const la = new Set(existentes.map(({ groupname }) => groupname.toLowerCase()));
      const faltam = linhas.filter(({ groupname }) => !la.has(String(groupname).toLowerCase()));
      const semId = columns.filter((coluna) => coluna !== 'id');
      if (faltam.length > 0) {
        await destino(tabela).insert(
          faltam.map((linha) => Object.fromEntries(semId.map((coluna) => [coluna, linha[coluna]]))),
        );
      }
    }
  }

  return {
    /** @throws EntradaInvalida where it cannot begin, or ids of the two cells meet; then it goes on here as before. */
    mover: async (provedorId: number): Promise<Mudou> =>
      sozinho(origem, provedorId, async () => sozinho(destino, provedorId, async () => mover(provedorId))),

    /** Has a provider written again where its move was begun and not ended. */
    desistir: async (provedorId: number): Promise<void> =>
      sozinho(origem, provedorId, async () => {
        const daqui = await situacaoEm(origem, provedorId);
        if (daqui?.mudanca !== 'saindo') throw new EntradaInvalida(`provedor ${provedorId} não está de saída`);
        await dizerQueEsta(origem, provedorId, 'saindo', null);
      }),
  };

  async function mover(provedorId: number): Promise<Mudou> {
    await conferirCelulas();
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    const dela = await situacaoEm(destino, provedorId);
    if (daqui.mudanca === 'foi' && dela?.mudanca === 'chegando') {
      // Who began it died before its last step.
      await dizerQueEsta(destino, provedorId, 'chegando', null);
      return { tabelas: [], soLeituraMs: 0, voltas: 0 };
    }
    if (daqui.mudanca === 'foi' || daqui.mudanca === 'chegando') {
      throw new EntradaInvalida(`provedor ${provedorId} não vive nesta célula`);
    }
    if (dela !== undefined && (dela.mudanca === null || dela.mudanca === 'saindo')) {
      throw new EntradaInvalida(`a outra célula já tem um provedor ${provedorId}, que vive lá`);
    }
    await conferirHost(provedorId);
    if (dela !== undefined) await dizerQueEsta(destino, provedorId, dela.mudanca, 'chegando');

    const { fatias } = await fatiasDe(origem, provedorId);
    let voltas = 0;
    for (; voltas < MAIS_VOLTAS; voltas += 1) {
      const { mudadas, linhas } = await copiar(origem, provedorId, fatias);
      const total = [...linhas.values()].reduce((soma, n) => soma + n, 0);
      dizer(`Volta ${voltas + 1}: ${total} linhas comparadas, ${mudadas} partes copiadas.`);
      if (mudadas <= POUCO) break;
    }
    await levarGrupos(provedorId);

    const comecou = performance.now();
    await dizerQueEsta(origem, provedorId, daqui.mudanca, 'saindo');
    let levados = false;
    dizer('Daqui em diante só se lê.');
    try {
      if (!(await publicado(origem, provedorId))) {
        throw new EntradaInvalida(
          'o que se gravou por último não foi avisado aos processos desta célula; há worker em execução?',
        );
      }
      const tabelas = await igualar(provedorId);
      if (!(await esquecer(destino, provedorId))) {
        throw new EntradaInvalida(
          'a outra célula não tem worker em execução: o que ela guarda deste provedor não foi esquecido',
        );
      }
      await trocar();
      levados = true;
      await sleep(espera);
      await dizerQueEsta(origem, provedorId, 'saindo', 'foi');
      await dizerQueEsta(destino, provedorId, 'chegando', null);
      const soLeituraMs = performance.now() - comecou;
      dizer('Na outra célula já se grava.');
      // Whoever asks here from now on is told nothing old.
      await esquecer(origem, provedorId);
      return { tabelas, soLeituraMs, voltas: voltas + 1 };
    } catch (error) {
      // Callers are at the new cell: written here, what they are told there would be old.
      if (levados) dizer('Os pedidos já vão para a outra célula. Dê o mesmo comando de novo: até lá só se lê.');
      else {
        await dizerQueEsta(origem, provedorId, 'saindo', null).catch(() => {
          dizer(`Não se pôde voltar atrás: dê malha provedor ficar ${provedorId}.`);
        });
      }
      throw error;
    }
  }

  /** Copies until nothing differs, by one view of the old cell; what triggers wrote of copied rows is put right by the turn after. */
  async function igualar(provedorId: number): Promise<TabelaLevada[]> {
    return origem.transaction(
      async (de) => {
        const { fatias, filas } = await fatiasDe(de, provedorId);
        for (let volta = 1; volta <= MAIS_VOLTAS; volta += 1) {
          const { linhas, mudadas } = await copiar(de, provedorId, fatias);
          if (mudadas > 0) continue;
          const { linhas: dasFilas } = await copiar(de, provedorId, filas);
          return [...linhas, ...dasFilas].map(([tabela, n]) => ({ tabela, linhas: n }));
        }
        throw new Error('as duas células não ficam iguais');
      },
      { isolationLevel: 'repeatable read' },
    );
  }
}
