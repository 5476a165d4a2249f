import type { FromProcess, ToProcess } from './messages.ts';

/** How long to wait for the primary's confirmation. The primary may be gone. */
const HEARD_MS = 2000;

/** How a process shall stop; see `drain`. */
export interface StopRequest {
  readonly idleMs: number;
  readonly graceMs: number;
}

export interface ProcessMemberDeps {
  readonly onStop: (how: StopRequest) => void;
  /** The questions that the primary may ask, with the functions that answer them. */
  readonly answers: Readonly<Record<string, () => Promise<unknown>>>;
}

/** The connection of one of several processes to its primary. */
export interface ProcessMember {
  /** Tells the primary that this process answers requests. */
  ready(): void;
  /**
   * Resolves once the primary knows that this process takes no more connections. All connections that were handed over
   * before have then arrived or been given back. A process that ended sooner would lose them.
   */
  closed(): Promise<void>;
  /** Sends the last message, and resolves once the primary has received it. */
  farewell(words: unknown): Promise<void>;
}

export function createProcessMember({ onStop, answers }: ProcessMemberDeps): ProcessMember {
  let onHeard: (() => void) | undefined;

  function send(message: FromProcess): void {
    // When the channel is closed, the primary is gone.
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
      // Other messages belong to node:cluster.
    }
  });

  return {
    ready: () => send({ kind: 'ready' }),
    closed: async () => sendAndWait({ kind: 'closed' }),
    farewell: async (words) => sendAndWait({ kind: 'farewell', words }),
  };
}
