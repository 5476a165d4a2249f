import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import { SINO_TAG } from '../tags.ts';

/** What the staff are told, of which row. */
export interface Toque {
  /** What happened, by a name that the panel has words for. */
  readonly tipo: string;
  /** Where it came from, as people call it. */
  readonly origem: string;
  readonly recurso: string;
  readonly recursoId: number;
}

/** Rings the panel's bell, in one statement: open panels hear of it when the write is published. */
export async function tocarSino(
  w: Pick<Write, 'insert' | 'touch'>,
  toques: readonly Toque[],
  agora: Date,
): Promise<void> {
  if (toques.length === 0) return;
  const criado_em = toDatabaseTime(agora);
  await w.insert(
    'notificacoes',
    toques.map(({ tipo, origem, recurso, recursoId }) => ({
      tipo,
      origem,
      recurso,
      recurso_id: recursoId,
      criado_em,
    })),
  );
  w.touch(SINO_TAG);
}
