import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until a condition holds; rejects after a time that only a hang takes. */
export async function ate(condicao: () => boolean | Promise<boolean>, prazoMs = 60_000): Promise<void> {
  const fim = performance.now() + prazoMs;
  while (!(await condicao())) {
    if (performance.now() > fim) throw new Error('a condição não se cumpriu a tempo');
    await sleep(10);
  }
}
