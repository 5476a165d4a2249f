import test from 'ava';
import { rota } from '../../../src/surfaces/public-api/rota.ts';
import { ROTAS } from '../../../src/surfaces/public-api/rotas.ts';
import { criarApi } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const nunca = rota.get({
  path: '/testes/nunca',
  permission: null,
  group: 'Testes',
  summary: 'Não responde',
  reading: 'record',
  // What is not kept does not pass the cache.
  kept: false,
  data: { type: 'string' },
  example: 'nunca',
  run: async () => new Promise<never>(() => {}),
});

test('toda leitura tem prazo, também a que não é guardada', async (t) => {
  const api = await criarApi({ rotas: [...ROTAS, nunca] });
  t.teardown(() => api.fechar());
  const { texto: chave } = await api.criarChave(await criarFabrica(api.dono).provedor());
  const { status, corpo } = await api.get('/testes/nunca', { chave });
  t.is(status, 500);
  t.is(corpo.erro.codigo, 'erro_interno');
});
