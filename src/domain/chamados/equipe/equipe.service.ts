import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { conferirVersao } from '../../campos/versao.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { ProtocolosService } from '../../protocolos/protocolos.service.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { CHAMADOS_TAG, chamadoTag, clienteTag } from '../../tags.ts';
import { createAtendimentoQueries } from '../atendimento.queries.ts';
import { inserirHistorico } from '../historico.queries.ts';
import { podeIr, soComentario } from '../transicoes.regras.ts';
import { atribuir } from './atribuicao.service.ts';
import {
  CAMPOS_DA_ABERTURA,
  CAMPOS_DA_MUDANCA,
  CAMPOS_DA_REABERTURA,
  CAMPOS_DA_VERSAO,
  CAMPOS_DA_VISITA,
  CAMPOS_DO_RESPONSAVEL,
  CAMPOS_DO_TEXTO,
} from './equipe.campos.ts';
import { createEquipeQueries } from './equipe.queries.ts';
import type { ChamadoTravado } from './equipe.queries.ts';
import {
  MINUTOS_DA_VISITA,
  daCategoria,
  daPrioridade,
  daSituacao,
  daSolucao,
  daVisita,
  doComentario,
  juntas,
} from './mudancas.regras.ts';
import type { Mudanca } from './mudancas.regras.ts';

export type EquipeService = ReturnType<typeof createEquipeService>;

export interface EquipeDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

/**
 * What the staff does about tickets; what each takes is read by its form. All but the opening may name the version that they were asked for
 * with (`atualizado_em`, the `versao` of the queue).
 *
 * What others see moves `atualizado_em`, touches the tags and is told as `chamado.atualizado`. Who attends, how long a visit takes and what
 * is noted reach the staff alone: they move `equipe_em`, touch nothing, and their events go out to nobody.
 *
 * All throw CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `transicao_invalida`.
 */
export function createEquipeService({ w, provedor, relogio, protocolos }: EquipeDeps) {
  const queries = createEquipeQueries(w);
  const deTodos = createAtendimentoQueries(w);

  async function travar(id: number, esperada: Date | undefined): Promise<ChamadoTravado> {
    const chamado = await queries.travarChamado(id);
    recusarSeNao(chamado, 'nao_encontrado');
    conferirVersao(esperada, chamado.versao);
    return chamado;
  }

  /** Writes what others see of a ticket; resolves to its last entry, or to null where nothing differs. */
  async function mudar(chamado: ChamadoTravado, ...mudancas: readonly (Mudanca | null)[]): Promise<number | null> {
    const { colunas, entradas } = juntas(mudancas);
    if (entradas.length === 0) return null;
    const { id, cliente_id: cliente, contrato_id: contrato, situacao } = chamado;
    const agora = toDatabaseTime(relogio.agora());
    await queries.mudarParaTodos(id, colunas, agora);
    const entrada = await inserirHistorico(w, id, agora, entradas);
    w.touch(chamadoTag(id), clienteTag(cliente), CHAMADOS_TAG);
    const campos = entradas.map(({ acao }) => acao);
    const para = colunas.situacao ?? situacao;
    const comentario = soComentario(campos) ? ({ entrada, por: 'equipe' } as const) : {};
    w.emit('chamado.atualizado', id, { cliente, contrato, campos, de: situacao, para, ...comentario });
    return entrada;
  }

  return {
    /** Opens a ticket; resolves to its id. @throws Recusa `contrato_invalido`, `cliente_cancelado`, `responsavel_indisponivel` */
    async abrir(dados: unknown): Promise<number> {
      const lidos = lerCampos(CAMPOS_DA_ABERTURA, dados);
      const { cliente_id, contrato_id = null, assunto, descricao, responsavel_id = null } = lidos;
      const { prioridade = 'normal', categoria = null } = lidos;
      const cliente = await deTodos.travarCliente(cliente_id);
      recusarSeNao(cliente, 'nao_encontrado', { campo: 'cliente_id' });
      const dono = contrato_id === null ? cliente_id : await deTodos.travarDonoDoContrato(contrato_id);
      recusarSeNao(dono === cliente_id, 'contrato_invalido', { campo: 'contrato_id' });
      recusarSeNao(cliente.situacao !== 'cancelado', 'cliente_cancelado');
      const aberto_em = toDatabaseTime(relogio.agora());
      const comum = { cliente_id, contrato_id, situacao: 'aberto', prioridade, categoria } as const;
      const protocolo = await protocolos.proximo();
      const id = await queries.inserir({ ...comum, protocolo, assunto, descricao, aberto_em });
      const deQuem = { clienteId: cliente_id, contratoId: contrato_id };
      await protocolos.registrar(protocolo, { tipo: 'chamado', ...deQuem, chamadoId: id });
      await inserirHistorico(w, id, aberto_em, [{ acao: 'aberto', descricao: 'Chamado aberto.' }]);
      w.touch(chamadoTag(id), clienteTag(cliente_id), CHAMADOS_TAG);
      w.emit('chamado.aberto', id, { cliente: cliente_id, contrato: contrato_id, prioridade, categoria });
      if (responsavel_id !== null) await atribuir(w, relogio, await travar(id, undefined), responsavel_id);
      return id;
    },

    /** Takes the ticket for whoever asks. @throws Recusa also `responsavel_indisponivel` */
    async assumir(id: number, dados: unknown): Promise<void> {
      const { atualizado_em } = lerCampos(CAMPOS_DA_VERSAO, dados);
      const { usuarioId } = w.author;
      recusarSeNao(usuarioId, 'responsavel_indisponivel');
      await atribuir(w, relogio, await travar(id, atualizado_em), usuarioId);
    },

    /** Gives the ticket to somebody, or to nobody. @throws Recusa also `responsavel_indisponivel` */
    async atribuir(id: number, dados: unknown): Promise<void> {
      const { atualizado_em, responsavel_id } = lerCampos(CAMPOS_DO_RESPONSAVEL, dados);
      await atribuir(w, relogio, await travar(id, atualizado_em), responsavel_id);
    },

    /** Says when the visit is and how long it takes, or that there is none. */
    async agendar(id: number, dados: unknown): Promise<void> {
      const { atualizado_em, agendado_para: quando, duracao_minutos } = lerCampos(CAMPOS_DA_VISITA, dados);
      const chamado = await travar(id, atualizado_em);
      const fechado = chamado.situacao === 'solucionado' || chamado.situacao === 'cancelado';
      recusarSeNao(quando === null || !fechado, 'transicao_invalida');
      const minutos = quando === null ? null : (duracao_minutos ?? chamado.agendado_minutos ?? MINUTOS_DA_VISITA);
      const antes = chamado.agendado_para === null ? null : fromDatabaseTime(chamado.agendado_para);
      if (quando?.getTime() !== antes?.getTime()) {
        await mudar(chamado, daVisita(quando, minutos, provedor.fusoHorario));
      } else if (minutos !== null && minutos !== chamado.agendado_minutos) {
        await queries.mudarParaAEquipe(id, { agendado_minutos: minutos });
        w.emit('chamado.visita_alterada', id, { cliente: chamado.cliente_id, minutos });
      }
    },

    /** Says something that everybody reads who reads the ticket; resolves to the entry. */
    async comentar(id: number, dados: unknown): Promise<number | null> {
      const { atualizado_em, texto } = lerCampos(CAMPOS_DO_TEXTO, dados);
      return mudar(await travar(id, atualizado_em), doComentario(texto));
    },

    /** Notes something that reaches the staff alone; it is no new version, for it stands against nobody else's change. */
    async anotar(id: number, dados: unknown): Promise<void> {
      const { atualizado_em, texto } = lerCampos(CAMPOS_DO_TEXTO, dados);
      const { cliente_id } = await travar(id, atualizado_em);
      await queries.inserirNota(id, toDatabaseTime(relogio.agora()), { acao: 'nota', descricao: texto });
      w.emit('chamado.anotado', id, { cliente: cliente_id });
    },

    /** Moves the ticket, and says how urgent it is and what it is about. What is absent stays. */
    async mudar(id: number, dados: unknown): Promise<void> {
      const { atualizado_em, situacao, prioridade, categoria } = lerCampos(CAMPOS_DA_MUDANCA, dados);
      const chamado = await travar(id, atualizado_em);
      recusarSeNao(podeIr(chamado.situacao, situacao ?? chamado.situacao), 'transicao_invalida');
      const agora = toDatabaseTime(relogio.agora());
      await mudar(
        chamado,
        daSituacao(chamado, situacao, agora),
        daPrioridade(chamado, prioridade),
        daCategoria(chamado, categoria),
      );
    },

    /** Closes the ticket, saying what was done. */
    async solucionar(id: number, dados: unknown): Promise<void> {
      const { atualizado_em, texto } = lerCampos(CAMPOS_DO_TEXTO, dados);
      const chamado = await travar(id, atualizado_em);
      recusarSeNao(podeIr(chamado.situacao, 'solucionado'), 'transicao_invalida');
      const agora = toDatabaseTime(relogio.agora());
      await mudar(chamado, daSituacao(chamado, 'solucionado', agora), daSolucao(chamado, texto));
    },

    /** Takes up again what was closed, and may say why; resolves to the last entry, which then is what was said. */
    async reabrir(id: number, dados: unknown): Promise<number | null> {
      const { atualizado_em, texto = null } = lerCampos(CAMPOS_DA_REABERTURA, dados);
      const chamado = await travar(id, atualizado_em);
      recusarSeNao(podeIr(chamado.situacao, 'reaberto') && chamado.situacao !== 'reaberto', 'transicao_invalida');
      const agora = toDatabaseTime(relogio.agora());
      return mudar(
        chamado,
        daSituacao(chamado, 'reaberto', agora),
        texto === null || texto === '' ? null : doComentario(texto),
      );
    },
  };
}
