import { groupBy } from '../../../platform/group-by.ts';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import { cancelarFaturas } from '../../faturas/cancelamento/cancelamento.service.ts';
import type { ItemDaCobranca } from '../faturamento.types.ts';
import { faturasDaVez, impedimentosDe } from './faturas.queries.ts';
import { DA_ANTERIOR, comPosterior, guardadasSemPosterior, naoAcertada } from './vez.queries.ts';
import type { GuardadaRow } from './vez.queries.ts';

/** Invoices that are cancelled in one transaction: as many fit into its events, its audit lines and its time. */
export const FATURAS_POR_PARTE = 1000;
/** Of those that stay, so many are named. */
const FICARAM_NOMEADAS = 100;
/** Contracts whose charges go in one statement. */
const CONTRATOS_POR_VEZ = 5000;

/** What has become of a run's invoices so far. */
export interface ResultadoDoDesfazer {
  readonly desfeitas: number;
  /** Those that could be taken back when it began, and no more when their turn came. */
  readonly ficaram: number;
  /** The first hundred of them. */
  readonly quais: readonly { readonly fatura: number; readonly porque: string }[];
}

export const NADA_DESFEITO: ResultadoDoDesfazer = { desfeitas: 0, ficaram: 0, quais: [] };

/** A place in an undoing: the last invoice that was looked at, how many were, and what has become of them. */
export interface Posto {
  readonly fatura: number;
  readonly vistos: number;
  readonly feito: ResultadoDoDesfazer;
}

/**
 * How far it is beyond what is written: over invoices that failed, or at which processes died. How many, one after the other, and of what;
 * they are left once one after them is cancelled.
 */
export interface Adiante extends Posto {
  readonly seguidas: number;
  readonly erro: string | null;
  /** At how many of them processes died; a worker of a release before noted no others. */
  readonly mortas?: number;
}

/** What of a run one transaction has taken back. */
export interface ParteDesfeita {
  readonly vistas: number;
  readonly canceladas: number;
  readonly ficam: ReadonlyMap<number, string>;
  /** The last invoice that was looked at; null where there was none left. */
  readonly ultima: number | null;
}

const ITENS = columns<{ itens: string | readonly ItemDaCobranca[] }>('faturamento_cobrancas', { itens: true });
const DE_CONTRATO = columns<{ contrato_id: number }>('faturamento_cobrancas', { contrato_id: true });

/**
 * Cancels the next invoices of a run, and leaves those that were paid or sent by now. One that people cancelled stays as it is. The charges
 * stay, too, until all is over: while a contract has one of them, nobody charges it anew.
 */
export async function desfazerParte(
  w: Write,
  vezId: number,
  { depoisDe, limite, agora }: { readonly depoisDe: number; readonly limite: number; readonly agora: Date },
): Promise<ParteDesfeita> {
  const todas = await faturasDaVez(w, vezId, { depoisDe, limite, travar: true });
  const vivas = todas.filter(({ situacao }) => situacao !== 'cancelada');
  const ficam = await impedimentosDe(w, vivas);
  const aCancelar = vivas.filter(({ id }) => !ficam.has(id));
  await cancelarFaturas(w, aCancelar, { motivo: `Faturamento ${vezId} desfeito.`, motivoCodigo: 'erro', agora });
  if (aCancelar.length > 0) {
    const ids = aCancelar.map(({ id }) => id);
    await w.update('faturamento_cobrancas', (q) => void q.whereIn('fatura_id', ids), { desfeita: 1 });
  }
  return { vistas: todas.length, canceladas: aCancelar.length, ficam, ultima: todas.at(-1)?.id ?? null };
}

export const somarParte = (
  feito: ResultadoDoDesfazer,
  { canceladas, ficam }: Pick<ParteDesfeita, 'canceladas' | 'ficam'>,
): ResultadoDoDesfazer => ({
  desfeitas: feito.desfeitas + canceladas,
  ficaram: feito.ficaram + ficam.size,
  quais: [...feito.quais, ...[...ficam].map(([fatura, porque]) => ({ fatura, porque }))].slice(0, FICARAM_NOMEADAS),
});

/** The contracts' own items that a charge has counted. */
const itensTomados = ({ itens }: { readonly itens: string | readonly ItemDaCobranca[] }): number[] =>
  jsonColumn<readonly ItemDaCobranca[]>(itens).flatMap(({ item }) => item ?? []);

/** Lets charges of nothing go that runs undone before have left, with what they charged once. */
async function soltarGuardadas(w: Write, guardadas: readonly GuardadaRow[]): Promise<void> {
  for (const [faturamento_id, delas] of groupBy(guardadas, (uma) => uma.faturamento_id)) {
    const contratos = delas.map(({ contrato_id, competencia, tipo }) => [contrato_id, competencia, tipo]);
    await w.delete('faturamento_cobrancas', (q) => {
      void q.where({ faturamento_id }).whereIn(['contrato_id', 'competencia', 'tipo'], contratos);
    });
    const tomados = delas.flatMap(itensTomados);
    if (tomados.length === 0) continue;
    const deles = (q: ReturnType<Write['from']>): void => void q.where({ faturamento_id }).whereIn('id', tomados);
    await w.update('contratos_itens', deles, { faturamento_id: null });
  }
}

/**
 * Ends it, in the transaction of `w`: the charges whose invoices were cancelled, and those of nothing, can be made again, and what they
 * charged once is again to be. What stays charged keeps what it took; so does a charge of nothing from which a later one was computed, until
 * that one goes, too.
 */
export async function soltarCobrancas(w: Write, vezId: number, faturas: number, agora: Date): Promise<void> {
  const daVez = w.from('faturamento_cobrancas').where({ faturamento_id: vezId });
  let depoisDe = 0;
  for (;;) {
    const proximos = daVez.clone().where('contrato_id', '>', depoisDe).groupBy('contrato_id').orderBy('contrato_id');
    const contratos = await rowsOf(proximos.limit(CONTRATOS_POR_VEZ), DE_CONTRATO);
    const ate = contratos.at(-1)?.contrato_id;
    if (ate === undefined) break;
    const desde = depoisDe;
    const deNada = comPosterior(w, vezId).whereNull('f.fatura_id').distinct();
    const desta = deNada.where('f.contrato_id', '>', desde).where('f.contrato_id', '<=', ate);
    const anteriores = (await rowsOf(desta, DA_ANTERIOR)).map(({ contrato_id }) => contrato_id);
    await w.delete('faturamento_cobrancas', (q) => {
      void q.where({ faturamento_id: vezId }).where('contrato_id', '>', desde).where('contrato_id', '<=', ate);
      void q.where((outras) => {
        void outras.where('desfeita', 1);
        void outras.orWhere((nada) => {
          void nada.whereNull('fatura_id').whereNotIn('contrato_id', anteriores).whereRaw(naoAcertada('itens'));
        });
      });
    });
    const ids = contratos.map(({ contrato_id }) => contrato_id);
    await soltarGuardadas(w, await guardadasSemPosterior(w, vezId, ids));
    depoisDe = ate;
  }
  const ficam = await rowsOf(daVez.clone(), ITENS);
  const tomados = ficam.flatMap(itensTomados);
  await w.update(
    'contratos_itens',
    (q) => {
      void q.where({ faturamento_id: vezId });
      if (tomados.length > 0) void q.whereNotIn('id', tomados);
    },
    { faturamento_id: null },
  );
  const mudancas = { desfazendo: null, desfeito_em: toDatabaseTime(agora) };
  await w.update('faturamentos', (q) => void q.where({ id: vezId }), mudancas);
  w.emit('faturamento.desfeito', vezId, { faturas });
}
