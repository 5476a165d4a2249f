import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { comandosDeBaixa } from './baixas.ts';
import { comandosDeEmissao } from './emissao.ts';
import { comandosDeRenegociacao } from './renegociacoes.ts';

/** `malha fatura …` */
export function comandosDeFatura(programa: Command, sessao: Sessao): void {
  const fatura = grupo(programa.command('fatura')).description('faturas');

  comandosDeEmissao(fatura, sessao);
  comandosDeBaixa(fatura, sessao);
  comandosDeRenegociacao(fatura, sessao);

  comando(fatura.command('reabrir'))
    .usage('<id> [opções]')
    .description('reabre uma fatura estornada: volta a ser devida, com encargos desde o vencimento')
    .argument('<id>', 'id da fatura', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono da fatura', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, opcoes: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ rejulgamento }) => {
        const { situacao, falta } = await rejulgamento.reabrir(TERMINAL, opcoes.provedor, id);
        const valor = { id, provedor_id: opcoes.provedor, situacao, falta: escreverDinheiro(falta) };
        sessao.mostrar(opcoes.json, valor, [`Fatura ${id} reaberta: ${situacao}, deve ${valor.falta}.`]);
      });
    });
}
