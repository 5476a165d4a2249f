import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { createLogger } from '../../src/platform/logger.ts';
import { withLogFields } from '../../src/platform/log-fields.ts';

test('cada linha diz de que trabalho é, também depois de uma espera, e o que a própria linha diz vale mais', async (t) => {
  const linhas: Record<string, unknown>[] = [];
  const logger = createLogger(
    { MALHA_LOG: 'info' },
    { write: (linha) => void linhas.push(JSON.parse(linha) as object as Record<string, unknown>) },
  );
  await Promise.all([
    withLogFields({ jobId: 'a' }, async () => {
      await sleep(1);
      logger.info('uma');
      withLogFields({ traceId: 't' }, () => logger.info({ jobId: 'da linha' }, 'outra'));
    }),
    withLogFields({ jobId: 'b' }, async () => logger.info('terceira')),
  ]);
  logger.info('de ninguém');
  const dita = (msg: string) => linhas.find((linha) => linha['msg'] === msg);
  t.like(dita('uma'), { jobId: 'a' });
  t.like(dita('outra'), { jobId: 'da linha', traceId: 't' });
  t.like(dita('terceira'), { jobId: 'b' });
  t.false('jobId' in dita('de ninguém')!);
});
