import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import type { Apagamento } from '../../domain/privacidade/apagamento/apagamento.types.ts';
import { Simulado } from '../../domain/privacidade/simulacao.types.ts';
import { comando, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';

interface OpcoesDeApagar {
  readonly provedor: number;
  readonly confirmar?: number;
  readonly simular?: boolean;
  readonly json?: boolean;
}

interface OpcoesDeExportar {
  readonly provedor: number;
  readonly saida: string;
  readonly sobrescrever?: boolean;
  readonly json?: boolean;
}

/** `malha cliente apagar` and `malha cliente exportar`: what a person may ask of his data (LGPD, art. 18) */
export function comandosDoTitular(cliente: Command, sessao: Sessao): void {
  comando(cliente.command('apagar'))
    .usage('<id> --provedor <id> (--simular | --confirmar <id>) [opções]')
    .description(
      'apaga, a pedido do titular (LGPD), o que a lei deixa apagar, e diz o que ela manda guardar e até quando',
    )
    .argument('<id>', 'id do cliente', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono do cadastro', inteiro)
    .option('--simular', 'só diz o que sairia')
    .option('--confirmar <id>', 'o id do cliente outra vez: não há volta', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, confirmar, simular, json }: OpcoesDeApagar) => {
      if (simular !== true && confirmar !== id) {
        throw new EntradaInvalida(`confirmar: não há volta; diga --confirmar ${id}, ou --simular para ver antes`);
      }
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const feito = await changeTenant(TERMINAL, dono, async (_dominio, { privacidade }) => {
          const apagado = await privacidade.apagar(id);
          if (simular === true) throw new Simulado(apagado);
          return apagado;
        }).catch((error: unknown) => {
          if (error instanceof Simulado) return error.apagado;
          throw error;
        });
        sessao.mostrar(json, apresentar(feito, simular === true), linhasDe(feito, simular === true));
      });
    });

  comando(cliente.command('exportar'))
    .usage('<id> --provedor <id> --saida <arquivo> [opções]')
    .description('grava num arquivo JSON tudo o que se guarda do titular: de todos os cadastros com o seu CPF ou CNPJ')
    .argument('<id>', 'id do cliente', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono do cadastro', inteiro)
    .requiredOption('--saida <arquivo>', 'arquivo novo, que só quem o grava pode ler')
    .option('--sobrescrever', 'aceita que o arquivo já exista')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, saida, sobrescrever = false, json }: OpcoesDeExportar) => {
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const linhas = await gravar(saida, sobrescrever, async () => {
          const tudo = await changeTenant(TERMINAL, dono, async (_dominio, { privacidade }) =>
            privacidade.exportar(id),
          );
          return [`${JSON.stringify(tudo, null, 2)}\n`, tudo.linhas];
        });
        sessao.mostrar(json, { id, provedor_id: provedor, arquivo: saida, linhas }, [
          `${contar(linhas, 'linha gravada', 'linhas gravadas')} em ${saida}.`,
        ]);
      });
    });
}

/**
 * Writes a file that nobody else may read, whole or not at all; resolves to the count that comes with its text. The file is opened before
 * its text is made, so that nothing is noted as handed out that could not be written.
 */
async function gravar(
  arquivo: string,
  sobrescrever: boolean,
  fazer: () => Promise<readonly [texto: string, linhas: number]>,
): Promise<number> {
  const parcial = `${arquivo}.${randomUUID()}.parcial`;
  const handle = await open(parcial, 'wx', 0o600).catch(() => {
    throw new EntradaInvalida(`saida: não foi possível gravar ${arquivo}`);
  });
  try {
    if (!sobrescrever) await exigirLivre(arquivo);
    const [texto, linhas] = await fazer();
    await handle.writeFile(texto);
    await handle.sync();
    // A link is not made over a file that came meanwhile.
    if (sobrescrever) await rename(parcial, arquivo);
    else await link(parcial, arquivo).catch(async (error: unknown) => recusarExistente(arquivo, error));
    return linhas;
  } finally {
    await handle.close();
    await rm(parcial, { force: true });
  }
}

/** @throws EntradaInvalida where there is a file, or a link to one that may not be there */
async function exigirLivre(arquivo: string): Promise<void> {
  const ensaio = await open(arquivo, 'wx', 0o600).catch((error: unknown) => recusarExistente(arquivo, error));
  await ensaio.close();
  await rm(arquivo);
}

function recusarExistente(arquivo: string, error: unknown): never {
  const existe = error instanceof Error && 'code' in error && error.code === 'EEXIST';
  throw new EntradaInvalida(
    existe
      ? `saida: ${arquivo} já existe; diga --sobrescrever para trocá-lo`
      : `saida: não foi possível gravar ${arquivo}`,
  );
}

const apresentar = ({ id, apagados, guardados, outrosCadastros }: Apagamento, simulado: boolean) => ({
  id,
  simulado,
  apagados,
  guardados,
  outros_cadastros: outrosCadastros,
});

function linhasDe({ id, apagados, guardados, outrosCadastros }: Apagamento, simulado: boolean): string[] {
  const sai = simulado ? 'sairia' : 'saiu';
  return [
    apagados.length === 0 ? `Cliente ${id}: nada ${sai}.` : `Cliente ${id}: ${sai} ${apagados.join(', ')}.`,
    ...guardados.map(({ dado, ate, porque }) => `Fica até ${ate}: ${dado}; ${porque}.`),
    ...(outrosCadastros.length === 0
      ? []
      : [`O titular tem outros cadastros, que ficam como estão: ${outrosCadastros.join(', ')}.`]),
  ];
}
