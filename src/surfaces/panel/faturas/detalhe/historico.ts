import type { PaginaDaAuditoria } from '../../../../domain/auditoria/auditoria.service.ts';
import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { cartao } from '../../componentes/cartao.ts';
import { instante } from '../../componentes/escrita.ts';
import { paginas, tabela, vazio } from '../../componentes/tabela.ts';
import type { Sessao } from '../../sessao.ts';
import { feitoDaFatura } from '../termos.ts';

/** Who did what to an invoice, and when, page after page. */
export const historicoDaFatura = (
  daFatura: number,
  { itens, proxima }: PaginaDaAuditoria,
  seguinte: boolean,
  { provedor }: Sessao,
): Html =>
  cartao(
    'Histórico',
    html`${tabela({
      legenda: 'O que foi feito com esta fatura',
      linhas: itens,
      colunas: [
        { titulo: 'O quê', principal: true, celula: ({ acao }) => feitoDaFatura(acao) },
        { titulo: 'Quando', celula: ({ em }) => instante(provedor.fusoHorario, em) },
        { titulo: 'Quem', celula: ({ quem }) => quem.nome },
        { titulo: 'Mudou', celula: ({ campos }) => campos.map((campo) => CAMPOS[campo] ?? campo).join(', ') },
      ],
      vazia: vazio('history', 'Sem registro', 'A fatura foi criada antes de haver histórico, ou por outro programa.'),
    })}
    ${paginas({
      total: null,
      anterior: seguinte ? `/faturas/${daFatura}#historico` : null,
      proxima: proxima === null ? null : `/faturas/${daFatura}?antes=${proxima}#historico`,
    })}`,
    { rente: true, id: 'historico' },
  );

const CAMPOS: Readonly<Record<string, string>> = {
  vencimento: 'vencimento',
  descricao: 'descrição',
  linha_digitavel: 'linha digitável',
  nosso_numero: 'nosso número',
  codigo_externo: 'código em outro sistema',
  abatido: 'o que se desconta',
};
