import type { Write } from '../../escrita.ts';

/** Removes the devices of sessions of the app that end, with what was to be sent to them. */
export async function esquecerDispositivos(w: Write, sessaoIds: readonly number[]): Promise<void> {
  await w.delete('push_dispositivos', (q) => void q.whereIn('sessao_id', sessaoIds));
}

/** Removes somebody's browsers at the panel, which belong to no session, where nobody is to be in his name any more. */
export async function esquecerNavegadores(w: Write, usuarioId: number): Promise<void> {
  await w.delete('push_dispositivos', (q) => void q.where('usuario_id', usuarioId).whereNull('sessao_id'));
}
