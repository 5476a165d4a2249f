import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import { ConfigError, loadConfig } from '../../../src/platform/config.ts';
import { masterKeys } from '../../../src/platform/secrets/master-key.ts';
import { SecretUnreadable, createSecrets } from '../../../src/platform/secrets/secrets.ts';

const LUGAR = { tenant: 7, table: 'importacao_senhas', column: 'senha', row: '12' };
const SEGREDO = Buffer.from('pppoe-s3nha-çã');

test('o que se cifra volta inteiro, cada vez com outro texto, e sem o segredo nele', (t) => {
  const segredos = createSecrets(() => [randomBytes(32)]);
  const uma = segredos.seal(LUGAR, SEGREDO);
  const outra = segredos.seal(LUGAR, SEGREDO);
  t.notDeepEqual(uma, outra);
  t.false(uma.includes(SEGREDO));
  t.deepEqual(segredos.open(LUGAR, uma), SEGREDO);
  t.deepEqual(segredos.open(LUGAR, segredos.seal(LUGAR, Buffer.alloc(0))), Buffer.alloc(0));
});

test('noutro provedor, tabela, coluna ou linha não se abre', (t) => {
  const segredos = createSecrets(() => [randomBytes(32)]);
  const selado = segredos.seal(LUGAR, SEGREDO);
  for (const outro of [
    { ...LUGAR, tenant: 8 },
    { ...LUGAR, table: 'usuarios_fatores' },
    { ...LUGAR, column: 'outra' },
    { ...LUGAR, row: '13' },
    // The parts say where they end.
    { tenant: 7, table: 'importacao_senhassenha', column: '', row: '12' },
  ]) {
    t.throws(() => segredos.open(outro, selado), { instanceOf: SecretUnreadable });
  }
});

test('alterado em qualquer byte, ou cortado, não se abre', (t) => {
  const segredos = createSecrets(() => [randomBytes(32)]);
  const selado = segredos.seal(LUGAR, SEGREDO);
  for (let n = 0; n < selado.length; n += 1) {
    const mudado = Buffer.from(selado);
    mudado[n]! ^= 1;
    t.throws(() => segredos.open(LUGAR, mudado), { instanceOf: SecretUnreadable }, `byte ${n}`);
    t.throws(() => segredos.open(LUGAR, selado.subarray(0, n)), { instanceOf: SecretUnreadable }, `até ${n}`);
  }
});

test('trocada a chave, a de antes ainda abre o que cifrou, e a nova cifra', (t) => {
  const [antes, depois] = [randomBytes(32), randomBytes(32)];
  const velho = createSecrets(() => [antes]).seal(LUGAR, SEGREDO);
  const juntas = createSecrets(() => [depois, antes]);
  t.deepEqual(juntas.open(LUGAR, velho), SEGREDO);
  const novo = juntas.seal(LUGAR, SEGREDO);
  t.deepEqual(createSecrets(() => [depois]).open(LUGAR, novo), SEGREDO);
  const erro = t.throws(() => createSecrets(() => [depois]).open(LUGAR, velho), { instanceOf: SecretUnreadable });
  t.regex(erro.message, /chave mestra [0-9a-f]{16}, que não está/);
});

test('fora de produção a chave nasce na pasta dos dados, uma só vez e só do dono', (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-chave-'));
  t.teardown(() => rmSync(pasta, { recursive: true, force: true }));
  const config = loadConfig({ MALHA_DATA_DIR: path.join(pasta, 'dados') });
  const [primeira] = masterKeys(config);
  t.is(primeira?.length, 32);
  t.deepEqual(masterKeys(config), [primeira!]);
  t.deepEqual(readdirSync(path.join(pasta, 'dados')), ['chave-mestra']);
  t.is(statSync(path.join(pasta, 'dados', 'chave-mestra')).mode & 0o777, 0o600);
});

test('em produção, sem chave, quem cifra ouve qual falta; quem não cifra não precisa dela', (t) => {
  const config = loadConfig({ NODE_ENV: 'production', MALHA_DATA_DIR: '/nao/existe' });
  const segredos = createSecrets(() => masterKeys(config));
  const erro = t.throws(() => segredos.seal(LUGAR, SEGREDO), { instanceOf: ConfigError });
  t.regex(erro.message, /MALHA_CHAVE_MESTRA — falta/);
  const dita = 'ab'.repeat(32);
  const anterior = 'cd'.repeat(32);
  const com = loadConfig({ NODE_ENV: 'production', MALHA_CHAVE_MESTRA: dita, MALHA_CHAVE_MESTRA_ANTERIORES: anterior });
  t.deepEqual(masterKeys(com), [Buffer.from(dita, 'hex'), Buffer.from(anterior, 'hex')]);
  t.throws(() => loadConfig({ MALHA_CHAVE_MESTRA: 'curta' }), { message: /MALHA_CHAVE_MESTRA/ });
});
