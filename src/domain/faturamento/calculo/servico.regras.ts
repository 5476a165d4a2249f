import { diasEntre, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { SITUACOES_DE_CANCELADO } from '../../contratos/contratos.types.ts';
import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { ContratoAFaturar, ItemDoContrato, RegrasDoFaturamento } from '../faturamento.types.ts';
import { diasDoMes, mesDe, somarMeses, ultimoDia } from './meses.regras.ts';

/** What a move came from, where its line was written before lines said it. */
const ANTES_DE: Readonly<Record<string, SituacaoContrato>> = {
  ativacao: 'pendente',
  bloqueio: 'ativo',
  liberacao: 'bloqueado',
  desbloqueio_confianca: 'bloqueado',
  suspensao: 'ativo',
  reativacao: 'inativo',
  cancelamento: 'ativo',
  encerramento: 'cancelado',
  troca_de_titular: 'ativo',
};

/** Days in a row on which nothing changes, the first and the last one. */
interface Trecho {
  readonly de: Data;
  readonly ate: Data;
  readonly situacao: SituacaoContrato;
  readonly valor: Centavos;
}

/**
 * The days of a month as they ended: what changes on a day holds for the whole of it. Worked out backwards from what the contract is now,
 * so that a change that others made without a line of history does not carry one along that was never so.
 */
function trechosDoMes(contrato: ContratoAFaturar, mes: Data): Trecho[] {
  const trechos: Trecho[] = [];
  let { situacao, valor } = contrato;
  let ate = ultimoDia(mes);
  for (const mudanca of contrato.mudancas.toReversed()) {
    if (ate < mes) break;
    if (mudanca.dia <= ate) {
      const de = mudanca.dia > mes ? mudanca.dia : mes;
      trechos.push({ de, ate, situacao, valor });
      ate = somarDias(de, -1);
    }
    situacao = mudanca.situacaoDe ?? ANTES_DE[mudanca.acao] ?? situacao;
    valor = mudanca.valorDe ?? valor;
  }
  if (ate >= mes) trechos.push({ de: mes, ate, situacao, valor });
  return trechos;
}

/**
 * From which day a contract is billed here. One that came in later, and had its service elsewhere before, begins with the month after:
 * that month was the other system's.
 */
export function inicioDoFaturamento(
  { ativadoEm, criadoEm }: Pick<ContratoAFaturar, 'ativadoEm' | 'criadoEm'>,
  desde: Data,
): Data {
  const veioDeFora = criadoEm >= desde && (ativadoEm === null || ativadoEm < criadoEm);
  const proprio = veioDeFora ? somarMeses(mesDe(criadoEm), 1) : (ativadoEm ?? desde);
  return proprio > desde ? proprio : desde;
}

/** Whether a contract is over that never was in service: its last change before its end left it waiting for its activation. */
export function nuncaServiu({
  situacao,
  mudancas,
}: {
  readonly situacao: SituacaoContrato;
  readonly mudancas: readonly Pick<ContratoAFaturar['mudancas'][number], 'situacaoDe'>[];
}): boolean {
  if (!SITUACOES_DE_CANCELADO.includes(situacao)) return false;
  const antes = mudancas.findLast(({ situacaoDe: de }) => de !== null && !SITUACOES_DE_CANCELADO.includes(de));
  return antes?.situacaoDe === 'pendente';
}

/** What the service of a month comes to. */
export interface ServicoDoMes {
  readonly dias: number;
  readonly bruto: Centavos;
  readonly liquido: Centavos;
}

/**
 * The service of a month: its price by the days of the calendar month, summed exactly and rounded once to the centavo, a half upwards; with
 * the discounts of the month, none of which takes a day below nothing, in the same way.
 */
export function servicoDoMes(
  contrato: ContratoAFaturar,
  mes: Data,
  { desde, cobrarBloqueado }: RegrasDoFaturamento,
): ServicoDoMes {
  const inicio = inicioDoFaturamento(contrato, desde ?? mes);
  const descontos = contrato.itens.filter((item) => ehDesconto(item) && valeNoMes(item, mes));
  const fixo = soma(descontos, 'desconto');
  const porcento = Math.min(10_000, soma(descontos, 'desconto_percentual'));
  let dias = 0;
  let bruto = 0n;
  let liquido = 0n;
  for (const { de, ate, situacao, valor } of trechosDoMes(contrato, mes)) {
    if (situacao !== 'ativo' && !(situacao === 'bloqueado' && cobrarBloqueado)) continue;
    const primeiro = de > inicio ? de : inicio;
    const n = diasEntre(primeiro, ate) + 1;
    if (n <= 0) continue;
    dias += n;
    bruto += BigInt(valor * n);
    const comDesconto = BigInt(valor) * BigInt(10_000 - porcento) - BigInt(fixo) * 10_000n;
    if (comDesconto > 0n) liquido += comDesconto * BigInt(n);
  }
  const N = BigInt(diasDoMes(mes));
  return { dias, bruto: arredondar(bruto, N), liquido: arredondar(liquido, N * 10_000n) };
}

const ehDesconto = ({ tipo }: ItemDoContrato): boolean => tipo === 'desconto' || tipo === 'desconto_percentual';

export const valeNoMes = ({ de, ate }: ItemDoContrato, mes: Data): boolean => de <= mes && (ate === null || mes <= ate);

const soma = (itens: readonly ItemDoContrato[], qual: ItemDoContrato['tipo']): number =>
  itens.reduce((ate, { tipo, valor }) => (tipo === qual ? ate + valor : ate), 0);

/** Of what is not below nothing, a half upwards. */
const arredondar = (n: bigint, d: bigint): Centavos => centavos(Number((2n * n + d) / (2n * d)));
