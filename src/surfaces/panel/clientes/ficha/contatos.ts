import type { Atendimento } from '../../../../domain/atendimentos/atendimentos.types.ts';
import type { Sugestao } from '../../../../domain/resumo/resumo.regras.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import type { Page } from '../../../../platform/paging/pages.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { ha, quantos } from '../../componentes/escrita.ts';
import { comConsulta, paginas, tabela, vazio } from '../../componentes/tabela.ts';
import { CHAMADOS_POR_PAGINA } from './chamados.ts';
import type { Cabeca } from './leitura.ts';

const RESPOSTAS: Readonly<Record<Exclude<Sugestao, 'sem_pendencia'>, string>> = {
  aviso_de_rede: 'há um aviso de rede em vigor para este cliente.',
  bloqueado_manual: 'um contrato está bloqueado à mão.',
  desbloqueio_disponivel: 'um contrato está bloqueado por falta de pagamento, e pode ser desbloqueado em confiança.',
  bloqueado_por_fatura: 'um contrato está bloqueado por falta de pagamento.',
  offline: 'um contrato ativo está offline.',
  fatura_vencida: 'há fatura vencida.',
  chamado_em_andamento: 'há chamado em aberto.',
};

/** What most likely answers a call, as programs are told it, too; nothing where nothing is open. */
export const oQueResponde = (sugestao: Sugestao): Html | null =>
  sugestao === 'sem_pendencia'
    ? null
    : aviso('info', html`<p class="mb-0"><strong>Se ligar agora:</strong> ${RESPOSTAS[sugestao]}</p>`);

const CANAIS: Readonly<Record<NonNullable<Atendimento['canal']>, string>> = {
  chatbot: 'chatbot',
  ura: 'URA',
  app: 'app',
  telefone: 'telefone',
  loja: 'loja',
  outro: 'outro',
};

const tabelaDe = ({ agora }: Cabeca, atendimentos: readonly Atendimento[], titulo: string): Html =>
  tabela({
    legenda: titulo,
    linhas: atendimentos,
    vazia: vazio('phone', 'Nenhum contato', 'Aqui ficam os contatos deste cliente, cada um com o seu protocolo.'),
    colunas: [
      {
        titulo: 'Contato',
        principal: true,
        celula: ({ assunto, chamadoId }) =>
          chamadoId === null ? assunto : html`<a href="${BASE}/chamados/${chamadoId}">#${chamadoId} · ${assunto}</a>`,
      },
      { titulo: 'Protocolo', celula: ({ protocolo }) => protocolo ?? '' },
      { titulo: 'Canal', celula: ({ canal }) => (canal === null ? '' : CANAIS[canal]) },
      { titulo: 'Quem', celula: ({ autor }) => autor ?? '' },
      { titulo: 'Quando', celula: ({ abertoEm }) => ha(agora, abertoEm) },
    ],
  });

/** The last contacts, on the first view; nothing where there was none. */
export function ultimosContatos(cabeca: Cabeca, atendimentos: readonly Atendimento[]): Html | null {
  if (atendimentos.length === 0) return null;
  return cartao('Últimos contatos', tabelaDe(cabeca, atendimentos, 'Últimos contatos'), { rente: true });
}

/** All contacts, beside the tickets. */
export function contatosDoCliente(cabeca: Cabeca, { itens, total }: Page<Atendimento>, pagina: number): Html {
  const para = (n: number): string => comConsulta(`/clientes/${cabeca.cliente.id}`, { aba: 'chamados', pagina: n });
  return cartao(
    'Contatos',
    html`${tabelaDe(cabeca, itens, 'Contatos do cliente')}
    ${paginas({
      total: total === 0 ? null : quantos(total, 'contato', 'contatos'),
      anterior: pagina > 1 ? para(pagina - 1) : null,
      proxima: pagina * CHAMADOS_POR_PAGINA < total ? para(pagina + 1) : null,
    })}`,
    { rente: true },
  );
}
