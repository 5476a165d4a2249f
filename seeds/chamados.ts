import type { SituacaoChamado } from '../src/domain/chamados/chamados.types.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import { DIA, HORA, MINUTO } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import { ASSUNTOS, COMENTARIOS, EQUIPE } from './assuntos.ts';
import type { ContratoGerado, LinhaChamado, LinhaCliente, LinhaHistoricoChamado } from './modelo.ts';
import type { Sorteio } from './sorteio.ts';

const QUANTOS = 600;

const SITUACOES: readonly (readonly [SituacaoChamado, number])[] = [
  ['solucionado', 56],
  ['aberto', 13],
  ['em_andamento', 9],
  ['pendente', 7],
  ['pendente_terceiro', 4],
  ['reaberto', 4],
  ['cancelado', 7],
];

/** Tickets whose history leads to the state they are in; no two are opened in the same millisecond. */
export function gerarChamados(
  { calendario, sorteio }: { calendario: Calendario; sorteio: Sorteio },
  clientes: readonly LinhaCliente[],
  contratos: readonly ContratoGerado[],
): { chamados: Omit<LinhaChamado, 'protocolo'>[]; historico: LinhaHistoricoChamado[] } {
  const agora = calendario.agora.getTime();
  const aberturas = sortearAberturas(sorteio, agora);
  const chamados: Omit<LinhaChamado, 'protocolo'>[] = [];
  const historico: LinhaHistoricoChamado[] = [];

  for (const { em, situacao } of aberturas) {
    const contratoIndice = sorteio.inteiro(0, contratos.length - 1);
    const cliente = contratos[contratoIndice]?.linha.cliente_id ?? 0;
    const { categoria, assunto, descricao, solucao } = sorteio.escolher(ASSUNTOS);
    const solicitante = sorteio.chance(0.3) ? (clientes[cliente]?.nome ?? EQUIPE[0]) : sorteio.escolher(EQUIPE);
    const passos = narrar(sorteio, situacao, { em, ate: agora, solucao });
    const ultimo = passos.at(-1)?.em ?? em;
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    const chamado = chamados.length;
    historico.push({
      chamado_id: chamado,
      acao: 'aberto',
      descricao: null,
      autor: solicitante,
      ocorrido_em: texto(em),
    });
    for (const passo of passos) {
      const { acao, descricao: detalhe } = passo;
      historico.push({
        chamado_id: chamado,
        acao,
        descricao: detalhe,
        autor: sorteio.escolher(EQUIPE),
        ocorrido_em: texto(passo.em),
      });
    }
    const visita = categoria === 'TECNICO' || categoria === 'INSTALACAO';
    chamados.push({
      cliente_id: cliente,
      contrato_id: sorteio.chance(0.12) ? null : contratoIndice,
      situacao,
      prioridade: sorteio.pesado([
        ['normal', 62],
        ['baixa', 14],
        ['alta', 17],
        ['urgente', 7],
      ]),
      categoria,
      origem: sorteio.escolher(['api', 'painel', 'painel', 'app']),
      assunto,
      descricao,
      solucao: situacao === 'solucionado' || situacao === 'reaberto' ? solucao : null,
      aberto_em: texto(em),
      fechado_em: fechado ? texto(ultimo) : null,
      agendado_para: visita && !fechado && sorteio.chance(0.6) ? agendamento(calendario, sorteio) : null,
      atualizado_em: texto(ultimo),
    });
  }
  return { chamados, historico };
}

interface Passo {
  readonly em: number;
  readonly acao: 'situacao' | 'solucao' | 'comentario';
  readonly descricao: string;
}

/** What happened after it was opened, in order and not later than now. */
function narrar(sorteio: Sorteio, final: SituacaoChamado, caso: { em: number; ate: number; solucao: string }): Passo[] {
  const acoes: Omit<Passo, 'em'>[] = [];
  const atual: { situacao: SituacaoChamado } = { situacao: 'aberto' };
  const mudar = (nova: SituacaoChamado): void => {
    acoes.push({ acao: 'situacao', descricao: `De ${atual.situacao} para ${nova}` });
    atual.situacao = nova;
  };
  const comentar = (): void => void acoes.push({ acao: 'comentario', descricao: sorteio.escolher(COMENTARIOS) });

  if (final !== 'aberto') {
    if (final === 'em_andamento' || sorteio.chance(0.7)) mudar('em_andamento');
    if (sorteio.chance(0.6)) comentar();
    if (final === 'solucionado' || final === 'reaberto') {
      acoes.push({ acao: 'solucao', descricao: caso.solucao });
      mudar('solucionado');
    }
    if (final !== atual.situacao) mudar(final);
  } else if (sorteio.chance(0.3)) {
    comentar();
  }
  // Steps short enough for all of them to fit between its opening and now.
  const passo = Math.floor(Math.min((caso.ate - caso.em) / (acoes.length + 1), 30 * HORA));
  return acoes.map((acao, i) => ({ ...acao, em: caso.em + i * passo + sorteio.inteiro(1, Math.max(1, passo)) }));
}

/** Open ones are of the last weeks, closed ones of the last year. Oldest first. */
function sortearAberturas(sorteio: Sorteio, agora: number): { em: number; situacao: SituacaoChamado }[] {
  const usados = new Set<number>();
  const aberturas = Array.from({ length: QUANTOS }, () => {
    const situacao = sorteio.pesado(SITUACOES);
    const fechado = situacao === 'solucionado' || situacao === 'cancelado';
    // Every client with a contract has been one for four hundred days or more.
    const idade = Math.min(400 * DIA, sorteio.exponencial(fechado ? 90 * DIA : 5 * DIA));
    let em = agora - Math.floor(idade) - 20 * MINUTO;
    while (usados.has(em)) em -= 1;
    usados.add(em);
    return { em, situacao };
  });
  return aberturas.toSorted((a, b) => a.em - b.em);
}

function agendamento(calendario: Calendario, sorteio: Sorteio): string {
  const dia = calendario.diasAtras(-sorteio.inteiro(1, 7));
  return toDatabaseTime(calendario.instante(dia, sorteio.escolher([8, 10, 13, 15]) * HORA));
}

function texto(ms: number): string {
  return toDatabaseTime(new Date(ms));
}
