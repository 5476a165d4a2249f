import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { withLease } from '../../platform/mysql/schema/lease.ts';
import { EntradaInvalida } from '../erros.ts';
import type { ProvedorRow } from '../provedores/provedores.types.ts';
import { TAGS_DE_TUDO } from '../tags.ts';
import { retomarPedidos } from './pendencias.ts';

type Mudanca = ProvedorRow['mudanca'];

const SITUACAO = expressions<Pick<ProvedorRow, 'mudanca' | 'panel_host'>>({
  mudanca: 'mudanca',
  panel_host: 'panel_host',
});

export async function situacaoEm(db: Db, provedorId: number) {
  const [row] = await rowsOf(db('provedores').where({ id: provedorId }), SITUACAO);
  return row;
}

/** @throws Error where somebody has changed it meanwhile; then it stays as it is. */
export async function dizerQueEsta(db: Db, provedorId: number, de: Mudanca, para: Mudanca): Promise<void> {
  const mudadas = await db('provedores')
    .where({ id: provedorId })
    .whereRaw('mudanca <=> ?', [de])
    .update({ mudanca: para });
  if (mudadas === 0) throw new Error(`a situação do provedor ${provedorId} mudou por outras mãos`);
}

/** Whoever copies, and whoever gives up, is alone: a second one would write over what is by then written in the new cell. */
export async function sozinho<T>(db: Db, provedorId: number, fazer: () => Promise<T>): Promise<T> {
  const late = `outro comando está mudando o provedor ${provedorId}: espere que termine; se ele morreu, tente de novo em meio minuto`;
  return withLease(db, { name: `mudanca_${provedorId}`, waitSeconds: 1, late }, fazer);
}

interface DoisLados {
  readonly origem: Db;
  /** Null where nobody said which it is. */
  readonly destino: Db | null;
}

/** @returns whether the copy in the other cell was marked as one that nobody reads. */
export async function ficar({ origem, destino }: DoisLados, provedorId: number): Promise<boolean> {
  await origem('provedores').where({ id: provedorId, mudanca: 'saindo' }).update({ mudanca: null });
  await retomarPedidos(origem, provedorId);
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
export async function desistir(lados: DoisLados, provedorId: number): Promise<boolean> {
  return sozinho(lados.origem, provedorId, async () => ficarDeVez(lados, provedorId));
}

async function ficarDeVez(lados: DoisLados, provedorId: number): Promise<boolean> {
  const daqui = await situacaoEm(lados.origem, provedorId);
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
  await sozinho(origem, provedorId, async () => {
    const daqui = await situacaoEm(origem, provedorId);
    if (daqui === undefined) throw new EntradaInvalida(`provedor ${provedorId} não existe`);
    if (daqui.mudanca !== null) throw new EntradaInvalida(`provedor ${provedorId} não vive nesta célula`);
    if (destino !== null && (await situacaoEm(destino, provedorId))?.mudanca !== null) {
      throw new EntradaInvalida(`provedor ${provedorId} não vive na outra célula`);
    }
    await dizerQueEsta(origem, provedorId, null, 'foi');
    await avisarDeTudo(origem, provedorId);
  });
}

/** Has the processes of a cell forget what they keep of a provider, once its outbox is published. */
export async function avisarDeTudo(db: Db, provedorId: number): Promise<void> {
  await db('eventos').insert({
    provedor_id: provedorId,
    tipo: 'alteracao',
    recurso_id: null,
    dados: null,
    etiquetas: JSON.stringify(TAGS_DE_TUDO),
  });
}
