import test from 'ava';
import { createJobMetrics } from '../../../src/platform/metrics/queues.ts';
import { toText } from '../../../src/platform/metrics/snapshot.ts';
import { lerMedidas } from '../../support/metricas.ts';

test('cada tarefa conhecida conta desde zero, para que a primeira falha seja um aumento', async (t) => {
  const jobs = createJobMetrics(['pix.recalcular', 'faturas.vencer']);
  const falhas = (job: string): string => `malha_jobs_total{job="${job}",outcome="falhou"}`;
  const medir = async () => lerMedidas(await toText(jobs.snapshot()));
  t.is((await medir()).get(falhas('pix.recalcular')), 0);
  jobs.record('pix.recalcular', 'falhou', 20);
  jobs.record('de.outra.versao', 'concluida', 20);
  const medidas = await medir();
  t.is(medidas.get(falhas('pix.recalcular')), 1);
  t.is(medidas.get(falhas('faturas.vencer')), 0);
  t.is(medidas.get(falhas('de.outra.versao')), 0);
  t.is(medidas.get('malha_job_duration_seconds_count{job="pix.recalcular"}'), 1);
  t.false(medidas.has('malha_job_duration_seconds_count{job="faturas.vencer"}'));
});
