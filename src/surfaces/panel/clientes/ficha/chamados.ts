import type { Chamado, SituacaoChamado } from '../../../../domain/chamados/chamados.types.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import type { Page } from '../../../../platform/paging/pages.ts';
import { BASE } from '../../ativos/ativos.ts';
import { cartao, etiqueta } from '../../componentes/cartao.ts';
import { ha, quantos } from '../../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { pode } from '../../sessao.ts';
import type { Cabeca } from './leitura.ts';

const DITOS = {
  aberto: ['Aberto', 'blue'],
  pendente: ['Pendente', 'orange'],
  pendente_terceiro: ['Espera terceiro', 'orange'],
  em_andamento: ['Em andamento', 'azure'],
  reaberto: ['Reaberto', 'red'],
  solucionado: ['Solucionado', 'green'],
  cancelado: ['Cancelado', 'secondary'],
} as const satisfies Record<SituacaoChamado, readonly [string, string]>;

function situacaoDita({ situacao }: Chamado): Html {
  const [texto, cor] = DITOS[situacao];
  return etiqueta(texto, cor);
}

function tabelaDe(
  { sessao, cliente, agora }: Cabeca,
  chamados: readonly Chamado[],
  titulo: string,
  todos: boolean,
): Html {
  const novo = pode(sessao, 'chamados.atender') && cliente.apagadoEm === null;
  return tabela({
    legenda: titulo,
    linhas: chamados,
    vazia: vazio(
      'ticket',
      'Nenhum chamado',
      'Aqui ficam os pedidos e reclamações deste cliente.',
      novo ? html`<a class="btn" href="${BASE}/chamados/novo?cliente=${cliente.id}">Novo chamado</a>` : null,
    ),
    colunas: [
      {
        titulo: 'Chamado',
        principal: true,
        celula: ({ id, assunto }) => html`<a href="${BASE}/chamados/${id}">#${id} · ${assunto}</a>`,
      },
      { titulo: 'Protocolo', celula: ({ protocolo }) => protocolo },
      { titulo: 'Situação', celula: situacaoDita },
      { titulo: 'Prioridade', celula: ({ prioridade }) => prioridade },
      { titulo: 'Aberto', celula: ({ abertoEm }) => ha(agora, abertoEm) },
      ...(todos ? [{ titulo: 'Fechado', celula: ({ fechadoEm }: Chamado) => ha(agora, fechadoEm) }] : []),
    ],
  });
}

/** Open tickets, on the first view; nothing where none is open. */
export function chamadosAbertos(cabeca: Cabeca): Html | null {
  const { chamados } = cabeca;
  if (chamados === null || chamados.total === 0) return null;
  const titulo = quantos(chamados.total, 'chamado em aberto', 'chamados em aberto');
  return cartao(titulo, tabelaDe(cabeca, chamados.itens, titulo, false), { rente: true });
}

export const CHAMADOS_POR_PAGINA = 30;

export function chamadosDoCliente(cabeca: Cabeca, { itens, total }: Page<Chamado>, pagina: number): Html {
  const para = (n: number): string => comConsulta(`/clientes/${cabeca.cliente.id}`, { aba: 'chamados', pagina: n });
  return cartao(
    null,
    html`${tabelaDe(cabeca, itens, 'Chamados do cliente', true)}
    ${paginas({
      total: total === 0 ? null : quantos(total, 'chamado', 'chamados'),
      anterior: pagina > 1 ? para(pagina - 1) : null,
      proxima: pagina * CHAMADOS_POR_PAGINA < total ? para(pagina + 1) : null,
    })}`,
    { rente: true },
  );
}
