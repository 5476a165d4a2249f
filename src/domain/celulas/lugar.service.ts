import type { Db } from '../../platform/mysql/database.ts';
import { EntradaInvalida } from '../erros.ts';
import { terminarEnvios } from './pendencias.ts';
import {
  SEM_DESTINO,
  anotarNaCelula,
  avisarDeTudo,
  avisarQueVive,
  destinoDe,
  destinoNaOutra,
  dizerQueEsta,
  exigirOutra,
  exigirQueViva,
  foiImportado,
  gravarEm,
  gravouDepois,
  situacaoEm,
  sozinho,
} from './situacao.ts';
import type { Lado } from './situacao.ts';

interface DoisLados<Aqui = Db> {
  readonly origem: Aqui;
  /** Null where nobody said which it is. */
  readonly destino: Db | null;
  /** How operators name it, without a login; null where nobody said it. */
  readonly para?: string | null;
  /** How operators name this one. */
  readonly esta?: string | null;
  /** Takes a provider back whatever the two cells remember of where it went. */
  readonly semConferir?: boolean;
}

/** @returns whether the copy in the other cell was marked as one that nobody reads. */
export async function ficar(origem: Lado, destino: Lado | null, provedorId: number): Promise<boolean> {
  await gravarEm(origem, async (trx) => {
    await trx('provedores')
      .where({ id: provedorId, mudanca: 'saindo' })
      .update({ mudanca: null, ...SEM_DESTINO });
    await avisarQueVive(trx, provedorId);
  });
  return destino !== null && marcarVelha(destino, provedorId).catch(() => false);
}

/** As long as a copy is `chegando`, nobody is told anything of it either. @returns true */
async function marcarVelha(destino: Lado, provedorId: number): Promise<boolean> {
  await gravarEm(destino, async (trx) => {
    const copia = trx('provedores').where({ id: provedorId }).whereIn('mudanca', ['chegando', 'chegou']);
    if ((await copia.update({ mudanca: 'foi' })) > 0) await avisarDeTudo(trx, provedorId);
  });
  return true;
}

/**
 * Gives up a move that was begun and not ended, or takes a provider back that lives in no cell: it is written again here.
 *
 * @returns whether the copy in the other cell was marked as old, and whether what was written there meanwhile is not here.
 * @throws EntradaInvalida where it was not on its way, lives in the other cell, or went to a third one
 */
export async function desistir(lados: DoisLados, provedorId: number): Promise<Ficou> {
  const { origem, destino } = lados;
  return sozinho(origem, provedorId, async (aqui) => {
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui?.mudanca === 'foi' && destino !== null) {
      await exigirOutra(aqui, destino);
      return sozinho(destino, provedorId, async (la) => retomar(lados, aqui, la, provedorId));
    }
    const dela = destino === null ? undefined : await vista(aqui, destino, provedorId);
    if (daqui?.mudanca === 'saindo') {
      if (dela?.mudanca === null || dela?.mudanca === 'saindo') throw viveLa(provedorId);
    } else if (daqui?.mudanca !== null || (dela?.mudanca !== 'chegando' && dela?.mudanca !== 'chegou')) {
      throw new EntradaInvalida(
        `provedor ${provedorId} não está de saída${daqui?.mudanca === 'foi' ? ': se não vive em célula nenhuma, diga em MALHA_DESTINO a que o tinha' : ''}`,
      );
    }
    await ficar(aqui, null, provedorId);
    // It may not be reached, or another command is at it.
    const marcada =
      destino !== null &&
      (await sozinho(destino, provedorId, async (la) => marcarVelha(la, provedorId)).catch(() => false));
    return { marcada, voltou: false };
  });
}

export interface Ficou {
  readonly marcada: boolean;
  readonly voltou: boolean;
}

/** What is here is from before the end of what was written in the other cell. */
export const deAntes = (provedorId: number): EntradaInvalida =>
  new EntradaInvalida(
    `provedor ${provedorId}: o que está aqui é de antes do que se gravou por último na outra célula; leve-o de novo`,
  );

const viveLa = (provedorId: number): EntradaInvalida =>
  new EntradaInvalida(`provedor ${provedorId} vive na outra célula: malha provedor largar ${provedorId}`);

/** How a provider stands in the other cell; a cell that cannot be reached says nothing. */
async function vista(aqui: Lado, destino: Db, provedorId: number): ReturnType<typeof situacaoEm> {
  const alcancada = await situacaoEm(destino, provedorId).catch(() => null);
  if (alcancada === null) return undefined;
  await exigirOutra(aqui, destino);
  return alcancada;
}

/** A third cell, which nobody asks here, may have it: whoever is asked has to be the one that it went to, and that one to have let go of it here. */
async function exigirEstasDuas(lados: DoisLados, destino: Db, provedorId: number): Promise<void> {
  const { origem, para, esta, semConferir = false } = lados;
  if (semConferir) return;
  const senao = 'se não vive em célula nenhuma (malha provedor mapa), --sem-conferir';
  const daqui = (await destinoDe(origem, provedorId)).para;
  if (daqui !== null && daqui !== para) {
    throw new EntradaInvalida(`provedor ${provedorId} foi para ${daqui}: diga-a em MALHA_DESTINO assim; ${senao}`);
  }
  const deLa = await destinoNaOutra(destino, provedorId);
  if (deLa !== null && deLa !== esta) {
    throw new EntradaInvalida(`provedor ${provedorId} foi da outra célula para ${deLa}: pergunte a essa; ${senao}`);
  }
}

/** Of a provider that lives nowhere, because the cell that has received it was restored from before, or it was let go of by mistake. */
async function retomar(lados: DoisLados, aqui: Lado, la: Lado, provedorId: number): Promise<Ficou> {
  const dela = await situacaoEm(la.db, provedorId);
  if (dela?.mudanca === null || dela?.mudanca === 'saindo') throw viveLa(provedorId);
  if (dela !== undefined && (await gravouDepois(la.db, aqui.db, provedorId))) {
    throw new EntradaInvalida(
      `provedor ${provedorId} viveu na outra célula depois desta, e o que lá se gravou não está aqui: veja em que célula vive (malha provedor mapa); se em nenhuma, malha provedor ficar ${provedorId} lá`,
    );
  }
  await exigirEstasDuas(lados, la.db, provedorId);
  // First, so that at no time both have it.
  if (dela !== undefined && dela.mudanca !== 'foi') await dizerQueEsta(la, provedorId, dela.mudanca, 'foi');
  await la.lease.confirm(la.db);
  await dizerQueEsta(aqui, provedorId, 'foi', null, SEM_DESTINO);
  return { marcada: true, voltou: true };
}

/**
 * Says that a provider lives in another cell, which it does since a backup of before the end of its move was restored here, or it was exported:
 * nobody reads it here any more, and nothing acts for it. Where `destino` is said, it is looked at whether it lives there; `para` is remembered.
 *
 * @throws EntradaInvalida where it does not live here, or not there, or was written here after it went there
 */
export async function largar({ origem, destino, para = null }: DoisLados, provedorId: number): Promise<void> {
  await sozinho(origem, provedorId, async (aqui) => {
    if (destino !== null) await exigirOutra(aqui, destino);
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    const antes = await destinoDe(origem, provedorId);
    exigirQueViva(provedorId, daqui.mudanca, antes);
    if (destino !== null && (await situacaoEm(destino, provedorId))?.mudanca !== null) {
      throw new EntradaInvalida(`provedor ${provedorId} não vive na outra célula`);
    }
    if (destino !== null && (await gravouDepois(origem, destino, provedorId))) {
      throw new EntradaInvalida(
        `provedor ${provedorId}: o que se gravou aqui por último não está na outra célula, que o tem de antes; se não há de fazer falta, --sem-conferir`,
      );
    }
    await dizerQueEsta(aqui, provedorId, daqui.mudanca, 'foi', {
      mudanca_para: para,
      // On its way to that cell it may have left something behind, which the move takes along that is repeated.
      ...(para === antes.para ? {} : { mudanca_desde: null }),
    });
  });
}

/**
 * Does something while a provider is only read, and leaves it so: whoever takes it away by a file has everything in it. Where that fails, it is
 * written again.
 *
 * @throws EntradaInvalida where it does not live here
 */
export async function comParado<T>(
  db: Db,
  provedorId: number,
  fazer: (enviosTerminaram: boolean) => Promise<T>,
): Promise<T> {
  return sozinho(db, provedorId, async (aqui) => {
    const daqui = await situacaoEm(db, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    exigirQueViva(provedorId, daqui.mudanca, await destinoDe(db, provedorId));
    if (daqui.mudanca === null) await dizerQueEsta(aqui, provedorId, null, 'saindo', SEM_DESTINO);
    try {
      return await fazer(await terminarEnvios(db, provedorId));
    } catch (error) {
      if (daqui.mudanca === null) await ficar(aqui, null, provedorId);
      throw error;
    }
  });
}

/**
 * Puts a provider in service that was loaded whole and left out of it. Where `destino` is said, it is looked at whether it lives there, and
 * was written there after what is here. A copy that a move has left is taken over only so: without the other cell nobody knows whether that
 * move was given up.
 *
 * @throws EntradaInvalida where it is not here as a whole, lives in the other cell, or went from there to a third one
 */
export async function assumir({ origem, destino, esta = null }: DoisLados, provedorId: number): Promise<void> {
  await sozinho(origem, provedorId, async (aqui) => {
    if (destino !== null) await exigirOutra(aqui, destino);
    if ((await situacaoEm(origem, provedorId))?.mudanca !== 'chegou') {
      throw new EntradaInvalida(`provedor ${provedorId} não está inteiro e parado nesta célula`);
    }
    if (destino === null && !(await foiImportado(origem, provedorId))) {
      throw new EntradaInvalida(
        `provedor ${provedorId} veio de malha provedor mover, que não terminou: repita-o na célula de onde veio, ou diga-a em MALHA_DESTINO; se ela se perdeu, diga um banco que não o tem, veja docs/celulas.md`,
      );
    }
    const dela = destino === null ? undefined : await situacaoEm(destino, provedorId);
    if (dela?.mudanca === null || dela?.mudanca === 'saindo') {
      throw new EntradaInvalida(`provedor ${provedorId} vive na outra célula: lá, malha provedor largar ${provedorId}`);
    }
    const foiPara = destino === null ? null : await destinoNaOutra(destino, provedorId);
    if (foiPara !== null && foiPara !== esta) {
      throw new EntradaInvalida(
        `provedor ${provedorId} foi da outra célula para ${foiPara}, que não é o nome desta; se é esta mesma, repita malha provedor mover lá, com esse endereço; se veio num arquivo, --sem-conferir`,
      );
    }
    if (destino !== null && (await gravouDepois(destino, origem, provedorId))) throw deAntes(provedorId);
    await dizerQueEsta(aqui, provedorId, 'chegou', null, SEM_DESTINO, async (trx) =>
      anotarNaCelula(trx, provedorId, 'provedor.assumido'),
    );
  });
}
