import type { Command } from 'commander';
import { numerarDepoisDe } from '../../domain/celulas/numeracao.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';

/** `malha celula …` */
export function comandosDeCelula(programa: Command, sessao: Sessao): void {
  const celula = grupo(programa.command('celula')).description('um serviço de vários bancos; veja docs/celulas.md');

  comando(celula.command('numerar'))
    .description('levanta os contadores de uma célula nova, para que nenhum número seja um que outra já deu')
    .requiredOption('--depois-de <número>', 'um número acima de todos os que a outra célula deu', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ depoisDe, json }: { depoisDe: number; json?: boolean }) => {
      await sessao.comContainer(async ({ comoDono }) => {
        const dono = comoDono();
        try {
          const tabelas = await numerarDepoisDe(dono, depoisDe);
          sessao.mostrar(json, { tabelas }, [
            tabelas.length === 0
              ? 'Todos os contadores já estavam adiante.'
              : `Levantados os contadores de ${contar(tabelas.length, 'tabela', 'tabelas')}.`,
          ]);
        } finally {
          await dono.destroy();
        }
      });
    });
}
