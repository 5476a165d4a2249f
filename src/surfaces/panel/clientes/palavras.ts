import type { SituacaoCliente } from '../../../domain/clientes/clientes.types.ts';
import type { EstadoConexao } from '../../../domain/conexoes/conexoes.types.ts';
import type { SituacaoContrato } from '../../../domain/contratos/contratos.types.ts';
import { html } from '../../../kit/html/html.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import type { Cor } from '../componentes/cartao.ts';

/** States of a client, as people say them, and their colours. */
const DO_CLIENTE: Readonly<Record<SituacaoCliente, readonly [dita: string, cor: Cor]>> = {
  ativo: ['Ativo', 'green'],
  bloqueado: ['Bloqueado', 'red'],
  inativo: ['Inativo', 'secondary'],
  observacao: ['Em observação', 'orange'],
  pre_cadastro: ['Pré-cadastro', 'blue'],
  cancelado: ['Cancelado', 'secondary'],
};

export const ditaDoCliente = (situacao: SituacaoCliente): string => DO_CLIENTE[situacao][0];

export const situacaoDoCliente = (situacao: SituacaoCliente): Html => etiqueta(...DO_CLIENTE[situacao]);

/** States of a contract, as people say them, and their colours. */
const DO_CONTRATO: Readonly<Record<SituacaoContrato, readonly [dita: string, cor: Cor]>> = {
  pendente: ['Pendente', 'blue'],
  ativo: ['Ativo', 'green'],
  bloqueado: ['Bloqueado', 'red'],
  inativo: ['Suspenso', 'secondary'],
  cancelado: ['Cancelado', 'secondary'],
  cancelado_definitivo: ['Cancelado em definitivo', 'secondary'],
};

export const ditaDoContrato = (situacao: SituacaoContrato): string => DO_CONTRATO[situacao][0];

export const situacaoDoContrato = (situacao: SituacaoContrato): Html => etiqueta(...DO_CONTRATO[situacao]);

const DITO_DA_CONEXAO = { online: 'Online', offline: 'Offline', desconhecido: 'Conexão desconhecida' } as const;
const PONTO = { online: 'ponto on', offline: 'ponto off', desconhecido: 'ponto' } as const;

/** Whether a line is connected: the word, and a mark of another shape for each. */
export const conexao = (estado: EstadoConexao): Html =>
  html`<span class="${PONTO[estado]}" aria-hidden="true"></span>${DITO_DA_CONEXAO[estado]}`;
