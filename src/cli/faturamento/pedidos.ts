import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { NADA_DESFEITO } from '../../domain/faturamento/desfazer/partes.service.ts';
import type { ResultadoDoDesfazer } from '../../domain/faturamento/desfazer/partes.service.ts';
import type { FalhaDoPedido } from '../../domain/faturamento/faturamento.types.ts';
import type { PedidoAcompanhado } from '../../domain/faturamento/execucao/leitura.service.ts';
import { Recusa } from '../../domain/erros.ts';
import { comando, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { doProvedor } from '../formulario.ts';
import type { DoProvedor } from '../formulario.ts';
import { INTERROMPIDO } from '../sessao.ts';
import type { Filas, Servicos, Sessao } from '../sessao.ts';
import { colunas, contar, numero } from '../texto.ts';
import { criarAndamento } from './andamento.ts';

type OpcoesDeDesfazer = DoProvedor & { readonly esperar: boolean };

const OLHAR_A_CADA_MS = 500;
const SEM_WORKER_MS = 3000;
const OQUE = { previa: 'prévia', faturas: 'faturas', desfazer: 'desfazer' } as const;

/** `malha faturamento desfazer`, `parar` and `desistir`: what the worker does, stops doing, or gives up. */
export function comandosDePedidos(faturamento: Command, sessao: Sessao): void {
  doProvedor(comando(faturamento.command('desfazer')))
    .usage('<id> --provedor <id> [opções]')
    .description('desfaz um faturamento de que nada foi pago, enviado a um banco ou reservado para uma nota')
    .argument('<id>', 'id do faturamento', inteiro)
    .option('--no-esperar', 'de muitas faturas, só põe na fila')
    .action(async (id: number, opcoes: OpcoesDeDesfazer) => {
      await sessao.comFilas(async (filas, servicos) => {
        const provedor = await servicos.provedores.exigirPorId(opcoes.provedor);
        const { faturas, pedido } = await servicos.changeTenant(TERMINAL, provedor, async (_dominio, escritas) =>
          escritas.faturamento.desfazer(id),
        );
        if (pedido === null) {
          mostrarDesfeito(sessao, opcoes, id, { ...NADA_DESFEITO, desfeitas: faturas });
          return;
        }
        await filas.fila.add('faturamento.executar', { provedorId: provedor.id });
        if (!opcoes.esperar) {
          const linha = `Na fila: o pedido ${pedido}, de ${contar(faturas, 'fatura', 'faturas')}.`;
          sessao.mostrar(opcoes.json, { id, pedido, total: faturas }, [linha]);
          return;
        }
        await sessao.comCtrlC(async (signal) => {
          const fim = await esperarPor(pedido, { filas, servicos, sessao, opcoes, signal });
          if (fim?.semEfeito === true) mostrarSemEfeito(sessao, opcoes, id, pedido);
          else if (fim !== null) mostrarDesfeito(sessao, opcoes, id, fim.desfeito ?? NADA_DESFEITO);
        });
      });
    });

  doProvedor(comando(faturamento.command('parar')))
    .usage('[pedido] --provedor <id> [opções]')
    .description('para as faturas de um mês, ou a prévia, que o worker faz; sem pedido, mostra os que há')
    .argument('[pedido]', 'id do pedido', inteiro)
    .action(async (id: number | undefined, opcoes: DoProvedor) => {
      if (id === undefined) {
        await sessao.comContainer(async (servicos) => listarAbertos(servicos, opcoes, sessao));
        return;
      }
      await mudar(
        sessao,
        opcoes.provedor,
        async (dominio, escritas) => {
          await escritas.faturamento.parar(id);
          return dominio.faturamento.pedido(id);
        },
        (pedido) => {
          const faturas = pedido?.faturas ?? 0;
          const linha = `Parado; ${contar(faturas, 'fatura já feita fica', 'faturas já feitas ficam')}.`;
          sessao.mostrar(opcoes.json, { pedido: id, faturas }, [linha]);
        },
      );
    });

  doProvedor(comando(faturamento.command('desistir')))
    .usage('<pedido> --provedor <id> [opções]')
    .description(
      'do que se desfaz e sempre falha: deixa como está cada fatura que não se consegue cancelar, e desfaz o resto; ' +
        'se falham vinte seguidas, ou as últimas todas pela mesma causa, nenhuma fica por isso, e segue tentando',
    )
    .argument('<pedido>', 'id do pedido, como parar o lista', inteiro)
    .option(
      '--mesmo-seguidas',
      'depois de desistir sem isso, e de falhar outras três vezes: deixa também as que falham seguidas, quantas forem',
    )
    .action(async (id: number, opcoes: DoProvedor & { readonly mesmoSeguidas?: true }) => {
      const { mesmoSeguidas = false } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.faturamento.desistir(id, { mesmoSeguidas }),
        () => {
          sessao.mostrar(opcoes.json, { pedido: id }, [
            'Cada fatura que não se consegue cancelar fica como está; no fim o painel, em Faturamento, diz quais.',
            mesmoSeguidas
              ? 'Também as que falham seguidas, quantas forem. Se falha o último passo, segue esperando e tentando de novo.'
              : 'Se falham vinte seguidas, as últimas todas pela mesma causa, ou o último passo, nada fica por isso: segue esperando e tentando de novo.',
          ]);
        },
      );
    });
}

function mostrarDesfeito(
  sessao: Sessao,
  { json }: DoProvedor,
  id: number,
  { desfeitas, ficaram, quais }: ResultadoDoDesfazer,
): void {
  const ficam = contar(ficaram, 'fatura ficou', 'faturas ficaram');
  sessao.mostrar(json, { id, faturas: desfeitas, ficaram, quais }, [
    `Faturamento ${id} desfeito: ${contar(desfeitas, 'fatura cancelada', 'faturas canceladas')}.`,
    ...(ficaram === 0 ? [] : [`${ficam}, porque já não se podia, ou não se conseguiu, cancelar:`]),
    ...quais.map(({ fatura, porque }) => `  fatura ${fatura}: ${porque}`),
    ...(ficaram > quais.length ? [`  e mais ${numero(ficaram - quais.length)}`] : []),
  ]);
}

/** A worker of a release before undoing was ordered has ended it. */
function mostrarSemEfeito(sessao: Sessao, { json }: DoProvedor, id: number, pedido: number): void {
  sessao.mostrar(json, { id, pedido, sem_efeito: true }, [
    `O faturamento ${id} não está desfeito: um worker da versão anterior encerrou o pedido ${pedido}.`,
    'Em poucos minutos segue num pedido novo; o mesmo comando o faz já, e espera por ele.',
  ]);
  sessao.terminarCom(1);
}

interface Espera {
  readonly filas: Filas;
  readonly servicos: Servicos;
  readonly sessao: Sessao;
  readonly opcoes: DoProvedor;
  readonly signal: AbortSignal;
}

/** Waits until an order is over, as its own row says; null where the person waits no longer. */
async function esperarPor(
  id: number,
  { filas, servicos, sessao, opcoes, signal }: Espera,
): Promise<PedidoAcompanhado | null> {
  const comeco = performance.now();
  const andamento = criarAndamento(sessao, 'faturamento desfazer', `pedido ${id}`);
  let avisado = false;
  let falhas = 0;
  for (;;) {
    const visto = await ler(servicos, opcoes.provedor, async (dominio) => dominio.faturamento.pedido(id));
    if (visto === null) throw new Recusa('nao_encontrado');
    const { vistos, total, terminadoEm, falha } = visto;
    if (falha !== null && falha.vezes !== falhas) andamento.dizer(falhou(falha));
    falhas = falha?.vezes ?? 0;
    if (!avisado && vistos === 0 && performance.now() - comeco > SEM_WORKER_MS) {
      avisado = true;
      if ((await filas.monitor.workers('noite')) === 0) {
        andamento.dizer('Nenhum worker está de pé: espera-se na fila até que um comece (malha worker).');
      }
    }
    if (terminadoEm !== null) {
      andamento.encerrar(!visto.semEfeito);
      return visto;
    }
    andamento.mostrar(vistos, total ?? 0);
    if (signal.aborted) {
      andamento.encerrar(false);
      sessao.tela.escrever(`Segue-se desfazendo; só a espera terminou. O pedido é o ${id}.\n`);
      sessao.terminarCom(INTERROMPIDO);
      return null;
    }
    await sleep(OLHAR_A_CADA_MS, undefined, { signal }).catch(() => {});
  }
}

/** Why it does not go on, and when it is tried again. */
const falhou = ({ vezes, erro, proximaEm }: FalhaDoPedido): string =>
  `Falhou (${contar(vezes, 'vez', 'vezes')}): ${erro.replace(/\.$/, '')}. Tenta-se de novo a partir de ${proximaEm.toISOString()}.`;

function comoVai(linha: {
  readonly sem_ninguem: boolean;
  readonly falha: object | null;
  readonly espera_o_pedido: number | null;
}): string {
  if (linha.sem_ninguem) return 'ninguém está fazendo';
  if (linha.falha !== null) return 'espera, depois de falhar';
  return linha.espera_o_pedido === null ? 'em andamento' : `espera o pedido ${linha.espera_o_pedido}, que falhou`;
}

async function listarAbertos(servicos: Servicos, { provedor, json }: DoProvedor, sessao: Sessao): Promise<void> {
  const abertos = await ler(servicos, provedor, async (dominio) => dominio.faturamento.pedidosAbertos());
  const linhas = abertos.map(({ id, tipo, mes, vistos, total, faturas, autor, semNinguem, falha, espera }) => ({
    id,
    tipo: OQUE[tipo],
    mes: tipo === 'desfazer' ? mes : mes.slice(0, 7),
    vistos,
    total,
    faturas,
    autor,
    sem_ninguem: semNinguem,
    falha:
      falha === null
        ? null
        : {
            vezes: falha.vezes,
            em: falha.em.toISOString(),
            erro: falha.erro,
            proxima_em: falha.proximaEm.toISOString(),
          },
    espera_o_pedido: espera?.pedidoId ?? null,
  }));
  const textos = linhas.map((linha) => [
    String(linha.id),
    linha.tipo,
    linha.mes,
    `${numero(linha.vistos)}/${linha.total === null ? '?' : numero(linha.total)}`,
    linha.autor,
    comoVai(linha),
  ]);
  const porques = abertos.flatMap(({ id, falha }) => (falha === null ? [] : [`Pedido ${id}: ${falhou(falha)}`]));
  sessao.mostrar(json, linhas, abertos.length === 0 ? ['Nada em andamento.'] : [...colunas(textos), ...porques]);
}
