import { somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Extrato } from '../../../domain/extratos/extratos.types.ts';
import type { Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import type { FilaDaRede, TarefaDoPainel } from '../../../domain/tarefas/painel.service.ts';
import { TAREFAS_DITAS } from '../../../domain/tarefas/tarefas.types.ts';
import type { SaudeDoWebhook } from '../../../domain/webhooks/registro/registro.service.ts';
import { PERMISSOES_PARA_DAR } from '../../../domain/usuarios/permissoes.regras.ts';
import type { Webhook } from '../../../domain/webhooks/webhooks.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import { cartao, etiqueta, ficha } from '../componentes/cartao.ts';
import { bytes, duracao, escreverData, ha, instante, inteiro } from '../componentes/escrita.ts';
import { icone } from '../componentes/icone.ts';
import { comConsulta, tabela, vazio } from '../componentes/tabela.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';
import { CAMINHO as WEBHOOKS, estadoDe as estadoDoWebhook, nomeDe } from '../webhooks/telas.ts';

const ESTADOS = {
  pendente: ['pendente', 'secondary'],
  em_andamento: ['em andamento', 'blue'],
  concluida: ['concluída', 'green'],
  falhou: ['falhou; será tentada de novo', 'red'],
} as const;

function estadoDe({ estado }: TarefaDoPainel): Html {
  const [dito, cor] = ESTADOS[estado];
  return etiqueta(dito, cor);
}

interface DoDia {
  readonly sessao: Sessao;
  readonly dia: Data;
  readonly hoje: Data;
  readonly tarefas: readonly TarefaDoPainel[];
}

export function tarefasDoDia({ sessao, dia, hoje, tarefas }: DoDia): Html {
  const { fusoHorario: fuso } = sessao.provedor;
  // An earlier day's work is overtaken by that of the days after it.
  const roda = dia === hoje && pode(sessao, 'tarefas.rodar');
  const para = (outro: Data): string => `${BASE}${comConsulta('/tarefas', { dia: outro })}`;
  return cartao(
    `Trabalho de ${escreverData(dia)}`,
    tabela<TarefaDoPainel>({
      legenda: 'Trabalho do dia',
      colunas: [
        { titulo: 'Tarefa', principal: true, celula: ({ tarefa }) => TAREFAS_DITAS[tarefa] },
        { titulo: 'Estado', celula: estadoDe },
        {
          titulo: 'Linhas mudadas',
          direita: true,
          celula: ({ estado, linhas }) => (estado === 'pendente' ? '–' : inteiro(linhas)),
        },
        { titulo: 'Começou', celula: ({ iniciadaEm }) => instante(fuso, iniciadaEm) ?? '–' },
        { titulo: 'Duração', celula: ({ duracaoMs }) => (duracaoMs === null ? '–' : duracaoCurta(duracaoMs)) },
        ...(roda
          ? [
              {
                titulo: 'Ações',
                celula: ({ tarefa, estado }: TarefaDoPainel) =>
                  estado === 'pendente'
                    ? null
                    : html`<a class="btn btn-sm" href="${BASE}${comConsulta('/tarefas/rodar', { tarefa })}"
                        >${icone('refresh')} Fazer de novo</a
                      >`,
              },
            ]
          : []),
      ],
      linhas: tarefas,
      vazia: html``,
    }),
    {
      rente: true,
      acoes: html`<a class="btn" href="${para(somarDias(dia, -1))}">Dia anterior</a>
        ${dia < hoje ? html`<a class="btn" href="${para(somarDias(dia, 1))}">Dia seguinte</a>` : null}`,
    },
  );
}

/** To the second, as most of this work takes no minute. */
const duracaoCurta = (ms: number): string =>
  ms < 60_000 ? `${(ms / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })} s` : duracao(ms);

export function filaDaRede(fila: FilaDaRede, agora: Date): Html {
  const { esperando, desde, desconexoesPendentes, desconexoesFalhas, semEfeito } = fila;
  return cartao(
    'Fila da rede',
    ficha([
      [
        'Pedidos esperando',
        esperando === 0 ? 'nenhum' : html`${inteiro(esperando)}; o mais antigo ${ha(agora, desde)}`,
      ],
      ['Sessões a encerrar ou mudar', desconexoesPendentes === 0 ? 'nenhuma' : inteiro(desconexoesPendentes)],
      [
        'Sessões que o servidor não encerrou nem mudou',
        `${inteiro(desconexoesFalhas)} em 90 dias${desconexoesFalhas === 0 ? '' : ': recusou, não respondeu ou não tem segredo'}`,
      ],
      [
        'Pedidos sem efeito',
        `${inteiro(semEfeito)} em 90 dias${semEfeito === 0 ? '' : ': contrato sem login, ou provedor sem servidor'}`,
      ],
    ]),
  );
}

const DO_EXTRATO = {
  gerando: ['gerando', 'blue'],
  pronto: ['pronto', 'green'],
  falhou: ['falhou', 'red'],
  removido: ['apagado pela idade', 'secondary'],
} as const;

export function extratos(sessao: Sessao, linhas: readonly Extrato[]): Html {
  const baixa = PERMISSOES_PARA_DAR['extratos:leitura'].every((permissao) => pode(sessao, permissao));
  return cartao(
    'Extratos',
    tabela<Extrato>({
      legenda: 'Extratos',
      colunas: [
        { titulo: 'Dia', principal: true, celula: ({ dia }) => escreverData(dia) },
        {
          titulo: 'Situação',
          celula: ({ situacao }) => {
            const [dito, cor] = DO_EXTRATO[situacao];
            return etiqueta(dito, cor);
          },
        },
        {
          titulo: 'Tamanho',
          direita: true,
          celula: ({ arquivos }) =>
            arquivos.length === 0 ? '–' : bytes(arquivos.reduce((soma, um) => soma + um.bytes, 0)),
        },
        {
          titulo: 'Arquivos',
          celula: ({ id, arquivos }) => {
            if (arquivos.length === 0) return '–';
            if (!baixa) return inteiro(arquivos.length);
            return html`<details>
              <summary>${inteiro(arquivos.length)} para baixar</summary>
              <ul class="list-unstyled mb-0">
                ${arquivos.map(
                  ({ nome, bytes: tamanho }) =>
                    html`<li>
                      <form method="post" action="${BASE}/tarefas/extratos/${id}/${nome}">
                        <button class="btn btn-link p-0">${nome}</button>
                        <small class="text-secondary">${bytes(tamanho)}</small>
                      </form>
                    </li>`,
                )}
              </ul>
            </details>`;
          },
        },
      ],
      linhas,
      vazia: vazio(
        'file-text',
        'Nenhum extrato ainda',
        'Um por dia: clientes, contratos, faturas, chamados, planos e quedas, para outros sistemas lerem.',
      ),
    }),
    { rente: true },
  );
}

/** What waits to be sent to the provider's other systems. */
export function filaDosWebhooks(
  webhooks: readonly Webhook[],
  saudes: ReadonlyMap<number, SaudeDoWebhook>,
  agora: Date,
): Html {
  return cartao(
    'Webhooks',
    tabela<Webhook>({
      legenda: 'Webhooks',
      colunas: [
        {
          titulo: 'Para onde',
          principal: true,
          celula: (um) => html`<a href="${BASE}${WEBHOOKS}/${um.id}">${nomeDe(um)}</a>`,
        },
        { titulo: 'Estado', celula: estadoDoWebhook },
        { titulo: 'Na fila', direita: true, celula: ({ id }) => inteiro(saudes.get(id)?.pendentes ?? 0) },
        { titulo: 'Último sucesso', celula: ({ ultimoSucessoEm }) => ha(agora, ultimoSucessoEm) ?? 'nenhum' },
      ],
      linhas: webhooks,
      vazia: vazio('webhook', 'Nenhum webhook', 'Aqui se vê o que espera para ser enviado a outros sistemas.'),
    }),
    { rente: true },
  );
}

const DA_IMPORTACAO: Readonly<Record<Importacao['situacao'], string>> = {
  recebendo: 'recebendo o arquivo',
  nova: 'nova',
  simulada: 'simulada',
  em_execucao: 'em execução',
  executada: 'executada',
  desfeita: 'desfeita',
};

export function importacoes(fuso: string, linhas: readonly Importacao[]): Html {
  return cartao(
    'Importações',
    tabela<Importacao>({
      legenda: 'Importações',
      colunas: [
        {
          titulo: 'Arquivo',
          principal: true,
          celula: ({ id, arquivo }) => html`<a href="${BASE}/configuracoes/importacao/${id}">${arquivo}</a>`,
        },
        { titulo: 'Situação', celula: ({ situacao }) => DA_IMPORTACAO[situacao] },
        { titulo: 'Recebida', celula: ({ criadoEm }) => instante(fuso, criadoEm) },
      ],
      linhas,
      vazia: vazio(
        'file-import',
        'Nenhuma importação ainda',
        'Aqui ficam os arquivos que vieram de outros sistemas.',
        html`<a class="btn" href="${BASE}/configuracoes/importacao">Importar</a>`,
      ),
    }),
    { rente: true },
  );
}
