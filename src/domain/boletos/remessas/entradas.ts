import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { ajustesDe } from '../../../brazil/cnab/ajustes.ts';
import type { Titulo } from '../../../brazil/cnab/convenio.types.ts';
import { nossoNumero } from '../../../brazil/cnab/nosso-numero.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { Cnab } from '../cnab.ts';
import { beneficiarioDe, convenioDoBanco } from '../convenios/convenios.types.ts';
import type { ConvenioRow } from '../convenios/convenios.types.ts';
import { pagadorDe } from './pagador.regras.ts';
import type { Recusada } from './pagador.regras.ts';
import type { ARegistrarRow, createTitulosQueries } from './titulos.queries.ts';

/** A title that a file may hold, with the row that it was made of. */
export interface Pronto<Row extends ARegistrarRow> {
  readonly row: Row;
  readonly titulo: Titulo;
}

interface EntradasJulgadas {
  readonly prontas: readonly Pronto<ARegistrarRow>[];
  readonly recusadas: readonly Recusada[];
}

interface Pedido {
  readonly provedor: Provedor;
  readonly convenio: ConvenioRow;
  readonly cnab: Cnab;
  readonly hoje: Data;
  readonly porPagina: number;
}

export const recusadaDe = (row: ARegistrarRow, campo: string, motivo: string): Recusada => ({
  faturaId: row.fatura_id,
  clienteId: row.cliente_id,
  campo,
  motivo,
});

/** Why an invoice's boleto waits: no bank would take it as the invoice is now. */
export const semRegistroPorque = (fatura: ARegistrarRow, hoje: Data): Recusada =>
  fatura.vencimento < hoje
    ? recusadaDe(fatura, 'vencimento', 'já venceu: mude o vencimento, ou receba por outro meio')
    : recusadaDe(fatura, 'valor', 'já se pagou ou abateu uma parte: o boleto seria do valor todo');

/**
 * Judges all invoices that wait for their boleto, page by page in the order of their ids. One that is refused waits on, possibly for a year,
 * and must not take the place of another that came after it.
 */
export async function* julgarEntradas(
  queries: Pick<ReturnType<typeof createTitulosQueries>, 'aRegistrar'>,
  pedido: Pedido,
): AsyncGenerator<EntradasJulgadas> {
  if (pedido.convenio.emite !== 1) return;
  let depoisDe = 0;
  for (;;) {
    const pagina = await queries.aRegistrar(pedido.hoje, depoisDe, pedido.porPagina);
    if (pagina.length > 0) yield julgar(pagina, pedido);
    if (pagina.length < pedido.porPagina) return;
    depoisDe = pagina.at(-1)?.fatura_id ?? depoisDe;
  }
}

async function julgar(
  faturas: readonly ARegistrarRow[],
  { provedor, convenio: row, cnab, hoje }: Pedido,
): Promise<EntradasJulgadas> {
  const convenio = convenioDoBanco(row, beneficiarioDe(provedor, row));
  const recusadas: Recusada[] = [];
  const prontas: Pronto<ARegistrarRow>[] = [];
  for (const fatura of faturas) {
    const quem = pagadorDe(fatura);
    if ('motivo' in quem) recusadas.push(recusadaDe(fatura, quem.campo, quem.motivo));
    else {
      const base = doTitulo(fatura, provedor.fusoHorario);
      prontas.push({ row: fatura, titulo: { ...base, movimento: 'entrada', pagador: quem.pagador } });
    }
  }
  if (prontas.length === 0) return { prontas, recusadas };
  // They are judged with a number and an id of the right form: the real ones are taken later, and only for those that pass.
  const numeroDeProva =
    ajustesDe(convenio).numeracao === 'banco' ? '' : nossoNumero(convenio, 1, ano(hoje)).nossoNumero;
  const erradas = await cnab.conferir({
    convenio,
    hoje,
    titulos: prontas.map(({ titulo }) => ({ ...titulo, nossoNumero: numeroDeProva, usoEmpresa: '1' })),
  });
  const fora = new Map(erradas.map(({ indice, campo, motivo }) => [indice, { campo, motivo }]));
  for (const [indice, { campo, motivo }] of fora) {
    const errada = prontas[indice];
    if (errada !== undefined) recusadas.push(recusadaDe(errada.row, campo, motivo));
  }
  return { prontas: prontas.filter((_, indice) => !fora.has(indice)), recusadas };
}

export const ano = (dia: Data): number => Number(dia.slice(0, 4));

/** What an invoice is called in files: digits that read the same at all banks. */
export const documentoDe = (faturaId: number): string => String(faturaId).slice(-8);

/** The parts of a title that follow from the invoice alone. */
export function doTitulo(row: ARegistrarRow, fuso: string): Omit<Titulo, 'movimento' | 'pagador'> {
  return {
    nossoNumero: '',
    usoEmpresa: '',
    numeroDocumento: documentoDe(row.fatura_id),
    vencimento: row.vencimento as Data,
    emissao: hojeEm(fuso, fromDatabaseTime(row.emitida_em)),
    valor: lerDinheiro(row.valor),
    txid: row.pix_txid !== null && row.pix_txid.length >= 26 ? row.pix_txid : null,
  };
}
