import { OutboundFailure } from '../../../platform/http/outbound/failure.ts';
import { retryAfterMs } from '../../../platform/http/outbound/retry-after.ts';
import { ERROS_DE_SAIDA } from '../../saida.regras.ts';
import type { Desfecho } from './canal.types.ts';

interface Resposta {
  readonly status: number;
  readonly headers: { readonly 'retry-after'?: string | undefined };
}

/** What an answer means that says nothing of the device. */
export function desfechoDe({ status, headers }: Resposta, agora: Date): Desfecho {
  if (status >= 200 && status < 300) return { tipo: 'entregue' };
  const erro = `resposta_${status}`;
  if (status !== 429 && status < 500) return { tipo: 'recusado', erro };
  return { tipo: 'repetir', erro, esperaMs: retryAfterMs(headers['retry-after'], agora) };
}

/** What it means that no answer came. A fault of ours is no reason to lose sight of what was to be sent. */
export const desfechoDaFalha = (error: unknown): Desfecho => ({
  tipo: 'repetir',
  erro: error instanceof OutboundFailure ? ERROS_DE_SAIDA[error.reason] : 'falha_interna',
  esperaMs: null,
});
