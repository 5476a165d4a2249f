import test from 'ava';
import { createLogger } from '../../src/platform/logger.ts';
import { createTarefaDiariaJob } from '../../workers/jobs/tarefa-diaria.job.ts';

test('onde nem se consegue dizer que a tarefa falhou, o erro dela é o que fica, e o outro vai ao log', async (t) => {
  const linhas: Record<string, any>[] = [];
  const logger = createLogger({ MALHA_LOG: 'info' }, { write: (linha: string) => linhas.push(JSON.parse(linha)) });
  const daTarefa = new Error('a tarefa');
  const tarefas = {
    executar: async () => Promise.reject(daTarefa),
    dizerQueFalhou: async () =>
      Promise.reject(Object.assign(new Error('Maria'), { sql: 'x', code: 'ER_LOCK_DEADLOCK' })),
  };
  const job = createTarefaDiariaJob({ tarefas, logger }, 'faturas.vencer');
  const { signal } = new AbortController();
  const contexto: any = { signal, lastTry: true, progress: async () => {} };
  const erro = await t.throwsAsync(async () => job({ provedorId: 7, dia: '2026-11-20' }, contexto));
  t.is(erro, daTarefa);
  t.deepEqual(
    linhas.map(({ level, err, tarefa, provedorId, dia }) => [level, err.code, tarefa, provedorId, dia]),
    [[40, 'ER_LOCK_DEADLOCK', 'faturas.vencer', 7, '2026-11-20']],
  );
  t.false(JSON.stringify(linhas).includes('Maria'));
});
