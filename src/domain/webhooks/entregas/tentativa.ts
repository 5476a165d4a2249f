import type { Outbound } from '../../../platform/http/outbound/outbound.ts';
import { OutboundFailure } from '../../../platform/http/outbound/failure.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { ERROS_DE_SAIDA } from '../../saida.regras.ts';
import { cabecalhos } from '../assinatura.regras.ts';
import { esperaPedida } from './horario.regras.ts';

/** What came of one attempt. */
export interface Resultado {
  readonly em: Date;
  /** Null where no answer came. */
  readonly status: number | null;
  /** Null where it was delivered. */
  readonly erro: string | null;
  readonly duracaoMs: number;
  /** The first KiB of the answer, as text. */
  readonly resposta: string | null;
  /** When the receiver asked to be called again, in milliseconds from now. */
  readonly esperaMs: number | null;
}

export interface Envio {
  readonly url: string;
  readonly msgId: string;
  readonly corpo: string;
  /** The current one first. */
  readonly segredos: readonly string[];
}

const MAIOR_RESPOSTA = 1024;
/** A connection that broke sooner than this was an old one that the receiver had given up: it is tried once more. */
const QUEBROU_LOGO_MS = 1000;

/** Makes one attempt; never rejects. */
export function createTentativa({ saida, relogio }: { saida: Pick<Outbound, 'send'>; relogio: Relogio }) {
  async function chamar(
    { url, msgId, corpo, segredos }: Envio,
    em: Date,
  ): Promise<Omit<Resultado, 'em' | 'duracaoMs'>> {
    const headers = cabecalhos(msgId, Math.floor(em.getTime() / 1000), corpo, segredos);
    const { status, headers: ditos, body } = await saida.send({ url, method: 'POST', headers, body: corpo });
    const resposta = body.subarray(0, MAIOR_RESPOSTA).toString('utf8');
    const feito = status >= 200 && status < 300;
    const erro = feito ? null : status >= 300 && status < 400 ? 'redirecionamento' : `resposta_${status}`;
    return { status, erro, resposta, esperaMs: esperaPedida(status, ditos['retry-after'], em) };
  }

  return async function tentar(envio: Envio): Promise<Resultado> {
    const em = relogio.agora();
    const inicio = performance.now();
    const passou = (): number => Math.round(performance.now() - inicio);
    for (let vez = 1; ; vez += 1) {
      try {
        const feito = await chamar(envio, em);
        return { em, ...feito, duracaoMs: passou() };
      } catch (error) {
        // Anything else is a fault of ours, and no reason to lose sight of the delivery.
        const motivo = error instanceof OutboundFailure ? error.reason : 'broken';
        if (motivo === 'broken' && vez === 1 && passou() < QUEBROU_LOGO_MS) continue;
        return { em, status: null, erro: ERROS_DE_SAIDA[motivo], duracaoMs: passou(), resposta: null, esperaMs: null };
      }
    }
  };
}
