import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import type { ContratoAfetadoRow } from '../../../src/domain/conexoes/agregacao.types.ts';
import { createDiferencas, createJanelas } from '../../../src/domain/conexoes/diferencas.ts';
import type { SessaoDoContrato } from '../../../src/domain/conexoes/sessoes.regras.ts';
import { quedasPorMinuto } from '../../support/quedas-por-minuto.ts';
import { sorteio } from '../../support/sorteio.ts';
import { FUSO } from './apoio.ts';

const AGORA = new Date('2026-11-20T15:00:00Z');
const AGORA_S = AGORA.getTime() / 1000;
const INTERVALO = 300;
const NAS = '10.0.0.1';
const LINHAS = 20_000;
const janelas = createJanelas();

/** A session of a line; seconds since 1970. `fim` is null of one that did not end. */
interface Sessao {
  readonly inicio: number;
  readonly fim: number | null;
  readonly sinal: number;
  readonly causa: string;
}

/** A line that nobody has reckoned yet. */
const SEM_REGISTRO: ContratoAfetadoRow = {
  provedor_id: 1,
  contrato_id: 1,
  cliente_id: 1,
  fuso_horario: FUSO,
  login_desde: null,
  tem_conexao: 0,
  ouvida_em: null,
  intervalo_segundos: null,
  nas: null,
  porta: null,
  sessao_desde: null,
  queda_em: null,
  queda_nas: null,
  queda_causa: null,
};

const doContrato = ({ inicio, fim, sinal, causa }: Sessao): SessaoDoContrato => ({
  inicio: inicio * 1000,
  atualizada: sinal * 1000,
  encerrada: fim === null ? null : fim * 1000,
  intervalo: INTERVALO,
  causa,
  ouvida: null,
  intervaloAnterior: null,
  reaberta: null,
  nas: NAS,
  porta: null,
});

/** What a line's sessions add to minutes, and the line's record after it. */
function calcular(contrato: ContratoAfetadoRow, sessoes: readonly Sessao[]) {
  const calculo = createDiferencas(AGORA, INTERVALO, janelas);
  const suas = sessoes.filter(({ fim, causa }) => fim === null || causa !== 'User-Request').map(doContrato);
  calculo.recalcular(contrato, suas, []);
  const [conexao = {}] = calculo.diferencas.gravarConexoes;
  return { minutos: calculo.minutos(), registro: { ...contrato, ...conexao, tem_conexao: 1 as const } };
}

/** Those that were open when the line was last reckoned: the last that ended, and whichever ended in the same second. */
function antesDoFim(sessoes: readonly Sessao[]): { antes: Sessao[]; novas: ReadonlySet<Sessao> } {
  const ultimo = Math.max(...sessoes.map(({ fim }) => fim ?? 0));
  const novas = new Set(sessoes.filter(({ fim }) => fim === null || fim === ultimo));
  const antes = sessoes
    .filter(({ fim }) => fim !== null)
    .map((sessao) => (novas.has(sessao) ? { ...sessao, fim: null, sinal: AGORA_S - 60, causa: '' } : sessao));
  return { antes, novas };
}

/** By the minute, what the service adds and what is to be added, after the last sessions of a line that was online ended. */
function comparar(sessoes: readonly Sessao[]): { soma: Record<string, number>; esperada: Record<string, number> } {
  const { antes, novas } = antesDoFim(sessoes);
  const { minutos } = calcular(calcular(SEM_REGISTRO, antes).registro, sessoes);
  const esperada: Record<string, number> = {};
  const linha = sessoes.map((sessao) => ({
    ...sessao,
    caiu: sessao.causa !== 'User-Request',
    nova: novas.has(sessao),
  }));
  for (const em of quedasPorMinuto(linha, AGORA_S, 2 * INTERVALO)) {
    const minuto = `${new Date(em * 1000).toISOString().slice(0, 16).replace('T', ' ')}:00`;
    esperada[minuto] = (esperada[minuto] ?? 0) + 1;
  }
  return { soma: Object.fromEntries(minutos.map(({ minuto, quedas }) => [minuto, quedas])), esperada };
}

test('a linha que caiu conta no minuto, ainda que duas sessões tenham começado no segundo em que outra acabou', (t) => {
  const caiu = Date.parse('2026-11-19T13:17:28Z') / 1000;
  const { soma, esperada } = comparar([
    { inicio: caiu - 80_000, fim: caiu - 70_000, sinal: caiu - 70_000, causa: 'Lost-Carrier' },
    { inicio: caiu - 69_990, fim: caiu, sinal: caiu - 200, causa: 'NAS-Reboot' },
    { inicio: caiu, fim: caiu, sinal: caiu, causa: 'NAS-Reboot' },
    { inicio: caiu, fim: null, sinal: AGORA_S - 30, causa: '' },
  ]);
  t.deepEqual(soma, { '2026-11-19 13:17:00': 1 });
  t.deepEqual(esperada, soma);
});

test('o que se soma aos minutos é o que dizem as regras, também do que vem no mesmo segundo ou na beira do minuto', (t) => {
  const { ate, um } = sorteio(20_261_128);
  let somadas = 0;
  for (let i = 0; i < LINHAS; i += 1) {
    let fim = AGORA_S - 86_400 - ate(600);
    const quantas = 2 + ate(5);
    const sessoes = Array.from({ length: quantas }, (_, n): Sessao => {
      const fora = um([0, 0, 1, 3, 14]);
      const em = fim + um([0, 0, 1, 2, 14, 45, 59, 60, 61, 62, 120, 4000]);
      const inicio = n === 0 ? fim - 600 : Math.min(fim + fora, em);
      fim = em;
      const causa = um(['Lost-Carrier', 'NAS-Reboot', 'User-Request']);
      const ultima = n === quantas - 1 ? ate(4) : 3;
      if (ultima === 0) return { inicio, fim: null, sinal: AGORA_S - ate(300), causa: '' };
      if (ultima === 1) return { inicio, fim: null, sinal: Math.max(inicio, em - 30), causa: '' };
      return { inicio, fim: em, sinal: Math.max(inicio, em - 30), causa };
    });
    const { soma, esperada } = comparar(sessoes);
    if (!isDeepStrictEqual(soma, esperada)) {
      t.deepEqual(soma, esperada, JSON.stringify(sessoes));
      return;
    }
    somadas += Object.keys(soma).length;
  }
  // Else these histories would say nothing.
  t.true(somadas > LINHAS / 4);
});
