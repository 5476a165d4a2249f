import { hojeEm } from '../../brazil/datas.ts';
import type { Data } from '../../brazil/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro.ts';
import { fromDatabaseTime } from '../../platform/database.ts';
import type { Db } from '../../platform/database.ts';
import type { Relogio } from '../../platform/relogio.ts';
import { createTenantDb } from '../../platform/tenant.ts';
import type { Write, WriteFor } from '../../platform/writes.ts';
import { liberarContratos } from '../contratos/liberacao.service.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import { apurarDivida } from '../faturas/apuracao.regras.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';
import { buscarFaturaPorTxid, createRecebimentosQueries } from './recebimentos.queries.ts';
import type { FaturaTravadaRow, PixRecebido, ResultadoDoPix } from './recebimentos.types.ts';

export type RecebimentosService = ReturnType<typeof createRecebimentosService>;

export interface RecebimentosDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** Who told of a payment: the receiver's name, and where it was called from. */
export interface Aviso {
  readonly receptor: string;
  readonly ip: string;
}

/** What an invoice becomes by a payment or a devolution. */
interface Mudanca {
  readonly situacao: FaturaTravadaRow['situacao'];
  readonly valorPago: Centavos;
  /** Instant of the payment that completed it; undefined where that does not change. */
  readonly pagoEm?: string;
  /** What is still missing as of the last payment. */
  readonly falta: Centavos;
}

/** Settles invoices by the PIX payments that a PSP tells of, once for each payment, in whatever order it tells. */
export function createRecebimentosService({ db, relogio, write }: RecebimentosDeps) {
  async function registrarEm(
    w: Write,
    provedor: Provedor,
    alvo: { id: number; cliente_id: number; contrato_id: number | null },
    pix: PixRecebido,
  ): Promise<ResultadoDoPix> {
    const queries = createRecebimentosQueries(w);
    const agora = relogio.agora();
    // Contracts before the invoice, as a trust unblock takes its locks.
    const bloqueados = await queries.travarBloqueados(alvo);
    const fatura = await queries.travarFatura(alvo.id);
    if (fatura === undefined) throw new Error(`a fatura ${alvo.id} sumiu`);
    const conhecido = await queries.buscarRecebido(pix.endToEndId);
    if (conhecido !== undefined && conhecido.fatura_id !== fatura.id) return 'ignorada';

    const recebidoId = conhecido?.id ?? (await queries.inserirRecebido(fatura.id, pix, agora));
    const anteriores = conhecido === undefined ? [] : await queries.devolucoesConhecidas(conhecido.id);
    const devolucoes = pix.devolucoes.filter(({ id }) => !anteriores.includes(id));
    if (conhecido !== undefined && devolucoes.length === 0) return 'repetida';

    const valorDoPix = conhecido === undefined ? pix.valor : lerDinheiro(conhecido.valor);
    const devolvidoAntes = conhecido === undefined ? centavos(0) : lerDinheiro(conhecido.devolvido);
    const pedido = somarDinheiro(devolvidoAntes, ...devolucoes.map(({ valor }) => valor));
    // No more can be given back than came.
    const devolvido = centavos(Math.min(valorDoPix, pedido));

    let depois = conhecido === undefined ? await pagar(w, provedor, fatura, pix.valor) : semMudanca(fatura);
    const quitou = depois.situacao === 'paga' && fatura.situacao !== 'paga';
    if (devolucoes.length > 0) {
      await queries.inserirDevolucoes(recebidoId, devolucoes, devolvido, agora);
      depois = devolver(depois, centavos(devolvido - devolvidoAntes));
    }
    await w.update('faturas', (q) => void q.where('id', fatura.id), {
      situacao: depois.situacao,
      valor_pago: escreverDinheiro(depois.valorPago),
      ...(depois.pagoEm === undefined ? {} : { pago_em: depois.pagoEm }),
    });
    const resultado = resultadoDe(fatura, depois, devolucoes.length > 0);
    w.touch(faturaTag(fatura.id), clienteTag(fatura.cliente_id), FATURAS_TAG);
    w.emit(EVENTOS[resultado], fatura.id, {
      recebimento: recebidoId,
      valor: escreverDinheiro(valorDoPix),
      ...(devolvido > 0 ? { devolvido: escreverDinheiro(devolvido) } : {}),
      ...(resultado === 'parcial' ? { falta: escreverDinheiro(depois.falta) } : {}),
    });
    if (resultado !== 'quitada') await queries.notificarEquipe(EVENTOS[resultado], fatura.id, agora);
    if (quitou && depois.situacao === 'paga') await liberar(w, provedor, fatura, bloqueados, agora);
    return resultado;
  }

  return {
    /**
     * Takes a PIX. What is for no invoice of the provider changes nothing; what was told before changes nothing again. Its effect is
     * whole or none.
     */
    async registrar(provedor: Provedor, pix: PixRecebido, { receptor, ip }: Aviso): Promise<ResultadoDoPix> {
      if (pix.txid === null) return 'ignorada';
      const fatura = await buscarFaturaPorTxid(createTenantDb(db, provedor.id), pix.txid);
      if (fatura === undefined) return 'ignorada';
      // A clock ahead of ours must not charge interest of days that have not come.
      const agora = relogio.agora();
      const horario = pix.horario < agora ? pix.horario : agora;
      const autor = { name: `PIX: ${receptor}`, chaveId: null, ip };
      return write(provedor.id, autor, async (w) => registrarEm(w, provedor, fatura, { ...pix, horario }));
    },
  };
}

/** Events that tell of a payment, by what it did. */
const EVENTOS = {
  quitada: 'fatura.paga',
  parcial: 'fatura.paga_em_parte',
  excedente: 'fatura.paga_a_mais',
  estornada: 'fatura.estornada',
  devolvida: 'fatura.devolvida_em_parte',
} as const;

/**
 * Adds a payment just written. Judged as of the day of the last payment and not of today, so that neither a late nor a disordered
 * telling changes what it settles.
 */
async function pagar(w: Write, provedor: Provedor, fatura: FaturaTravadaRow, valor: Centavos): Promise<Mudanca> {
  const valorPago = somarDinheiro(lerDinheiro(fatura.valor_pago), valor);
  const mudanca = { situacao: fatura.situacao, valorPago, falta: centavos(0) };
  if (fatura.situacao === 'paga' || fatura.situacao === 'cancelada') return mudanca;
  const pagamentos = await listarPagamentos(w.tenant, [fatura.id]);
  const ultimo = pagamentos
    .filter((pagamento) => pagamento.valor !== pagamento.devolvido)
    .map(({ pago_em }) => pago_em)
    .reduce((a, b) => (a > b ? a : b));
  const { total } = apurarDivida(
    { ...fatura, valor_pago: escreverDinheiro(valorPago) },
    pagamentos,
    provedor,
    hojeEm(provedor.fusoHorario, fromDatabaseTime(ultimo)),
  );
  return total > 0 ? { ...mudanca, falta: total } : { ...mudanca, situacao: 'paga', pagoEm: ultimo };
}

function semMudanca(fatura: FaturaTravadaRow): Mudanca {
  return { situacao: fatura.situacao, valorPago: lerDinheiro(fatura.valor_pago), falta: centavos(0) };
}

/** Takes out of what was paid what is given back; a paid invoice of which nothing is left is `estornada`. */
function devolver(antes: Mudanca, valor: Centavos): Mudanca {
  const valorPago = centavos(Math.max(0, antes.valorPago - valor));
  const estornada = antes.situacao === 'paga' && valorPago === 0;
  return { ...antes, valorPago, situacao: estornada ? 'estornada' : antes.situacao };
}

function resultadoDe(antes: FaturaTravadaRow, depois: Mudanca, devolveu: boolean): keyof typeof EVENTOS {
  if (depois.situacao === 'estornada' && antes.situacao !== 'estornada') return 'estornada';
  if (devolveu) return 'devolvida';
  if (depois.situacao === 'paga' && antes.situacao !== 'paga') return 'quitada';
  return depois.falta > 0 ? 'parcial' : 'excedente';
}

/** Releases the contracts that billing had blocked and that owe nothing overdue any more, nor does their client beside them. */
async function liberar(
  w: Write,
  provedor: Provedor,
  fatura: FaturaTravadaRow,
  bloqueados: readonly ContratoALiberar[],
  agora: Date,
): Promise<void> {
  if (bloqueados.length === 0) return;
  const hoje: Data = hojeEm(provedor.fusoHorario, agora);
  const devedores = await createRecebimentosQueries(w).devedores(fatura.cliente_id, hoje);
  const emDia = devedores.includes(null) ? [] : bloqueados.filter(({ id }) => !devedores.includes(id));
  if (emDia.length === 0) return;
  await liberarContratos(w, emDia, {
    acao: 'liberacao',
    descricao: `Liberado pelo pagamento da fatura ${fatura.id}.`,
    agora,
  });
  for (const { id } of emDia) w.emit('contrato.liberado', id, { fatura: fatura.id });
}
