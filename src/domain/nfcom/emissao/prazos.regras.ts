import { fimDoDiaEm, hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { proximoDiaUtil } from '../../../brazil/calendario/calendario-bancario.ts';
import type { CalendarioBancario } from '../../../brazil/calendario/calendario-bancario.ts';
import type { NotaRow } from './emissao.queries.ts';

const HORA_MS = 3_600_000;

/** Until when a note may be cancelled: so many hours after the end of the month in which it was authorised (MOC, rule 220). */
export function prazoDeCancelamento(fuso: string, autorizadaEm: Date, horas: number): Date {
  const dia = hojeEm(fuso, autorizadaEm);
  const primeiro = `${dia.slice(0, 8)}01` as Data;
  const doMesSeguinte = `${somarDias(primeiro, 32).slice(0, 8)}01` as Data;
  return new Date(fimDoDiaEm(fuso, somarDias(doMesSeguinte, -1)).getTime() + horas * HORA_MS);
}

/** Since when a note must have been authorised to be cancelled now, by {@link prazoDeCancelamento}. */
export const cancelaveisDesde = (fuso: string, agora: Date, horas: number): Date =>
  inicioDoDiaEm(fuso, `${hojeEm(fuso, new Date(agora.getTime() - horas * HORA_MS)).slice(0, 8)}01` as Data);

/** Until which day a note issued offline has to be with the authority: the first business day after its emission (MOC, 11). */
export const prazoDaContingencia = (fuso: string, emitidaEm: Date, calendario: CalendarioBancario): Data =>
  proximoDiaUtil(somarDias(hojeEm(fuso, emitidaEm), 1), calendario);

/** Whether a note was signed, and so may have been sent. */
export const foiTentada = ({ chave }: { readonly chave: string | null }): boolean => chave !== null;

/** Notes that were given up: of their invoices others may be asked for. */
export const ABANDONADA = new Set(['descartada', 'fatura_cancelada', 'cliente_apagado', 'nota_de_outro_ambiente']);

export const abandonada = ({ motivo_codigo: codigo }: Pick<NotaRow, 'motivo_codigo'>): boolean =>
  ABANDONADA.has(codigo ?? '');

const SEM_VOLTA = new Set([...ABANDONADA, 'fatura_importada', 'fatura_de_renegociacao']);

/** Whether a note that was refused for a reason will never be issued, whatever is mended: then its number is for the next note. */
export const semVolta = (codigo: string): boolean => SEM_VOLTA.has(codigo);

/** What a rejected trial's note becomes once its invoice is to have a real one. A process of the version before would build it as another real one. */
export const ENSAIO_DEIXADO = {
  motivo_codigo: 'nota_de_outro_ambiente',
  motivo: 'era de homologação, e a fatura passou a ter nota de produção',
  recusas: null,
} as const;

/**
 * A note without fiscal value, of before the provider went over to real ones: it becomes none of them any more, also where its authority has not
 * answered yet.
 */
export const foiEnsaio = (nota: Pick<NotaRow, 'ambiente'>, ambiente: NotaRow['ambiente']): boolean =>
  nota.ambiente === 'homologacao' && ambiente === 'producao';

/** Whether a note stands in the way of another note of the same invoice. A note of adjustment, which gives back a part, does not. */
export const impedeOutra = (
  nota: Pick<NotaRow, 'ambiente' | 'situacao' | 'motivo_codigo' | 'finalidade'>,
  ambiente: NotaRow['ambiente'],
): boolean =>
  nota.finalidade !== 'ajuste' &&
  nota.situacao !== 'cancelada' &&
  nota.situacao !== 'substituida' &&
  !abandonada(nota) &&
  !foiEnsaio(nota, ambiente);
