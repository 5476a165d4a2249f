import { fromDatabaseTime, toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { ProtocolosService } from '../protocolos/protocolos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../tags.ts';
import { createAtendimentoQueries } from './atendimento.queries.ts';
import type { ChamadoTravado } from './atendimento.queries.ts';
import type { CategoriaChamado, PrioridadeChamado } from './chamados.types.ts';
import { atribuir } from './equipe/atribuicao.service.ts';
import { inserirHistorico } from './historico.queries.ts';
import {
  MINUTOS_DA_VISITA,
  daPrioridade,
  daSituacao,
  daSolucao,
  daVisita,
  doComentario,
  juntas,
} from './equipe/mudancas.regras.ts';
import type { Mudanca } from './equipe/mudancas.regras.ts';
import { estaFechado, podeIr, soComentario } from './transicoes.regras.ts';
import type { SituacaoPedida } from './transicoes.regras.ts';

export type AtendimentoService = ReturnType<typeof createAtendimentoService>;

export interface AtendimentoDeps {
  readonly w: Write;
  readonly provedor: Pick<Provedor, 'fusoHorario'>;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

export interface NovoChamado {
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly assunto: string;
  readonly descricao: string;
  readonly prioridade: PrioridadeChamado;
  readonly categoria: CategoriaChamado | null;
  /** When the visit is. */
  readonly agendadoPara?: Date | null | undefined;
}

/** What is absent stays as it is. */
export interface MudancaDeChamado {
  readonly situacao?: SituacaoPedida | undefined;
  readonly prioridade?: PrioridadeChamado | undefined;
  readonly solucao?: string | undefined;
  readonly comentario?: string | undefined;
  /** Null for no visit. */
  readonly agendadoPara?: Date | null | undefined;
  /** Null for nobody. */
  readonly responsavelId?: number | null | undefined;
}

/** What is done about tickets; the rules and their order are those of `decisions.md`, "Tickets". */
export function createAtendimentoService({ w, provedor, relogio, protocolos }: AtendimentoDeps) {
  const queries = createAtendimentoQueries(w);

  function tocar(id: number, clienteId: number): void {
    w.touch(chamadoTag(id), clienteTag(clienteId), CHAMADOS_TAG);
  }

  /** A visit at another time than before, or none where there was one; null where nothing differs. */
  function visitaPedida(chamado: ChamadoTravado, quando: Date | null | undefined): Mudanca | null {
    const antes = chamado.agendado_para === null ? null : fromDatabaseTime(chamado.agendado_para);
    if (quando === undefined || quando?.getTime() === antes?.getTime()) return null;
    const minutos = quando === null ? null : (chamado.agendado_minutos ?? MINUTOS_DA_VISITA);
    return daVisita(quando, minutos, provedor.fusoHorario);
  }

  return {
    /**
     * Opens a ticket and tells the provider's staff of it.
     *
     * @returns the ticket's id.
     * @throws Recusa `nao_encontrado` (the client), `contrato_invalido` or `cliente_cancelado`.
     */
    async abrir(novo: NovoChamado): Promise<number> {
      const { clienteId, contratoId, assunto, descricao, prioridade, categoria, agendadoPara = null } = novo;
      const cliente = await queries.travarCliente(clienteId);
      recusarSeNao(cliente, 'nao_encontrado');
      const dono = contratoId === null ? clienteId : await queries.travarDonoDoContrato(contratoId);
      recusarSeNao(dono === clienteId, 'contrato_invalido');
      recusarSeNao(cliente.situacao !== 'cancelado', 'cliente_cancelado');

      const aberto = relogio.agora();
      const agora = toDatabaseTime(aberto);
      const visita = agendadoPara === null ? null : daVisita(agendadoPara, MINUTOS_DA_VISITA, provedor.fusoHorario);
      const { colunas, entradas } = juntas([visita]);
      const protocolo = await protocolos.proximo();
      const id = await queries.inserir({
        protocolo,
        cliente_id: clienteId,
        contrato_id: contratoId,
        situacao: 'aberto',
        prioridade,
        categoria,
        assunto,
        descricao,
        aberto_em: agora,
        ...colunas,
      });
      await protocolos.registrar(protocolo, { tipo: 'chamado', clienteId, contratoId, chamadoId: id });
      await inserirHistorico(w, id, agora, [{ acao: 'aberto', descricao: 'Chamado aberto.' }, ...entradas]);
      await queries.avisarEquipe(id, aberto);

      tocar(id, clienteId);
      w.emit('chamado.aberto', id, { cliente: clienteId, contrato: contratoId, prioridade, categoria });
      return id;
    },

    /**
     * Changes what differs, and comments. Closing notes when; reopening forgets it.
     *
     * @returns the last entry of its history that this made, which is the comment where there is one; null where nothing differs.
     * @throws Recusa `nao_encontrado`, `transicao_invalida` or `responsavel_indisponivel`.
     */
    async atualizar(id: number, mudanca: MudancaDeChamado): Promise<number | null> {
      const chamado = await queries.travarChamado(id);
      recusarSeNao(chamado, 'nao_encontrado');
      const { situacao, prioridade, solucao, comentario, responsavelId } = mudanca;
      const vai = situacao ?? chamado.situacao;
      recusarSeNao(podeIr(chamado.situacao, vai), 'transicao_invalida');
      const visita = visitaPedida(chamado, mudanca.agendadoPara);
      const marca = typeof visita?.colunas.agendado_para === 'string';
      recusarSeNao(!marca || !estaFechado(vai), 'transicao_invalida');

      if (responsavelId !== undefined) await atribuir(w, relogio, chamado, responsavelId);
      const agora = toDatabaseTime(relogio.agora());
      const { colunas, entradas } = juntas([
        daSituacao(chamado, situacao, agora),
        daPrioridade(chamado, prioridade),
        daSolucao(chamado, solucao),
        visita,
        comentario === undefined ? null : doComentario(comentario),
      ]);
      if (entradas.length === 0) return null;
      await queries.mudar(id, colunas, agora);
      const entrada = await inserirHistorico(w, id, agora, entradas);
      const campos = entradas.map(({ acao }) => acao);
      const { kind } = w.author;
      const por = kind === 'assinante' ? 'cliente' : kind === 'usuario' ? 'equipe' : 'api';

      tocar(id, chamado.cliente_id);
      w.emit('chamado.atualizado', id, {
        cliente: chamado.cliente_id,
        contrato: chamado.contrato_id,
        campos,
        ...(soComentario(campos) ? { entrada, por } : {}),
        de: chamado.situacao,
        para: colunas.situacao ?? chamado.situacao,
      });
      return entrada;
    },
  };
}
