import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { DiaSemBanco, FeriadoProprio } from '../../domain/provedores/feriados/feriados.types.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

const DIA = 'DD/MM/AAAA, ou DD/MM para todos os anos';

/** `malha provedor feriado …` */
export function comandosDeFeriados(provedor: Command, sessao: Sessao): void {
  const feriado = grupo(provedor.command('feriado')).description(
    'dias sem banco de um provedor, além dos nacionais e dos do seu estado (uf)',
  );

  comando(feriado.command('adicionar'))
    .usage('<provedor> <dia> --nome <nome> [opções]')
    .description('acrescenta um dia, ou muda um que já está; vale na hora para encargos e bloqueios')
    .argument('<provedor>', 'id do provedor', inteiro)
    .argument('<dia>', DIA)
    .requiredOption('--nome <nome>', 'nome do dia')
    .option('--dia-util', 'os bancos abrem nele, embora a lista do estado o tenha como feriado')
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, dia: string, opcoes: { nome: string; diaUtil?: boolean; json?: boolean }) => {
      await sessao.comContainer(async ({ feriados }) => {
        const { nome, diaUtil = false, json } = opcoes;
        const feito = await feriados.adicionar(TERMINAL, provedorId, { dia, nome, diaUtil });
        sessao.mostrar(json, { provedor_id: provedorId, ...apresentar(feito) }, [
          `Provedor ${provedorId}: ${emTexto(feito).join(', ')}.`,
        ]);
      });
    });

  comando(feriado.command('remover'))
    .usage('<provedor> <dia> [opções]')
    .description('remove um dia que o provedor tem de seu')
    .argument('<provedor>', 'id do provedor', inteiro)
    .argument('<dia>', DIA)
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, digitado: string, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ feriados }) => {
        const dia = await feriados.remover(TERMINAL, provedorId, digitado);
        if (dia === null) throw new EntradaInvalida(`o provedor ${provedorId} não tem de seu o dia ${digitado}`);
        sessao.mostrar(json, { provedor_id: provedorId, dia, removido: true }, [
          `Provedor ${provedorId}: ${dia} removido.`,
        ]);
      });
    });

  comando(feriado.command('listar'))
    .usage('<provedor> [opções]')
    .description(
      'lista os dias que o provedor tem de seus; com --ano, todos os feriados de um ano, menos os fins de semana',
    )
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--ano <ano>', 'ano, de 1900 a 2199', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, { ano, json }: { ano?: number; json?: boolean }) => {
      await sessao.comContainer(async ({ feriados, provedores }) => {
        const encontrado = await provedores.exigirPorId(provedorId);
        if (ano === undefined) {
          const proprios = await feriados.listar(provedorId);
          sessao.mostrar(json, proprios.map(apresentar), colunas(proprios.map(emTexto)));
        } else {
          const dias = await feriados.doAno(encontrado, ano);
          sessao.mostrar(json, dias, colunas(dias.map(doAno)));
        }
      });
    });
}

const apresentar = ({ dia, nome, diaUtil }: FeriadoProprio) => ({ dia, nome, dia_util: diaUtil });

const emTexto = ({ dia, nome, diaUtil }: FeriadoProprio): string[] => [dia, diaUtil ? 'dia útil' : 'feriado', nome];

const doAno = ({ dia, nome, origem }: DiaSemBanco): string[] => [dia, origem, nome];
