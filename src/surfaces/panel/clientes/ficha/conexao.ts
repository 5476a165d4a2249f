import { html } from '../../../../kit/html/html.ts';
import type { Html } from '../../../../kit/html/html.ts';
import { BASE } from '../../ativos/ativos.ts';
import { aviso, cartao } from '../../componentes/cartao.ts';
import { vazio } from '../../componentes/tabela.ts';
import type { Cabeca, ConexaoEscolhida } from './leitura.ts';
import { quedasPorDia, sessoesPorDia, trafegoPorDia } from './linha.ts';

/** Which contract's line is drawn, where a client has several. */
function escolha({ cliente }: Cabeca, { contrato }: ConexaoEscolhida, aba: 'resumo' | 'conexao'): Html | null {
  const { contratos } = cliente;
  if (contratos.length < 2) return null;
  return html`<nav class="acoes mb-2" aria-label="Contrato dos gráficos">
    ${contratos.map(
      ({ id, plano }) =>
        html`<a
          class="${id === contrato.id ? 'btn btn-sm btn-primary' : 'btn btn-sm'}"
          href="${BASE}/clientes/${cliente.id}?aba=${aba}&contrato=${id}"
          ${id === contrato.id ? html`aria-current="true"` : null}
          >${id} · ${plano.nome}</a
        >`,
    )}
  </nav>`;
}

/** Drops, sessions and traffic of one contract. */
export function graficosDaConexao(cabeca: Cabeca, escolhida: ConexaoEscolhida | null, aba: 'resumo' | 'conexao'): Html {
  if (escolhida === null) {
    return vazio(
      'wifi',
      'Nenhuma linha',
      'Quedas e sessões aparecem aqui quando o cliente tiver um contrato com login.',
    );
  }
  const { contrato, historico } = escolhida;
  const onde = { fuso: cabeca.sessao.provedor.fusoHorario, agora: cabeca.agora };
  const trafego = trafegoPorDia(historico, onde);
  return html`${escolha(cabeca, escolhida, aba)}
    ${
      historico.incompleto
        ? aviso('info', 'Esta linha tem mais sessões do que se mostra: dos dias mais antigos falta uma parte.')
        : null
    }
    <div class="colunas">
      ${cartao(`Quedas por dia (30) · contrato ${contrato.id}`, quedasPorDia(historico, onde))}
      ${cartao(`Sessões (7 dias) · contrato ${contrato.id}`, sessoesPorDia(historico, onde))}
    </div>
    ${trafego === null ? null : cartao(`Tráfego por dia (30) · contrato ${contrato.id}`, trafego)}`;
}
