import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SupervisedProcess } from '../processes/supervised-process.ts';

const tailLines = 15;

/**
 * Resolves when `answers` first gives true, and tells the server's supervisor. Throws with the end of the server's log
 * when the server ends before that or has not answered after `deadlineMs`.
 */
export async function waitUntilReady(
  server: SupervisedProcess,
  answers: () => Promise<boolean>,
  deadlineMs: number,
): Promise<void> {
  const deadline = Date.now() + deadlineMs;
  while (!(await answers())) {
    if (server.hasExited()) {
      throw new Error(`O ${server.name} terminou ao iniciar (${await server.exited}). ${await tailOf(server.logFile)}`);
    }
    if (Date.now() > deadline) {
      throw new Error(`O ${server.name} não respondeu em ${deadlineMs / 1000} s. ${await tailOf(server.logFile)}`);
    }
    await sleep(20);
  }
  server.markReady();
}

async function tailOf(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(-tailLines);
  return `Fim de ${logFile}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
