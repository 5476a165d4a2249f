import { hojeEm } from '../../brazil/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro.ts';
import type { Db } from '../../platform/database.ts';
import type { Relogio } from '../../platform/relogio.ts';
import { createTenantDb } from '../../platform/tenant.ts';
import type { Write, WriteFor } from '../../platform/writes.ts';
import { devemVencido, respondemPor } from '../contratos/divida.service.ts';
import { liberarContratos } from '../contratos/liberacao.service.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';
import { julgar } from './quitacao.regras.ts';
import type { Juizo } from './quitacao.regras.ts';
import { buscarFaturaDoPix, createRecebimentosQueries } from './recebimentos.queries.ts';
import type { Devolucao, FaturaTravadaRow, PixRecebido, ResultadoDoPix } from './recebimentos.types.ts';

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
    const devolucoes = umaDeCada(pix.devolucoes).filter(({ id }) => !anteriores.includes(id));
    if (conhecido !== undefined && devolucoes.length === 0) return 'repetida';

    const valorDoPix = conhecido === undefined ? pix.valor : lerDinheiro(conhecido.valor);
    const devolvidoAntes = conhecido === undefined ? centavos(0) : lerDinheiro(conhecido.devolvido);
    const pedido = somarDinheiro(devolvidoAntes, ...devolucoes.map(({ valor }) => valor));
    // No more can be given back than came.
    const devolvido = centavos(Math.min(valorDoPix, pedido));
    if (devolucoes.length > 0) await queries.inserirDevolucoes(recebidoId, devolucoes, devolvido, agora);

    const entrou = conhecido === undefined ? pix.valor : 0;
    const valorPago = centavos(Math.max(0, lerDinheiro(fatura.valor_pago) + entrou - (devolvido - devolvidoAntes)));
    const depois = julgar(
      { ...fatura, valor_pago: escreverDinheiro(valorPago) },
      await listarPagamentos(w.tenant, [fatura.id]),
      provedor,
      hojeEm(provedor.fusoHorario, agora),
    );
    await w.update('faturas', (q) => void q.where('id', fatura.id), {
      situacao: depois.situacao,
      valor_pago: escreverDinheiro(valorPago),
      pago_em: depois.pagoEm,
      // What the night stored was owed before this.
      valor_atualizado: null,
      apurada_em: null,
    });
    w.touch(faturaTag(fatura.id), clienteTag(fatura.cliente_id), FATURAS_TAG);
    const quitou = depois.situacao === 'paga' && fatura.situacao !== 'paga';
    const resultado = resultadoDe(fatura, depois, devolucoes.length > 0);
    const dados = {
      recebimento: recebidoId,
      valor: escreverDinheiro(valorDoPix),
      ...(devolvido > 0 ? { devolvido: escreverDinheiro(devolvido) } : {}),
      ...(depois.falta > 0 ? { falta: escreverDinheiro(depois.falta) } : {}),
      ...(quitou && depois.excedente > 0 ? { excedente: escreverDinheiro(depois.excedente) } : {}),
    };
    // What settles it and was given back in part is both.
    if (quitou && resultado !== 'quitada') w.emit(EVENTOS.quitada, fatura.id, dados);
    w.emit(EVENTOS[resultado], fatura.id, dados);
    if (resultado !== 'quitada') await queries.notificarEquipe(EVENTOS[resultado], fatura.id, agora);
    if (quitou && depois.excedente > 0) await queries.notificarEquipe(EVENTOS.excedente, fatura.id, agora);
    if (quitou) await liberar(w, provedor, fatura, bloqueados, agora);
    return resultado;
  }

  return {
    /**
     * Takes a PIX. What is for no invoice of the provider changes nothing; what was told before changes nothing again. Its effect is
     * whole or none.
     */
    async registrar(provedor: Provedor, pix: PixRecebido, { receptor, ip }: Aviso): Promise<ResultadoDoPix> {
      const fatura = await buscarFaturaDoPix(createTenantDb(db, provedor.id), pix);
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

function resultadoDe(antes: FaturaTravadaRow, depois: Juizo, devolveu: boolean): keyof typeof EVENTOS {
  if (depois.situacao === 'estornada' && antes.situacao !== 'estornada') return 'estornada';
  if (devolveu) return 'devolvida';
  if (depois.situacao === 'paga' && antes.situacao !== 'paga') return 'quitada';
  return depois.falta > 0 ? 'parcial' : 'excedente';
}

/** A devolution that is told twice in one breath is one. */
function umaDeCada(devolucoes: readonly Devolucao[]): Devolucao[] {
  return devolucoes.filter(({ id }, i) => devolucoes.findIndex((outra) => outra.id === id) === i);
}

/** Releases the contracts that billing had blocked, that the invoice kept so, and that owe nothing else that is overdue. */
async function liberar(
  w: Write,
  provedor: Provedor,
  fatura: FaturaTravadaRow,
  bloqueados: readonly ContratoALiberar[],
  agora: Date,
): Promise<void> {
  const contratos = await respondemPor(w, bloqueados, fatura);
  const devedores = await devemVencido(w, contratos, hojeEm(provedor.fusoHorario, agora), { esperar: false });
  const emDia = contratos.filter((contrato) => !devedores.includes(contrato));
  if (emDia.length === 0) return;
  await liberarContratos(w, emDia, {
    acao: 'liberacao',
    descricao: `Liberado pelo pagamento da fatura ${fatura.id}.`,
    agora,
  });
  for (const { id } of emDia) w.emit('contrato.liberado', id, { fatura: fatura.id });
}
