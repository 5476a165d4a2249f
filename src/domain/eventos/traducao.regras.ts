import { jsonDecimal } from '../../platform/json.ts';
import type { JsonDecimal } from '../../platform/json.ts';
import type { Fatura, SituacaoFatura } from '../faturas/faturas.types.ts';
import type { DadosDosEventos } from './catalogo.types.ts';
import type { ChamadoDito, Contexto } from './contexto.types.ts';
import type { EventoDaCasa } from './fora/da-casa.ts';
import { decimalOuNulo, doPagamento, reais, reaisOuNulo } from './fora/dinheiro.ts';
import type { DitoFora } from './fora.types.ts';

type Evento<Dados> = { readonly recursoId: number; readonly dados: Dados };
/** Null: it cannot be told any more, because what it is about is gone. */
type Traducao<Dados> = (evento: Evento<Dados>, contexto: Contexto) => DitoFora | null;
type Traducoes = {
  readonly [Nome in Exclude<keyof DadosDosEventos, EventoDaCasa>]: Traducao<DadosDosEventos[Nome]>;
};

/**
 * What those outside are told of each event of the house. One change is one event, the most specific. A new event does not compile until
 * somebody decides here, or in `fora/da-casa.ts`.
 */
const TRADUCOES: Traducoes = {
  'cliente.criado': ({ dados: { cliente, situacao, origem } }) => ({
    tipo: 'cliente.criado',
    dados: { cliente_id: cliente, situacao, origem },
  }),
  'cliente.pre_cadastrado': ({ recursoId, dados: { contrato, convite, plano } }) => ({
    tipo: 'cliente.pre_cadastrado',
    dados: { cliente_id: recursoId, contrato_id: contrato, convite_id: convite, plano_id: plano },
  }),
  'cliente.atualizado': ({ dados: { cliente, campos } }) => ({
    tipo: 'cliente.atualizado',
    dados: { cliente_id: cliente, campos: [...campos] },
  }),
  'cliente.cancelado': ({ dados: { cliente } }) => ({ tipo: 'cliente.cancelado', dados: { cliente_id: cliente } }),
  'cliente.acesso_solicitado': ({ dados: { cliente, solicitacao, expira_em } }) => ({
    tipo: 'cliente.acesso_solicitado',
    dados: { cliente_id: cliente, solicitacao_id: solicitacao, expira_em },
  }),
  'cliente.apagado': ({ dados: { cliente, apagados, guardados } }) => ({
    tipo: 'cliente.apagado',
    dados: { cliente_id: cliente, apagados, guardados },
  }),

  'contrato.criado': ({ recursoId, dados: { cliente, plano, situacao } }) => ({
    tipo: 'cliente.contrato_criado',
    dados: { cliente_id: cliente, contrato_id: recursoId, plano_id: plano, situacao },
  }),
  'contrato.ativado': ({ recursoId, dados: { cliente, de } }) => ({
    tipo: 'cliente.contrato_ativado',
    dados: { cliente_id: cliente, contrato_id: recursoId, de },
  }),
  'contrato.bloqueado': ({ recursoId, dados: { cliente, origem, fatura } }) => ({
    tipo: 'cliente.contrato_bloqueado',
    dados: { cliente_id: cliente, contrato_id: recursoId, origem, fatura_id: fatura },
  }),
  'contrato.liberado': ({ recursoId, dados: { cliente, por, fatura } }) => ({
    tipo: 'cliente.contrato_liberado',
    dados: { cliente_id: cliente, contrato_id: recursoId, por, fatura_id: fatura },
  }),
  'contrato.desbloqueado': ({ recursoId, dados: { cliente, dias, ate, fatura } }) => ({
    tipo: 'cliente.desbloqueio_confianca',
    dados: { cliente_id: cliente, contrato_id: recursoId, dias, ate, fatura_id: fatura },
  }),
  'contrato.desbloqueio_encerrado': ({ recursoId, dados: { cliente } }) => ({
    tipo: 'cliente.desbloqueio_encerrado',
    dados: { cliente_id: cliente, contrato_id: recursoId },
  }),
  'contrato.rescisao_avisada': ({ recursoId, dados: { cliente, valor, prazo } }) => ({
    tipo: 'cliente.contrato_rescisao_avisada',
    dados: { cliente_id: cliente, contrato_id: recursoId, a_pagar: jsonDecimal(valor), rescisao_desde: prazo },
  }),
  'contrato.rescisao_devida': ({ recursoId, dados: { cliente, valor } }) => ({
    tipo: 'cliente.contrato_rescisao_devida',
    dados: { cliente_id: cliente, contrato_id: recursoId, a_pagar: jsonDecimal(valor) },
  }),
  'contrato.inativado': ({ recursoId, dados: { cliente } }) => ({
    tipo: 'cliente.contrato_inativado',
    dados: { cliente_id: cliente, contrato_id: recursoId },
  }),
  'contrato.cancelado': ({ recursoId, dados: { cliente, definitivo } }) => ({
    tipo: 'cliente.contrato_cancelado',
    dados: { cliente_id: cliente, contrato_id: recursoId, definitivo },
  }),
  'contrato.plano_alterado': ({ recursoId, dados: { cliente, plano_anterior, plano, valor } }) => ({
    tipo: 'cliente.plano_alterado',
    dados: {
      cliente_id: cliente,
      contrato_id: recursoId,
      plano_anterior_id: plano_anterior,
      plano_id: plano,
      valor: jsonDecimal(valor),
    },
  }),

  'cliente.promessa_registrada': ({ dados: { cliente, contrato, data } }) => ({
    tipo: 'cliente.promessa_registrada',
    dados: { cliente_id: cliente, contrato_id: contrato, data },
  }),
  'cliente.promessa_quebrada': ({ dados: { cliente, contrato, data } }) => ({
    tipo: 'cliente.promessa_quebrada',
    dados: { cliente_id: cliente, contrato_id: contrato, data },
  }),

  'fatura.segunda_via_pedida': daFatura((f, { canal }) => ({
    tipo: 'fatura.segunda_via_pedida',
    dados: { ...f, canal },
  })),
  'fatura.criada': daFatura((f) => ({ tipo: 'fatura.criada', dados: f })),
  'fatura.alterada': daFatura((f, { campos }) => ({
    tipo: 'fatura.alterada',
    dados: { ...f, campos: [...campos] },
  })),
  'fatura.a_vencer': daFatura((f) => ({ tipo: 'fatura.a_vencer', dados: { ...f, situacao: 'pendente' } })),
  'fatura.vencida': daFatura((f, _dados, { valorAtualizado }) => ({
    tipo: 'fatura.vencida',
    dados: { ...f, situacao: 'vencida', valor_atualizado: reaisOuNulo(valorAtualizado) },
  })),
  'fatura.cobrada': daFatura((f, { passo, valor, prazo }) => ({
    tipo: 'fatura.cobrada',
    dados: { ...f, passo, a_pagar: jsonDecimal(valor), bloqueio_desde: prazo },
  })),
  'fatura.paga': daFatura((f, dados) => ({
    tipo: 'fatura.paga',
    dados: { ...f, situacao: 'paga', ...doPagamento(dados) },
  })),
  'fatura.paga_em_parte': daFatura((f, dados) => ({
    tipo: 'fatura.paga_em_parte',
    dados: { ...f, ...doPagamento(dados) },
  })),
  'fatura.paga_a_mais': daFatura((f, dados) => ({
    tipo: 'fatura.paga_a_mais',
    dados: { ...f, ...doPagamento(dados) },
  })),
  'fatura.devolvida_em_parte': daFatura((f, { devolvido }) => ({
    tipo: 'fatura.devolvida_em_parte',
    dados: { ...f, devolvido: decimalOuNulo(devolvido) },
  })),
  'fatura.estornada': daFatura((f, { devolvido }) => ({
    tipo: 'fatura.estornada',
    dados: { ...f, situacao: 'estornada', devolvido: decimalOuNulo(devolvido) },
  })),
  'fatura.reaberta': daFatura((f, { falta }) => ({
    tipo: 'fatura.reaberta',
    dados: { ...f, falta: decimalOuNulo(falta) },
  })),
  'fatura.cancelada': daFatura((f, { motivo_codigo }) => ({
    tipo: 'fatura.cancelada',
    dados: { ...f, situacao: 'cancelada', motivo_codigo },
  })),

  'nfcom.autorizada': daNota((n) => ({ tipo: 'nfcom.autorizada', dados: n })),
  'nfcom.rejeitada': daNota((n, { codigo }) => ({ tipo: 'nfcom.rejeitada', dados: { ...n, codigo } })),
  'nfcom.cancelada': daNota((n) => ({ tipo: 'nfcom.cancelada', dados: n })),
  'nfcom.substituida': daNota((n, { substituta }) => ({
    tipo: 'nfcom.substituida',
    dados: { ...n, substituta_id: substituta },
  })),

  'chamado.aberto': doChamado((t, _dados, { origem }) => ({ tipo: 'chamado.aberto', dados: { ...t, origem } })),
  'chamado.atualizado': doChamado((t, { campos, de, para, entrada, por }, { agendadoPara }) => {
    const mudado = { ...t, situacao: para, de, campos: [...campos] };
    if (para !== de && para === 'solucionado') return { tipo: 'chamado.solucionado', dados: mudado };
    if (para !== de && para === 'cancelado') return { tipo: 'chamado.cancelado', dados: mudado };
    if (para !== de && para === 'reaberto') return { tipo: 'chamado.reaberto', dados: mudado };
    const antes = { ...t, situacao: para };
    if (campos.includes('agendamento')) {
      const agendado_para = agendadoPara?.toISOString() ?? null;
      return { tipo: 'chamado.agendado', dados: { ...antes, agendado_para } };
    }
    if (campos.every((campo) => campo === 'comentario')) {
      return { tipo: 'chamado.comentado', dados: { ...antes, entrada_id: entrada ?? null, por: por ?? null } };
    }
    return { tipo: 'chamado.atualizado', dados: mudado };
  }),
  'chamado.atribuido': doChamado((t, { para }) => ({
    tipo: 'chamado.atribuido',
    dados: { ...t, responsavel_id: para },
  })),

  'rede.aviso_aberto': ({ recursoId, dados: { tipo, origem } }, { cobertos }) => ({
    tipo: 'rede.aviso_aberto',
    dados: { cliente_id: null, aviso_id: recursoId, tipo, origem, contratos: cobertos.get(recursoId) ?? 0 },
  }),
  'rede.aviso_alterado': ({ recursoId, dados: { campos } }) => ({
    tipo: 'rede.aviso_alterado',
    dados: { cliente_id: null, aviso_id: recursoId, campos },
  }),
  'rede.aviso_encerrado': ({ recursoId, dados: { tipo, origem } }, { cobertos }) => ({
    tipo: 'rede.aviso_encerrado',
    dados: { cliente_id: null, aviso_id: recursoId, tipo, origem, contratos: cobertos.get(recursoId) ?? 0 },
  }),
};

/** Whether those outside may be told of events of this name. */
export const saiDaCasa = (tipo: string): tipo is keyof Traducoes => Object.hasOwn(TRADUCOES, tipo);

/** An event as it was written. */
export interface EventoEscrito {
  readonly tipo: string;
  readonly recursoId: number | null;
  readonly dados: unknown;
}

/** What those outside are told of an event; null: nothing. */
export function traduzir({ tipo, recursoId, dados }: EventoEscrito, contexto: Contexto): DitoFora | null {
  if (!saiDaCasa(tipo) || recursoId === null) return null;
  // What is written was typed by the catalogue.
  const traducao = TRADUCOES[tipo] as Traducao<unknown>;
  return traducao({ recursoId, dados }, contexto);
}

interface F {
  readonly cliente_id: number;
  readonly fatura_id: number;
  readonly contrato_id: number | null;
  readonly situacao: SituacaoFatura;
  readonly tipo: Fatura['tipo'];
  readonly valor: JsonDecimal;
  readonly valor_pago: JsonDecimal;
  readonly vencimento: string;
  readonly pago_em: string | null;
}

/** Of an event whose resource is an invoice. */
function daFatura<Dados>(dizer: (f: F, dados: Dados, fatura: Fatura) => DitoFora): Traducao<Dados> {
  return ({ recursoId, dados }, { faturas }) => {
    const fatura = faturas.get(recursoId);
    if (fatura === undefined) return null;
    const f: F = {
      cliente_id: fatura.clienteId,
      fatura_id: fatura.id,
      contrato_id: fatura.contratoId,
      situacao: fatura.situacao,
      tipo: fatura.tipo,
      valor: reais(fatura.valor),
      valor_pago: reais(fatura.valorPago),
      vencimento: fatura.vencimento,
      pago_em: fatura.pagoEm?.toISOString() ?? null,
    };
    return dizer(f, dados, fatura);
  };
}

type DaNota = DadosDosEventos['nfcom.autorizada'];

type N = Omit<DaNota, 'cliente' | 'fatura' | 'contrato' | 'valor' | 'ambiente' | 'finalidade'> &
  Readonly<Record<'cliente_id' | 'nfcom_id' | 'fatura_id', number>> & {
    readonly contrato_id: number | null;
    readonly valor: JsonDecimal;
    readonly ambiente: DaNota['ambiente'] | null;
    readonly finalidade: DaNota['finalidade'] | null;
  };

/** Of an event whose resource is a fiscal note, which says all of it itself. */
function daNota<Dados extends DaNota>(dizer: (n: N, dados: Dados) => DitoFora): Traducao<Dados> {
  return ({ recursoId, dados }) => {
    const { cliente, fatura, numero, serie, chave, valor } = dados;
    // Events of the versions before do not say these.
    const { contrato = null, ambiente = null, finalidade = null } = dados as Partial<DaNota>;
    const n = {
      cliente_id: cliente,
      nfcom_id: recursoId,
      fatura_id: fatura,
      contrato_id: contrato,
      numero,
      serie,
      chave,
      valor: jsonDecimal(valor),
      ambiente,
      finalidade,
    };
    return dizer(n, dados);
  };
}

type T = Omit<ChamadoDito, 'origem' | 'agendadoPara' | 'responsavelId'> & { readonly chamado_id: number };

/** Of an event whose resource is a ticket. */
function doChamado<Dados>(dizer: (t: T, dados: Dados, chamado: ChamadoDito) => DitoFora): Traducao<Dados> {
  return ({ recursoId, dados }, { chamados }) => {
    const chamado = chamados.get(recursoId);
    if (chamado === undefined) return null;
    const { cliente_id, contrato_id, situacao, prioridade, categoria } = chamado;
    return dizer({ cliente_id, chamado_id: recursoId, contrato_id, situacao, prioridade, categoria }, dados, chamado);
  };
}

/** Names of the events of the house that those outside may be told of. */
export const SAEM_DA_CASA: readonly string[] = Object.keys(TRADUCOES);
