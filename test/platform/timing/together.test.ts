import test from 'ava';
import { alone, createTogether } from '../../../src/platform/timing/together.ts';

/** Work that counts how often it was begun, and ends when it is told to. */
function createWork() {
  const ends: ((outcome: Error | null) => void)[] = [];
  return {
    begun: () => ends.length,
    end: (n: number, outcome: Error | null = null) => ends[n]?.(outcome),
    work: async () => {
      const mine = ends.length;
      await new Promise<void>((resolve, reject) => {
        ends.push((outcome) => (outcome === null ? resolve() : reject(outcome)));
      });
      return mine;
    },
  };
}

test('whoever asks while work is done waits for the next, which all share', async (t) => {
  const together = createTogether();
  const { work, begun, end } = createWork();
  const first = together('a', work);
  const [second, third] = [together('a', work), together('a', work)];
  t.is(begun(), 1);
  end(0);
  t.is(await first, 0);
  await new Promise((resolve) => setImmediate(resolve));
  t.is(begun(), 2);
  const fourth = together('a', work);
  end(1);
  t.deepEqual(await Promise.all([second, third]), [1, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  end(2);
  t.is(await fourth, 2);
});

test('work of other names is done at once, and what ended is done anew', async (t) => {
  const together = createTogether();
  const { work, begun, end } = createWork();
  const both = [together('a', work), together('b', work)];
  t.is(begun(), 2);
  end(0);
  end(1);
  t.deepEqual(await Promise.all(both), [0, 1]);
  const later = together('a', work);
  t.is(begun(), 3);
  end(2);
  t.is(await later, 2);
});

test('work that fails fails for those who shared it, and for nobody after', async (t) => {
  const together = createTogether();
  const { work, end } = createWork();
  const first = together('a', work);
  const second = together('a', work);
  end(0, new Error('gone'));
  await t.throwsAsync(first, { message: 'gone' });
  await new Promise((resolve) => setImmediate(resolve));
  end(1);
  t.is(await second, 1);
});

test('alone, nothing is shared', async (t) => {
  const { work, begun, end } = createWork();
  const both = [alone('a', work), alone('a', work)];
  t.is(begun(), 2);
  end(0);
  end(1);
  t.deepEqual(await Promise.all(both), [0, 1]);
});
