import test from 'ava';
import { withNamedLock } from '../../../../src/platform/mysql/schema/named-lock.ts';
import { criarBanco } from '../../../support/banco.ts';
import type { Banco } from '../../../support/banco.ts';

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

const LATE = 'outro a tem';
const lock = (waitSeconds: number, name = 'malha_teste') => ({ name, waitSeconds, late: LATE });

test('the next one gets the lock when the work is done, also when that failed', async (t) => {
  const order: string[] = [];
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let tellStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => (tellStarted = resolve));
  const first = banco.db.transaction((trx) =>
    withNamedLock(trx, lock(0), async () => {
      tellStarted();
      await opened;
      order.push('first');
      throw new Error('falhou');
    }),
  );
  await started;
  await t.throwsAsync(
    banco.db.transaction((trx) => withNamedLock(trx, lock(0), async () => t.fail())),
    { message: LATE },
  );
  const second = banco.db.transaction((trx) => withNamedLock(trx, lock(30), async () => order.push('second')));
  const other = banco.db.transaction((trx) => withNamedLock(trx, lock(0, 'malha_outra'), async () => 'free'));
  t.is(await other, 'free');
  open();
  await t.throwsAsync(first, { message: 'falhou' });
  await second;
  t.deepEqual(order, ['first', 'second']);
});
