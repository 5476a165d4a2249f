import { html } from '../../../kit/html/html.ts';
import { BASE } from '../ativos/ativos.ts';
import type { Coluna } from '../componentes/tabela.ts';
import { pode } from '../sessao.ts';
import type { Sessao } from '../sessao.ts';

interface DeUmaLinha {
  readonly clienteId: number;
  readonly cliente: string;
  readonly contratoId: number;
}

/** Whose line it is. It leads to the client for whoever may open clients. */
export function colunaDoCliente(sessao: Sessao): Coluna<DeUmaLinha> {
  const abre = pode(sessao, 'clientes.ver');
  return {
    titulo: 'Cliente',
    principal: true,
    celula: ({ clienteId, cliente }) => (abre ? html`<a href="${BASE}/clientes/${clienteId}">${cliente}</a>` : cliente),
  };
}

/** Which contract's line it is. It leads to the contract for whoever may open clients, as the client's page has it too. */
export function colunaDoContrato<Linha extends DeUmaLinha>(
  sessao: Sessao,
  dito: (linha: Linha) => string,
): Coluna<Linha> {
  const abre = pode(sessao, 'clientes.ver');
  return {
    titulo: 'Contrato',
    celula: (linha) => (abre ? html`<a href="${BASE}/contratos/${linha.contratoId}">${dito(linha)}</a>` : dito(linha)),
  };
}
