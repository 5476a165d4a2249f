import test from 'ava';
import { warnOfRules } from '../../src/app/roles.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { criarApi } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';

test('no início o log diz que provedores têm regras que hoje não seriam aceitas, e nada quando nenhum tem', async (t) => {
  const api = await criarApi();
  t.teardown(() => api.fechar());
  const linhas: any[] = [];
  const logger = createLogger({ MALHA_LOG: 'warn' }, { write: (linha: string) => void linhas.push(JSON.parse(linha)) });
  const fabrica = criarFabrica(api.dono);
  await fabrica.provedor({}, { juros_mensal_percentual: '2.00', carencia_dias: 365 });
  const { provedores } = api.container;
  await warnOfRules({ provedores, logger });
  t.deepEqual(linhas, []);
  const altos = await fabrica.provedor({}, { juros_mensal_percentual: '2.01' });
  const longa = await fabrica.provedor({}, { carencia_dias: 366 });
  await warnOfRules({ provedores, logger });
  t.like(linhas, [{ msg: 'regras de cobrança que hoje não seriam aceitas', provedores: [altos, longa] }]);
  t.like(await provedores.buscarPorId(altos), { regras: { jurosMensalPercentual: 201 } });
});
