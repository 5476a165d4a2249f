import type { IncomingMessage } from 'node:http';
import { createPace } from '../../platform/pace.ts';
import { TooManyWaiting, createTurns } from '../../platform/turns.ts';

/** A request's turn at having a boleto made; `ate` makes it last until something that it has begun is done. */
export type Vez = { readonly ate: (feito: Promise<unknown>) => void } | 'cheia';

export type Fila = ReturnType<typeof criarFila>;

/** Most boletos that wait to be made. */
const BOLETOS_NA_FILA = 2000;

/**
 * Where requests for pages wait before anything is done for them, so that look-ups go on between: they begin one a turn of the event loop, and
 * boletos, which cost more, one after the other.
 */
export function criarFila() {
  const comecar = createPace();
  const boletos = createTurns({ maxWaiting: BOLETOS_NA_FILA });
  const vezes = new WeakMap<IncomingMessage, Vez>();

  async function naVez(request: IncomingMessage, responder: () => Promise<void>): Promise<void> {
    try {
      await boletos.run(async (ate) => {
        // Whoever went while it waited needs no boleto.
        if (request.socket.destroyed) return;
        vezes.set(request, { ate });
        await responder();
      });
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      vezes.set(request, 'cheia');
      await responder();
    }
  }

  return {
    /** Answers a request in its turn. */
    entrar(request: IncomingMessage, boleto: boolean, responder: () => Promise<void>): void {
      comecar(() => void (boleto ? naVez(request, responder) : responder()));
    },

    /** The turn of a request for a boleto that is being answered. */
    vezDe(request: IncomingMessage): Vez {
      const vez = vezes.get(request);
      if (vez === undefined) throw new Error('um boleto fora da fila');
      return vez;
    },
  };
}
