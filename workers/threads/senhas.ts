import { platform, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { PedidoDeResumo } from './senhas/contract.ts';

// Threads have priorities of their own on Linux alone. Somebody waits for this, so it is not the lowest.
if (!isMainThread && platform() === 'linux') setPriority(10);

/** Hashes a password with argon2id, or says whether it is the one of a hash. */
export default function senhas(pedido: PedidoDeResumo): string | boolean {
  return 'resumo' in pedido ? verifySync(pedido.resumo, pedido.senha) : hashSync(pedido.senha, pedido.custo);
}
