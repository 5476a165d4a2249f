import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import type { Command } from 'commander';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar, numero } from '../texto.ts';

interface OpcoesDoRelatorio {
  readonly provedor: number;
  readonly detalhes?: boolean;
  readonly saida?: string;
  readonly json?: boolean;
}

/** `malha importar relatorio` and `conferir`: what was refused, and sums to be held against the other system's. */
export function comandosDeConferencia(importar: Command, sessao: Sessao): void {
  comando(importar.command('relatorio'))
    .usage('<id> [opções]')
    .description('as linhas recusadas, como CSV com uma coluna erro; sem senhas')
    .argument('<id>', 'importação', inteiro)
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--detalhes', 'uma linha por coisa a dizer: recusas, o que se alterou na leitura, o que ficou ao desfazer')
    .option('--saida <arquivo>', 'grava num arquivo novo, que só o dono lê')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, detalhes, saida, json }: OpcoesDoRelatorio) => {
      await sessao.comContainer(async ({ importacoes }) => {
        const linhas = detalhes === true ? importacoes.detalhes(provedor, id) : importacoes.recusadas(provedor, id);
        if (saida !== undefined) {
          // Without its header.
          const escritas = (await gravar(saida, linhas)) - 1;
          sessao.mostrar(json, { id, arquivo: saida, linhas: escritas }, [
            `${contar(escritas, 'linha', 'linhas')} em ${saida}.`,
          ]);
          return;
        }
        const todas: string[] = [];
        for await (const linha of linhas) {
          const limpa = linha.replace(/\r\n$/, '');
          if (json === true) todas.push(limpa);
          else sessao.mostrar(false, null, [limpa]);
        }
        if (json === true) sessao.mostrar(true, todas, []);
      });
    });

  comando(importar.command('conferir'))
    .description('soma o que há no provedor, por tabela e situação, para comparar com o outro sistema')
    .requiredOption('--provedor <id>', 'provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ importacoes }) => {
        const somas = await importacoes.conferir(provedor);
        sessao.mostrar(json, somas, [
          ...colunas([
            ['planos', '', numero(somas.planos), ''],
            ...somas.clientes.map(({ situacao, quantos }) => ['clientes', situacao, numero(quantos), '']),
            ['telefones', '', numero(somas.telefones), ''],
            ...somas.contratos.map(({ situacao, quantos, valor }) => ['contratos', situacao, numero(quantos), valor]),
            ['logins', '', numero(somas.logins), ''],
            ['senhas por aplicar', '', numero(somas.senhas_por_aplicar), ''],
            ...somas.faturas.map(({ situacao, quantos, valor, pago }) => [
              'faturas',
              situacao,
              numero(quantos),
              `${valor}, pago ${pago}`,
            ]),
            ['desbloqueios em vigor', '', numero(somas.desbloqueios_em_vigor), ''],
          ]),
        ]);
      });
    });
}

/** Writes lines to a file of its own; resolves to how many. @throws EntradaInvalida where it is there already, or cannot be made */
async function gravar(arquivo: string, linhas: AsyncIterable<string>): Promise<number> {
  const saida = createWriteStream(arquivo, { flags: 'wx', mode: 0o600 });
  let escritas = 0;
  try {
    await once(saida, 'open');
    for await (const linha of linhas) {
      escritas += 1;
      if (!saida.write(linha)) await once(saida, 'drain');
    }
    saida.end();
    await finished(saida);
  } catch (error) {
    saida.destroy();
    if (error instanceof Error && 'syscall' in error)
      throw new EntradaInvalida(`saida: não foi possível criar ${arquivo}`);
    throw error;
  }
  return escritas;
}
