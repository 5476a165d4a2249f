import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { notificarEquipe } from '../../recebimentos/equipe.service.ts';
import { COLUNAS_DO_RETORNO } from './retornos.types.ts';
import type { RetornoRow } from './retornos.types.ts';

export type TentativasDeRetornoService = ReturnType<typeof createTentativasDeRetornoService>;

const PRIMEIRA_ESPERA_MS = 10_000;
const MAIOR_ESPERA_MS = 6 * 3_600_000;
/** From so many failures in a row on it is no accident, and people have to know. */
const AVISA_NA = 3;

/** What a file is that goes on, or is to be tried at once. */
export const SEM_FALHA = { falhas: 0, tentar_em: null } as const;

async function travar(w: Write, id: number): Promise<RetornoRow | undefined> {
  const [row] = await rowsOf(w.from('retornos').where({ id }).forUpdate(), COLUNAS_DO_RETORNO);
  return row;
}

/**
 * Notes that the next part of a file could not be done: it is tried again after a pause that grows. Staff are told once
 * of a file that goes on failing.
 */
export async function anotarFalha(w: Write, id: number, agora: Date): Promise<void> {
  const row = await travar(w, id);
  // Another process has done it meanwhile.
  if (row === undefined || row.concluido_em !== null) return;
  const falhas = row.falhas + 1;
  const espera = Math.min(PRIMEIRA_ESPERA_MS * 4 ** Math.min(row.falhas, 10), MAIOR_ESPERA_MS);
  await w.update('retornos', (q) => void q.where({ id }), {
    falhas,
    tentar_em: toDatabaseTime(new Date(agora.getTime() + espera)),
  });
  if (falhas !== AVISA_NA) return;
  w.emit('retorno.parado', id, { feitas: row.feitas, partes: row.partes });
  await notificarEquipe(w, [{ tipo: 'retorno.parado', recurso: 'retorno', id }], 'boleto', agora);
}

/** Files that could not be done, for people. */
export function createTentativasDeRetornoService({ w }: { readonly w: Write }) {
  return {
    /** Has a file tried again at once. @throws Recusa `nao_encontrado`, `retorno_em_dia` where nothing of it failed */
    async tentar(id: number): Promise<void> {
      const row = await travar(w, id);
      recusarSeNao(row, 'nao_encontrado', { campo: 'retorno' });
      recusarSeNao(row.concluido_em === null && row.falhas > 0, 'retorno_em_dia');
      await w.update('retornos', (q) => void q.where({ id }), SEM_FALHA);
      w.emit('retorno.a_tentar', id);
    },
  };
}
