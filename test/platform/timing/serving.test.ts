import test from 'ava';
import { createServing } from '../../../src/platform/timing/serving.ts';
import type { Round } from '../../../src/platform/timing/serving.ts';

type Task = { readonly id: number };

/** A task that ends when it is told to. */
function gates(count: number) {
  const open: (() => void)[] = [];
  const ends = Array.from({ length: count }, (_, n) => new Promise<void>((done) => void (open[n] = done)));
  return { open, ends };
}

test('o que termina depois dos outros também é escrito, e uma vez', async (t) => {
  const { open, ends } = gates(3);
  const written: number[] = [];
  let waiting: Task[] = [{ id: 0 }, { id: 1 }, { id: 2 }];
  const serving = createServing<string, Task, Task, Round<Task>>({
    nameOf: (name) => name,
    async round(_target, done) {
      written.push(...done.map(({ id }) => id));
      const tasks = waiting;
      waiting = [];
      // The next one ends once this round has taken what was done.
      setImmediate(() => open[written.length]?.());
      return { tasks, room: false };
    },
    async perform(_target, task) {
      await ends[task.id];
      return task;
    },
    onError: (_target, error) => t.fail(String(error)),
  });
  t.is(serving.begin(['a']), 1);
  t.is(serving.begin(['a']), 0, 'um alvo é servido uma vez');
  await serving.finish();
  t.deepEqual(written, [0, 1, 2]);
});

test('o que não se pôde escrever é escrito depois', async (t) => {
  let failures = 1;
  const written: number[] = [];
  let waiting: Task[] = [{ id: 1 }];
  const errors: unknown[] = [];
  const serving = createServing<string, Task, Task, Round<Task>>({
    nameOf: (name) => name,
    async round(_target, done) {
      if (done.length > 0 && failures > 0) {
        failures -= 1;
        throw new Error('sem banco');
      }
      written.push(...done.map(({ id }) => id));
      const tasks = waiting;
      waiting = [];
      return { tasks, room: false };
    },
    perform: async (_target, task) => task,
    onError: (_target, error) => void errors.push(error),
  });
  serving.begin(['a']);
  await serving.stop();
  t.deepEqual([written, errors.length], [[1], 1]);
  t.is(serving.begin(['b']), 0, 'quem parou nada mais começa');
});
