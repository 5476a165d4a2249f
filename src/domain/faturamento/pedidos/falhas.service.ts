import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { describeError } from '../../../platform/logger.ts';
import type { Write } from '../../escrita.ts';
import { MAIOR_PAUSA_MS } from './devidos.queries.ts';
import { travarPedido } from './pedidos.queries.ts';

/** After the first failure; each further one doubles it. The tries of one job, which bridge a short outage, come later than it. */
const PRIMEIRA_PAUSA_MS = 2000;
const MAIOR_ERRO = 300;

/** How long an order waits that has failed so often in a row: 2 s, 4 s, 8 s, … up to 4 h. */
const pausaDepoisDe = (falhas: number): number =>
  Math.min(MAIOR_PAUSA_MS, PRIMEIRA_PAUSA_MS * 2 ** Math.min(falhas - 1, 30));

/** What an order forgets once it goes on. */
export const SEM_FALHA = { falhas: 0, falhou_em: null, erro: null, proxima_em: null } as const;

/** Why it failed, for the provider's people and for the log: without statements, rows or personal data. */
function escreverErro(error: unknown): string {
  const { type, message, code } = describeError(error);
  const texto = message ?? (code === undefined ? type : `banco de dados: ${code}`);
  return (texto === '' ? type : texto).slice(0, MAIOR_ERRO);
}

/** Some orders have failed, and are tried again later; the message is that of the first. */
export class PedidosFalharam extends Error {
  /** The shortest time that one of them waits. */
  readonly pausaMs: number;

  constructor(message: string, pausaMs: number, cause: unknown) {
    super(message, { cause });
    this.pausaMs = pausaMs;
  }
}

/** Of several orders that fail in one run, what is thrown when the others are done. */
export const somarFalhas = (antes: PedidosFalharam | null, outra: PedidosFalharam): PedidosFalharam =>
  antes === null ? outra : new PedidosFalharam(antes.message, Math.min(antes.pausaMs, outra.pausaMs), antes.cause);

/** Notes that an order has failed, and when it is tried again. One that has ended meanwhile stays as it is. */
export async function anotarFalha(w: Write, id: number, error: unknown, agora: Date): Promise<PedidosFalharam> {
  const erro = escreverErro(error);
  const pedido = await travarPedido(w, id);
  const falhas = (pedido?.falha?.vezes ?? 0) + 1;
  const pausaMs = pausaDepoisDe(falhas);
  if (pedido?.terminadoEm === null) {
    await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
      falhas,
      falhou_em: toDatabaseTime(agora),
      // Nothing has gone on since, whatever a clock that was ahead has written.
      andou_em: w.tenant.db.raw('LEAST(andou_em, CAST(? AS DATETIME(3)))', [toDatabaseTime(agora)]),
      erro,
      proxima_em: toDatabaseTime(new Date(agora.getTime() + pausaMs)),
    });
  }
  return new PedidosFalharam(erro, pausaMs, error);
}

/** Gone on after the failure, if only just: so it is due for every clock. */
const DEPOIS_DA_FALHA = 'GREATEST(COALESCE(andou_em, falhou_em), falhou_em + INTERVAL 1000 MICROSECOND)';

/** Who asks again for what waits after a failure has it tried at once, also by a worker whose clock is behind this one's. */
export async function tentarJa(w: Write, id: number, agora: Date): Promise<void> {
  const esperando = (q: ReturnType<Write['from']>): void => void q.where({ id }).whereNotNull('proxima_em');
  await w.update('faturamento_pedidos', esperando, {
    proxima_em: toDatabaseTime(agora),
    andou_em: w.tenant.db.raw(DEPOIS_DA_FALHA),
  });
}
