import type { SituacaoCliente } from '../../../domain/clientes/clientes.types.ts';
import type { EstadoConexao } from '../../../domain/conexoes/conexoes.types.ts';
import type { SituacaoContrato } from '../../../domain/contratos/contratos.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';

/** States of a client, as people say them. */
export const DITAS_DO_CLIENTE = {
  ativo: 'Ativo',
  bloqueado: 'Bloqueado',
  inativo: 'Inativo',
  observacao: 'Em observação',
  pre_cadastro: 'Pré-cadastro',
  cancelado: 'Cancelado',
} as const satisfies Record<SituacaoCliente, string>;

const CORES_DO_CLIENTE = {
  ativo: 'green',
  bloqueado: 'red',
  inativo: 'secondary',
  observacao: 'orange',
  pre_cadastro: 'blue',
  cancelado: 'secondary',
} as const satisfies Record<SituacaoCliente, string>;

export const situacaoDoCliente = (situacao: SituacaoCliente): Html =>
  etiqueta(DITAS_DO_CLIENTE[situacao], CORES_DO_CLIENTE[situacao]);

/** States of a contract, as people say them. */
export const DITAS_DO_CONTRATO = {
  pendente: 'Pendente',
  ativo: 'Ativo',
  bloqueado: 'Bloqueado',
  inativo: 'Suspenso',
  cancelado: 'Cancelado',
  cancelado_definitivo: 'Cancelado em definitivo',
} as const satisfies Record<SituacaoContrato, string>;

const CORES_DO_CONTRATO = {
  pendente: 'blue',
  ativo: 'green',
  bloqueado: 'red',
  inativo: 'secondary',
  cancelado: 'secondary',
  cancelado_definitivo: 'secondary',
} as const satisfies Record<SituacaoContrato, string>;

export const situacaoDoContrato = (situacao: SituacaoContrato): Html =>
  etiqueta(DITAS_DO_CONTRATO[situacao], CORES_DO_CONTRATO[situacao]);

const DITO_DA_CONEXAO = { online: 'Online', offline: 'Offline', desconhecido: 'Conexão desconhecida' } as const;
const PONTO = { online: 'ponto on', offline: 'ponto off', desconhecido: 'ponto' } as const;

/** Whether a line is connected: the word, and a mark of another shape for each. */
export const conexao = (estado: EstadoConexao): Html =>
  html`<span class="${PONTO[estado]}" aria-hidden="true"></span>${DITO_DA_CONEXAO[estado]}`;
