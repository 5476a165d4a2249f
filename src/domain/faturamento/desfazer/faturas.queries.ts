import { txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import { columns, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { BoletoSituacao } from '../../boletos/boletos.types.ts';
import type { Write } from '../../escrita.ts';
import type { FaturaACancelar } from '../../faturas/cancelamento/cancelamento.service.ts';

interface FaturaDaVez extends FaturaACancelar {
  situacao: string;
  grupo: string;
  valor_pago: string;
  pix_txid: string | null;
  linha_digitavel: string | null;
  boleto_situacao: BoletoSituacao | null;
}

const DA_FATURA = columns<FaturaDaVez>('faturas', {
  id: true,
  cliente_id: true,
  contrato_id: true,
  situacao: true,
  grupo: true,
  valor_pago: true,
  pix_txid: true,
  linha_digitavel: true,
  boleto_situacao: true,
});
const DA_VEZ = columns<{ fatura_id: number }>('f', { fatura_id: true });
const DE_FATURA = columns<{ fatura_id: number }>('n', { fatura_id: true });
const DA_COBRANCA = columns<{ fatura_id: number }>('faturamento_cobrancas', { fatura_id: true });

/** In which the invoices of a run lie in the order of their ids. */
const DAS_FATURAS = 'faturamento_cobrancas_faturas_da_vez';

interface FaixaRow {
  primeira: number | null;
  quantas: number;
}
const DA_FAIXA = expressions<FaixaRow>({ primeira: 'MIN(fatura_id)', quantas: 'COUNT(DISTINCT fatura_id)' });

/** The invoices of a run: how many there are, and after which id the first one comes. */
export async function faixaDaVez(w: Write, vezId: number): Promise<{ antes: number; quantas: number }> {
  const delas = w.from('faturamento_cobrancas').where('faturamento_id', vezId);
  const [row] = await rowsOf(delas, DA_FAIXA);
  return { antes: (row?.primeira ?? 1) - 1, quantas: row?.quantas ?? 0 };
}

/**
 * The next invoices of a run after one, in the order of their ids.
 *
 * @param travar holds them until the transaction ends
 */
export async function faturasDaVez(
  w: Write,
  vezId: number,
  { depoisDe, limite, travar }: { readonly depoisDe: number; readonly limite: number; readonly travar: boolean },
): Promise<FaturaDaVez[]> {
  const proximas = w.tenant
    .from('faturamento_cobrancas', DAS_FATURAS)
    .where('faturamento_id', vezId)
    .where('fatura_id', '>', depoisDe)
    .groupBy('fatura_id')
    .orderBy('fatura_id')
    .limit(limite);
  const ids = (await rowsOf(proximas, DA_COBRANCA)).map(({ fatura_id: id }) => id);
  if (ids.length === 0) return [];
  const delas = w.from('faturas').whereIn('id', ids).orderBy('id');
  return rowsOf(travar ? delas.forUpdate() : delas, DA_FATURA);
}

/** What of the invoice stands in the way, in words. */
function impedimento({ grupo, valor_pago, pix_txid, linha_digitavel, boleto_situacao }: FaturaDaVez): string | null {
  if (grupo !== 'aberta') return 'não está mais em aberto';
  if (Number(valor_pago) > 0) return 'já recebeu um pagamento';
  if (boleto_situacao !== null && boleto_situacao !== 'a_registrar') return 'tem boleto numa remessa ao banco';
  if (linha_digitavel !== null) return 'tem boleto de um banco';
  if (pix_txid !== null && !txidEstaticoValido(pix_txid)) return 'tem cobrança num PSP';
  return null;
}

/** Which of some invoices cannot be taken back, each with why, in words. */
export async function impedimentosDe(w: Write, faturas: readonly FaturaDaVez[]): Promise<ReadonlyMap<number, string>> {
  const ids = faturas.map(({ id }) => id);
  const achados = new Map<number, string>();
  const anotar = (id: number, porque: string | null): void => {
    if (porque !== null && !achados.has(id)) achados.set(id, porque);
  };
  for (const fatura of faturas) anotar(fatura.id, impedimento(fatura));
  if (ids.length === 0) return achados;
  const com = async (tabela: string, so: (q: ReturnType<Write['from']>) => void): Promise<number[]> => {
    const deles = w.from(`${tabela} as n`).whereIn('n.fatura_id', ids).modify(so).orderBy('n.id');
    return (await rowsOf(deles, DE_FATURA)).map(({ fatura_id: id }) => id);
  };
  for (const id of await com('nfcom', naoDescartadas)) {
    anotar(id, 'já tem nota fiscal, ou um número reservado para ela');
  }
  for (const id of await com('renegociacoes_faturas', () => {})) anotar(id, 'entrou numa renegociação');
  return achados;
}

/** A note that was given up counts as if it had never been. */
const naoDescartadas = (q: ReturnType<Write['from']>): void =>
  void q.where((uma) => void uma.whereNull('n.motivo_codigo').orWhere('n.motivo_codigo', '<>', 'descartada'));

/** The same as `impedimento` asks of one, of an invoice `n`. */
const impedida = (q: ReturnType<Write['from']>): void =>
  void q.whereNot('n.situacao', 'cancelada').where((uma) => {
    void uma.whereNot('n.grupo', 'aberta').orWhere('n.valor_pago', '>', 0).orWhereNotNull('n.linha_digitavel');
    void uma.orWhereNot('n.boleto_situacao', 'a_registrar');
    void uma.orWhereRaw("n.pix_txid NOT REGEXP '^[A-Za-z0-9]{1,25}$'");
  });

/**
 * The first invoice of a run that cannot be taken back, with why; none where all can. However many invoices there are, it is a few
 * statements, each of which ends with the first that it finds.
 */
export async function primeiroImpedimento(w: Write, vezId: number): Promise<ReadonlyMap<number, string>> {
  const primeira = async (junto: string, so: (q: ReturnType<Write['from']>) => void): Promise<number[]> => {
    // STRAIGHT_JOIN: the run leads, or all notes of the provider would be read where it has few.
    const delas = w.tenant.from('faturamento_cobrancas as f', DAS_FATURAS).joinRaw(`STRAIGHT_JOIN ${junto}`);
    const daVez = delas.where('f.faturamento_id', vezId).modify(so).orderBy('f.fatura_id').limit(1);
    return (await rowsOf(daVez, DA_VEZ)).map(({ fatura_id: id }) => id);
  };
  // What was cancelled stays as it is, whatever it has.
  const viva = 'STRAIGHT_JOIN faturas v FORCE INDEX (PRIMARY) ON v.provedor_id = f.provedor_id AND v.id = f.fatura_id';
  const vivas = (q: ReturnType<Write['from']>): void => void q.joinRaw(viva).whereNot('v.situacao', 'cancelada');
  const achadas = [
    await primeira('faturas n FORCE INDEX (PRIMARY) ON n.provedor_id = f.provedor_id AND n.id = f.fatura_id', impedida),
    await primeira(
      'nfcom n FORCE INDEX (nfcom_fatura) ON n.provedor_id = f.provedor_id AND n.fatura_id = f.fatura_id',
      (q) => void q.modify(vivas).modify(naoDescartadas),
    ),
    await primeira(
      'renegociacoes_faturas n FORCE INDEX (renegociacoes_faturas_fatura) ON n.provedor_id = f.provedor_id AND n.fatura_id = f.fatura_id',
      vivas,
    ),
  ].flat();
  if (achadas.length === 0) return new Map();
  const dela = w.from('faturas').where('id', Math.min(...achadas));
  return impedimentosDe(w, await rowsOf(dela, DA_FATURA));
}
