import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { comando, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';

interface Opcoes {
  readonly provedor: number;
  readonly json?: boolean;
}

/** `malha cliente palavras`: for names that somebody wrote by SQL, or a release that kept no words of them. */
export function comandoDasPalavras(cliente: Command, sessao: Sessao): void {
  comando(cliente.command('palavras'))
    .description('refaz as palavras pelas quais se acham os nomes, se alguém os gravou por SQL; pode-se repetir')
    .requiredOption('--provedor <id>', 'provedor dono dos cadastros', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: Opcoes) => {
      await sessao.comContainer(async ({ provedores, palavras }) => {
        const { id } = await provedores.exigirPorId(provedor);
        const feito = await palavras.refazer(TERMINAL, id);
        sessao.mostrar(json, feito, [
          `${contar(feito.vistos, 'cliente visto', 'clientes vistos')}, ${feito.mudados} com palavras refeitas`,
        ]);
      });
    });
}
