import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import test from 'ava';
import { createThreads } from '../../../src/platform/threads/threads.ts';
import { ate } from '../../support/espera.ts';
import type { Ordem } from '../../workers/threads/conversa.ts';

const folder = new URL('../../workers/threads/', import.meta.url);

const conversar = (input = 7) => {
  const threads = createThreads({ maxThreads: 1, folder });
  return { threads, conversa: threads.talk<number, Ordem, Uint8Array>('conversa', input) };
};

test('cada ordem tem a sua resposta, e o que se manda muda de mãos', async (t) => {
  const { threads, conversa } = conversar();
  for (const bytes of [3, 0, 2])
    t.deepEqual(
      [...(await conversa.ask({ bytes }))],
      Array.from({ length: bytes }, () => 7),
    );
  const meus = Uint8Array.of(1, 2, 3);
  t.deepEqual([...(await conversa.ask({ fim: meus }, [meus.buffer]))], [1, 2, 3]);
  t.is(meus.length, 0);
  await t.throwsAsync(conversa.ask({ bytes: 1 }), { message: 'the thread has ended' });
  await conversa.end();
  await threads.close();
});

test('o erro da função chega a quem pergunta, e a quem pergunta depois', async (t) => {
  const { threads, conversa } = conversar();
  await conversa.ask({ bytes: 1 });
  const erro = { instanceOf: RangeError, message: 'caiu' };
  await t.throwsAsync(conversa.ask({ falha: 'caiu' }), erro);
  await t.throwsAsync(conversa.ask({ bytes: 1 }), erro);
  await conversa.end();
  await t.throwsAsync(threads.talk('nao-existe', 1).ask(1));
  await threads.close();
});

test('terminada, quem espera o sabe e a thread fica livre', async (t) => {
  const { threads, conversa } = conversar();
  const semResposta = conversa.ask({ cala: true });
  await t.throwsAsync(conversa.ask({ bytes: 1 }), { message: 'the answer before is still to come' });
  const terminada = { message: 'the thread has ended' };
  await Promise.all([t.throwsAsync(semResposta, terminada), conversa.end()]);
  await t.throwsAsync(conversa.ask({ bytes: 1 }), terminada);
  t.is(await threads.run<number, number>('dobro', 4), 8);
  await threads.close();
});

test('respostas que já ninguém tem não ficam na memória enquanto se conversa', async (t) => {
  setFlagsFromString('--expose-gc');
  const limpar = runInNewContext('gc') as () => void;
  const { threads, conversa } = conversar();
  const vistas: WeakRef<Uint8Array>[] = [];
  for (let n = 0; n < 20; n += 1) vistas.push(new WeakRef(await conversa.ask({ bytes: 1000 })));
  await ate(async () => {
    limpar();
    return vistas.slice(0, -1).every((vista) => vista.deref() === undefined);
  });
  t.is((await conversa.ask({ bytes: 1 })).length, 1);
  await conversa.end();
  await threads.close();
});
