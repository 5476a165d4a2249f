import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { TooManyWaiting, createTurns } from '../../../src/platform/timing/turns.ts';

const OPCOES = { maxWaiting: 10, patienceMs: 5000, maxRestMs: 20 };

test('um de cada vez, e quem pede muito não faz os outros esperarem', async (t) => {
  const turns = createTurns(OPCOES);
  const ordem: string[] = [];
  let juntos = 0;
  const fazer = async (origem: string, nome: string) =>
    turns.run(origem, async () => {
      juntos += 1;
      t.is(juntos, 1);
      ordem.push(nome);
      await sleep(5);
      juntos -= 1;
    });
  await Promise.all([
    ...[1, 2, 3, 4, 5].map((n) => fazer('a', `a${n}`)),
    ...[1, 2].map((n) => fazer('b', `b${n}`)),
    fazer('c', 'c1'),
  ]);
  t.is(ordem.join(' '), 'a1 a2 b1 c1 a3 b2 a4 a5');
});

test('a vez dura até acabar o que se disse ter começado, e o descanso tem limite', async (t) => {
  const turns = createTurns(OPCOES);
  let feito = false;
  let outroTanto = false;
  await turns.run('a', async (until) => {
    until(
      sleep(500).then(() => {
        feito = true;
        // Without the limit it would rest for as long again.
        void sleep(500).then(() => {
          outroTanto = true;
        });
      }),
    );
  });
  t.false(feito);
  await turns.run('a', async () => t.true(feito));
  t.false(outroTanto);
});

test('o que falha passa a vez', async (t) => {
  const turns = createTurns(OPCOES);
  await t.throwsAsync(
    turns.run('a', async () => Promise.reject(new Error('falhou'))),
    { message: 'falhou' },
  );
  t.is(await turns.run('a', async () => 1), 1);
});

test('há um limite de espera no tempo, no todo e para cada origem; quem desiste não toma a vez', async (t) => {
  const turns = createTurns({ ...OPCOES, patienceMs: 200 });
  const longo = turns.run('a', async () => sleep(600));
  const rodou: string[] = [];
  const pedir = async (origem: string) =>
    turns.run(origem, async () => void rodou.push(origem)).catch((error: unknown) => error);
  const daA = Array.from({ length: 5 }, () => pedir('a'));
  t.true((await pedir('a')) instanceof TooManyWaiting);
  const outros = ['b', 'c', 'd', 'e', 'f'].map(pedir);
  t.true((await pedir('g')) instanceof TooManyWaiting);
  for (const resultado of await Promise.all([...daA, ...outros])) t.true(resultado instanceof TooManyWaiting);
  await longo;
  t.is(await pedir('b'), undefined);
  t.deepEqual(rodou, ['b']);
});
