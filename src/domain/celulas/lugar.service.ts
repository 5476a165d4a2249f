import type { Db } from '../../platform/mysql/database.ts';
import { EntradaInvalida } from '../erros.ts';
import { retomarPedidos } from './pendencias.ts';
import { avisarDeTudo, dizerQueEsta, gravarEm, situacaoEm, sozinho } from './situacao.ts';
import type { Lado } from './situacao.ts';

interface DoisLados<Aqui = Db> {
  readonly origem: Aqui;
  /** Null where nobody said which it is. */
  readonly destino: Db | null;
}

/** @returns whether the copy in the other cell was marked as one that nobody reads. */
export async function ficar({ origem, destino }: DoisLados<Lado>, provedorId: number): Promise<boolean> {
  await gravarEm(origem, async (trx) => {
    await trx('provedores').where({ id: provedorId, mudanca: 'saindo' }).update({ mudanca: null });
  });
  await retomarPedidos(origem.db, provedorId);
  if (destino === null) return false;
  try {
    const copia = destino('provedores').where({ id: provedorId }).whereIn('mudanca', ['chegando', 'chegou']);
    if ((await copia.update({ mudanca: 'foi' })) === 0) return true;
    await avisarDeTudo(destino, provedorId);
    return true;
  } catch {
    // It cannot be reached: as long as it is `chegando`, nobody is told anything of it either.
    return false;
  }
}

/**
 * Gives up a move that was begun and not ended: the provider is written again where it lives.
 *
 * @returns whether the copy in the other cell was marked as old.
 * @throws EntradaInvalida where it was not on its way.
 */
export async function desistir({ origem, destino }: DoisLados, provedorId: number): Promise<boolean> {
  return sozinho(origem, provedorId, async (aqui) => ficarDeVez({ origem: aqui, destino }, provedorId));
}

async function ficarDeVez(lados: DoisLados<Lado>, provedorId: number): Promise<boolean> {
  const daqui = await situacaoEm(lados.origem.db, provedorId);
  if (daqui?.mudanca === 'saindo') return ficar(lados, provedorId);
  const dela =
    daqui?.mudanca === null && lados.destino !== null ? await situacaoEm(lados.destino, provedorId) : undefined;
  if (dela?.mudanca !== 'chegando' && dela?.mudanca !== 'chegou') {
    throw new EntradaInvalida(`provedor ${provedorId} não está de saída`);
  }
  // Its copy alone was left behind.
  return ficar(lados, provedorId);
}

/**
 * Says that a provider lives in another cell, which it does since a backup of before its move was restored here, or it was exported: nobody
 * reads it here any more, and nothing acts for it. Where `destino` is said, it is looked at whether it lives there.
 *
 * @throws EntradaInvalida where it does not live here, or not there.
 */
export async function largar({ origem, destino }: DoisLados, provedorId: number): Promise<void> {
  await sozinho(origem, provedorId, async (aqui) => {
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    if (daqui.mudanca !== null) throw new EntradaInvalida(`provedor ${provedorId} não vive nesta célula`);
    if (destino !== null && (await situacaoEm(destino, provedorId))?.mudanca !== null) {
      throw new EntradaInvalida(`provedor ${provedorId} não vive na outra célula`);
    }
    await dizerQueEsta(aqui, provedorId, null, 'foi');
    await avisarDeTudo(origem, provedorId);
  });
}
