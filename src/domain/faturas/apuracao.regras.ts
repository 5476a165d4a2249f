import { hojeEm } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { centavos, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';
import { calcularEncargos } from '../../brazil/encargos.ts';
import { gerarPixEstatico, txidEstaticoValido } from '../../brazil/pix.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import type { Fatura, FaturaRow, PagamentoRow, SegundaVia } from './faturas.types.ts';

/** What a static PIX can carry (field 54 holds 13 characters). */
const PIX_MINIMO = 1;
const PIX_MAXIMO = 999_999_999_999;

function estaAberta({ situacao }: Pick<FaturaRow, 'situacao'>): boolean {
  return situacao === 'pendente' || situacao === 'vencida';
}

/** Whether what is owed depends on when payments were made: only where some came in and some is still missing. */
export function pedePagamentos(row: Pick<FaturaRow, 'situacao' | 'valor_pago'>): boolean {
  return estaAberta(row) && lerDinheiro(row.valor_pago) > 0;
}

/** What an invoice's value has become on a day, with fine and interest and without what was paid. */
export function apurarDivida(
  row: Pick<FaturaRow, 'valor' | 'valor_pago' | 'vencimento'>,
  pagamentos: readonly PagamentoRow[],
  { fusoHorario, regras }: Provedor,
  hoje: Data,
): ReturnType<typeof calcularEncargos> {
  const vencimento = row.vencimento as Data;
  const recebidos = pagamentos
    .map(({ valor, devolvido, pago_em }) => ({
      em: hojeEm(fusoHorario, fromDatabaseTime(pago_em)),
      valor: centavos(lerDinheiro(valor) - lerDinheiro(devolvido)),
    }))
    .filter(({ valor }) => valor > 0);
  // What came by ways that leave no date (a bank's file, a cashier) counts as paid in time.
  const semData = centavos(lerDinheiro(row.valor_pago) - somarDinheiro(...recebidos.map(({ valor }) => valor)));
  return calcularEncargos({
    valor: lerDinheiro(row.valor),
    vencimento,
    hoje,
    regras,
    pagamentos: semData > 0 ? [...recebidos, { em: vencimento, valor: semData }] : recebidos,
  });
}

/** What a stored invoice is on a given day: state, amount to pay and ways to pay do not wait for a job. */
export function apurarFatura(
  row: FaturaRow,
  pagamentos: readonly PagamentoRow[],
  provedor: Provedor,
  hoje: Data,
): Fatura {
  const aberta = estaAberta(row);
  const vencida = aberta && row.vencimento < hoje;
  const valor = lerDinheiro(row.valor);
  const zero = centavos(0);
  const { multa, juros, total } = aberta
    ? apurarDivida(row, pagamentos, provedor, hoje)
    : { multa: zero, juros: zero, total: zero };
  return {
    id: row.id,
    clienteId: row.cliente_id,
    contratoId: row.contrato_id,
    descricao: row.descricao,
    situacao: aberta ? (vencida ? 'vencida' : 'pendente') : row.situacao,
    tipo: row.tipo,
    valor,
    valorAtualizado: vencida && total !== valor ? total : null,
    valorPago: lerDinheiro(row.valor_pago),
    multa,
    juros,
    aPagar: total,
    vencimento: row.vencimento as Data,
    emitidaEm: fromDatabaseTime(row.emitida_em),
    pagoEm: row.pago_em === null ? null : fromDatabaseTime(row.pago_em),
    segundaVia: aberta ? segundaVia(row, provedor, total) : null,
  };
}

/** The links live on the provider's own host, behind the invoice's unguessable token. */
function segundaVia(row: FaturaRow, provedor: Provedor, aPagar: Centavos): SegundaVia {
  const pixCopiaCola = codigoPix(row, provedor, aPagar);
  const temBoleto = row.linha_digitavel !== null;
  const pagina = (caminho: string): string => `https://${provedor.panelHost}/${caminho}/${row.token}`;
  return {
    linkPagamento: pixCopiaCola !== null || temBoleto ? pagina('pagar') : null,
    pdf: temBoleto ? pagina('boleto') : null,
    paginaPix: pixCopiaCola === null ? null : pagina('pix'),
    pixCopiaCola,
    linhaDigitavel: row.linha_digitavel,
    codigoBarras: row.codigo_barras,
  };
}

/**
 * The PIX code of an invoice, made for what is to be paid, since a static code cannot carry fine or interest. A code with a PSP's own
 * txid (dynamic, 26 to 35 characters) is the PSP's to make: what is stored is what it is.
 */
function codigoPix({ pix_txid: txid, pix_copia_cola: guardado }: FaturaRow, provedor: Provedor, aPagar: Centavos) {
  if (txid === null) return null;
  if (!txidEstaticoValido(txid)) return guardado;
  if (provedor.recebedor === null || aPagar < PIX_MINIMO || aPagar > PIX_MAXIMO) return null;
  return gerarPixEstatico({ ...provedor.recebedor, valor: aPagar, txid });
}
