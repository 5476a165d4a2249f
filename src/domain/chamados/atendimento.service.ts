import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../tags.ts';
import { createAtendimentoQueries } from './atendimento.queries.ts';
import type { CategoriaChamado, ChamadoRow, PrioridadeChamado } from './chamados.types.ts';
import { estaFechado, podeIr, soComentario } from './transicoes.regras.ts';
import type { SituacaoPedida } from './transicoes.regras.ts';

export type AtendimentoService = ReturnType<typeof createAtendimentoService>;

export interface AtendimentoDeps {
  readonly w: Write;
  readonly relogio: Relogio;
}

export interface NovoChamado {
  readonly clienteId: number;
  readonly contratoId: number | null;
  readonly assunto: string;
  readonly descricao: string;
  readonly prioridade: PrioridadeChamado;
  readonly categoria: CategoriaChamado | null;
}

/** What is absent stays as it is. */
export interface MudancaDeChamado {
  readonly situacao?: SituacaoPedida | undefined;
  readonly prioridade?: PrioridadeChamado | undefined;
  readonly solucao?: string | undefined;
  readonly comentario?: string | undefined;
}

/** What is done about tickets; the rules and their order are those of `decisions.md`, "Tickets". */
export function createAtendimentoService({ w, relogio }: AtendimentoDeps) {
  const queries = createAtendimentoQueries(w);

  function tocar(id: number, clienteId: number): void {
    w.touch(chamadoTag(id), clienteTag(clienteId), CHAMADOS_TAG);
  }

  return {
    /**
     * Opens a ticket and tells the provider's staff of it.
     *
     * @returns the ticket's id.
     * @throws Recusa `nao_encontrado` (the client), `contrato_invalido` or `cliente_cancelado`.
     */
    async abrir(novo: NovoChamado): Promise<number> {
      const { clienteId, contratoId, assunto, descricao, prioridade, categoria } = novo;
      const cliente = await queries.travarCliente(clienteId);
      recusarSeNao(cliente, 'nao_encontrado');
      const dono = contratoId === null ? clienteId : await queries.travarDonoDoContrato(contratoId);
      recusarSeNao(dono === clienteId, 'contrato_invalido');
      recusarSeNao(cliente.situacao !== 'cancelado', 'cliente_cancelado');

      const agora = toDatabaseTime(relogio.agora());
      const id = await queries.inserir({
        cliente_id: clienteId,
        contrato_id: contratoId,
        situacao: 'aberto',
        prioridade,
        categoria,
        assunto,
        descricao,
        aberto_em: agora,
      });
      await queries.inserirHistorico(id, agora, [{ acao: 'aberto', descricao: 'Chamado aberto.' }]);
      await queries.avisarEquipe(id, agora);

      tocar(id, clienteId);
      w.emit('chamado.aberto', id, { cliente: clienteId, contrato: contratoId, prioridade, categoria });
      return id;
    },

    /**
     * Changes what differs, and comments. Closing notes when; reopening forgets it.
     *
     * @throws Recusa `nao_encontrado` or `transicao_invalida`.
     */
    async atualizar(id: number, mudanca: MudancaDeChamado): Promise<void> {
      const chamado = await queries.travarChamado(id);
      recusarSeNao(chamado, 'nao_encontrado');
      recusarSeNao(podeIr(chamado.situacao, mudanca.situacao ?? chamado.situacao), 'transicao_invalida');

      const agora = toDatabaseTime(relogio.agora());
      const { colunas, entradas } = diferencas(chamado, mudanca, agora);
      if (entradas.length === 0) return;
      await queries.mudar(id, colunas);
      const entrada = await queries.inserirHistorico(id, agora, entradas);
      const campos = entradas.map(({ acao }) => acao);
      const por = w.author.kind === 'assinante' ? 'cliente' : 'api';

      tocar(id, chamado.cliente_id);
      w.emit('chamado.atualizado', id, {
        cliente: chamado.cliente_id,
        contrato: chamado.contrato_id,
        campos,
        ...(soComentario(campos) ? { entrada, por } : {}),
        de: chamado.situacao,
        para: colunas.situacao ?? chamado.situacao,
      });
    },
  };
}

/** What a change comes to for a ticket as it is: its columns, and an entry of the history each. */
function diferencas(
  chamado: Pick<ChamadoRow, 'situacao' | 'prioridade' | 'solucao'>,
  { situacao, prioridade, solucao, comentario }: MudancaDeChamado,
  agora: string,
) {
  const colunas: Partial<ChamadoRow> = {};
  const entradas: { acao: 'situacao' | 'prioridade' | 'solucao' | 'comentario'; descricao: string }[] = [];
  if (situacao !== undefined && situacao !== chamado.situacao) {
    colunas.situacao = situacao;
    colunas.fechado_em = estaFechado(situacao) ? agora : null;
    entradas.push({ acao: 'situacao', descricao: `De ${chamado.situacao} para ${situacao}.` });
  }
  if (prioridade !== undefined && prioridade !== chamado.prioridade) {
    colunas.prioridade = prioridade;
    entradas.push({ acao: 'prioridade', descricao: `De ${chamado.prioridade} para ${prioridade}.` });
  }
  if (solucao !== undefined && solucao !== chamado.solucao) {
    colunas.solucao = solucao;
    entradas.push({ acao: 'solucao', descricao: solucao });
  }
  if (comentario !== undefined) entradas.push({ acao: 'comentario', descricao: comentario });
  return { colunas, entradas };
}
