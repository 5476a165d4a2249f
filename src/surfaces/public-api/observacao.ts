import type { Logger } from 'pino';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { CodigoErro } from './erros.ts';
import type { Sessao } from './porta.ts';
import type { Rota } from './rota.ts';
import { BASE } from './roteador.ts';

/** What is known of a request once it is answered; the API leaves it in `ctx.state`. */
interface Observada {
  rota?: Rota;
  sessao?: Sessao;
  /** Of an error answer. */
  codigo?: CodigoErro;
}

/** Takes note of an answer that took `ms` milliseconds to make. */
export type Observar = (ms: number, status: number, requestId: string, observada: Observada) => void;

export interface ObservacaoDeps {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** A line a request at `info` instead of `debug`. */
  readonly registrar: boolean;
}

/** Requests that no route answers: what they asked for is the caller's text, so they are one. */
const SEM_ROTA = 'nenhuma';

/**
 * Measures and logs each request of the API, by its route's pattern. A line never holds a path, a query, a header or an
 * address: they are, or lead to, somebody's personal data.
 */
export function criarObservacao({ metrics, logger, registrar }: ObservacaoDeps): Observar {
  const nivel = registrar ? 'info' : 'debug';
  const nomes = new Map<Rota, string>();

  function nomeDa(rota: Rota | undefined): string {
    if (rota === undefined) return SEM_ROTA;
    let nome = nomes.get(rota);
    if (nome === undefined) nomes.set(rota, (nome = `${rota.metodo} ${BASE}${rota.caminho}`));
    return nome;
  }

  return (ms, status, requestId, observada) => {
    const { codigo } = observada;
    const rota = nomeDa(observada.rota);
    metrics.request(rota, status, ms);
    if (codigo !== undefined) metrics.error(codigo);
    if (!logger.isLevelEnabled(nivel)) return;
    const linha = {
      requestId,
      provedorId: observada.sessao?.provedor.id ?? null,
      chave: observada.sessao?.chave.nome ?? null,
      rota,
      status,
      ...(codigo === undefined ? {} : { codigo }),
      ms: Math.round(ms * 100) / 100,
    };
    logger[nivel](linha, 'requisição');
  };
}
