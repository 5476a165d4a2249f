import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { nomeDaCelula } from '../../domain/celulas/celulas.ts';
import { createMudanca } from '../../domain/celulas/mudanca.service.ts';
import { assumir, desistir, largar } from '../../domain/celulas/lugar.service.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { numeroNoTexto } from '../../domain/segredo.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { comando, inteiro } from '../comando.ts';
import type { Servicos, Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

interface Opcoes {
  readonly trocar?: string;
  readonly espera: number;
  readonly semConferir?: boolean;
  readonly json?: boolean;
}

const segundos = (texto: string): number => {
  const n = inteiro(texto);
  if (n > 600) throw new InvalidArgumentError('no máximo 600.');
  return n;
};

/** `malha provedor mover`, `ficar`, `largar`, `assumir` and `mapa` */
export function comandosDeMudanca(provedor: Command, sessao: Sessao): void {
  comando(provedor.command('mover'))
    .usage('<id> [opções]')
    .description(
      'leva um provedor inteiro desta célula para outra, cujo banco (pelo dono do esquema) diz MALHA_DESTINO; veja docs/celulas.md',
    )
    .argument('<id>', 'id do provedor', inteiro)
    .option('--trocar <comando>', 'o que leva os pedidos à outra célula, com MALHA_PROVEDOR e MALHA_HOST no ambiente')
    .option('--espera <segundos>', 'quanto esperar depois dele pelos pedidos a caminho', segundos, 5)
    .option('--sem-conferir', 'não olha para onde já ia, nem se a outra célula tem dele o que não está aqui')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { trocar, espera, semConferir = false, json }: Opcoes) => {
      await comLados(sessao, async ({ origem, destino, para }, { provedores }) => {
        if (destino === null || para === null) throw new EntradaInvalida(ONDE);
        const { panelHost: host } = await provedores.exigirPorId(id);
        const mudanca = createMudanca({
          origem,
          destino,
          celula: para,
          espera: espera * 1000,
          semConferir,
          dizer: (linha) => sessao.tela.escrever(`${linha}\n`),
          trocar: async () => {
            if (trocar === undefined) return;
            // Whether callers were led is not known before its end; and with the first process of a container all the others end.
            await sessao.ateOFim(async () =>
              executar(trocar, sessao.env, { MALHA_PROVEDOR: String(id), MALHA_HOST: host }),
            );
          },
        });
        const { tabelas, soLeituraMs, voltas, acessosPorLevar } = await mudanca.mover(id);
        const segundosDeLeitura = (soLeituraMs / 1000).toFixed(1);
        const valor = {
          id,
          so_leitura_ms: Math.round(soLeituraMs),
          voltas,
          acessos_por_levar: acessosPorLevar,
          tabelas,
        };
        sessao.mostrar(json, valor, [
          ...colunas(tabelas.filter(({ linhas }) => linhas > 0).map(({ tabela, linhas }) => [tabela, String(linhas)])),
          `Provedor ${id} mudou de célula: ${tabelas.length} tabelas iguais, ${segundosDeLeitura} s só de leitura.`,
        ]);
      });
    });

  comando(provedor.command('ficar'))
    .usage('<id> [opções]')
    .description(
      'desiste de uma mudança que não terminou: o provedor volta a gravar nesta célula; com MALHA_DESTINO, diz à outra que a cópia dela é velha, e toma de volta quem já não vive em nenhuma das duas',
    )
    .argument('<id>', 'id do provedor', inteiro)
    .option('--sem-conferir', 'toma-o de volta também se foi para outra célula que não a de MALHA_DESTINO')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { semConferir = false, json }: { semConferir?: boolean; json?: boolean }) => {
      await comLados(sessao, async (lados) => {
        const { marcada, voltou } = await desistir({ ...lados, semConferir }, id);
        const daCopia =
          'A cópia na outra célula não foi marcada como velha: repita com MALHA_DESTINO. Se não estava inteira, ninguém a lê.';
        const doPerdido =
          'ATENÇÃO: o que se gravou dele na outra célula desde que saiu daqui não está aqui; o backup dela não o tinha, ou está lá numa cópia que ninguém lê.';
        sessao.mostrar(json, { id, marcada, voltou }, [
          `Provedor ${id} fica.`,
          ...(voltou ? [doPerdido] : []),
          ...(marcada ? [] : [daCopia]),
          'Se os pedidos dele já iam para a outra célula, traga-os de volta: lá nada se grava.',
        ]);
      });
    });

  comandoDeLugar(provedor, sessao, {
    nome: 'largar',
    descricao:
      'diz que um provedor vive noutra célula, a de MALHA_DESTINO, e não nesta, que foi restaurada de antes da mudança dele; veja docs/celulas.md',
    fazer: largar,
    vive: false,
    dito: 'já não vive nesta célula',
  });

  comandoDeLugar(provedor, sessao, {
    nome: 'assumir',
    descricao:
      'põe em serviço um provedor carregado por malha provedor importar --parado, se não vive na célula de MALHA_DESTINO',
    fazer: assumir,
    vive: true,
    dito: 'está em serviço',
  });

  comando(provedor.command('mapa'))
    .description('diz que hosts e números vivem nesta célula, como o mapa de um proxy os lê; veja docs/celulas.md')
    .requiredOption('--celula <nome>', 'nome desta célula no proxy')
    .option('--json', 'responde em JSON')
    .action(async ({ celula, json }: { celula: string; json?: boolean }) => {
      await sessao.comContainer(async ({ provedores }) => {
        const daqui = (await provedores.listar()).filter(({ viveFora }) => !viveFora);
        sessao.mostrar(
          json,
          daqui.map(({ id, panelHost: host }) => ({ id, numero: numeroNoTexto(id), host, celula })),
          daqui.flatMap(({ id, panelHost }) => [`${panelHost} ${celula}`, `${numeroNoTexto(id)} ${celula}`]),
        );
      });
    });
}

interface DeLugar {
  readonly nome: string;
  readonly descricao: string;
  readonly fazer: (lados: Lados, id: number) => Promise<void>;
  /** Whether the provider lives in this cell afterwards. */
  readonly vive: boolean;
  readonly dito: string;
}

/** A command that says whether a provider lives here, unless the other cell says otherwise. */
function comandoDeLugar(provedor: Command, sessao: Sessao, { nome, descricao, fazer, vive, dito }: DeLugar): void {
  comando(provedor.command(nome))
    .usage('<id> [opções]')
    .description(descricao)
    .argument('<id>', 'id do provedor', inteiro)
    .option('--sem-conferir', 'não olha como ele está na outra célula')
    .option('--json', 'responde em JSON')
    .action(async (id: number, { semConferir = false, json }: { semConferir?: boolean; json?: boolean }) => {
      if (destinoDito(sessao) === null && !semConferir) throw new EntradaInvalida(`${ONDE}; ou --sem-conferir`);
      await comLados(sessao, async (lados) => fazer({ ...lados, destino: semConferir ? null : lados.destino }, id));
      sessao.mostrar(json, { id, vive }, [`Provedor ${id} ${dito}.`]);
    });
}

/** @throws EntradaInvalida where it is no address */
function destinoDito({ env }: Sessao): string | null {
  const para = env['MALHA_DESTINO'] ?? null;
  if (para === null || URL.canParse(para)) return para;
  throw new EntradaInvalida(ONDE);
}
const ONDE = 'MALHA_DESTINO: o banco da outra célula, como mysql://dono:senha@host/malha';

interface Lados {
  readonly origem: Db;
  readonly destino: Db | null;
  /** How the other cell is called; null where nobody said which it is. */
  readonly para: string | null;
  /** How this one is. */
  readonly esta: string;
}

/** With the other cell, where it was said which it is; then its name is told before anything is done: the setting may be of another day. */
async function comLados(sessao: Sessao, fazer: (lados: Lados, servicos: Servicos) => Promise<void>): Promise<void> {
  const url = destinoDito(sessao);
  const para = url === null ? null : nomeDaCelula(url);
  if (para !== null) sessao.tela.escrever(`Outra célula (MALHA_DESTINO): ${para}\n`);
  await sessao.comContainer(async (servicos) => {
    const { comoDono, estaCelula } = servicos;
    const [origem, destino] = [comoDono(), url === null ? null : comoDono(url)];
    try {
      await fazer({ origem, destino, para, esta: estaCelula() }, servicos);
    } finally {
      await Promise.all([origem.destroy(), destino?.destroy()]);
    }
  });
}

/** Its output is the person's to see. */
async function executar(linha: string, env: Sessao['env'], ambiente: Readonly<Record<string, string>>): Promise<void> {
  const filho = spawn(linha, { shell: true, stdio: ['ignore', 2, 2], env: { PATH: env['PATH'], ...ambiente } });
  const codigo = await new Promise<number | null>((resolve, reject) => {
    filho.once('error', reject);
    filho.once('exit', resolve);
  });
  if (codigo !== 0)
    throw new EntradaInvalida(`o comando de --trocar terminou com o código ${codigo}; o provedor fica onde está`);
}
