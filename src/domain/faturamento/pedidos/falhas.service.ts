import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { describeError } from '../../../platform/logger.ts';
import type { Write } from '../../escrita.ts';
import { tocarSino } from '../../notificacoes/toque.service.ts';
import { dizerUmaVez } from '../../push/lembretes/uma-vez.service.ts';
import { MAIOR_PAUSA_MS } from './devidos.queries.ts';
import { travarPedido } from './pedidos.queries.ts';
import type { PedidoDeFaturamento } from './pedidos.queries.ts';

/** After the first failure; each further one doubles it. The plan looks twice a minute for what is due. */
const PRIMEIRA_PAUSA_MS = 2000;
const MAIOR_ERRO = 300;

/** How long an order waits that has failed so often in a row: 2 s, 4 s, 8 s, … up to 4 h. */
const pausaDepoisDe = (falhas: number): number =>
  Math.min(MAIOR_PAUSA_MS, PRIMEIRA_PAUSA_MS * 2 ** Math.min(falhas - 1, 30));

/** What an order forgets once it goes on. */
export const SEM_FALHA = { falhas: 0, falhou_em: null, erro: null, proxima_em: null, tentativas: 0 } as const;

/** From this many failures in a row on, staff are told, and may give up what fails: what passes by itself has passed by then. */
export const FALHAS_DITAS = 3;

/** Whether what of an undoing cannot be undone may be given up. */
export const podeDesistir = ({
  tipo,
  desistidoPor,
  falha,
}: Pick<PedidoDeFaturamento, 'tipo' | 'desistidoPor' | 'falha'>): boolean =>
  tipo === 'desfazer' && desistidoPor === null && falha !== null && falha.vezes >= FALHAS_DITAS;

/** Whether invoices that fail one after the other may be left too: single ones already are, and the undoing failed three more times. */
export const podeDesistirDasSeguidas = ({
  tipo,
  desistidoPor,
  mesmoSeguidas,
  falha,
}: Pick<PedidoDeFaturamento, 'tipo' | 'desistidoPor' | 'mesmoSeguidas' | 'falha'>): boolean =>
  tipo === 'desfazer' && desistidoPor !== null && !mesmoSeguidas && falha !== null && falha.vezes >= FALHAS_DITAS;

/** That one run ended without a word proves nothing of its order: its process may have been killed for anything. */
const MORTES_TOLERADAS = 1;
const MORREU = 'o processo que o fazia morreu, mais de uma vez seguida, antes de acabar uma parte';

/** Why it failed, for the provider's people and for the log: without statements, rows or personal data. */
export function escreverErro(error: unknown): string {
  const { type, message, code } = describeError(error);
  const texto = message ?? (code === undefined ? type : `banco de dados: ${code}`);
  return (texto === '' ? type : texto).slice(0, MAIOR_ERRO);
}

/** Some orders have failed, and are tried again later; the message is that of the first. */
export class PedidosFalharam extends Error {}

interface Nota {
  readonly erro: string;
  readonly agora: Date;
  readonly tentativas: number;
}

/** Notes on an open order that it has failed, and tells staff where it goes on failing. */
async function anotar(w: Write, pedido: PedidoDeFaturamento, { erro, agora, tentativas }: Nota): Promise<void> {
  const { id, tipo, mes, pedidoEm } = pedido;
  const falhas = (pedido.falha?.vezes ?? 0) + 1;
  await w.update('faturamento_pedidos', (q) => void q.where({ id }), {
    falhas,
    falhou_em: toDatabaseTime(agora),
    // Nothing has gone on since, whatever a clock that was ahead has written.
    andou_em: w.tenant.db.raw('LEAST(andou_em, CAST(? AS DATETIME(3)))', [toDatabaseTime(agora)]),
    erro,
    proxima_em: toDatabaseTime(new Date(agora.getTime() + pausaDepoisDe(falhas))),
    tentativas,
  });
  const dito = { tipo: 'faturamento_falhou', recurso_id: id, quando: toDatabaseTime(pedidoEm) };
  if (falhas >= FALHAS_DITAS && (await dizerUmaVez(w, dito, agora))) {
    const origem = { origem: 'Faturamento', recurso: 'faturamento_pedido', recursoId: id };
    await tocarSino(w, [{ tipo: 'faturamento.falhou', ...origem }], agora);
    w.emit('faturamento.falhou', id, { tipo, mes, vezes: falhas });
  }
}

/**
 * Notes that an order, as its run has begun it, has failed, and when it is tried again: at once where people have given up meanwhile what cannot
 * be undone. Staff are told once of an order that goes on failing. One that has ended meanwhile stays as it is.
 */
export async function anotarFalha(
  w: Write,
  { id, desistidoPor, mesmoSeguidas }: Pick<PedidoDeFaturamento, 'id' | 'desistidoPor' | 'mesmoSeguidas'>,
  error: unknown,
  agora: Date,
): Promise<PedidosFalharam> {
  const erro = escreverErro(error);
  const pedido = await travarPedido(w, id);
  if (pedido?.terminadoEm === null) {
    await anotar(w, pedido, { erro, agora, tentativas: 0 });
    const desistiu = pedido.desistidoPor !== desistidoPor || pedido.mesmoSeguidas !== mesmoSeguidas;
    if (desistiu) await tentarJa(w, id, agora);
  }
  return new PedidosFalharam(erro, { cause: error });
}

/**
 * Notes that a run of an order begins, so that the next one knows of it if it dies.
 *
 * @returns what the order has failed with instead, where runs before it have died; null: it may begin
 */
export async function comecarTentativa(w: Write, id: number, agora: Date): Promise<PedidosFalharam | null> {
  const pedido = await travarPedido(w, id);
  if (pedido?.terminadoEm !== null) return null;
  if (pedido.tentativas > MORTES_TOLERADAS) {
    // The next death counts by itself, until something is done of it.
    await anotar(w, pedido, { erro: MORREU, agora, tentativas: MORTES_TOLERADAS });
    return new PedidosFalharam(MORREU);
  }
  await w.update('faturamento_pedidos', (q) => void q.where({ id }), { tentativas: pedido.tentativas + 1 });
  return null;
}

/** A run that leaves its order for a later one has not died. */
export async function deixarTentativa(w: Write, id: number): Promise<void> {
  await w.update('faturamento_pedidos', (q) => void q.where({ id }), { tentativas: 0 });
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
