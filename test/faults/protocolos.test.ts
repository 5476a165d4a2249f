import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { criarBanco } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { quanto } from '../support/prova.ts';

const FILHO = fileURLToPath(new URL('../support/filhos/abre-ate-morrer.js', import.meta.url));
const MORTES = quanto(2, 25);
/** Two processes at a time, which open 200 together. */
const PROCESSOS = 2;
const POR_PROCESSO = 100;
const MAIS_TARDE_MS = 700;

let banco: Banco;
test.before(async () => {
  banco = await criarBanco();
});
test.after.always(() => banco.fechar());

test('200 aberturas ao mesmo tempo por dois processos, mortos a meio: nenhum protocolo se repete, e nenhum fica sem o seu registro', async (t) => {
  const fabrica = criarFabrica(banco.db);
  const provedor = await fabrica.provedor();
  const cliente = await fabrica.cliente(provedor);
  const ditos = new Set<number>();

  /** One life of a process; it dies at some moment after its first ticket. */
  async function viver(): Promise<void> {
    const filho = spawn(process.execPath, [FILHO, banco.url, ...[provedor, cliente, POR_PROCESSO].map(String)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let erros = '';
    filho.stderr.setEncoding('utf8').on('data', (parte: string) => (erros += parte));
    const saiu = once(filho, 'close');
    const linhas = createInterface({ input: filho.stdout });
    linhas.on('line', (linha) => void ditos.add(Number(linha)));
    await Promise.race([once(linhas, 'line'), saiu]);
    await sleep(Math.random() * MAIS_TARDE_MS);
    filho.kill('SIGKILL');
    t.is((await saiu)[1], 'SIGKILL', erros);
  }
  await Promise.all(
    Array.from({ length: PROCESSOS }, async (_, n) => {
      for (let morte = n; morte < MORTES; morte += PROCESSOS) await viver();
    }),
  );

  // The server ends what the last ones left open a moment later. Other tests have databases of their own on it.
  await ate(async () => {
    const [[contagem] = []] = await banco.db.raw<{ n: number }[][]>(
      `SELECT COUNT(*) AS n FROM information_schema.innodb_trx t
         JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
        WHERE p.db = DATABASE()`,
    );
    return Number(contagem?.n) === 0;
  });
  const chamados = await banco.db('chamados').where('provedor_id', provedor).select('id', 'protocolo');
  const registros = await banco.db('atendimentos').where('provedor_id', provedor).select('chamado_id', 'protocolo');
  t.true(chamados.length > 0);
  t.is(new Set(chamados.map(({ protocolo }) => protocolo)).size, chamados.length);
  const registrados = new Map(registros.map(({ chamado_id, protocolo }) => [chamado_id, protocolo]));
  t.is(registros.length, chamados.length);
  for (const { id, protocolo } of chamados) t.is(registrados.get(id), protocolo);
  const ids = new Set(chamados.map(({ id }) => id));
  for (const dito of ditos) t.true(ids.has(dito), `o chamado ${dito} foi dito aberto`);
  t.log(`${MORTES} mortes, ${chamados.length} chamados, ${ditos.size} ditos`);
});
