import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { alcanceDe } from '../../acessos/alcance.service.ts';
import type { Alcance } from '../../acessos/alcance.service.ts';
import { travarDocumentos } from '../../clientes/cadastro/documento.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { AtendimentoService } from '../atendimento.service.ts';
import type { EquipeService } from '../equipe/equipe.service.ts';
import { estaFechado } from '../transicoes.regras.ts';
import { createChamadosDoAppQueries } from './app.queries.ts';
import type { ChamadoDoAssinante, ComentarioNoApp } from './app.types.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';

export type ChamadosDoAppService = ReturnType<typeof createChamadosDoAppService>;

export interface ChamadosDoAppDeps {
  readonly w: Write;
  readonly relogio: Relogio;
  readonly atendimento: Pick<AtendimentoService, 'abrir' | 'atualizar'>;
  readonly equipe: Pick<EquipeService, 'comentar' | 'reabrir'>;
}

/** A subscriber opens no more while this many of his tickets are open, whoever opened them. */
const MAIS_ABERTOS = 5;
/** From the closing on, in which a ticket can be reopened in the app. */
const REABRE_ATE_MS = 30 * 24 * 3_600_000;

/** What is done about tickets in the app, whose fields have the names that it has there. */
export function createChamadosDoAppService({ w, relogio, atendimento, equipe }: ChamadosDoAppDeps) {
  const queries = createChamadosDoAppQueries(w);

  /** Whose the ticket is to be, and of which contract. @throws CamposInvalidos or Recusa, as `abrir` */
  async function donoDe(
    { clienteIds, clienteId }: Alcance,
    pedido: number | null,
  ): Promise<{ readonly clienteId: number; readonly contratoId: number | null }> {
    recusarSeNao(clienteId, 'nao_encontrado');
    const contratos = await queries.contratosDe(clienteIds);
    if (pedido !== null) {
      const contrato = contratos.find(({ id }) => id === pedido);
      recusarSeNao(contrato, 'contrato_invalido', { campo: 'contract_id' });
      return { clienteId: contrato.cliente_id, contratoId: contrato.id };
    }
    const [contrato, outro] = contratos.filter(({ situacao }) => !SITUACOES_DE_CANCELADO.includes(situacao));
    if (outro !== undefined) faltaEm('contract_id', 'diga de qual dos seus contratos se trata');
    return contrato === undefined
      ? { clienteId, contratoId: null }
      : { clienteId: contrato.cliente_id, contratoId: contrato.id };
  }

  return {
    /**
     * Opens a ticket of a subscriber and tells the provider's staff of it; of several that he opens at the same time, each sees those before.
     *
     * @returns the ticket's id.
     * @throws CamposInvalidos where he has to say which contract; Recusa `contrato_invalido`, `limite_de_chamados` or `cliente_cancelado`.
     */
    async abrir(cpfCnpj: string, { contratoId: pedido, ...novo }: ChamadoDoAssinante): Promise<number> {
      await travarDocumentos(w, [cpfCnpj]);
      const alcance = await alcanceDe(w, cpfCnpj);
      const dono = await donoDe(alcance, pedido);
      const abertos = await queries.abertosDe(alcance.clienteIds, MAIS_ABERTOS);
      recusarSeNao(abertos < MAIS_ABERTOS, 'limite_de_chamados');
      return atendimento.abrir({ ...dono, ...novo, prioridade: 'normal' });
    },

    /**
     * Says something in a ticket, and takes it up again where it was closed. The comment of a subscriber makes it the
     * staff's turn.
     *
     * @param cpfCnpj of the subscriber who says it; null: it is the staff.
     * @returns the entry of the history.
     * @throws CamposInvalidos or Recusa `nao_encontrado`; `transicao_invalida` where it is closed and is not to be
     * reopened, or has been for too long.
     */
    async comentar(
      id: number,
      { comentario, reabrir }: ComentarioNoApp,
      cpfCnpj: string | null,
    ): Promise<number | null> {
      const chamado = await queries.travarChamado(id);
      recusarSeNao(chamado, 'nao_encontrado');
      if (cpfCnpj !== null) {
        const { clienteIds } = await alcanceDe(w, cpfCnpj);
        recusarSeNao(clienteIds.includes(chamado.cliente_id), 'nao_encontrado');
      }
      const fechado = estaFechado(chamado.situacao);
      if (fechado) {
        // One that was closed by SQL may not say when.
        const fim = chamado.fechado_em === null ? -Infinity : fromDatabaseTime(chamado.fechado_em).getTime();
        const aTempo = relogio.agora().getTime() - fim <= REABRE_ATE_MS;
        recusarSeNao(reabrir && aTempo, 'transicao_invalida');
      }
      if (cpfCnpj !== null)
        return atendimento.atualizar(id, { comentario, ...(fechado ? { situacao: 'reaberto' } : {}) });
      return fechado ? equipe.reabrir(id, { texto: comentario }) : equipe.comentar(id, { texto: comentario });
    },
  };
}
