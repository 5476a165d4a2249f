import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import type { Escritas } from '../../domain/dominio.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../leitura.ts';
import type { Servicos, Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

type Opcoes = DoProvedor & Digitados;

const CAMPOS: Campos = {
  nome: 'nome',
  download_mbps: 'download em Mbps',
  upload_mbps: 'upload em Mbps',
  valor: 'valor mensal em reais, como 99.90',
  tecnologia: 'tecnologia, como fibra',
  descricao: 'descrição',
  grupo_radius: 'grupo no FreeRADIUS; sem ele, plano-{id}',
  codigo_externo: 'código em outro sistema, como ixc:123',
};
const DA_ALTERACAO: Campos = {
  ...CAMPOS,
  contratos: 'com um valor novo: manter o que os contratos têm, ou acompanhar',
  atualizado_em: 'só se ninguém o alterou desde este instante',
};

/** `malha plano …` */
export function comandosDePlano(programa: Command, sessao: Sessao): void {
  const plano = grupo(programa.command('plano')).description('planos');

  async function mudar<T>(
    provedor: number,
    fazer: (escritas: Escritas) => Promise<T>,
    dizer: (feito: T, servicos: Servicos) => void | Promise<void>,
  ): Promise<void> {
    await sessao.comContainer(async (servicos) => {
      const quem = await servicos.provedores.exigirPorId(provedor);
      const feito = await servicos.changeTenant(TERMINAL, quem, async (_dominio, escritas) => fazer(escritas));
      await dizer(feito, servicos);
    });
  }

  comCampos(doProvedor(comando(plano.command('criar'))), CAMPOS)
    .usage('--provedor <id> --nome <nome> --download-mbps <n> --upload-mbps <n> --valor <valor> [opções]')
    .description('põe um plano à venda')
    .action(async (opcoes: Opcoes) => {
      await mudar(
        opcoes.provedor,
        async ({ planos }) => planos.criar(camposDigitados(CAMPOS, opcoes)),
        ({ id }) => sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor }, [`Plano ${id} criado.`]),
      );
    });

  comCampos(doProvedor(comando(plano.command('alterar'))), DA_ALTERACAO)
    .usage('<id> --provedor <id> [opções]')
    .description('altera um plano; os contratos seguem a velocidade, e o valor só se se disser')
    .argument('<id>', 'id do plano', inteiro)
    .action(async (id: number, opcoes: Opcoes) => {
      await mudar(
        opcoes.provedor,
        async ({ planos }) => planos.alterar(id, camposDigitados(DA_ALTERACAO, opcoes)),
        async ({ campos }, { acompanhamento }) => {
          // The worker would do it, too; here, whoever waits sees it done.
          while ((await acompanhamento.acompanhar(TERMINAL, opcoes.provedor)).mais);
          const dito = campos.length === 0 ? 'nada mudou' : `mudou ${campos.join(', ')}`;
          sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, campos }, [`Plano ${id}: ${dito}.`]);
        },
      );
    });

  for (const [nome, descricao, dito] of [
    ['retirar', 'tira um plano da venda; os contratos dele ficam', 'fora de venda'],
    ['repor', 'põe de novo um plano à venda', 'à venda'],
  ] as const) {
    doProvedor(comando(plano.command(nome)))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do plano', inteiro)
      .action(async (id: number, { provedor, json }: DoProvedor) => {
        await mudar(
          provedor,
          async ({ planos }) => planos[nome](id),
          () => sessao.mostrar(json, { id, provedor_id: provedor, ativo: nome === 'repor' }, [`Plano ${id}: ${dito}.`]),
        );
      });
  }

  doProvedor(comando(plano.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os planos, à venda ou não, com quantos contratos cada um tem')
    .action(async ({ provedor, json }: DoProvedor) => {
      await sessao.comContainer(async ({ provedores, readTenant }) => {
        const quem = await provedores.exigirPorId(provedor);
        const todos = await readTenant(quem, SEM_RASTRO, NO_TERMINAL, async ({ planos }) => planos.listarTodos());
        sessao.mostrar(
          json,
          todos.map((um) => ({ ...um, ativo: um.ativo === 1 })),
          colunas(
            todos.map((um) => [
              String(um.id),
              um.ativo === 1 ? 'à venda' : 'fora de venda',
              `${um.download_mbps}/${um.upload_mbps} Mbps`,
              um.valor,
              `${um.contratos} contratos`,
              um.nome,
            ]),
          ),
        );
      });
    });
}
