import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { conferirVersao } from '../../campos/versao.ts';
import { exigirConfirmacaoAoEfetivar, travarPreCadastros } from '../../clientes/cadastro/documento.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { cancelarContratos, comMotivo, encerrarContratos } from '../cancelamento.service.ts';
import type { SituacaoContrato } from '../contratos.types.ts';
import { devemEmAtraso } from '../divida.service.ts';
import { cancelarFaturasFuturas } from './faturas-futuras.service.ts';
import {
  CAMPOS_DA_ATIVACAO,
  CAMPOS_DO_CANCELAMENTO,
  CAMPOS_DO_MOVIMENTO,
  CAMPOS_DA_REATIVACAO,
  COM_MOTIVO,
  COM_MOTIVO_OU_SEM,
} from './movimentos.campos.ts';
import { DIAS_ATE_ENCERRAR, MOVIMENTOS, admite, podeVoltar } from './movimentos.regras.ts';
import type { NomeDeMovimento } from './movimentos.regras.ts';
import { mover } from './movimentos.service.ts';
import { donosDosContratos, travarContratos } from './travas.service.ts';
import type { ClienteTravado, ContratoTravado } from './travas.service.ts';

export type MovimentosService = ReturnType<typeof createMovimentosService>;

export interface MovimentosDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** A contract after a move. */
export interface ContratoMovido {
  readonly id: number;
  readonly clienteId: number;
  readonly situacao: SituacaoContrato;
}

/**
 * Moves that staff ask for; what each takes is read by its form. All may name the version of the contract that they were asked for with
 * (`atualizado_em`).
 *
 * All throw CamposInvalidos, and Recusa: `nao_encontrado`, `versao_divergente`, `transicao_invalida`.
 */
export function createMovimentosService({ w, provedor, relogio }: MovimentosDeps) {
  async function travar(
    id: number,
    esperada: Date | undefined,
    nome: NomeDeMovimento,
  ): Promise<{ contrato: ContratoTravado; cliente: ClienteTravado | undefined }> {
    const { contratos, clientes } = await travarContratos(w, [id]);
    const [contrato] = contratos;
    recusarSeNao(contrato, 'nao_encontrado');
    conferirVersao(esperada, contrato.atualizado_em);
    recusarSeNao(admite(nome, contrato.situacao), 'transicao_invalida');
    return { contrato, cliente: clientes.get(contrato.cliente_id) };
  }

  const depois = (contrato: ContratoTravado, nome: NomeDeMovimento): ContratoMovido => ({
    id: contrato.id,
    clienteId: contrato.cliente_id,
    situacao: MOVIMENTOS[nome].para,
  });
  const hojeDe = (agora: Date) => hojeEm(provedor.fusoHorario, agora);

  return {
    /** Begins the service. @throws Recusa also `cliente_cancelado`, or `confirmacao_exigida` of who had only registered */
    async ativar(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, confirmado = false } = lerCampos(CAMPOS_DA_ATIVACAO, dados);
      await travarPreCadastros(w, await donosDosContratos(w, [id]));
      const { contrato, cliente } = await travar(id, atualizado_em, 'ativar');
      recusarSeNao(cliente?.situacao !== 'cancelado', 'cliente_cancelado');
      await exigirConfirmacaoAoEfetivar(w, contrato.cliente_id, confirmado);
      const agora = relogio.agora();
      const passo = { agora, hoje: hojeDe(agora), descricao: 'Ativado.', dados: deOnde };
      await mover(w, 'ativar', [contrato], passo);
      return depois(contrato, 'ativar');
    },

    /** Blocks by hand: neither payments nor trust unblocks release it. */
    async bloquear(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo } = lerCampos(COM_MOTIVO, dados);
      const { contrato } = await travar(id, atualizado_em, 'bloquear');
      await mover(w, 'bloquear', [contrato], {
        agora: relogio.agora(),
        motivo,
        descricao: comMotivo('Bloqueado pela equipe.', motivo),
        dados: () => ({ origem: 'manual' as const, fatura: null }),
      });
      return depois(contrato, 'bloquear');
    },

    /**
     * Blocks for what is late, as the ladder does: whatever pays it releases it. Of that a client was told before is for people to see to.
     *
     * @throws Recusa also `nada_em_atraso`
     */
    async bloquearPorDebito(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo } = lerCampos(COM_MOTIVO, dados);
      const { contrato } = await travar(id, atualizado_em, 'bloquear_por_debito');
      const agora = relogio.agora();
      const devem = await devemEmAtraso(w, [contrato], provedor, { agora, esperar: true });
      recusarSeNao(devem.length > 0, 'nada_em_atraso');
      await mover(w, 'bloquear_por_debito', devem, {
        agora,
        motivo,
        descricao: comMotivo('Bloqueado por débito pela equipe: há fatura em atraso.', motivo),
        dados: () => ({ origem: 'financeiro' as const, fatura: null }),
      });
      return depois(contrato, 'bloquear_por_debito');
    },

    /** Releases a block; one for debt, which a payment would release, only with a reason. */
    async liberar(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo = null } = lerCampos(COM_MOTIVO_OU_SEM, dados);
      const { contrato } = await travar(id, atualizado_em, 'liberar');
      if (contrato.bloqueio_origem === 'financeiro' && motivo === null) {
        faltaEm('motivo', 'é obrigatório para liberar o que se bloqueou por débito');
      }
      await mover(w, 'liberar', [contrato], {
        agora: relogio.agora(),
        descricao: comMotivo('Liberado pela equipe.', motivo),
        dados: () => ({ por: 'manual' as const, fatura: null }),
      });
      return depois(contrato, 'liberar');
    },

    /** Suspends at the client's wish. */
    async suspender(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo = null } = lerCampos(COM_MOTIVO_OU_SEM, dados);
      const { contrato } = await travar(id, atualizado_em, 'suspender');
      await mover(w, 'suspender', [contrato], {
        agora: relogio.agora(),
        motivo,
        descricao: comMotivo('Suspenso a pedido do cliente.', motivo),
        dados: () => ({}),
      });
      return depois(contrato, 'suspender');
    },

    /**
     * Ends a suspension, or takes a cancellation back within its days. What was blocked for debt then, and still owes something late, comes
     * back blocked; so does what was blocked by hand when it was cancelled. What was cancelled before it began begins by this.
     *
     * @throws Recusa also `cliente_cancelado`, or `confirmacao_exigida` of who had only registered
     */
    async reativar(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo = null, confirmado = false } = lerCampos(CAMPOS_DA_REATIVACAO, dados);
      await travarPreCadastros(w, await donosDosContratos(w, [id]));
      const { contrato, cliente } = await travar(id, atualizado_em, 'reativar');
      recusarSeNao(cliente?.situacao !== 'cancelado', 'cliente_cancelado');
      const agora = relogio.agora();
      if (contrato.situacao === 'cancelado') {
        const sugestao = `foi cancelado há mais de ${DIAS_ATE_ENCERRAR} dias: faça outro contrato`;
        recusarSeNao(podeVoltar(contrato, agora), 'transicao_invalida', { sugestao });
      }
      await exigirConfirmacaoAoEfetivar(w, contrato.cliente_id, confirmado);
      if (contrato.bloqueio_origem === 'manual' && admite('reativar_retido', contrato.situacao)) {
        await mover(w, 'reativar_retido', [contrato], {
          agora,
          motivo,
          descricao: comMotivo('Reativado, e ainda bloqueado pela equipe.', motivo),
          dados: () => ({ origem: 'manual' as const, fatura: null }),
        });
        return depois(contrato, 'reativar_retido');
      }
      if (contrato.bloqueio_origem === 'financeiro') {
        const devem = await devemEmAtraso(w, [contrato], provedor, { agora, esperar: true });
        if (devem.length > 0) {
          await mover(w, 'reativar_bloqueado', devem, {
            agora,
            descricao: comMotivo('Reativado, e ainda bloqueado: há fatura em atraso.', motivo),
            dados: () => ({ origem: 'financeiro' as const, fatura: null }),
          });
          return depois(contrato, 'reativar_bloqueado');
        }
      }
      const descricao = comMotivo('Reativado.', motivo);
      await mover(w, 'reativar', [contrato], { agora, hoje: hojeDe(agora), descricao, dados: deOnde });
      return depois(contrato, 'reativar');
    },

    /** Cancels; it can come back for some days. Its open invoices that are not due yet are kept or cancelled, as is said. */
    async cancelar(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em, motivo = null, faturas_futuras } = lerCampos(CAMPOS_DO_CANCELAMENTO, dados);
      const { contrato } = await travar(id, atualizado_em, 'cancelar');
      const agora = relogio.agora();
      await cancelarContratos(w, provedor, [contrato], { motivo, definitivo: false, agora });
      if (faturas_futuras === 'cancelar') {
        await cancelarFaturasFuturas(w, id, { hoje: hojeDe(agora), motivo, agora });
      }
      return depois(contrato, 'cancelar');
    },

    /** Ends a cancelled contract for good, before its days are over. */
    async encerrar(id: number, dados: unknown): Promise<ContratoMovido> {
      const { atualizado_em } = lerCampos(CAMPOS_DO_MOVIMENTO, dados);
      const { contrato } = await travar(id, atualizado_em, 'encerrar');
      await encerrarContratos(w, [contrato], { descricao: 'Encerrado pela equipe.', agora: relogio.agora() });
      return depois(contrato, 'encerrar');
    },
  };
}

const deOnde = ({ situacao }: ContratoTravado) => ({ de: situacao });
