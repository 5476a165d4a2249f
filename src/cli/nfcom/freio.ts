import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { lerCampos, opcional } from '../../domain/campos/campos.ts';
import { data, escolha, id } from '../../domain/campos/leitores.ts';
import { SITUACOES_DE_NFCOM } from '../../domain/nfcom/nfcom.types.ts';
import { comando } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { contar } from '../texto.ts';

/** As the panel's list has it. */
const DO_FILTRO: Campos = {
  situacao: 'pendente ou processando; sem ela, as duas',
  cliente_id: 'só de um cliente',
  de: 'pedidas ou montadas desde o dia, AAAA-MM-DD',
  ate: 'até o dia',
};
const LEITORES = {
  situacao: opcional(escolha(SITUACOES_DE_NFCOM)),
  cliente_id: opcional(id),
  de: opcional(data),
  ate: opcional(data),
} as const;

/** `malha nfcom pausar|continuar|descartar-fila` */
export function comandosDoFreio(nfcom: Command, sessao: Sessao): void {
  doProvedor(comando(nfcom.command('pausar')))
    .usage('--provedor <id> [--porque <texto>] [opções]')
    .description('nada mais é montado nem enviado; o que já foi enviado continua a ser consultado')
    .option('--porque <texto>', 'para quem vir o aviso')
    .action(async (opcoes: DoProvedor & { porque?: string }) => {
      const { porque } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.nfcom.pausar({ porque }),
        () => sessao.mostrar(opcoes.json, { pausado: true }, ['Envio pausado.']),
      );
    });

  doProvedor(comando(nfcom.command('continuar')))
    .usage('--provedor <id> [opções]')
    .description('continua o envio que se pausou')
    .action(async (opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.nfcom.continuar(),
        () => sessao.mostrar(opcoes.json, { pausado: false }, ['O envio continua.']),
      );
    });

  comCampos(doProvedor(comando(nfcom.command('descartar-fila'))), DO_FILTRO)
    .usage('--provedor <id> [--confirmar] [opções]')
    .description(
      'desiste das notas que ainda não foram à autoridade, com o envio pausado; sem --confirmar, só diz quantas são',
    )
    .option('--confirmar', 'desiste delas')
    .action(async (opcoes: DoProvedor & Digitados & { confirmar?: boolean }) => {
      const { cliente_id: clienteId, ...resto } = lerCampos(LEITORES, camposDigitados(DO_FILTRO, opcoes));
      const filtro = { ...resto, clienteId };
      await sessao.comContainer(async (servicos) => {
        const contada = await ler(servicos, opcoes.provedor, async ({ notas }) => notas.quantasPorSair(filtro));
        const { notas: quantas } = contada;
        if (opcoes.confirmar !== true || quantas === 0) {
          sessao.mostrar(opcoes.json, { esperam: quantas, descartadas: 0 }, [
            `${contar(quantas, 'nota espera', 'notas esperam')}. Com --confirmar, desiste-se delas.`,
          ]);
          return;
        }
        const provedor = await servicos.provedores.exigirPorId(opcoes.provedor);
        let descartadas = 0;
        let { soma } = contada;
        for (let mais = true; mais;) {
          const daVez = { ...contada, notas: quantas - descartadas, soma };
          const feito = await servicos.changeTenant(TERMINAL, provedor, async (_dominio, escritas) =>
            escritas.nfcom.descartarQueEsperam(filtro, daVez),
          );
          descartadas += feito.notas;
          soma -= feito.soma;
          ({ mais } = feito);
        }
        sessao.mostrar(opcoes.json, { esperam: quantas, descartadas }, [
          `${contar(descartadas, 'nota descartada', 'notas descartadas')}.`,
        ]);
      });
    });
}
