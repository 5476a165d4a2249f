import { fimDoDiaEm, somarDias } from '../src/brazil/calendario/datas.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { HORA, MINUTO } from './calendario.ts';
import { DIAS_ATE_BLOQUEIO, DIAS_ATE_DESBLOQUEIO, horaDeBloqueio } from './contratos.ts';
import type { ContratoGerado, FaturaGerada, LinhaDesbloqueio, LinhaHistorico } from './modelo.ts';
import type { PagamentosDeps } from './pagamentos.ts';

const COBRANCA = 'Cobrança automática';
const MOTIVOS = ['Prometeu pagar na sexta-feira', 'Aguardando o salário', 'Boleto extraviado', null];

/** Blocks, trust unblocks and what the history of contracts says of them. */
export function gerarDesbloqueios(
  { perfil, calendario, sorteio }: PagamentosDeps,
  contratos: readonly ContratoGerado[],
  faturas: readonly FaturaGerada[],
): { desbloqueios: LinhaDesbloqueio[]; historico: LinhaHistorico[] } {
  const causas = causasPorContrato(contratos, faturas);
  const desbloqueios: LinhaDesbloqueio[] = [];
  const historico: LinhaHistorico[] = [];

  function contar(contrato_id: number, acao: string, descricao: string | null, autor: string, em: Date): void {
    historico.push({ contrato_id, acao, descricao, autor, ocorrido_em: toDatabaseTime(em) });
  }

  /** In force until the end of the local day, `dias` after it was applied. */
  function desbloquear(
    contrato: number,
    causa: number,
    aplicadoEm: Date,
    dias: number,
    encerradoEm: Date | null,
  ): void {
    const dia = somarDias(calendario.diaDe(aplicadoEm), dias);
    const motivo = sorteio.escolher(MOTIVOS);
    desbloqueios.push({
      contrato_id: contrato,
      fatura_causa_id: causa,
      dias,
      motivo,
      aplicado_em: toDatabaseTime(aplicadoEm),
      ate: toDatabaseTime(fimDoDiaEm(perfil.fuso, dia)),
      encerrado_em: encerradoEm === null ? null : toDatabaseTime(encerradoEm),
    });
    contar(contrato, 'desbloqueio_confianca', motivo, 'Atendimento', aplicadoEm);
  }

  const horario = (): number => 9 * HORA + sorteio.inteiro(0, 9 * 60) * MINUTO + sorteio.inteiro(0, 59_999);

  for (const [indice, contrato] of contratos.entries()) {
    const { caso, emAbertoDesde, bloqueadoEm, linha } = contrato;
    const ativacao = linha.ativado_em === null ? null : new Date(`${linha.ativado_em}T15:00:00Z`);
    if (ativacao !== null) contar(indice, 'ativacao', null, 'Instalação', ativacao);
    if (bloqueadoEm === null) {
      const causa = caso === 'em_dia' && sorteio.chance(0.02) ? causas.pagasTarde.get(indice) : undefined;
      if (causa !== undefined) {
        // Old unblocks that went well: the invoice that caused them was paid in time.
        const aplicadoEm = calendario.instante(somarDias(causa.vencimento, 1), 8 * HORA + sorteio.inteiro(0, 59_999));
        contar(
          indice,
          'bloqueio',
          'Fatura vencida',
          COBRANCA,
          calendario.instante(somarDias(causa.vencimento, 1), 5 * HORA),
        );
        desbloquear(indice, causa.fatura, aplicadoEm, 10, causa.pagoEm);
      }
      continue;
    }
    if (caso === 'manual') {
      contar(indice, 'bloqueio', 'Bloqueio manual', 'Ana Paula Ferreira', bloqueadoEm);
      continue;
    }
    const causa = causas.abertas.get(indice);
    if (emAbertoDesde === null || causa === undefined) continue;
    if (caso === 'fatura_anterior') {
      const dia = somarDias(emAbertoDesde, DIAS_ATE_DESBLOQUEIO);
      const bloqueio = horaDeBloqueio(calendario, sorteio, somarDias(emAbertoDesde, DIAS_ATE_BLOQUEIO));
      contar(indice, 'bloqueado', 'Fatura vencida', COBRANCA, bloqueio);
      desbloquear(indice, causa, calendario.instante(dia, horario()), perfil.regras.desbloqueioDias, bloqueadoEm);
    }
    contar(indice, 'bloqueado', 'Fatura vencida', COBRANCA, bloqueadoEm);
    if (caso === 'desbloqueado') {
      // The longest term leaves at least one unblock in force for many days of demonstration.
      const dias = sorteio.pesado([
        [5, 50],
        [10, 30],
        [30, 20],
      ]);
      desbloquear(indice, causa, calendario.instante(calendario.diasAtras(1), horario()), dias, null);
    }
  }
  return { desbloqueios, historico };
}

interface PagaTarde {
  readonly fatura: number;
  readonly vencimento: FaturaGerada['linha']['vencimento'];
  readonly pagoEm: Date;
}

/** Of each contract, the oldest open invoice and one that was paid days after its due date. */
function causasPorContrato(
  contratos: readonly ContratoGerado[],
  faturas: readonly FaturaGerada[],
): { abertas: Map<number, number>; pagasTarde: Map<number, PagaTarde> } {
  const abertas = new Map<number, number>();
  const pagasTarde = new Map<number, PagaTarde>();
  for (const [indice, { linha }] of faturas.entries()) {
    const contrato = linha.contrato_id;
    if (contrato === null) continue;
    const desde = contratos[contrato]?.emAbertoDesde ?? null;
    if (linha.vencimento === desde) abertas.set(contrato, indice);
    if (linha.situacao !== 'paga' || linha.pago_em === null) continue;
    const pagoEm = new Date(`${linha.pago_em.replace(' ', 'T')}Z`);
    // Three days are room enough for block, unblock and payment, in this order.
    if (pagoEm > new Date(`${somarDias(linha.vencimento, 3)}T00:00:00Z`)) {
      pagasTarde.set(contrato, { fatura: indice, vencimento: linha.vencimento, pagoEm });
    }
  }
  return { abertas, pagasTarde };
}
