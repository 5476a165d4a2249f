import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { contar } from '../boletos/boletos.service.ts';
import { cederAoPix } from '../boletos/hibridos.service.ts';
import { createBoletosQueries } from '../boletos/boletos.queries.ts';
import type { ResultadoDoBoleto } from '../boletos/boletos.types.ts';
import { createDevolucoesQueries } from '../devolucoes/devolucoes.queries.ts';
import { exigirAlvo, julgarDeNovo, liberar, quitar, travarFatura, valoresDe } from '../quitacao.service.ts';
import { createRecebimentosQueries } from '../recebimentos.queries.ts';
import type { AvisoDaEquipe } from '../equipe.service.ts';
import type { ResultadoDoPix } from '../recebimentos.types.ts';
import { notificarEquipe } from '../equipe.service.ts';

/**
 * Puts a PIX to an invoice, which it settles by the day on which it was paid; the boleto of that invoice that its bank says was paid by the
 * same code gives way to it.
 *
 * @throws Recusa `nao_encontrado` (of the invoice: field `fatura`), `recebimento_vinculado` where it is of an invoice by now, or
 * `devolucao_em_curso` where the bank was asked to give some of it back.
 */
export async function vincularPix(
  w: Write,
  provedor: Provedor,
  id: number,
  faturaId: number,
  { aMao, agora }: { readonly aMao: boolean; readonly agora: Date },
): Promise<ResultadoDoPix> {
  const queries = createRecebimentosQueries(w);
  const devolucoes = createDevolucoesQueries(w);
  const alvo = await queries.buscarFatura(faturaId);
  recusarSeNao(alvo, 'nao_encontrado', { campo: 'fatura' });
  const travada = await travarFatura(w, alvo);
  const recebido = await queries.travarRecebido({ id });
  recusarSeNao(recebido, 'nao_encontrado');
  recusarSeNao(recebido.fatura_id === null, 'recebimento_vinculado');
  recusarSeNao((await devolucoes.emCurso('pix', id)) === 0, 'devolucao_em_curso');
  await queries.identificar(id, faturaId, recebido.txid, aMao ? agora : null);
  await devolucoes.acompanhar('pix', id, faturaId);
  if (aMao) w.emit('recebimento.vinculado', id, { fatura: faturaId });
  // The bank's file may have told of it before the invoice had its txid.
  const { end_to_end_id: endToEndId, txid, pago_em: pagoEm } = recebido;
  const pix = { endToEndId, txid, valor: lerDinheiro(recebido.valor), horario: fromDatabaseTime(pagoEm) };
  const cedeu = await cederAoPix(w, provedor, travada, pix, agora);
  if (cedeu && lerDinheiro(recebido.devolvido) === 0) {
    await julgarDeNovo(w, provedor, travada, agora);
    return 'repetida';
  }
  return quitar(w, provedor, travada, recebido, [], agora);
}

/** The same of a boleto; by a person's word it is judged by our own rules, and no longer by its bank's reckoning. */
export async function vincularBoleto(
  w: Write,
  provedor: Provedor,
  id: number,
  faturaId: number,
  agora: Date,
): Promise<ResultadoDoBoleto> {
  const queries = createBoletosQueries(w);
  const alvo = await createRecebimentosQueries(w).buscarFatura(faturaId);
  recusarSeNao(alvo, 'nao_encontrado', { campo: 'fatura' });
  const travada = await travarFatura(w, alvo);
  const [recebido] = await queries.travar([id]);
  recusarSeNao(recebido, 'nao_encontrado');
  recusarSeNao(recebido.desfeito_em === null, 'ja_desfeito');
  recusarSeNao(recebido.fatura_id === null, 'recebimento_vinculado');
  await queries.identificar(id, faturaId, agora);
  await createDevolucoesQueries(w).acompanhar('boleto', id, faturaId);
  w.emit('boleto_recebido.vinculado', id, { fatura: faturaId });
  const juizo = await julgarDeNovo(w, provedor, travada, agora);
  const avisos: AvisoDaEquipe[] = [];
  const resultado = contar(w, travada, juizo, recebido, avisos);
  await notificarEquipe(w, avisos, 'boleto', agora);
  if (resultado === 'quitada') await liberar(w, provedor, travada, agora);
  return resultado;
}

/**
 * Takes something from the invoice that a person had put it to, as if it had never been there; blocks nobody.
 *
 * @throws Recusa `nao_encontrado`, `recebimento_nao_vinculado` where no person had, `devolucao_em_curso`, or `excedente_usado`, of what became
 * credit of another invoice.
 */
export async function desvincular(
  w: Write,
  provedor: Provedor,
  meio: 'pix' | 'boleto',
  id: number,
  agora: Date,
): Promise<void> {
  const pix = createRecebimentosQueries(w);
  const boletos = createBoletosQueries(w);
  const devolucoes = createDevolucoesQueries(w);
  const visto = meio === 'pix' ? await pix.buscarRecebido({ id }) : await boletos.buscar(id);
  recusarSeNao(visto, 'nao_encontrado');
  recusarSeNao(visto.fatura_id !== null && visto.vinculado_em !== null, 'recebimento_nao_vinculado');
  const travada = await travarFatura(w, await exigirAlvo(w, visto.fatura_id));
  const recebido = meio === 'pix' ? await pix.travarRecebido({ id }) : (await boletos.travar([id]))[0];
  const ainda = recebido?.fatura_id === travada.fatura.id && recebido.vinculado_em !== null;
  recusarSeNao(ainda, 'recebimento_nao_vinculado');
  recusarSeNao((await devolucoes.emCurso(meio, id)) === 0, 'devolucao_em_curso');
  if (meio === 'pix') {
    const doPix = await pix.buscarRecebido({ id });
    await pix.identificar(id, null, doPix?.txid ?? null, null);
  } else await boletos.identificar(id, null, null);
  await devolucoes.acompanhar(meio, id, null);
  const juizo = await julgarDeNovo(w, provedor, travada, agora, { desfaz: true });
  w.emit(meio === 'pix' ? 'recebimento.desvinculado' : 'boleto_recebido.desvinculado', id, {
    fatura: travada.fatura.id,
  });
  if (travada.fatura.situacao === 'paga' && juizo.situacao !== 'paga') {
    const { id: fatura, cliente_id: cliente } = travada.fatura;
    w.emit('fatura.reaberta', fatura, { cliente, ...valoresDe(juizo) });
  }
}

export type VinculosService = ReturnType<typeof createVinculosService>;

interface VinculosDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** The same inside one write, for people. */
export function createVinculosService({ w, provedor, relogio }: VinculosDeps) {
  return {
    /** @throws Recusa as {@link vincularPix} and {@link vincularBoleto} do */
    async vincular(meio: 'pix' | 'boleto', id: number, faturaId: number): Promise<ResultadoDoPix | ResultadoDoBoleto> {
      const agora = relogio.agora();
      if (meio === 'boleto') return vincularBoleto(w, provedor, id, faturaId, agora);
      return vincularPix(w, provedor, id, faturaId, { aMao: true, agora });
    },

    /** @throws Recusa as {@link desvincular} does */
    desvincular: async (meio: 'pix' | 'boleto', id: number): Promise<void> =>
      desvincular(w, provedor, meio, id, relogio.agora()),
  };
}
