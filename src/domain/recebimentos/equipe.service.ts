import type { Write } from '../escrita.ts';
import { tocarSino } from '../notificacoes/toque.service.ts';

/** What staff are told, of which row. */
export interface AvisoDaEquipe {
  readonly tipo: string;
  readonly recurso:
    'fatura' | 'recebimento' | 'boleto_recebido' | 'devolucao' | 'pix_recusado' | 'retorno' | 'convenio';
  readonly id: number;
}

/** Tells staff of something about money, in one statement. */
export async function notificarEquipe(
  w: Write,
  avisos: readonly AvisoDaEquipe[],
  origem: 'pix' | 'boleto',
  agora: Date,
): Promise<void> {
  await tocarSino(
    w,
    avisos.map(({ tipo, recurso, id }) => ({ tipo, origem, recurso, recursoId: id })),
    agora,
  );
}
