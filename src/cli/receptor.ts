import type { Command } from 'commander';
import { TERMINAL } from '../domain/actor.ts';
import { EntradaInvalida } from '../domain/erros.ts';
import { comando, grupo, inteiro, lista } from './comando.ts';
import type { Sessao } from './sessao.ts';

interface OpcoesDoReceptor {
  provedor: number;
  nome: string;
  ips?: string[];
  json?: boolean;
}

/** `malha receptor …` */
export function comandosDeReceptor(programa: Command, sessao: Sessao): void {
  const receptor = grupo(programa.command('receptor')).description('endereços a que um PSP avisa os PIX recebidos');

  comando(receptor.command('criar'))
    .description('cria um receptor; o endereço é mostrado uma única vez')
    .requiredOption('--provedor <id>', 'provedor dono do receptor', inteiro)
    .requiredOption('--nome <nome>', 'PSP que vai usar o endereço')
    .option('--ips <lista>', 'endereços e faixas CIDR de origem permitidos, separados por vírgula', lista)
    .option('--json', 'responde em JSON')
    .action(async (opcoes: OpcoesDoReceptor) => {
      await sessao.comContainer(async ({ provedores, receptores }) => {
        const provedor = await provedores.exigirPorId(opcoes.provedor);
        const { id, segredo } = await receptores.criar(TERMINAL, provedor.id, {
          nome: opcoes.nome,
          ipsPermitidos: opcoes.ips ?? null,
        });
        const endereco = `https://${provedor.panelHost}/webhooks/pix/${segredo}`;
        sessao.mostrar(opcoes.json, { id, provedor_id: provedor.id, endereco }, [
          `Receptor ${id} criado. Dê ao PSP este endereço agora: ele não será mostrado de novo.`,
          endereco,
        ]);
      });
    });

  comando(receptor.command('listar'))
    .description('lista os receptores de um provedor, sem os endereços')
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (opcoes: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ receptores }) => {
        const todos = await receptores.listar(opcoes.provedor);
        const valor = todos.map((r) => ({
          id: r.id,
          nome: r.nome,
          ips_permitidos: r.ipsPermitidos,
          criado_em: r.criadoEm,
          revogado_em: r.revogadoEm,
        }));
        const linhas = todos.map((r) => {
          const estado = r.revogadoEm === null ? 'ativo' : `revogado em ${r.revogadoEm.toISOString()}`;
          return `${r.id}  ${r.nome}  ${estado}  ${r.ipsPermitidos?.join(',') ?? 'de qualquer origem'}`;
        });
        sessao.mostrar(opcoes.json, valor, linhas);
      });
    });

  comando(receptor.command('revogar'))
    .usage('<id> [opções]')
    .description('revoga um receptor; o endereço deixa de existir quando o comando responde')
    .argument('<id>', 'id do receptor', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono do receptor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, opcoes: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ receptores }) => {
        if (!(await receptores.revogar(TERMINAL, opcoes.provedor, id))) {
          throw new EntradaInvalida(`o provedor ${opcoes.provedor} não tem o receptor ${id} ativo`);
        }
        sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, revogado: true }, [`Receptor ${id} revogado.`]);
      });
    });
}
