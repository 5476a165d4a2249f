import { hash } from 'node:crypto';
import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { DuplicateRow } from '../../platform/refusal.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { TenantWriter } from '../../platform/mysql/tenant.ts';
import { isLockError } from '../../platform/mysql/writes.ts';
import { Recusa, recusarSeNao } from '../erros.ts';

/** An answer under its key is given again for this long; after it the key is free. */
const VALIDADE_MS = 86_400_000;

/** MySQL's word for a row that NOWAIT found locked; MariaDB says lock wait timeout. */
const LOCK_NOWAIT = 3572;

/** A request that carries an Idempotency-Key. */
export interface Repetivel {
  readonly chaveId: number;
  /** As the caller wrote it. */
  readonly marca: string;
  /** Text that two requests share when they ask for the same thing. */
  readonly pedido: string;
}

export interface RespostaGuardada {
  readonly status: number;
  readonly corpo: string;
}

interface RequisicaoRow {
  pedido: Buffer;
  status: number | null;
  corpo: string | null;
  criado_em: string;
}

const DA_REQUISICAO = columns<RequisicaoRow>('requisicoes_idempotentes', {
  pedido: true,
  status: true,
  corpo: true,
  criado_em: true,
});

/**
 * Gives the answer kept under a key, or makes it and keeps it in the transaction of its effect: both are there, or neither.
 *
 * @throws Recusa `requisicao_em_andamento` while another transaction holds the key, `chave_idempotencia_reutilizada` when the key was
 * used for another request.
 */
export async function umaVezSo(
  w: TenantWriter,
  relogio: Relogio,
  { chaveId, marca, pedido }: Repetivel,
  fazer: () => Promise<RespostaGuardada>,
): Promise<RespostaGuardada> {
  const agora = relogio.agora();
  const onde = { chave_id: chaveId, marca: sha256(marca) };
  const linha = { pedido: sha256(pedido), status: null, corpo: null, criado_em: toDatabaseTime(agora) };

  const desde = toDatabaseTime(new Date(agora.getTime() - VALIDADE_MS));
  const guardada = await ler(w, onde, desde);
  const vencida = guardada !== undefined && guardada.criado_em <= desde;
  if (guardada !== undefined && !vencida) {
    recusarSeNao(guardada.pedido.equals(linha.pedido), 'chave_idempotencia_reutilizada');
    return { status: guardada.status ?? 0, corpo: guardada.corpo ?? '' };
  }
  // The row stands, and is locked, from here to the commit: who comes meanwhile finds it so.
  if (vencida) await w.update('requisicoes_idempotentes', (q) => void q.where(onde), linha);
  else await inserir(w, { ...onde, ...linha });
  const resposta = await fazer();
  await w.update('requisicoes_idempotentes', (q) => void q.where(onde), { ...resposta });
  return resposta;
}

/** The row of a key, locked; or as it stands and not expired, while others who repeat its request hold it. */
async function ler(w: TenantWriter, onde: object, desde: string): Promise<RequisicaoRow | undefined> {
  const linhas = () => w.from('requisicoes_idempotentes').where(onde);
  try {
    const [row] = await rowsOf(linhas().forUpdate().noWait(), DA_REQUISICAO);
    return row;
  } catch (error) {
    if (!isLockError(error) && errno(error) !== LOCK_NOWAIT) throw error;
    const [row] = await rowsOf(linhas().where('criado_em', '>', desde), DA_REQUISICAO);
    recusarSeNao(row, 'requisicao_em_andamento');
    return row;
  }
}

async function inserir(w: TenantWriter, linha: object): Promise<void> {
  try {
    await w.insert('requisicoes_idempotentes', linha);
  } catch (error) {
    // Another inserted it after this one looked.
    throw error instanceof DuplicateRow ? new Recusa('requisicao_em_andamento') : error;
  }
}

const errno = (error: unknown): unknown => (error instanceof Error && 'errno' in error ? error.errno : undefined);

function sha256(texto: string): Buffer {
  return hash('sha256', texto, 'buffer');
}
