import { fimDoDiaEm, hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import type { NotaRow } from './emissao.queries.ts';

const HORA_MS = 3_600_000;

/** Until when a note may be cancelled: so many hours after the end of the month in which it was authorised (MOC, rule 220). */
export function prazoDeCancelamento(fuso: string, autorizadaEm: Date, horas: number): Date {
  const dia = hojeEm(fuso, autorizadaEm);
  const primeiro = `${dia.slice(0, 8)}01` as Data;
  const doMesSeguinte = `${somarDias(primeiro, 32).slice(0, 8)}01` as Data;
  return new Date(fimDoDiaEm(fuso, somarDias(doMesSeguinte, -1)).getTime() + horas * HORA_MS);
}

/** Whether a note was signed, and so may have been sent. */
export const foiTentada = ({ chave }: { readonly chave: string | null }): boolean => chave !== null;

/** Notes that were given up: of their invoices others may be asked for. */
export const ABANDONADA = new Set(['descartada', 'fatura_cancelada']);

export const abandonada = ({ motivo_codigo: codigo }: Pick<NotaRow, 'motivo_codigo'>): boolean =>
  ABANDONADA.has(codigo ?? '');

/** A note without fiscal value, that was authorised before the provider went over to real ones. */
export const foiEnsaio = (nota: Pick<NotaRow, 'ambiente' | 'situacao'>, ambiente: NotaRow['ambiente']): boolean =>
  nota.situacao === 'autorizada' && nota.ambiente === 'homologacao' && ambiente === 'producao';
