import { runProgram } from './app/program.ts';

// A reader who has gone, as in `malha chave listar | head -1`, is no failure.
for (const fluxo of [process.stdout, process.stderr]) fluxo.on('error', () => {});

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  entrada: () => process.stdin,
  saida: process.stdout,
  erros: process.stderr,
  aoInterromper(ouvinte) {
    process.once('SIGINT', ouvinte);
    return () => process.off('SIGINT', ouvinte);
  },
});
