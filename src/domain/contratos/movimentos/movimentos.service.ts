import type { Data } from '../../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { acompanharContratos, efetivarPreCadastros } from '../../clientes/situacao.service.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import { pedirRede } from '../../rede/pedir.ts';
import { CLIENTES_TAG, clienteTag, contratoTag } from '../../tags.ts';
import type { SituacaoContrato } from '../contratos.types.ts';
import { admite, movimento } from './movimentos.regras.ts';
import type { MOVIMENTOS, NomeDeMovimento } from './movimentos.regras.ts';

/** A contract that is locked, and its client with it. */
export interface ContratoAMover {
  readonly id: number;
  readonly cliente_id: number;
  readonly situacao: SituacaoContrato;
}

/** What there is to say of a move. */
export interface Passo<M extends NomeDeMovimento, C> {
  readonly agora: Date;
  /** For the contract's history, in Portuguese; the same for all, or each one's own. */
  readonly descricao: string | ((contrato: C) => string);
  /** What the event says beside the client. */
  readonly dados: (contrato: C) => Omit<DadosDosEventos[(typeof MOVIMENTOS)[M]['evento']], 'cliente'>;
  /** The provider's local day, of a move that may begin the service. */
  readonly hoje?: Data;
  /** Why it is in the state that it is in then; kept with the contract, never told outside. */
  readonly motivo?: string | null;
}

/**
 * Moves contracts, which the caller has locked with their clients (`travarContratos`): the one place where a contract's state changes.
 * Rows, one line of history each, the request to the network, the end of trust unblocks, events, tags, and the clients' own states. The
 * number of statements does not depend on how many they are.
 *
 * @throws Recusa `transicao_invalida` where one of them is in no state that the move begins in; nothing is written then.
 */
export async function mover<M extends NomeDeMovimento, C extends ContratoAMover>(
  w: Write,
  nome: M,
  contratos: readonly C[],
  passo: Passo<M, C>,
): Promise<void> {
  if (contratos.length === 0) return;
  for (const { situacao } of contratos) recusarSeNao(admite(nome, situacao), 'transicao_invalida');
  const { para, acao, evento, encerraConfianca, semRede, efetiva } = movimento(nome);
  const { agora, descricao } = passo;
  const ids = contratos.map(({ id }) => id);
  const instante = toDatabaseTime(agora);

  await w.update('contratos', (q) => void q.whereIn('id', ids), colunasDepois(w, nome, passo));
  await w.insert(
    'contratos_historico',
    contratos.map((contrato) => ({
      contrato_id: contrato.id,
      acao,
      descricao: typeof descricao === 'string' ? descricao : descricao(contrato),
      autor: w.author.name,
      ocorrido_em: instante,
      situacao_de: contrato.situacao,
      situacao_para: para,
    })),
  );
  if (semRede !== true) {
    await pedirRede(
      w,
      ids.map((id) => ({ id, situacao: para })),
      agora,
    );
  }
  if (encerraConfianca === true) {
    await w.update('desbloqueios_confianca', (q) => void q.whereIn('contrato_id', ids).whereNull('encerrado_em'), {
      encerrado_em: instante,
    });
  }
  const clientes = contratos.map(({ cliente_id }) => cliente_id);
  // What each move emits is in the table, and what `dados` gives is typed by it.
  const saida = w as unknown as { emit(tipo: typeof evento, id: number, dados: object): void };
  for (const contrato of contratos) {
    saida.emit(evento, contrato.id, { cliente: contrato.cliente_id, ...passo.dados(contrato) });
  }
  w.touch(CLIENTES_TAG, ...ids.map(contratoTag), ...clientes.map(clienteTag));
  if (efetiva === true) await efetivarPreCadastros(w, clientes);
  await acompanharContratos(w, clientes);
}

/** What the row holds after a move; what belongs to a state goes with it. */
function colunasDepois<M extends NomeDeMovimento, C>(w: Write, nome: M, passo: Passo<M, C>): object {
  const { para, origem = null } = movimento(nome);
  const { db } = w.tenant;
  const instante = toDatabaseTime(passo.agora);
  const motivo = passo.motivo ?? null;
  const limpas = { bloqueado_em: null, bloqueio_origem: null, suspenso_em: null };
  const ativado_em = passo.hoje === undefined ? {} : { ativado_em: db.raw('COALESCE(ativado_em, ?)', [passo.hoje]) };
  const emConfianca = w
    .from('desbloqueios_confianca as d')
    .whereRaw('d.contrato_id = contratos.id')
    .whereNull('d.encerrado_em')
    .select(db.raw('1'));
  const porSituacao: Readonly<Record<Exclude<SituacaoContrato, 'pendente'>, object>> = {
    ativo: { ...limpas, cancelado_em: null, motivo: null, ...ativado_em },
    bloqueado: { bloqueado_em: instante, bloqueio_origem: origem, suspenso_em: null, cancelado_em: null, motivo },
    inativo: {
      bloqueado_em: null,
      // Remembered, because a suspension clears no debt.
      bloqueio_origem: db.raw("IF(bloqueio_origem = 'financeiro', 'financeiro', NULL)"),
      suspenso_em: instante,
      motivo,
    },
    cancelado: {
      bloqueado_em: null,
      // Remembered as above, and so is a block by hand; a trust unblock that ends now has one behind it.
      bloqueio_origem: db.raw("COALESCE(bloqueio_origem, IF(EXISTS (?), 'financeiro', NULL))", [emConfianca]),
      suspenso_em: null,
      cancelado_em: instante,
      motivo,
    },
    cancelado_definitivo: {
      ...limpas,
      cancelado_em: db.raw('COALESCE(cancelado_em, ?)', [instante]),
      ...(passo.motivo === undefined ? {} : { motivo }),
      login: null,
    },
  };
  return { situacao: para, ...porSituacao[para] };
}
