import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';

/** `malha cache …` */
export function comandosDeCache(programa: Command, sessao: Sessao): void {
  const cache = grupo(programa.command('cache')).description('respostas e chaves que os processos guardam');

  comando(cache.command('esquecer'))
    .description(
      'faz todos os processos esquecerem o que guardam, depois de escritas de que ninguém os avisou: ' +
        'um backup restaurado, gatilhos desligados',
    )
    .option('--provedor <id>', 'só deste provedor; sem isto, de todos', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: { provedor?: number; json?: boolean }) => {
      await sessao.comContainer(async ({ esquecimento }) => {
        const provedores = await esquecimento.esquecer(TERMINAL, provedor);
        sessao.mostrar(json, { provedores }, [
          `Esquecido o que se guardava de ${contar(provedores, 'provedor', 'provedores')}.`,
        ]);
      });
    });
}
