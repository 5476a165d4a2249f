import { hojeEm } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { devemEmAtraso } from '../contratos/divida.service.ts';
import { mover } from '../contratos/movimentos/movimentos.service.ts';
import type { ContratoAMover } from '../contratos/movimentos/movimentos.service.ts';
import { conferirLidos } from '../campos/versao.ts';
import type { Write } from '../escrita.ts';
import type { DadosDosEventos } from '../eventos/catalogo.types.ts';
import { camposDaFatura } from '../faturas/faturas.types.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../tags.ts';
import { createQuitacaoQueries } from './quitacao.queries.ts';
import { groupBy } from '../../platform/group-by.ts';
import { Recusa, recusarSeNao } from '../erros.ts';
import { julgar } from './quitacao.regras.ts';
import type { Juizo } from './quitacao.regras.ts';
import { createRecebimentosQueries } from './recebimentos.queries.ts';
import type { Alvo, FaturaTravadaRow, PagamentoJulgado, RecebidoRow, ResultadoDoPix } from './recebimentos.types.ts';
import { notificarEquipe } from './equipe.service.ts';

/** An invoice that is locked with the contracts that its payment may release, and its payments and adjustments of before. */
export interface Travada {
  readonly fatura: FaturaTravadaRow;
  readonly bloqueados: readonly ContratoAMover[];
  readonly antes: readonly PagamentoJulgado[];
}

/** Clients, then contracts, then the invoice, as all take their locks; the PIX that is written is locked after both. */
export async function travarFatura(w: Write, alvo: Alvo): Promise<Travada> {
  const { travada } = await travarComOrigem(w, alvo, null);
  return travada;
}

/** The same of an invoice by its id. @throws Recusa `nao_encontrado` */
export async function travarPorId(w: Write, faturaId: number): Promise<Travada> {
  return travarFatura(w, await exigirAlvo(w, faturaId));
}

/** Holds a locked invoice against the version of it that somebody read. @throws Recusa `versao_divergente` */
export const conferirFatura = (versao: string | undefined, { fatura }: Travada): void =>
  conferirLidos(
    versao,
    camposDaFatura({
      vencimento: fatura.vencimento,
      valor: lerDinheiro(fatura.valor),
      valorPago: lerDinheiro(fatura.valor_pago),
      abatido: lerDinheiro(fatura.abatido),
    }),
  );

/** Whose an invoice is, without a lock. @throws Recusa `nao_encontrado` */
export async function exigirAlvo(w: Write, faturaId: number): Promise<Alvo> {
  const alvo = await createRecebimentosQueries(w).buscarFatura(faturaId);
  recusarSeNao(alvo, 'nao_encontrado');
  return alvo;
}

/** The same with another invoice, whose surplus becomes this one's credit: the lower id first. */
export async function travarComOrigem(
  w: Write,
  alvo: Alvo,
  origemId: number | null,
): Promise<{ readonly travada: Travada; readonly origem: FaturaTravadaRow | undefined }> {
  const queries = createQuitacaoQueries(w);
  const bloqueados = await queries.travarBloqueados(alvo);
  const faturas = await queries.travarFaturas(origemId === null ? [alvo.id] : [alvo.id, origemId]);
  const fatura = faturas.find(({ id }) => id === alvo.id);
  if (fatura === undefined) throw new Error(`a fatura ${alvo.id} sumiu`);
  const antes = await listarPagamentos(w.tenant, [fatura.id]);
  return { travada: { fatura, bloqueados, antes }, origem: faturas.find(({ id }) => id === origemId) };
}

/** All contracts of a client, locked; resolves to those that billing has blocked. */
export async function travarBloqueadosDe(w: Write, clienteId: number): Promise<readonly ContratoAMover[]> {
  return createQuitacaoQueries(w).travarBloqueados({ id: 0, cliente_id: clienteId, contrato_id: null });
}

/**
 * Judges a locked invoice anew by its payments and adjustments as they are written by now, and stores what it is.
 *
 * @param desfaz whether a person undoes something, which can wait until the credits that were made of it are undone. What a bank tells of
 * has happened.
 * @throws Recusa `excedente_usado` where that leaves a credit without its surplus.
 */
export async function julgarDeNovo(
  w: Write,
  provedor: Provedor,
  { fatura, antes }: Pick<Travada, 'fatura' | 'antes'>,
  agora: Date,
  { desfaz = false }: { readonly desfaz?: boolean } = {},
): Promise<Juizo> {
  const queries = createQuitacaoQueries(w);
  const depois = await listarPagamentos(w.tenant, [fatura.id]);
  const juizo = julgar({ fatura, antes, depois, provedor, hoje: hojeEm(provedor.fusoHorario, agora) });
  await queries.gravarSituacao(fatura, juizo);
  await lancar(w, [fatura], new Map([[fatura.id, juizo]]), { agora, desfaz });
  if (fatura.situacao === 'cancelada' && juizo.situacao !== 'cancelada') {
    w.emit('fatura.reaberta', fatura.id, { cliente: fatura.cliente_id, ...valoresDe(juizo) });
    await notificarEquipe(w, [{ tipo: 'fatura.reaberta', recurso: 'fatura', id: fatura.id }], 'pix', agora);
  }
  w.touch(FATURAS_TAG, ...tagsDaFatura(fatura.id, fatura.cliente_id));
  return juizo;
}

/** The same of several locked invoices, in statements that do not grow with them; by id. */
export async function julgarTodas(
  w: Write,
  provedor: Provedor,
  travadas: readonly Pick<Travada, 'fatura' | 'antes'>[],
  agora: Date,
): Promise<Map<number, Juizo>> {
  if (travadas.length === 0) return new Map();
  const faturas = travadas.map(({ fatura }) => fatura);
  const ids = faturas.map(({ id }) => id);
  const porFatura = groupBy(await listarPagamentos(w.tenant, ids), ({ fatura_id }) => fatura_id);
  const hoje = hojeEm(provedor.fusoHorario, agora);
  const juizos = new Map(
    travadas.map(({ fatura, antes }) => {
      const depois = porFatura.get(fatura.id) ?? [];
      return [fatura.id, julgar({ fatura, antes, depois, provedor, hoje })];
    }),
  );
  await createQuitacaoQueries(w).gravarSituacoes(juizos);
  await lancar(w, faturas, juizos, { agora, desfaz: false });
  await reabrirCanceladas(w, faturas, juizos, agora);
  w.touch(FATURAS_TAG, ...faturas.flatMap(({ id, cliente_id }) => tagsDaFatura(id, cliente_id)));
  return juizos;
}

/** What was cancelled because an agreement took its place is open again where the money that it had is gone. */
async function reabrirCanceladas(
  w: Write,
  faturas: readonly FaturaTravadaRow[],
  juizos: ReadonlyMap<number, Juizo>,
  agora: Date,
): Promise<void> {
  const voltaram = faturas.flatMap(({ id, situacao, cliente_id: cliente }) => {
    const juizo = juizos.get(id);
    return situacao === 'cancelada' && juizo !== undefined && juizo.situacao !== 'cancelada'
      ? [{ id, cliente, juizo }]
      : [];
  });
  if (voltaram.length === 0) return;
  await createQuitacaoQueries(w).esquecerCancelamento(voltaram.map(({ id }) => id));
  for (const { id, cliente, juizo } of voltaram) w.emit('fatura.reaberta', id, { cliente, ...valoresDe(juizo) });
  const avisos = voltaram.map(({ id }) => ({ tipo: 'fatura.reaberta', recurso: 'fatura' as const, id }));
  await notificarEquipe(w, avisos, 'pix', agora);
}

/** Books what judgements book; staff hear of a surplus that is gone though credits were made of it. */
async function lancar(
  w: Write,
  faturas: readonly FaturaTravadaRow[],
  juizos: ReadonlyMap<number, Juizo>,
  { agora, desfaz }: { readonly agora: Date; readonly desfaz: boolean },
): Promise<void> {
  const queries = createQuitacaoQueries(w);
  const descobertos = await queries.gravarLancamentos(juizos, agora);
  for (const { id, cliente_id: cliente } of faturas) {
    const valor = descobertos.get(id);
    if (valor === undefined) continue;
    const onde = desfaz ? await queries.comCreditoDe(id) : undefined;
    if (onde !== undefined) throw new Recusa('excedente_usado', { registroId: onde });
    w.emit('fatura.credito_descoberto', id, { cliente, valor: escreverDinheiro(valor) });
    await notificarEquipe(w, [{ tipo: 'fatura.credito_descoberto', recurso: 'fatura', id }], 'pix', agora);
  }
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
  const notificar = async (tipo: string): Promise<void> =>
    notificarEquipe(w, [{ tipo, recurso: 'fatura', id: fatura.id }], 'pix', agora);
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
 * Releases the contracts that billing had blocked and that owe nothing late any more. Debt alone decides: what they were blocked for is
 * kept nowhere, and who answers for an invoice now need not have done so then (`divida.service.ts`).
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
  await liberarEmDia(w, provedor, bloqueados, {
    fatura: fatura.id,
    descricao: `Liberado ${por} da fatura ${fatura.id}.`,
    agora,
  });
}

/** Releases those of some locked contracts, which billing has blocked, that owe nothing that is late. */
export async function liberarEmDia(
  w: Write,
  provedor: Provedor,
  contratos: readonly ContratoAMover[],
  { fatura, descricao, agora }: { readonly fatura: number; readonly descricao: string; readonly agora: Date },
): Promise<void> {
  const devedores = await devemEmAtraso(w, contratos, provedor, { agora, esperar: false });
  const emDia = contratos.filter((contrato) => !devedores.includes(contrato));
  await mover(w, 'liberar', emDia, {
    descricao,
    agora,
    dados: () => ({ por: 'pagamento' as const, fatura }),
  });
}
