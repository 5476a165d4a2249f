import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { criarBanco, redisUrl } from '../support/banco.ts';
import type { Banco } from '../support/banco.ts';
import { criarFreeRadius } from '../support/freeradius.ts';
import type { FreeRadius } from '../support/freeradius.ts';
import { executar } from '../support/processo.ts';
import type { Processo } from '../support/processo.ts';

const RAIZ = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENTO = readFileSync(path.join(RAIZ, 'docs/primeiro-dia.md'), 'utf8');

/** A block takes a few seconds; some wait for the worker. */
const LIMITE_DO_BLOCO_MS = 90_000;

interface Bloco {
  readonly titulo: string;
  readonly comandos: string;
  /** What the document says that they print, if anything. */
  readonly esperado: string | undefined;
}

/** The document's commands, each with what follows it as its output. */
function blocosDe(documento: string): Bloco[] {
  const feitos = [...documento.matchAll(/^```sh\n([^]*?)^```\n(?:```text\n([^]*?)^```\n)?/gm)];
  return feitos.map(({ 1: comandos = '', 2: esperado, index }) => ({
    titulo:
      documento
        .slice(0, index)
        .match(/^## .*$/gm)
        ?.at(-1) ?? '',
    comandos,
    esperado,
  }));
}

/** `…` stands for anything in its line, and a line of it alone for any lines. */
function padraoDe(esperado: string): RegExp {
  const linhas = esperado.split(/^…\n/m).map((parte) =>
    parte
      .split('…')
      .map((texto) => texto.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
      .join('[^\n]*'),
  );
  return new RegExp(`^${linhas.join('(?:[^\n]*\n)*')}$`, 'u');
}

/** One shell, as a person has it: what a block sets, the next ones know. */
function abrirSessao(env: NodeJS.ProcessEnv, pasta: string) {
  // A command that fails ends it, which a person would notice, too.
  const bash: ChildProcess = spawn('bash', ['-eu'], { cwd: RAIZ, env, stdio: ['pipe', 'pipe', 'pipe'] });
  let dito = '';
  let erros = '';
  let ouvinte = (): void => {};
  bash.stdout?.setEncoding('utf8').on('data', (texto: string) => {
    dito += texto;
    ouvinte();
  });
  bash.stderr?.setEncoding('utf8').on('data', (texto: string) => (erros += texto));
  const saiu = once(bash, 'exit').then(() => ouvinte());
  let numero = 0;
  return {
    async rodar(comandos: string): Promise<{ inteiro: boolean; stdout: string; stderr: string }> {
      const arquivo = path.join(pasta, `bloco-${(numero += 1)}.sh`);
      writeFileSync(arquivo, comandos);
      [dito, erros] = ['', ''];
      const fim = `\u0001fim do bloco ${numero}\u0001`;
      bash.stdin?.write(`. '${arquivo}' </dev/null; printf '\\001fim do bloco ${numero}\\001'\n`);
      await new Promise<void>((resolve) => {
        // What a block waits for may never come: then the test says which one it was.
        const limite = setTimeout(resolve, LIMITE_DO_BLOCO_MS);
        ouvinte = () => {
          if (!dito.endsWith(fim) && bash.exitCode === null) return;
          clearTimeout(limite);
          resolve();
        };
        ouvinte();
      });
      const inteiro = dito.endsWith(fim);
      return { inteiro, stdout: inteiro ? dito.slice(0, -fim.length) : dito, stderr: erros };
    },
    async fechar(): Promise<void> {
      bash.kill('SIGKILL');
      await saiu;
    },
  };
}

const pasta = mkdtempSync(path.join(tmpdir(), 'malha-primeiro-dia-'));
let banco: Banco;
let servico: Processo & { readonly achado: string };
let radius: FreeRadius | undefined;
let sessao: ReturnType<typeof abrirSessao>;
test.before(async () => {
  banco = await criarBanco();
  const ambiente = {
    DATABASE_URL: banco.url,
    REDIS_URL: await redisUrl(),
    // Where the key is that both the service and the commands encrypt with.
    MALHA_DATA_DIR: path.join(pasta, 'dados'),
    MALHA_EXTRATOS: path.join(pasta, 'extratos'),
  };
  servico = await executar('start', ambiente, /Malha em http:\/\/127\.0\.0\.1:(\d+)/);
  const { PATH, HOME } = process.env;
  sessao = abrirSessao({ PATH, HOME, LANG: 'C.UTF-8', TMPDIR: pasta, PORT: servico.achado, ...ambiente }, pasta);
});
test.after.always(async () => {
  await sessao?.fechar();
  await radius?.fechar();
  await servico?.parar();
  await banco?.fechar();
  rmSync(pasta, { recursive: true, force: true });
});

test.serial('o primeiro dia de um provedor, como docs/primeiro-dia.md o conta', async (t) => {
  t.timeout(480_000);
  const blocos = blocosDe(DOCUMENTO);
  t.true(blocos.length > 10);
  for (const { titulo, comandos, esperado } of blocos) {
    const { inteiro, stdout, stderr } = await sessao.rodar(comandos);
    const contexto = `${titulo}\n${comandos}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`;
    t.true(inteiro, contexto);
    t.notRegex(stderr, /^erro|command not found|unbound variable/m, contexto);
    if (esperado !== undefined) t.regex(`${stdout.trimEnd()}\n`, padraoDe(esperado), contexto);
    // The document restarts FreeRADIUS once the NAS is registered; here it begins then.
    if (comandos.includes('nas adicionar')) {
      radius = await criarFreeRadius({
        dono: banco.db,
        databaseUrl: banco.url,
        segredo: '-',
        enderecoCoa: '127.0.0.4',
      });
      await sessao.rodar(`RADIUS=127.0.0.1:${radius.portas.auth}\n`);
    }
  }
  t.not(radius, undefined);
});
