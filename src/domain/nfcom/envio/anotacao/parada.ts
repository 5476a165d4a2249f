import { toDatabaseTime } from '../../../../platform/mysql/database.ts';
import type { Write } from '../../../escrita.ts';
import type { AmbienteNfcom } from '../../nfcom.types.ts';
import {
  ENTRE_STATUS_MS,
  PARADA_POR_REJEICOES_MS,
  REJEICOES_IGUAIS,
  SEM_AUTORIDADE,
  esperaDepois,
  paradaDe,
  semResposta,
} from '../desfecho.regras.ts';
import type { Parada } from '../desfecho.regras.ts';
import type { Etapa, Feita } from '../envio.types.ts';
import type { EstadoRow } from '../fila.row.ts';
import { createTentativasQueries } from '../turnos/tentativas.queries.ts';
import { ehPergunta, turnosDe } from '../turnos/turnos.regras.ts';

/** How long nothing is tried where a provider has no certificate, or its settings are not whole. */
const SEM_IDENTIDADE_MS = 60_000;

/** What an answer says of the row of equal rejections: another one, and what stops the queue when they are too many; or an end of it. */
export type Contada = (Omit<Parada, 'ms'> & { readonly rejeicao: string }) | 'autorizada' | null;

/** What of a queue stands in the row of one authority. */
interface Guardado {
  readonly antes: EstadoRow;
  readonly gravar: (mudancas: Partial<EstadoRow>) => Promise<void>;
}

/**
 * What stops the notes of a provider that are for one authority, and has them go on: what this one says. The queue is locked.
 *
 * @param ambiente of which environment it is
 */
export function createParada(w: Write, { antes, gravar }: Guardado, ambiente: AmbienteNfcom, agora: Date) {
  const tentativas = createTentativasQueries(w);
  const daquiA = (ms: number): string => toDatabaseTime(new Date(agora.getTime() + ms));
  let atual = antes;

  async function mudar(mudancas: Partial<EstadoRow>): Promise<void> {
    atual = { ...atual, ...mudancas };
    await gravar(mudancas);
  }

  const parada = (): boolean => atual.parada_ate !== null && atual.parada_ate > toDatabaseTime(agora);

  /** What was sent together fails together: that is one failure, and of two stops the longer one counts. */
  async function parar({ ms, codigo, motivo }: Parada): Promise<void> {
    const falhas = parada() ? atual.falhas : atual.falhas + 1;
    const ate = daquiA(ms === 'crescente' ? esperaDepois(falhas - 1) : ms);
    if (parada() && (atual.parada_ate ?? '') >= ate) return;
    await mudar({ parada_ate: ate, codigo, motivo: motivo.slice(0, 500), falhas });
  }

  /** The authority answers: whatever stopped the queue before is over, unless it was stopped while this was under way. */
  async function respondeu(): Promise<void> {
    if (parada()) return;
    if (atual.falhas > 0 || atual.codigo !== null) {
      await mudar({ parada_ate: null, codigo: null, motivo: null, falhas: 0 });
    }
  }

  async function segurarPerguntas(ate: Date | null): Promise<void> {
    const sem_perguntar_ate = ate === null ? null : toDatabaseTime(ate);
    if (sem_perguntar_ate !== atual.sem_perguntar_ate) await mudar({ sem_perguntar_ate });
  }

  async function contar(contada: Contada): Promise<void> {
    if (contada === null) return;
    if (contada === 'autorizada') {
      if (atual.rejeicao !== null || atual.rejeicoes > 0) await mudar({ rejeicao: null, rejeicoes: 0 });
      return;
    }
    const rejeicao = contada.rejeicao.slice(0, 6);
    const rejeicoes = atual.rejeicao === rejeicao ? atual.rejeicoes + 1 : 1;
    // After the stop one note finds out whether it is over: one more stops the queue again.
    await mudar({ rejeicao, rejeicoes: Math.min(rejeicoes, REJEICOES_IGUAIS - 1) });
    if (rejeicoes >= REJEICOES_IGUAIS) await parar({ ms: PARADA_POR_REJEICOES_MS, ...contada });
  }

  /**
   * A status that says that the authority is away is asked for again in some minutes; what it takes ill stops it for longer. After one that does
   * not come, or says nothing of that, one note finds out: the service of the status may be all that is away.
   */
  function doStatus({ cStat, motivo }: Extract<Feita, { fez: 'status' }>): Partial<EstadoRow> {
    if (cStat === '107') return { parada_ate: null, codigo: null, motivo: null, falhas: 0 };
    const dita = (cStat === null ? null : paradaDe(cStat, motivo)) ?? semResposta(cStat ?? motivo);
    const ms = dita.ms === 'crescente' ? ENTRE_STATUS_MS : dita.ms;
    return { parada_ate: daquiA(ms), codigo: dita.codigo, motivo: dita.motivo.slice(0, 500) };
  }

  return {
    /** What it says by now. */
    estado: (): EstadoRow => atual,

    /**
     * What was answered of a note, whose try is written. While notes are taken, a question that is not answered is Consulta's matter: the note
     * waits, and the queue does not stop.
     *
     * @param pedida what the answer asks to be stopped for
     */
    async ouvir(etapa: Etapa, pedida: Parada | null, contada: Contada): Promise<void> {
      const segurada = atual.sem_perguntar_ate !== null;
      const turnos = ehPergunta(etapa) ? turnosDe(await tentativas.ultimas(ambiente), agora, segurada) : null;
      if (turnos?.semPerguntarAte !== undefined) await segurarPerguntas(turnos.semPerguntarAte);
      if (pedida === null) await respondeu();
      else if (pedida.ms !== 'crescente' || turnos?.recebe !== true) await parar(pedida);
      await contar(contada);
    },

    async ouvirStatus(feita: Extract<Feita, { fez: 'status' }>): Promise<void> {
      await mudar({ status_em: toDatabaseTime(feita.em), status_codigo: feita.cStat, ...doStatus(feita) });
    },

    /** Nothing can be asked or built, for a reason of ours. */
    async faltar({ codigo, motivo }: Omit<Parada, 'ms'>, montando: boolean): Promise<void> {
      await parar({ ms: SEM_IDENTIDADE_MS, codigo, motivo });
      // While the authority is away too, this is what holds of what is built: otherwise it would be tried again at once.
      if (montando && SEM_AUTORIDADE.has(atual.codigo ?? '')) await mudar({ codigo, motivo: motivo.slice(0, 500) });
    },
  };
}
