import test from 'ava';
import { createLeitorDePfx } from '../../../src/domain/nfcom/certificado/leitor.ts';
import type { Threads } from '../../../src/platform/threads/threads.ts';

const ler = async (run: Threads['run']) => createLeitorDePfx({ run }, 20)(Buffer.from('pfx'), 'senha');

test('o certificado que não se abre a tempo não é dito inválido', async (t) => {
  // The signal's own timer does not keep the process.
  const vivo = setInterval(() => {}, 60_000);
  t.teardown(() => clearInterval(vivo));
  const parado: Threads['run'] = async (_nome, _dados, sinal) =>
    new Promise((_, recusar) => {
      sinal?.addEventListener('abort', () => recusar(new Error('AbortError')));
    });
  await t.throwsAsync(ler(parado), { message: /não foi possível abrir o certificado a tempo/ });
  await t.throwsAsync(
    ler(async () => {
      throw new Error('a thread acabou');
    }),
    { message: /não é um arquivo PFX/ },
  );
});
