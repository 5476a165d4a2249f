import { setTimeout as sleep } from 'node:timers/promises';
import { copySlice } from '../../platform/mysql/copy/copy.ts';
import type { BeforeCommit } from '../../platform/mysql/copy/copy.ts';
import { shapeOf } from '../../platform/mysql/copy/shape.ts';
import type { Shape } from '../../platform/mysql/copy/shape.ts';
import { ID, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { LeaseLost } from '../../platform/mysql/schema/lease.ts';
import { isDuplicate } from '../../platform/refusal.ts';
import { EntradaInvalida } from '../erros.ts';
import { enderecosDosNas, exigirLogins, exigirNas, recusarLoginsAlheios, recusarNasAlheios } from './alheios.ts';
import { levarOQueFicou } from './acessos.ts';
import { conferirCelulas } from './celulas.ts';
import { DE_LOGIN, PROPRIAS, fatiasDe } from './fatias.ts';
import type { Fatia } from './fatias.ts';
import { levarGrupos } from './grupos.ts';
import { largarLogins, largarNas, loginsDaParte, loginsDe, semOs } from './logins.ts';
import { PRAZO_DO_AVISO_MS, publicado, terminarEnvios } from './pendencias.ts';
import { deAntes, ficar } from './lugar.service.ts';
import {
  SEM_DESTINO,
  avisarDeTudo,
  destinoDe,
  dizerQueEsta,
  exigirQueViva,
  gravarEm,
  gravouDepois,
  situacaoEm,
  sozinhoNosDois,
} from './situacao.ts';
import type { Destino, Lado, Mudanca } from './situacao.ts';

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
  /** Who saw its data is in part only in the cell that it left, until the same command is given again. */
  readonly acessosPorLevar: boolean;
}

export interface MudancaDeps {
  /** By the schema's owner, of the cell that it leaves and of the one that it goes to; each with two connections to spare. */
  readonly origem: Db;
  readonly destino: Db;
  /** How operators name the other one, without a login: it is remembered where the provider went. */
  readonly celula: string;
  /** Leads callers to the new cell. If it rejects, it has led nobody there, and the provider stays where it is. */
  readonly trocar: () => Promise<void>;
  /** Takes a line for each step. */
  readonly dizer: (linha: string) => void;
  /** Milliseconds for what is under way at the old cell once callers are led to the new one. */
  readonly espera: number;
  /** Copies also over what the new cell has that this one does not know. */
  readonly semConferir?: boolean;
  /** Milliseconds in which a cell's processes must be told what was committed. Tests set it; else it is `PRAZO_DO_AVISO_MS`. */
  readonly prazoDoAviso?: number;
}

/** While a turn copies more turns of rows than this, another one follows before writers have to wait. */
const POUCO = 20;
const MAIS_VOLTAS = 8;

/**
 * Moves a provider from one cell to another: copies its rows while everything goes on, again and again until little differs; then it is only
 * read until the rest is copied and every table is the same, callers are led to the new cell, and it is written there. Whoever began it and
 * died begins again, and does not copy again what is there.
 */
export function createMudanca(deps: MudancaDeps) {
  const { origem, destino, celula, trocar, dizer, espera } = deps;
  const { semConferir = false, prazoDoAviso = PRAZO_DO_AVISO_MS } = deps;
  const formas = new Map<string, Shape>();

  async function formaDe(tabela: string): Promise<Shape> {
    const forma = formas.get(tabela) ?? (await shapeOf(origem, tabela, PROPRIAS[tabela] ?? []));
    formas.set(tabela, forma);
    return forma;
  }

  /** Whoever has a login or a NAS there by now has rows that the copy would replace or add to: then what was done goes back. */
  function semAlheios(de: Db, para: Lado, provedorId: number, fatia: Fatia): BeforeCommit {
    const deLogin = DE_LOGIN.some((tabela) => tabela === fatia.table);
    return async (trx, parte) => {
      if (fatia.nas !== undefined) await exigirNas(trx, provedorId, fatia.nas);
      if (deLogin) await recusarLoginsAlheios(trx, provedorId, await loginsDaParte(de, fatia, parte));
      await para.lease.confirm(trx);
    };
  }

  async function copiar(
    de: Db,
    para: Lado,
    provedorId: number,
    fatias: readonly Fatia[],
  ): Promise<{ linhas: Map<string, number>; mudadas: number }> {
    const linhas = new Map<string, number>();
    let mudadas = 0;
    // By their addresses others' sessions would be found, if somebody has one there by now.
    const enderecos = await enderecosDosNas(de, provedorId);
    await recusarNasAlheios(destino, provedorId, enderecos);
    for (const fatia of fatias) {
      try {
        await largarOsDeAntes(de, para, provedorId, fatia.table);
        // Even where nothing differs. The contracts are there by now, so that from here on nobody gets a login that one of them holds.
        if (fatia.table === DE_LOGIN[0])
          await gravarEm(para, async (trx) => exigirLogins(trx, provedorId, await loginsDe(trx, provedorId)));
        const antes = semAlheios(de, para, provedorId, fatia);
        const { rows, changed } = await copySlice(de, destino, fatia, await formaDe(fatia.table), antes);
        linhas.set(fatia.table, (linhas.get(fatia.table) ?? 0) + rows);
        mudadas += changed;
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        await recusarNasAlheios(destino, provedorId, enderecos);
        throw new EntradaInvalida(
          `${fatia.table}: a outra célula já tem linhas com números deste provedor; cada célula numera à sua maneira, veja docs/celulas.md`,
        );
      }
    }
    return { linhas, mudadas };
  }

  /**
   * RADIUS rows are found by the contracts' logins and the NASes: those of one that the provider has no more are not found once these are
   * copied, so they go before.
   */
  async function largarOsDeAntes(de: Db, para: Lado, provedorId: number, tabela: string): Promise<void> {
    if (tabela !== 'contratos' && tabela !== 'provedores_nas') return;
    const ler = tabela === 'contratos' ? loginsDe : enderecosDosNas;
    const antes = await ler(destino, provedorId);
    if (antes.length === 0) return;
    const sairam = semOs(antes, await ler(de, provedorId));
    if (sairam.length === 0) return;
    await gravarEm(para, async (trx) =>
      tabela === 'contratos' ? largarLogins(trx, provedorId, sairam) : largarNas(trx, sairam),
    );
  }

  /** Has the processes of a cell forget what they keep of a provider, through its outbox, and waits until they have. */
  async function esquecer(db: Db, provedorId: number): Promise<boolean> {
    await avisarDeTudo(db, provedorId);
    return publicado(db, provedorId, prazoDoAviso);
  }

  return {
    /** @throws EntradaInvalida where it cannot begin, or ids of the two cells meet; then it goes on here as before. */
    mover: async (provedorId: number): Promise<Mudou> =>
      sozinhoNosDois(origem, destino, provedorId, async (daqui, dela) => mover(provedorId, daqui, dela)),
  };

  async function mover(provedorId: number, aqui: Lado, la: Lado): Promise<Mudou> {
    const confirmar = async (): Promise<void> => {
      await aqui.lease.confirm(origem);
      await la.lease.confirm(destino);
    };
    const passar = async (lado: Lado, de: Mudanca, agora: Mudanca, onde: Partial<Destino> = {}): Promise<void> => {
      await confirmar();
      await dizerQueEsta(lado, provedorId, de, agora, onde);
    };
    await conferirCelulas(origem, destino);
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    const dela = await situacaoEm(destino, provedorId);
    const antes = await destinoDe(origem, provedorId);
    const paraCa = antes.para === celula;
    if (daqui.mudanca === 'foi' && (paraCa || antes.para === null || semConferir)) {
      // By another address it is known by its host: only the cell in which it lives takes what was noted here.
      const mesmo = paraCa || dela?.panel_host === daqui.panel_host;
      const semOsAcessos = mesmo && antes.desde !== null && dela?.mudanca === null;
      if (dela?.mudanca === 'chegou') {
        // Who began it died before its last step, or it was let go of here and is there since before.
        if (await gravouDepois(origem, destino, provedorId)) throw deAntes(provedorId);
        await passar(la, 'chegou', null, SEM_DESTINO);
      }
      if (dela?.mudanca === 'chegou' || semOsAcessos) {
        const levou = await levarOQueFicou(aqui, la, provedorId, dizer, prazoDoAviso);
        return { tabelas: [], soLeituraMs: 0, voltas: 0, acessosPorLevar: !levou };
      }
    }
    exigirQueViva(provedorId, daqui.mudanca, antes);
    if (daqui.mudanca === 'saindo' && antes.para !== null && !paraCa && !semConferir) {
      throw new EntradaInvalida(
        `provedor ${provedorId} está de saída para ${antes.para}: termine lá, por esse endereço, ou desista (malha provedor ficar)`,
      );
    }
    if (dela !== undefined && (dela.mudanca === null || dela.mudanca === 'saindo')) {
      throw new EntradaInvalida(`a outra célula já tem um provedor ${provedorId}, que vive lá`);
    }
    if (dela !== undefined && !semConferir && (await gravouDepois(destino, origem, provedorId))) {
      throw new EntradaInvalida(
        `provedor ${provedorId}: a outra célula tem dele o que não está aqui, que é de antes; veja em que célula vive (malha provedor mapa); se o que está lá não há de fazer falta, --sem-conferir`,
      );
    }
    if (dela?.mudanca === 'foi' && !semConferir && (await destinoDe(destino, provedorId)).desde !== null) {
      throw new EntradaInvalida(
        `provedor ${provedorId}: na outra célula ficou quem viu dados de quem quando o provedor foi de lá, e o que ela tem seria trocado pelo que há aqui; dê lá de novo o comando com que foi, ou aqui --sem-conferir`,
      );
    }
    // A row that is changed where it is would become this provider's.
    const { panel_host } = daqui;
    const [doHost] = await rowsOf(destino('provedores').where({ panel_host }).whereNot({ id: provedorId }), ID);
    if (doHost !== undefined)
      throw new EntradaInvalida(`a outra célula já tem outro provedor com o host ${panel_host}`);
    await recusarNasAlheios(destino, provedorId, await enderecosDosNas(origem, provedorId));
    await recusarLoginsAlheios(destino, provedorId, await loginsDe(origem, provedorId));
    await levarGrupos(origem, destino, provedorId, la.lease.confirm);
    // Callers may have been led there by whoever died then: it is the same there, because here it is only read.
    const jaLevados = daqui.mudanca === 'saindo' && dela?.mudanca === 'chegou';
    if (dela !== undefined && !jaLevados) await passar(la, dela.mudanca, 'chegando', SEM_DESTINO);

    let voltas = 0;
    for (; voltas < MAIS_VOLTAS; voltas += 1) {
      const { fatias } = await fatiasDe(origem, provedorId);
      const { mudadas, linhas } = await copiar(origem, la, provedorId, fatias);
      const total = [...linhas.values()].reduce((soma, n) => soma + n, 0);
      dizer(`Volta ${voltas + 1}: ${total} linhas comparadas, ${mudadas} partes copiadas.`);
      if (mudadas <= POUCO) break;
    }

    const comecou = performance.now();
    await passar(aqui, daqui.mudanca, 'saindo', { mudanca_para: celula, mudanca_desde: toDatabaseTime(new Date()) });
    let levados = jaLevados;
    dizer('Daqui em diante só se lê.');
    try {
      if (!(await publicado(origem, provedorId, prazoDoAviso))) {
        throw new EntradaInvalida(
          'o que se gravou por último não foi avisado aos processos desta célula; há worker em execução?',
        );
      }
      if (!(await terminarEnvios(origem, provedorId))) {
        dizer(
          'Algo ainda está a caminho de um servidor de e-mail, webhook ou aparelho, e pode ser enviado pelas duas células.',
        );
      }
      const tabelas = await igualar(provedorId, la);
      if (!jaLevados) await passar(la, 'chegando', 'chegou');
      if (!(await esquecer(destino, provedorId))) {
        throw new EntradaInvalida(
          'a outra célula não tem worker em execução: o que ela guarda deste provedor não foi esquecido',
        );
      }
      await confirmar();
      await trocar();
      levados = true;
      await sleep(espera);
      await passar(aqui, 'saindo', 'foi');
      await passar(la, 'chegou', null, SEM_DESTINO);
      const soLeituraMs = performance.now() - comecou;
      dizer('Na outra célula já se grava.');
      const levou = await levarOQueFicou(aqui, la, provedorId, dizer, prazoDoAviso);
      return { tabelas, soLeituraMs, voltas: voltas + 1, acessosPorLevar: !levou };
    } catch (error) {
      // Whoever is at it by now says where the provider lives.
      if (error instanceof LeaseLost) throw error;
      // Callers may be at the new cell: written here, what they are told there would be old.
      if (levados)
        dizer('Os pedidos vão, ou podem ir, para a outra célula. Dê o mesmo comando de novo: até lá só se lê.');
      else await voltar(provedorId, aqui, la, confirmar);
      throw error;
    }
  }

  /** Takes back a move that failed before callers were led away. What failed is thrown; that a cell is out of reach by now is only said. */
  async function voltar(provedorId: number, aqui: Lado, la: Lado, confirmar: () => Promise<void>): Promise<void> {
    try {
      if ((await situacaoEm(origem, provedorId))?.mudanca !== 'saindo') return;
      await confirmar();
      await ficar(aqui, la, provedorId);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      dizer(`Talvez só se leia aqui: dê o mesmo comando de novo, ou desista (malha provedor ficar ${provedorId}).`);
    }
  }

  /** Copies until nothing differs, by one view of the old cell; what triggers wrote of copied rows is put right by the turn after. */
  async function igualar(provedorId: number, la: Lado): Promise<TabelaLevada[]> {
    return origem.transaction(
      async (de) => {
        await levarGrupos(de, destino, provedorId, la.lease.confirm);
        const { fatias, filas } = await fatiasDe(de, provedorId);
        for (let volta = 1; volta <= MAIS_VOLTAS; volta += 1) {
          const { linhas, mudadas } = await copiar(de, la, provedorId, fatias);
          if (mudadas > 0) continue;
          const { linhas: dasFilas } = await copiar(de, la, provedorId, filas);
          return [...linhas, ...dasFilas].map(([tabela, n]) => ({ tabela, linhas: n }));
        }
        throw new Error('as duas células não ficam iguais');
      },
      { isolationLevel: 'repeatable read' },
    );
  }
}
