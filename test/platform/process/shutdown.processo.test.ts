import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test from 'ava';

const SHUTDOWN = new URL('../../../src/platform/process/shutdown.js', import.meta.url).href;

/** Runs these steps in a process that is then asked to end; resolves to what it said and how it ended. */
async function encerrar(passos: string): Promise<{ ditos: string; codigo: number | null }> {
  const programa = `
    import { createShutdown } from ${JSON.stringify(SHUTDOWN)};
    const shutdown = createShutdown((line) => console.log(line), { longestStepMs: 200 });
    ${passos}
    void shutdown.stop(0);
  `;
  const filho = spawn(process.execPath, ['--input-type=module', '-e', programa], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const partes: Buffer[] = [];
  filho.stdout.on('data', (parte: Buffer) => partes.push(parte));
  const [codigo] = (await once(filho, 'close')) as [number | null];
  return { ditos: Buffer.concat(partes).toString(), codigo };
}

test('os passos vão do último ao primeiro, e um que falha não impede os outros', async (t) => {
  const { ditos, codigo } = await encerrar(`
    shutdown.onStop(async () => console.log('primeiro'));
    shutdown.onStop(async () => { throw new Error('não quis'); });
    shutdown.onStop(async () => console.log('último'));
  `);
  t.deepEqual(ditos.trim().split('\n'), ['último', 'Falha ao encerrar: não quis', 'primeiro']);
  t.is(codigo, 1);
});

test('um passo que nunca termina é deixado, e dito', async (t) => {
  const { ditos, codigo } = await encerrar(`
    shutdown.onStop(async () => console.log('primeiro'));
    shutdown.onStop(() => new Promise(() => {}));
  `);
  const [deixado, depois] = ditos.trim().split('\n');
  t.regex(deixado ?? '', /^Falha ao encerrar: um passo não terminou em 0\.2 s; continuam: /);
  t.is(depois, 'primeiro');
  t.is(codigo, 1);
});
