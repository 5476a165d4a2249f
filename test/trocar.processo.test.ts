import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { ExecutionContext } from 'ava';

// deploy/haproxy/trocar.sh beside a socket that is not quite HAProxy's, or not in time.

const TROCAR = fileURLToPath(new URL('../../deploy/haproxy/trocar.sh', import.meta.url));
const HOST = 'painel389.proxy.test';
const ANTES = `${HOST} a\nat a\n`;

type Ouvir = (linha: string, conexao: Socket, matar: (sinal: NodeJS.Signals) => void) => void;

/** Leads provider 389 from a to b, in a group of processes of its own as a terminal's, which `matar` signals as a whole. */
async function trocar(t: ExecutionContext, ouvir: Ouvir, caminho = process.env['PATH'], programa = TROCAR) {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-trocar-'));
  const [mapa, soquete] = [path.join(pasta, 'celulas.map'), path.join(pasta, 'admin.sock')];
  writeFileSync(mapa, ANTES);
  const ditas: string[] = [];
  const haproxy = createServer({ allowHalfOpen: true }, (conexao) => {
    conexao.on('error', () => {});
    conexao.once('data', (linha) => {
      ditas.push(String(linha).trim().replace(mapa, 'MAPA'));
      ouvir(ditas.at(-1)!, conexao, (sinal) => process.kill(-processo.pid!, sinal));
    });
  }).listen(soquete);
  t.teardown(() => {
    haproxy.close();
    rmSync(pasta, { recursive: true });
  });
  await once(haproxy, 'listening');
  const processo = spawn('/bin/sh', [programa, 'b', mapa, soquete], {
    detached: true,
    env: { PATH: caminho, MALHA_PROVEDOR: '389', MALHA_HOST: HOST },
  });
  const [codigo] = (await once(processo, 'close')) as [number | null];
  return { codigo, ditas, mapa: readFileSync(mapa, 'utf8') };
}
const levar = (celula: string): string[] => [HOST, 'at'].map((um) => `set map MAPA ${um} ${celula}`);

test('quem o encerra de novo enquanto leva de volta não deixa o provedor entre duas células', async (t) => {
  const feito = await trocar(t, (linha, conexao, matar) => {
    if (linha.includes(' at b') || linha.endsWith(`${HOST} a`)) matar('SIGINT');
    conexao.end('\n');
  });
  t.deepEqual(feito, { codigo: 1, ditas: [...levar('b'), ...levar('a')], mapa: ANTES });
});

test('quem o encerra quando tudo está levado não o faz dizer que falhou', async (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-trocar-fim-'));
  t.teardown(() => rmSync(pasta, { recursive: true }));
  const encerrado = path.join(pasta, 'trocar.sh');
  writeFileSync(encerrado, `${readFileSync(TROCAR, 'utf8')}kill -TERM $$\n`);
  const feito = await trocar(t, (_linha, conexao) => conexao.end('\n'), process.env['PATH'], encerrado);
  t.deepEqual(feito, { codigo: 0, ditas: levar('b'), mapa: `${HOST} b\nat b\n` });
});

test('o soquete que fecha sem dizer nada não levou ninguém', async (t) => {
  const { codigo, mapa } = await trocar(t, (_linha, conexao) => conexao.end());
  t.is(codigo, 1);
  t.is(mapa, ANTES);
});

test('onde não há node, ninguém é levado', async (t) => {
  const pasta = mkdtempSync(path.join(tmpdir(), 'malha-sem-node-'));
  t.teardown(() => rmSync(pasta, { recursive: true }));
  for (const nome of ['sh', 'awk', 'cat', 'flock', 'setsid', 'tr'])
    symlinkSync(`/usr/bin/${nome}`, path.join(pasta, nome));
  const { codigo, ditas, mapa } = await trocar(t, () => {}, pasta);
  t.is(codigo, 1);
  t.deepEqual(ditas, []);
  t.is(mapa, ANTES);
});
