import type { Command } from 'commander';
import { comando, grupo } from '../comando.ts';
import { comandoDeConferencia } from './conferencia.ts';
import { comandosDeConfiguracao } from './configuracao.ts';
import { comandosDeFeriados } from './feriados.ts';
import { comandosDeNas } from './nas.ts';
import { comandosDeArquivo } from './arquivo.ts';
import { comandosDeMudanca } from './mudanca.ts';
import { comandosDeRede } from './rede.ts';
import type { MudancaDeCelula } from '../../domain/provedores/provedores.types.ts';
import type { Sessao } from '../sessao.ts';

/** What follows a provider in the list that does not live here, or not for long. */
function lugarDe(mudanca: MudancaDeCelula | undefined): string {
  if (mudanca === undefined) return '';
  const { mudanca: como, mudanca_para: para } = mudanca;
  return `  ${como}${para === null ? '' : ` para ${para}`}`;
}

/** `malha provedor …` */
export function comandosDeProvedor(programa: Command, sessao: Sessao): void {
  const provedor = grupo(programa.command('provedor')).description('provedores (inquilinos)');

  comando(provedor.command('criar'))
    .description('cadastra um provedor')
    .requiredOption('--nome <nome>', 'nome do provedor')
    .requiredOption('--host <host>', 'host do painel, da API e das páginas, como painel.exemplo.com.br')
    .option('--fuso <fuso>', 'fuso horário IANA', 'America/Sao_Paulo')
    .option('--json', 'responde em JSON')
    .action(async (opcoes: { nome: string; host: string; fuso: string; json?: boolean }) => {
      await sessao.comContainer(async ({ provedores }) => {
        const { nome, host: panelHost, fuso: fusoHorario } = opcoes;
        const criado = await provedores.criar({ nome, panelHost, fusoHorario });
        const valor = {
          id: criado.id,
          nome: criado.nome,
          panel_host: criado.panelHost,
          fuso_horario: criado.fusoHorario,
        };
        sessao.mostrar(opcoes.json, valor, [`Provedor ${criado.id} criado: ${criado.nome} (${criado.panelHost})`]);
      });
    });

  comando(provedor.command('listar'))
    .description('lista os provedores, e diz para onde foram os que já não vivem nesta célula')
    .option('--json', 'responde em JSON')
    .action(async ({ json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ provedores }) => {
        const [todos, mudancas] = [await provedores.listar(), await provedores.mudancas()];
        sessao.mostrar(
          json,
          todos.map((p) => ({
            id: p.id,
            nome: p.nome,
            panel_host: p.panelHost,
            fuso_horario: p.fusoHorario,
            ...mudancas.get(p.id),
          })),
          todos.map((p) => `${p.id}  ${p.nome}  ${p.panelHost}  ${p.fusoHorario}${lugarDe(mudancas.get(p.id))}`),
        );
      });
    });

  comandosDeConfiguracao(provedor, sessao);
  comandosDeFeriados(provedor, sessao);
  comandoDeConferencia(provedor, sessao);
  comandosDeNas(provedor, sessao);
  comandosDeRede(provedor, sessao);
  comandosDeMudanca(provedor, sessao);
  comandosDeArquivo(provedor, sessao);
}
