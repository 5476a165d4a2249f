import { corteDoAtraso } from '../../brazil/calendario/calendario-bancario.ts';
import { fimDoDiaEm, hojeEm, somarDias } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { mover } from '../contratos/movimentos/movimentos.service.ts';
import { travarContratos } from '../contratos/movimentos/travas.service.ts';
import type { ContratoTravado } from '../contratos/movimentos/travas.service.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import type { ProtocolosService } from '../protocolos/protocolos.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { porQueNaoEmConfianca } from './desbloqueios.regras.ts';
import type { RedeDoDesbloqueio } from './rede.regras.ts';
import { createDesbloqueiosQueries } from './desbloqueios.queries.ts';

export type DesbloqueiosService = ReturnType<typeof createDesbloqueiosService>;

export interface DesbloqueiosDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
  readonly protocolos: ProtocolosService;
}

export interface DesbloqueioAplicado {
  readonly contratoId: number;
  readonly dias: number;
  /** The last instant of the unblock. */
  readonly ate: Date;
  readonly protocolo: string;
  /** The network was asked, and has not answered yet. */
  readonly rede: RedeDoDesbloqueio;
}

/** Trust unblocks; the rules and their order are those of `decisions.md`, "Trust unblock". */
export function createDesbloqueiosService({ w, provedor, relogio, protocolos }: DesbloqueiosDeps) {
  const queries = createDesbloqueiosQueries(w);
  const { desbloqueioHabilitado, desbloqueioDias: dias, calendario } = provedor.regras;

  /**
   * The invoice that a contract is blocked for: its own, or else its client's of no contract. Another contract's only where there is neither: once
   * that one is paid, the same debt would be forgiven again.
   */
  async function causaAte({ id, cliente_id }: ContratoTravado, corte: Data): Promise<number | null> {
    return (
      (await queries.buscarAtrasada({ contrato_id: id }, corte)) ??
      (await queries.buscarAtrasada({ cliente_id, contrato_id: null }, corte)) ??
      queries.buscarAtrasada({ cliente_id }, corte)
    );
  }

  return {
    /**
     * Releases a contract that is blocked for billing, on trust, until the end of the local day `dias` after today.
     *
     * @throws Recusa by the first rule that forbids it.
     */
    async aplicar(contratoId: number, motivo: string | null): Promise<DesbloqueioAplicado> {
      const [contrato] = (await travarContratos(w, [contratoId])).contratos;
      recusarSeNao(contrato, 'nao_encontrado');
      const agora = relogio.agora();
      const ultimo = await queries.buscarUltimo(contratoId);
      const emVigor = ultimo !== undefined && ultimo.encerrado_em === null && ultimo.ate >= toDatabaseTime(agora);
      const porQueNao = porQueNaoEmConfianca({
        habilitado: desbloqueioHabilitado,
        emVigor,
        situacao: contrato.situacao,
        bloqueioOrigem: contrato.bloqueio_origem,
        causaAnterior: ultimo?.situacao_da_causa ?? null,
      });
      if (porQueNao !== null) throw new Recusa(porQueNao);

      const hoje = hojeEm(provedor.fusoHorario, agora);
      const ate = fimDoDiaEm(provedor.fusoHorario, somarDias(hoje, dias));
      // Whoever blocked it may do so by calendar days, at a weekend: then nothing is late yet, and it is forgiven all the same, once.
      const faturaCausaId =
        (await causaAte(contrato, corteDoAtraso(hoje, calendario))) ?? (await causaAte(contrato, somarDias(hoje, -1)));
      await queries.encerrarPassados(contratoId);
      const protocolo = await protocolos.proximo();
      const feito = { contratoId, faturaCausaId, dias, motivo, aplicadoEm: agora, ate, protocolo };
      const desbloqueioId = await queries.inserir(feito);
      const deQuem = { clienteId: contrato.cliente_id, contratoId };
      await protocolos.registrar(protocolo, { tipo: 'desbloqueio', ...deQuem, desbloqueioId });
      await mover(w, 'desbloquear_em_confianca', [contrato], {
        descricao: descricaoDe(dias, motivo),
        agora,
        dados: () => ({ dias, ate: ate.toISOString(), fatura: faturaCausaId }),
      });
      return { contratoId, dias, ate, protocolo, rede: { situacao: 'pendente', em: agora } };
    },
  };
}

function descricaoDe(dias: number, motivo: string | null): string {
  const feito = `Desbloqueio de confiança por ${dias} ${dias === 1 ? 'dia' : 'dias'}.`;
  return motivo === null ? feito : `${feito} Motivo: ${motivo}`;
}
