import type { FromProcess, ToProcess } from './messages.ts';

/** How long the primary may take to say that it heard: it may be gone. */
const HEARD_MS = 2000;

/** How a process shall stop; see `drain`. */
export interface StopRequest {
  readonly idleMs: number;
  readonly graceMs: number;
}

export interface ProcessMemberDeps {
  readonly onStop: (how: StopRequest) => void;
  /** Answers to what the primary may ask. */
  readonly answers: Readonly<Record<string, () => Promise<unknown>>>;
}

/** One of several processes, as it sees its primary. */
export interface ProcessMember {
  /** Says that this process answers requests. */
  ready(): void;
  /**
   * Resolves once the primary knows that no connection may be handed to us any more. Those handed over before are here by then,
   * or have been given back: a process that went sooner would take such a connection with it.
   */
  closed(): Promise<void>;
  /** Says the last words, and resolves once they were heard. */
  farewell(words: unknown): Promise<void>;
}

export function createProcessMember({ onStop, answers }: ProcessMemberDeps): ProcessMember {
  let onHeard: (() => void) | undefined;

  function send(message: FromProcess): void {
    // A channel that is closed has no primary at its other end any more.
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }

  async function sendAndWait(message: FromProcess): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      onHeard = resolve;
      setTimeout(resolve, HEARD_MS).unref();
    });
    send(message);
    if (process.connected) await heard;
  }

  process.on('message', (message: ToProcess) => {
    switch (message.kind) {
      case 'ask': {
        const { id, question } = message;
        void answers[question]?.().then((answer) => send({ kind: 'answer', id, answer }));
        break;
      }
      case 'stop':
        onStop(message);
        break;
      case 'heard':
        onHeard?.();
        break;
      default:
      // node:cluster's own.
    }
  });

  return {
    ready: () => send({ kind: 'ready' }),
    closed: async () => sendAndWait({ kind: 'closed' }),
    farewell: async (words) => sendAndWait({ kind: 'farewell', words }),
  };
}
