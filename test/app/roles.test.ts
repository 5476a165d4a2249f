import test from 'ava';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireMasterKey, warnOfRules } from '../../src/app/roles.ts';
import { CIFRADOS } from '../../src/domain/segredos/guardados.service.ts';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { criarFabrica } from '../support/fabrica.ts';

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(() => api.fechar());

test('no início o log diz que provedores têm regras que hoje não seriam aceitas, e nada quando nenhum tem', async (t) => {
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

test('em produção, com um segredo guardado, nada começa sem a chave mestra', async (t) => {
  const producao = loadConfig({ NODE_ENV: 'production' });
  const linhas: string[] = [];
  const logger = createLogger({ MALHA_LOG: 'warn' }, { write: (linha: string) => void linhas.push(linha) });
  await t.notThrowsAsync(requireMasterKey(producao, { db: api.container.db, logger }));
  t.regex(linhas.join(''), /sem MALHA_CHAVE_MESTRA ninguém entra por \/v1/);
  const provedor = await criarFabrica(api.dono).provedor();
  const agora = new Date();
  await api.dono('webhooks').insert({
    provedor_id: provedor,
    url: 'https://crm.example/',
    eventos: '[]',
    segredo: Buffer.from('cifrado'),
    segredo_fim: 'abcd',
    criado_em: agora,
    atualizado_em: agora,
  });
  const erro = await t.throwsAsync(requireMasterKey(producao, api.container), { instanceOf: ConfigError });
  t.regex(erro.message, /MALHA_CHAVE_MESTRA — falta/);
  const comChave = loadConfig({ NODE_ENV: 'production', MALHA_CHAVE_MESTRA: 'ab'.repeat(32) });
  await t.notThrowsAsync(requireMasterKey(comChave, api.container));
  await t.notThrowsAsync(requireMasterKey(loadConfig({}), api.container));
});

test('toda tabela em que se cifra é uma em que se procura', async (t) => {
  const pasta = fileURLToPath(new URL('../../../src/domain/', import.meta.url));
  const cifram: string[] = [];
  for (const arquivo of readdirSync(pasta, { recursive: true, encoding: 'utf8' })) {
    if (!arquivo.endsWith('.ts')) continue;
    const texto = readFileSync(path.join(pasta, arquivo), 'utf8');
    // Where a thing is sealed stands beside the sealing, or in a function of that name.
    if (!/\.seal\(|const lugarD/.test(texto)) continue;
    const tabelas = [...texto.matchAll(/(?:table:|TABELA =) '(\w+)'/g)].map(([, tabela = '']) => tabela);
    for (const tabela of tabelas) t.true(tabela in CIFRADOS, `${arquivo}: ${tabela}`);
    cifram.push(...tabelas);
  }
  t.deepEqual([...new Set(cifram)].toSorted(), Object.keys(CIFRADOS).toSorted());
});
