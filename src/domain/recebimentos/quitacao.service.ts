import { hojeEm } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { devemEmAtraso, respondemPor } from '../contratos/divida.service.ts';
import { liberarContratos } from '../contratos/liberacao.service.ts';
import type { ContratoALiberar } from '../contratos/liberacao.service.ts';
import type { Write } from '../escrita.ts';
import type { DadosDosEventos } from '../eventos/catalogo.types.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, clienteTag, faturaTag } from '../tags.ts';
import { createQuitacaoQueries } from './quitacao.queries.ts';
import { julgar } from './quitacao.regras.ts';
import type { Juizo } from './quitacao.regras.ts';
import { createRecebimentosQueries } from './recebimentos.queries.ts';
import type { Alvo, FaturaTravadaRow, PagamentoJulgado, RecebidoRow, ResultadoDoPix } from './recebimentos.types.ts';

/** An invoice that is locked with the contracts that its payment may release, and its payments and adjustments of before. */
export interface Travada {
  readonly fatura: FaturaTravadaRow;
  readonly bloqueados: readonly ContratoALiberar[];
  readonly antes: readonly PagamentoJulgado[];
}

/** Contracts before the invoice, as a trust unblock takes its locks; the payment that is written is locked after both. */
export async function travarFatura(w: Write, alvo: Alvo): Promise<Travada> {
  const queries = createQuitacaoQueries(w);
  const bloqueados = await queries.travarBloqueados(alvo);
  const fatura = await queries.travarFatura(alvo.id);
  if (fatura === undefined) throw new Error(`a fatura ${alvo.id} sumiu`);
  return { fatura, bloqueados, antes: await listarPagamentos(w.tenant, [fatura.id]) };
}

/** Judges a locked invoice anew by its payments and adjustments as they are written by now, and stores what it is. */
export async function julgarDeNovo(
  w: Write,
  provedor: Provedor,
  { fatura, antes }: Pick<Travada, 'fatura' | 'antes'>,
  agora: Date,
): Promise<Juizo> {
  const queries = createQuitacaoQueries(w);
  const depois = await listarPagamentos(w.tenant, [fatura.id]);
  const juizo = julgar({ fatura, antes, depois, provedor, hoje: hojeEm(provedor.fusoHorario, agora) });
  await queries.gravarSituacao(fatura, juizo);
  const descoberto = await queries.gravarLancamentos(fatura.id, juizo, agora);
  if (descoberto > 0) {
    const { id, cliente_id: cliente } = fatura;
    w.emit('fatura.credito_descoberto', id, { cliente, valor: escreverDinheiro(descoberto) });
    await createRecebimentosQueries(w).notificarEquipe('fatura.credito_descoberto', 'fatura', id, agora);
  }
  w.touch(faturaTag(fatura.id), clienteTag(fatura.cliente_id), FATURAS_TAG);
  return juizo;
}

/** Events that tell of a payment, by what it did. */
const EVENTOS = {
  quitada: 'fatura.paga',
  parcial: 'fatura.paga_em_parte',
  excedente: 'fatura.paga_a_mais',
  estornada: 'fatura.estornada',
  devolvida: 'fatura.devolvida_em_parte',
} as const;

/** What staff hear of beside what the event says. */
const NOTIFICACOES = { med: 'fatura.tomada_pelo_med', desconto: 'fatura.paga_com_desconto' } as const;

/**
 * Judges an invoice by a PIX of it that was written, tells of what that did, and releases what it settled.
 *
 * @param recebido the PIX as it is by now.
 * @param naturezas of the devolutions that this telling added or named; empty where it told of none.
 */
export async function quitar(
  w: Write,
  provedor: Provedor,
  travada: Travada,
  recebido: Pick<RecebidoRow, 'id' | 'valor' | 'devolvido' | 'tomado'>,
  naturezas: readonly string[],
  agora: Date,
): Promise<ResultadoDoPix> {
  const queries = createRecebimentosQueries(w);
  const { fatura, antes } = travada;
  const juizo = await julgarDeNovo(w, provedor, travada, agora);
  const quitou = juizo.situacao === 'paga' && fatura.situacao !== 'paga';
  const resultado = resultadoDe(fatura, juizo, naturezas.length > 0);
  const dados = {
    cliente: fatura.cliente_id,
    recebimento: recebido.id,
    valor: recebido.valor,
    ...(lerDinheiro(recebido.devolvido) > 0 ? { devolvido: recebido.devolvido } : {}),
    ...(lerDinheiro(recebido.tomado) > 0 ? { tomado: recebido.tomado } : {}),
    ...(naturezas.length > 0 ? { naturezas: [...new Set(naturezas)] } : {}),
    ...valoresDe(juizo),
  };
  // What settles it and was given back in part is both.
  if (quitou && resultado !== 'quitada') w.emit(EVENTOS.quitada, fatura.id, dados);
  w.emit(EVENTOS[resultado], fatura.id, dados);
  const notificar = async (tipo: string): Promise<void> => queries.notificarEquipe(tipo, 'fatura', fatura.id, agora);
  if (tomouMais(recebido, antes)) await notificar(NOTIFICACOES.med);
  else if (resultado !== 'quitada') await notificar(EVENTOS[resultado]);
  if (quitou && juizo.excedente > 0) await notificar(EVENTOS.excedente);
  // The tolerance forgives fine and interest of a few days; less than the invoice itself settles only a bank's own charge.
  if (quitou && juizo.valorPago < lerDinheiro(fatura.valor) && juizo.desconto > 0)
    await notificar(NOTIFICACOES.desconto);
  if (quitou) await liberar(w, provedor, travada, agora);
  return resultado;
}

/** What a judgement came to beside its state, where it is not nothing. */
export function valoresDe({
  falta,
  desconto,
  excedente,
}: Juizo): Pick<DadosDosEventos['fatura.reaberta'], 'falta' | 'desconto' | 'excedente'> {
  return {
    ...(falta > 0 ? { falta: escreverDinheiro(centavos(falta)) } : {}),
    ...(desconto > 0 ? { desconto: escreverDinheiro(centavos(desconto)) } : {}),
    ...(excedente > 0 ? { excedente: escreverDinheiro(centavos(excedente)) } : {}),
  };
}

function resultadoDe(antes: FaturaTravadaRow, depois: Juizo, devolveu: boolean): keyof typeof EVENTOS {
  if (depois.situacao === 'estornada' && antes.situacao !== 'estornada') return 'estornada';
  if (devolveu) return 'devolvida';
  if (depois.situacao === 'paga' && antes.situacao !== 'paga') return 'quitada';
  return depois.falta > 0 ? 'parcial' : 'excedente';
}

function tomouMais({ id, tomado }: Pick<RecebidoRow, 'id' | 'tomado'>, antes: readonly PagamentoJulgado[]): boolean {
  const sabido = antes.find((pagamento) => pagamento.meio === 'pix' && pagamento.id === id);
  return lerDinheiro(tomado) > (sabido === undefined ? 0 : lerDinheiro(sabido.tomado));
}

/**
 * Releases the contracts that billing had blocked, that the invoice kept so, and that owe nothing else that is late.
 *
 * @param por what of the invoice did it, in words that follow `Liberado`.
 */
export async function liberar(
  w: Write,
  provedor: Provedor,
  { fatura, bloqueados }: Pick<Travada, 'fatura' | 'bloqueados'>,
  agora: Date,
  por = 'pelo pagamento',
): Promise<void> {
  const contratos = await respondemPor(w, bloqueados, fatura);
  const devedores = await devemEmAtraso(w, contratos, provedor, { agora, esperar: false });
  const emDia = contratos.filter((contrato) => !devedores.includes(contrato));
  if (emDia.length === 0) return;
  await liberarContratos(w, emDia, {
    acao: 'liberacao',
    descricao: `Liberado ${por} da fatura ${fatura.id}.`,
    agora,
  });
  for (const { id } of emDia) w.emit('contrato.liberado', id, { fatura: fatura.id });
}
