import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { fimDoToken } from '../../src/domain/acessos/sessoes/sessoes.regras.ts';
import { criarApi } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { INTEIRA, quanto } from '../support/prova.ts';
import { CPF, SENHA, criarAssinante } from '../domain/acessos/apoio.ts';

const RENOVA_E_MORRE = fileURLToPath(new URL('../support/filhos/renova-e-morre.js', import.meta.url));
const MORTES = quanto(3, 50);
const ENTRADAS = quanto(40, 1000);
/** Of a few, on a machine that does other things, no more shows than that both are compared with a hash. */
const MAIOR_DIFERENCA = INTEIRA ? 0.1 : 0.5;

let api: Api;
test.before(async () => {
  api = await criarApi();
});
test.after.always(async () => api.fechar());

const morrer = async (...argumentos: string[]): Promise<string | null> =>
  new Promise((resolve) => {
    const filho = execFile(process.execPath, [RENOVA_E_MORRE, ...argumentos], () => resolve(filho.signalCode));
  });

test.serial('morta entre gravar e responder, a renovação deixa uma geração só, e a sessão vive', async (t) => {
  t.timeout(10 * 60_000);
  const c = await criarAssinante(api);
  let tokens = await c.entrar();
  for (let n = 1; n <= MORTES; n += 1) {
    t.is(await morrer(api.databaseUrl, String(c.provedor.id), tokens.refresh), 'SIGKILL');
    t.is(await c.geracoes(tokens.sessaoId), 2 * n);
    const respostas = await Promise.all(Array.from({ length: 10 }, async () => c.renovar(tokens.refresh)));
    t.is(new Set(respostas.map(({ access, refresh }) => `${access} ${refresh}`)).size, 1);
    t.is(await c.geracoes(tokens.sessaoId), 2 * n);
    tokens = { ...tokens, ...respostas[0]! };
    t.is(fimDoToken(await c.registro(tokens), new Date()), null);
    tokens = { ...tokens, ...(await c.renovar(tokens.refresh)) };
  }
});

/** The middle of some milliseconds. */
function mediana(tempos: readonly number[]): number {
  return tempos.toSorted((a, b) => a - b)[Math.floor(tempos.length / 2)] ?? 0;
}

test.serial(
  `${ENTRADAS} entradas de um CPF conhecido e ${ENTRADAS} de um de ninguém levam o mesmo tempo`,
  async (t) => {
    t.timeout(20 * 60_000);
    const c = await criarAssinante(api);
    const tempos = { conhecido: [] as number[], ninguem: [] as number[] };
    const medir = async (qual: keyof typeof tempos, cpf: string): Promise<void> => {
      const desde = performance.now();
      await c.entrar(`${SENHA} errada`, cpf).catch(() => {});
      tempos[qual].push(performance.now() - desde);
    };
    // Side by side, so that what else the machine does weighs on both alike.
    for (let n = 0; n < ENTRADAS; n += 1) {
      const vez = [async () => medir('conhecido', CPF), async () => medir('ninguem', '11144477735')];
      for (const um of n % 2 === 0 ? vez : vez.toReversed()) await um();
    }
    const [conhecido, ninguem] = [mediana(tempos.conhecido), mediana(tempos.ninguem)];
    t.log(`medianas: ${conhecido.toFixed(2)} ms de um conhecido, ${ninguem.toFixed(2)} ms de um de ninguém`);
    t.true(Math.abs(conhecido - ninguem) / Math.max(conhecido, ninguem) <= MAIOR_DIFERENCA);
  },
);
