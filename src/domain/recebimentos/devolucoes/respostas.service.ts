import { escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { juntarAviso } from '../avisos.regras.ts';
import { quitar, travarFatura } from '../quitacao.service.ts';
import { createRecebimentosQueries } from '../recebimentos.queries.ts';
import type { Devolucao, RecebidoRow } from '../recebimentos.types.ts';
import { createDevolucoesQueries } from './devolucoes.queries.ts';
import type { DevolucaoRow, RespostaDoPsp } from './devolucoes.types.ts';
import { notificarEquipe } from '../equipe.service.ts';

/** How many characters are kept of why something was not given back. */
export const MAXIMO_DA_RECUSA = 200;

/**
 * Writes what a PSP said of a return of a PIX, however often. What is given back is written, and the invoice judged, as if the webhook had
 * told it; what is refused is free again, and staff are told. Who asks the PSP says `enviada` first: from then on nobody gives it up.
 *
 * What the bank did counts over what it said before: a return that it refused and then made is `devolvida`; one that is `devolvida` stays so.
 *
 * @returns whether anything changed.
 * @throws Recusa `nao_encontrado`, or `ja_desfeito` where it is about to be sent and was given up meanwhile.
 */
export async function registrarResposta(
  w: Write,
  provedor: Provedor,
  id: number,
  { situacao, motivo = null }: RespostaDoPsp,
  agora: Date,
): Promise<boolean> {
  const queries = createDevolucoesQueries(w);
  const vista = await queries.buscar({ id });
  recusarSeNao(vista, 'nao_encontrado');
  if (situacao === 'devolvida' && vista.pix_id !== null) {
    return devolverPix(w, provedor, vista.pix_id, vista, agora);
  }
  const pedida = await queries.travar(id);
  recusarSeNao(pedida, 'nao_encontrado');
  if (pedida.situacao === 'devolvida' || pedida.situacao === situacao) return false;
  if (situacao === 'enviada') {
    recusarSeNao(pedida.situacao !== 'nao_realizada', 'ja_desfeito');
    await queries.mudar([id], 'enviada', null, agora);
    return true;
  }
  await queries.mudar([id], situacao, motivo?.slice(0, MAXIMO_DA_RECUSA) ?? null, agora);
  w.emit('devolucao.nao_realizada', id, dadosDe(pedida));
  await notificarEquipe(w, [{ tipo: 'devolucao.nao_realizada', recurso: 'devolucao', id }], 'pix', agora);
  return true;
}

/**
 * Writes a return of a PIX that was made: the invoice is locked before the PIX, as all take their locks, and judged.
 *
 * @returns false where it was written before.
 */
export async function devolverPix(
  w: Write,
  provedor: Provedor,
  pixId: number,
  { devolucao, valor }: Pick<DevolucaoRow, 'devolucao' | 'valor'>,
  agora: Date,
): Promise<boolean> {
  const queries = createRecebimentosQueries(w);
  const visto = await queries.buscarRecebido({ id: pixId });
  const alvo =
    visto === undefined || visto.fatura_id === null ? undefined : await queries.buscarFatura(visto.fatura_id);
  const travada = alvo === undefined ? null : await travarFatura(w, alvo);
  const recebido = await queries.travarRecebido({ id: pixId });
  if (recebido === undefined || recebido.fatura_id !== (visto?.fatura_id ?? null)) {
    throw new Error(`o PIX ${pixId} mudou de fatura enquanto era devolvido`);
  }
  const acrescimo = juntarAviso(
    { valor: lerDinheiro(recebido.valor), devolucoes: await queries.devolucoesConhecidas(pixId) },
    {
      endToEndId: recebido.end_to_end_id,
      txid: recebido.txid,
      valor: lerDinheiro(recebido.valor),
      horario: agora,
      devolucoes: [{ id: devolucao, valor: lerDinheiro(valor), natureza: null }],
    },
  );
  if (acrescimo.novas.length > 0) await queries.gravarDevolucoes(pixId, acrescimo, agora);
  const concluiu = await concluirPedidas(w, pixId, [{ id: devolucao }], agora);
  if (acrescimo.novas.length === 0) return concluiu;
  const agoraDevolvido: Pick<RecebidoRow, 'id' | 'valor' | 'devolvido' | 'tomado'> = {
    id: pixId,
    valor: recebido.valor,
    devolvido: escreverDinheiro(acrescimo.devolvido),
    tomado: escreverDinheiro(acrescimo.tomado),
  };
  if (travada !== null) await quitar(w, provedor, travada, agoraDevolvido, ['ORIGINAL'], agora);
  else w.emit('recebimento.devolvido', pixId, { valor: recebido.valor, devolvido: agoraDevolvido.devolvido });
  return true;
}

/** Devolutions that are written of a PIX, and that people had asked for: these are made. Who calls holds the lock of the PIX. */
export async function concluirPedidas(
  w: Write,
  pixId: number,
  devolucoes: readonly Pick<Devolucao, 'id'>[],
  agora: Date,
): Promise<boolean> {
  if (devolucoes.length === 0) return false;
  const queries = createDevolucoesQueries(w);
  const pedidas = await queries.doPix(
    pixId,
    devolucoes.map(({ id }) => id),
  );
  const feitas = pedidas.filter(({ situacao }) => situacao !== 'devolvida');
  if (feitas.length === 0) return false;
  await queries.mudar(
    feitas.map(({ id }) => id),
    'devolvida',
    null,
    agora,
  );
  for (const feita of feitas) w.emit('devolucao.feita', feita.id, dadosDe(feita));
  return true;
}

/** What the events of a return say of it. */
export function dadosDe({ meio, pix_id, boleto_id, manual_id, fatura_id, valor }: DevolucaoRow) {
  return { meio, de: pix_id ?? boleto_id ?? manual_id ?? 0, fatura: fatura_id, valor };
}
