import test from 'ava';
import { criarApi } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { servir } from '../support/processo.ts';

for (const argumentos of [[], ['--processos', '2']]) {
  test(`sem worker, o que outro programa escreve é publicado por quem atende (serve ${argumentos.join(' ')})`, async (t) => {
    const api = await criarApi();
    t.teardown(() => api.fechar());
    const servico = await servir({ DATABASE_URL: api.databaseUrl, REDIS_URL: api.redisUrl }, undefined, argumentos);
    t.teardown(() => servico.parar('SIGKILL'));
    const fabrica = criarFabrica(api.dono);
    const provedor = await fabrica.provedor();
    await fabrica.cliente(provedor);
    const esperam = () => api.dono('eventos').where({ provedor_id: provedor }).whereNull('publicado_em');
    await ate(async () => (await esperam()).length === 0);
    await api.dono('eventos').insert({ provedor_id: provedor, tipo: 'alteracao', etiquetas: '["faturas"]' });
    await ate(async () => (await esperam()).length === 0);
    t.is(await servico.parar(), 0);
  });
}
