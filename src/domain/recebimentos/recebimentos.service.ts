import { createHash } from 'node:crypto';
import { escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { ActorDe } from '../actor.ts';
import type { Write, WriteFor } from '../escrita.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { juntarAviso } from './avisos.regras.ts';
import type { Acrescimo } from './avisos.regras.ts';
import { concluirPedidas } from './devolucoes/respostas.service.ts';
import { cederAoPix } from './boletos/hibridos.service.ts';
import { reconhecerAMao } from './devolucoes/a-mao.service.ts';
import { julgarDeNovo, quitar, travarFatura } from './quitacao.service.ts';
import { createRecebimentosQueries } from './recebimentos.queries.ts';
import type { PixRecebido, PixRecusado, RecebidoRow, ResultadoDoPix } from './recebimentos.types.ts';
import { notificarEquipe } from './equipe.service.ts';

export type RecebimentosService = ReturnType<typeof createRecebimentosService>;

export interface RecebimentosDeps {
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** A PIX may be put to another invoice, by hand, while it is told of; that it happens at every try is a fault. */
const TENTATIVAS = 5;

/**
 * Keeps the PIX payments that a PSP tells of, once each, in whatever order it tells, and settles invoices by them. Of what was told,
 * at any moment: told = applied to invoices + surplus + unidentified + given back; docs/recebimentos-pix.md says by which rows.
 */
export function createRecebimentosService({ relogio, write }: RecebimentosDeps) {
  /** Null, and nothing written, where the PIX was put to another invoice since it was looked for. */
  async function registrarEm(
    w: Write,
    provedor: Provedor,
    pix: PixRecebido,
    receptor: string,
  ): Promise<ResultadoDoPix | null> {
    const queries = createRecebimentosQueries(w);
    const agora = relogio.agora();
    const visto = await queries.buscarRecebido({ end_to_end_id: pix.endToEndId });
    const ligada = visto?.fatura_id ?? null;
    const peloTxid = ligada === null ? await queries.buscarFaturaPorTxid(pix.txid) : undefined;
    const alvo =
      ligada === null
        ? (peloTxid ?? (await queries.buscarFaturaPorTxid(visto?.txid ?? null)))
        : await queries.buscarFatura(ligada);
    const travada = alvo === undefined ? null : await travarFatura(w, alvo);
    const conhecido = await queries.travarRecebido({ end_to_end_id: pix.endToEndId });
    if ((conhecido?.fatura_id ?? null) !== ligada) return null;

    const acrescimo = juntarAviso(
      conhecido === undefined
        ? null
        : {
            valor: lerDinheiro(conhecido.valor),
            devolucoes: await reconhecerAMao(
              w,
              conhecido.id,
              await queries.devolucoesConhecidas(conhecido.id),
              pix.devolucoes,
            ),
          },
      pix,
    );
    await guardarDivergencia(w, pix, conhecido, acrescimo, receptor);
    const devolucoes = [...acrescimo.novas, ...acrescimo.nomeadas];
    const identificou = ligada === null && travada !== null;
    if (conhecido !== undefined && devolucoes.length === 0 && !identificou) return 'repetida';

    const faturaId = travada?.fatura.id ?? null;
    const id = conhecido?.id ?? (await queries.inserirRecebido(faturaId, pix, agora));
    if (conhecido !== undefined && identificou) {
      await queries.identificar(id, faturaId, peloTxid === undefined ? conhecido.txid : pix.txid, null);
    }
    await queries.gravarDevolucoes(id, acrescimo, agora);
    await concluirPedidas(w, id, acrescimo.novas, agora);
    const recebido = {
      id,
      valor: conhecido?.valor ?? escreverDinheiro(pix.valor),
      devolvido: escreverDinheiro(acrescimo.devolvido),
      tomado: escreverDinheiro(acrescimo.tomado),
    };
    const cedeu = identificou && (await cederAoPix(w, provedor, travada, pix, agora));
    if (cedeu && devolucoes.length === 0) {
      await julgarDeNovo(w, provedor, travada, agora);
      return 'repetida';
    }
    const naturezas = devolucoes.map(({ natureza }) => natureza ?? 'ORIGINAL');
    if (travada !== null) return quitar(w, provedor, travada, recebido, naturezas, agora);
    return guardarSemFatura(w, recebido, conhecido === undefined, agora);
  }

  /** What differs from what was told first is kept as it was told, once, for people to look at: money is counted once. */
  async function guardarDivergencia(
    w: Write,
    pix: PixRecebido,
    conhecido: RecebidoRow | undefined,
    { outroValor, outraDevolucao }: Acrescimo,
    receptor: string,
  ): Promise<void> {
    if (conhecido === undefined) return;
    const outroTxid = conhecido.fatura_id !== null && diferem(conhecido.txid, pix.txid);
    if (!outroValor && !outroTxid && outraDevolucao === null) return;
    const { endToEndId, txid, valor } = pix;
    const devolucoes =
      outraDevolucao === null
        ? {}
        : { devolucoes: [{ ...outraDevolucao, valor: escreverDinheiro(outraDevolucao.valor) }] };
    const dito = { endToEndId, txid, valor: escreverDinheiro(valor), ...devolucoes };
    const campo = outroValor ? 'valor' : outroTxid ? 'txid' : 'devolucoes';
    await guardar(w, { falta: `${campo}: não é o que se avisou antes deste PIX.`, dito }, receptor);
  }

  async function guardar(w: Write, recusado: Pick<PixRecusado, 'falta' | 'dito'>, receptor: string): Promise<void> {
    const queries = createRecebimentosQueries(w);
    const agora = relogio.agora();
    const marca = createHash('sha256').update(JSON.stringify(recusado.dito)).digest();
    const id = await queries.guardarRecusado(recusado, marca, receptor, agora);
    if (id === null) return;
    w.emit('pix_recusado.guardado', id);
    await notificarEquipe(w, [{ tipo: 'pix_recusado.guardado', recurso: 'pix_recusado', id }], 'pix', agora);
  }

  return {
    /** Takes a PIX, whether or not its invoice is known; what was told before changes nothing again. Its effect is whole or none. */
    async registrar(
      actor: ActorDe<'receptor' | 'tarefa'>,
      provedor: Provedor,
      pix: PixRecebido,
    ): Promise<ResultadoDoPix> {
      // A clock ahead of ours must not charge interest of days that have not come.
      const agora = relogio.agora();
      const horario = pix.horario < agora ? pix.horario : agora;
      for (let tentativa = 1; tentativa <= TENTATIVAS; tentativa += 1) {
        const resultado = await write(actor, provedor.id, async (w) =>
          registrarEm(w, provedor, { ...pix, horario }, actor.nome),
        );
        if (resultado !== null) return resultado;
      }
      throw new Error('um PIX mudou de fatura a cada vez que foi avisado');
    },

    /** Keeps what was told of a PIX that cannot be read, once, for people to look at. */
    async recusar(actor: ActorDe<'receptor' | 'tarefa'>, provedor: Provedor, recusado: PixRecusado): Promise<void> {
      await write(actor, provedor.id, async (w) => guardar(w, recusado, actor.nome));
    },
  };
}

function diferem(antes: string | null, agora: string | null): boolean {
  return antes !== null && agora !== null && antes !== agora;
}

/** A PIX that no invoice is known for: it waits for one, by its txid or a person's word. */
async function guardarSemFatura(
  w: Write,
  recebido: Pick<RecebidoRow, 'id' | 'valor' | 'devolvido'>,
  novo: boolean,
  agora: Date,
): Promise<ResultadoDoPix> {
  const { id, valor, devolvido } = recebido;
  const tipo = novo ? 'recebimento.nao_identificado' : 'recebimento.devolvido';
  w.emit(tipo, id, { valor, ...(lerDinheiro(devolvido) > 0 ? { devolvido } : {}) });
  await notificarEquipe(w, [{ tipo, recurso: 'recebimento', id }], 'pix', agora);
  return novo ? 'nao_identificada' : 'devolvida';
}
