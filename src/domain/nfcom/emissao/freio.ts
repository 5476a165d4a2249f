import { rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerCampos } from '../../campos/campos.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { createEstado, travarNotas } from '../envio/estado.ts';
import type { FilaRow } from '../envio/fila.row.ts';
import { createFilaQueries } from '../envio/fila.queries.ts';
import { IDS_POR_SAIR, QUANTAS_POR_SAIR, asContadas } from '../lista/por-sair.queries.ts';
import type { ContagemDePorSair } from '../lista/por-sair.queries.ts';
import type { FiltroDeNotas } from '../lista/lista.types.ts';
import { CAMPOS_DA_PAUSA } from './emissao.campos.ts';
import type { NotaRow } from './emissao.queries.ts';
import { soltarNumero } from './numeros.ts';
import { foiTentada } from './prazos.regras.ts';

interface FreioDeps {
  readonly w: Write;
  readonly fuso: string;
  readonly relogio: Relogio;
  /** The queue's row, locked. */
  readonly travarFila: () => Promise<FilaRow>;
  readonly tocar: (notas: readonly Pick<NotaRow, 'fatura_id' | 'cliente_id'>[]) => void;
}

/** Notes that one write gives up: more go in the next call. */
const MAIOR_DESISTENCIA = 1000;

export const DESCARTADA = { motivo_codigo: 'descartada', motivo: 'deixou de ser emitida' } as const;

/** What is remembered of notes that are given up together: they may be asked for again together. */
const JUNTO = `JSON_MERGE_PATCH(COALESCE(pedido, '{}'), '{"junto": 1}')`;
const JUNTO_A_CONFERIR = `JSON_MERGE_PATCH(COALESCE(pedido, '{}'), '{"junto": 1, "descartar": true}')`;
const SO_ELA_A_CONFERIR = `JSON_MERGE_PATCH(COALESCE(pedido, '{}'), '{"junto": null, "descartar": true}')`;

/**
 * What is asked of a note that may have been sent, so that it is given up once the authority says that it does not have it.
 *
 * @param como whether others are given up with it
 */
export function aConferir(w: Write, agora: string, como: 'junto' | 'so_ela'): object {
  const pedido = w.tenant.db.raw(como === 'junto' ? JUNTO_A_CONFERIR : SO_ELA_A_CONFERIR);
  return { situacao: 'pendente', etapa: 'conferir', pedido, proxima_em: agora, tentativas: 0 };
}

/** How people let a provider's notes wait, and give up those that wait. */
export function createFreio({ w, fuso, relogio, travarFila, tocar }: FreioDeps) {
  const agora = (): string => toDatabaseTime(relogio.agora());

  /** Of some notes, which are locked, those that were never signed and have no number are given up in one statement. */
  async function desistirDasNovas(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const nada = { situacao: 'rejeitada', etapa: null, proxima_em: null, recusas: null, serie: null, numero: null };
    await w.update('nfcom', (q) => void q.whereIn('id', [...ids]), { ...nada, ...DESCARTADA });
  }

  return {
    /**
     * Nothing more is built and sent, by {@link CAMPOS_DA_PAUSA}, until somebody has it go on. What is with the authority already is written
     * when it answers, and asked about where it does not; cancellations go on too.
     *
     * @throws CamposInvalidos; Recusa `transicao_invalida` while it is paused already
     */
    async pausar(dados: unknown): Promise<void> {
      const { porque = null } = lerCampos(CAMPOS_DA_PAUSA, dados);
      const { pausada_em: antes } = await travarFila();
      recusarSeNao(antes === null, 'transicao_invalida', { dito: 'o envio já está pausado' });
      await createFilaQueries(w).anotarNaFila({ pausada_em: agora(), pausada_porque: porque });
      w.emit('nfcom.fila_pausada', null);
    },

    /** @throws Recusa `transicao_invalida` where it is not paused */
    async continuar(): Promise<void> {
      const { pausada_em: antes } = await travarFila();
      recusarSeNao(antes !== null, 'transicao_invalida', { dito: 'o envio não está pausado' });
      await createFilaQueries(w).anotarNaFila({ pausada_em: null, pausada_porque: null });
      w.emit('nfcom.fila_continuada', null);
    },

    /**
     * Gives up the notes that a filter finds and that are not with the authority (see `por-sair.queries.ts`), in parts. Their numbers are the
     * next ones'; those that were sent once are asked about first, as when one is given up.
     *
     * @param contada what was counted and is not given up yet. What was asked for since stays, and so does what the authority had then and says
     * since that it does not have. An older note that was issued anew since has a smaller id, and nobody has seen it counted: where the others
     * are not the same by now, none is given up
     * @returns of how many, the sum of their ids, and whether there may be more
     * @throws Recusa `transicao_invalida` where the queue is not paused, for then others wait at each moment, or where those that were counted
     * are not the same any more
     */
    async descartarQueEsperam(
      filtro: FiltroDeNotas,
      contada: ContagemDePorSair,
    ): Promise<{ notas: number; soma: number; mais: boolean }> {
      const { pausada_em: pausada } = await travarFila();
      recusarSeNao(pausada !== null, 'transicao_invalida', {
        dito: 'o envio não está pausado',
        sugestao: 'pause o envio, e veja de novo quantas notas esperam',
      });
      const delas = () => asContadas(w.tenant, fuso, filtro, contada);
      const [agoraSao = { notas: 0, soma: 0 }] = await rowsOf(delas(), QUANTAS_POR_SAIR);
      recusarSeNao(agoraSao.notas === contada.notas && agoraSao.soma === contada.soma, 'transicao_invalida', {
        dito: 'mudaram as notas da fila desde que foram contadas',
        sugestao: 'veja de novo quantas são',
      });
      const achadas = await rowsOf(delas().limit(MAIOR_DESISTENCIA), IDS_POR_SAIR);
      const travadas = await travarNotas(
        w,
        achadas.map(({ id }) => id),
      );
      // Another process may have signed or taken one since it was found.
      const notas = [...travadas.values()].filter(({ etapa }) => etapa === 'montar' || etapa === 'enviar');
      const estado = createEstado(w, relogio.agora());
      const ids = notas.map(({ id }) => id);
      if (ids.length > 0) await w.update('nfcom', (q) => void q.whereIn('id', ids), { pedido: w.tenant.db.raw(JUNTO) });
      const novas: number[] = [];
      const aPerguntar: number[] = [];
      for (const nota of notas) {
        // What was never taken nobody has; a request that was lost may still arrive.
        if (nota.etapa === 'enviar' && nota.tentativas === 0) {
          await estado.solta(nota, DESCARTADA.motivo_codigo, DESCARTADA.motivo);
        } else if (foiTentada(nota)) aPerguntar.push(nota.id);
        else {
          await soltarNumero(w, nota);
          novas.push(nota.id);
        }
      }
      await desistirDasNovas(novas);
      if (aPerguntar.length > 0) {
        await w.update('nfcom', (q) => void q.whereIn('id', aPerguntar), aConferir(w, agora(), 'junto'));
      }
      if (notas.length > 0) {
        tocar(notas);
        w.emit('nfcom.descartadas', null, { notas: notas.length });
      }
      return {
        notas: notas.length,
        soma: notas.reduce((antes, { id }) => antes + id, 0),
        mais: notas.length > 0 && achadas.length === MAIOR_DESISTENCIA,
      };
    },
  };
}
