import { notificarEquipe } from '../equipe.service.ts';
import { proximoDiaUtil } from '../../../brazil/calendario/calendario-bancario.ts';
import { inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { groupBy } from '../../../platform/group-by.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Juizo } from '../quitacao.regras.ts';
import { julgarTodas, valoresDe } from '../quitacao.service.ts';
import { liberarTodas, travarTodas } from '../varias.service.ts';
import type { Travada } from '../quitacao.service.ts';
import type { AvisoDaEquipe } from '../equipe.service.ts';
import { createBoletosQueries } from './boletos.queries.ts';
import type {
  BoletoDesfeito,
  BoletoPago,
  BoletoRecebidoRow,
  BoletoTomado,
  ResultadoDoBoleto,
} from './boletos.types.ts';

const MEIO_DIA_MS = 12 * 3_600_000;

/**
 * From when the money of a boleto counts: noon (nobody knows the hour) of the day on which it was paid, or of the next day on which banks are
 * open, because a bank counts what is paid on a Saturday as of Monday. A day ahead of our clock counts as now.
 */
function instanteDoBoleto(dia: Data, { fusoHorario, regras }: Provedor, agora: Date): Date {
  const util = proximoDiaUtil(dia, regras.calendario);
  const meioDia = new Date(inicioDoDiaEm(fusoHorario, util).getTime() + MEIO_DIA_MS);
  return meioDia < agora ? meioDia : agora;
}

/**
 * Takes what a bank says was paid by boletos: each key once, however often it is told. Invoices are settled as by a PIX, contracts
 * released, and staff told; see docs/conciliacao.md for what settles. The number of statements does not depend on how many they are; 500 to
 * 900 at a time are taken fastest. An invoice that the provider does not have is none.
 *
 * @throws {RangeError} where an amount is not more than nothing.
 */
export async function receberBoletos(
  w: Write,
  provedor: Provedor,
  pagos: readonly BoletoPago[],
  agora: Date,
): Promise<readonly BoletoTomado[]> {
  const queries = createBoletosQueries(w);
  const porChave = new Map<string, BoletoPago>();
  for (const um of pagos) {
    if (um.valor <= 0) throw new RangeError(`o boleto ${um.nossoNumero} foi pago com ${um.valor} centavos`);
    if (!porChave.has(um.chave)) porChave.set(um.chave, um);
  }
  const chaves = [...porChave.keys()];
  if (chaves.length === 0) return [];
  const sabidos = await queries.porChave(chaves);
  const chegados = [...porChave.values()].filter(({ chave }) => !sabidos.has(chave));
  if (chegados.length === 0) return pagos.map(({ chave }) => tomado(sabidos.get(chave), 'repetida'));

  const alvos = await queries.alvos([...new Set(chegados.flatMap(({ faturaId }) => faturaId ?? []))]);
  const travadas = await travarTodas(w, alvos);
  const novos = chegados.map((um) => ({
    ...um,
    faturaId: um.faturaId !== null && travadas.has(um.faturaId) ? um.faturaId : null,
    conta: instanteDoBoleto(um.pagoEm, provedor, agora),
  }));
  await queries.inserir(novos, agora);
  const guardados = await queries.porChave(chaves);
  const juizos = await julgarTodas(w, provedor, [...travadas.values()], agora);
  const resultados = new Map<string, ResultadoDoBoleto>();
  const avisos: AvisoDaEquipe[] = [];
  const porFatura = groupBy(novos, ({ faturaId }) => faturaId);
  for (const [faturaId, deles] of porFatura) {
    const recebidos = deles.flatMap(({ chave }) => guardados.get(chave) ?? []);
    const travada = faturaId === null ? undefined : travadas.get(faturaId);
    const juizo = faturaId === null ? undefined : juizos.get(faturaId);
    for (const recebido of recebidos) {
      const resultado =
        travada === undefined || juizo === undefined
          ? semFatura(w, recebido, avisos)
          : contar(w, travada, juizo, recebido, avisos);
      resultados.set(recebido.chave, resultado);
    }
  }
  await notificarEquipe(w, avisos, 'boleto', agora);
  await liberarTodas(w, provedor, [...travadas.values()].filter(quitadaPor(juizos)), agora);

  // A payment that is told twice in one call counts at its first place.
  const contados = new Set<string>();
  return pagos.map(({ chave }) => {
    const resultado = contados.has(chave) ? 'repetida' : (resultados.get(chave) ?? 'repetida');
    contados.add(chave);
    return tomado(guardados.get(chave), resultado);
  });
}

function tomado(recebido: BoletoRecebidoRow | undefined, resultado: ResultadoDoBoleto): BoletoTomado {
  if (recebido === undefined) throw new Error('um boleto que se guardou sumiu');
  return { id: recebido.id, resultado };
}

const quitadaPor =
  (juizos: ReadonlyMap<number, Juizo>) =>
  ({ fatura }: Travada): boolean =>
    fatura.situacao !== 'paga' && juizos.get(fatura.id)?.situacao === 'paga';

function semFatura(w: Write, { id, valor }: BoletoRecebidoRow, avisos: AvisoDaEquipe[]): ResultadoDoBoleto {
  w.emit('boleto_recebido.nao_identificado', id, { valor });
  avisos.push({ tipo: 'boleto_recebido.nao_identificado', recurso: 'boleto_recebido', id });
  return 'nao_identificada';
}

const EVENTOS = {
  quitada: 'fatura.paga',
  parcial: 'fatura.paga_em_parte',
  excedente: 'fatura.paga_a_mais',
} as const;

/** Tells of what the money of a boleto did to an invoice, which is judged; what staff are told is added to the notices. */
export function contar(
  w: Write,
  { fatura }: Pick<Travada, 'fatura'>,
  juizo: Juizo,
  recebido: Pick<BoletoRecebidoRow, 'id' | 'valor' | 'pago_em'>,
  avisos: AvisoDaEquipe[],
): keyof typeof EVENTOS {
  const quitou = juizo.situacao === 'paga' && fatura.situacao !== 'paga';
  const antesDaQuitacao = juizo.pagoEm !== null && fromDatabaseTime(recebido.pago_em) <= fromDatabaseTime(juizo.pagoEm);
  const resultado = quitou && antesDaQuitacao ? 'quitada' : juizo.falta > 0 ? 'parcial' : 'excedente';
  w.emit(EVENTOS[resultado], fatura.id, {
    cliente: fatura.cliente_id,
    boleto: recebido.id,
    valor: recebido.valor,
    ...valoresDe(juizo),
  });
  const avisar = (tipo: string): void => void avisos.push({ tipo, recurso: 'fatura', id: fatura.id });
  if (resultado !== 'quitada') avisar(EVENTOS[resultado]);
  else if (juizo.excedente > 0) avisar(EVENTOS.excedente);
  return resultado;
}

/**
 * Takes back what a bank says that it undid: the invoices are judged as if the boletos had never been paid. Nobody is blocked by this; staff
 * are told. Undone is undone: when the same key is told as paid again, it is `repetida`.
 */
export async function desfazerBoletos(
  w: Write,
  provedor: Provedor,
  chaves: readonly string[],
  agora: Date,
): Promise<readonly BoletoDesfeito[]> {
  const queries = createBoletosQueries(w);
  const unicas = [...new Set(chaves)];
  if (unicas.length === 0) return [];
  const vistos = await queries.porChave(unicas);
  const alvos = await queries.alvos([...new Set([...vistos.values()].flatMap(({ fatura_id }) => fatura_id ?? []))]);
  const travadas = await travarTodas(w, alvos);
  const travados = await queries.travar([...vistos.values()].map(({ id }) => id));
  // Somebody has put one of them to another invoice since they were read, and that invoice is not locked.
  if (travados.some(({ fatura_id: id }) => id !== null && !travadas.has(id))) {
    throw new Error('um boleto mudou de fatura enquanto o banco o desfazia');
  }
  const aDesfazer = travados.filter(({ desfeito_em }) => desfeito_em === null);
  if (aDesfazer.length > 0) {
    await queries.desfazer(
      aDesfazer.map(({ id }) => id),
      agora,
    );
    const delas = new Set(aDesfazer.map(({ fatura_id }) => fatura_id));
    const atingidas = [...travadas.values()].filter(({ fatura }) => delas.has(fatura.id));
    const juizos = await julgarTodas(w, provedor, atingidas, agora);
    for (const { id, fatura_id, valor } of aDesfazer) {
      w.emit('boleto_recebido.desfeito', id, { fatura: fatura_id, valor });
    }
    for (const { fatura } of atingidas) {
      const juizo = juizos.get(fatura.id);
      if (fatura.situacao !== 'paga' || juizo === undefined || juizo.situacao === 'paga') continue;
      w.emit('fatura.reaberta', fatura.id, { cliente: fatura.cliente_id, ...valoresDe(juizo) });
    }
    const avisos = aDesfazer.map(({ id }) => ({
      tipo: 'boleto_recebido.desfeito',
      recurso: 'boleto_recebido' as const,
      id,
    }));
    await notificarEquipe(w, avisos, 'boleto', agora);
  }
  const desfeitos = new Set(aDesfazer.map(({ chave }) => chave));
  return chaves.map((chave) => ({
    chave,
    resultado: desfeitos.has(chave) ? 'desfeita' : vistos.has(chave) ? 'repetida' : 'desconhecida',
  }));
}
