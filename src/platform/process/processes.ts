import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StopRequest } from './member.ts';
import type { FromProcess, ToProcess } from './messages.ts';

export interface ProcessesOptions {
  /** The program that each process runs, with its arguments and environment. */
  readonly exec: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly count: number;
  /** Lines for the person at the terminal. */
  readonly log: (line: string) => void;
  /** Called when a process is gone, with the last message that it sent, if any. */
  readonly onGone: (id: number, words: unknown) => void;
}

/** The answer of a process. */
export interface Answer {
  /** Id of the process; it is never used again for another one. */
  readonly id: number;
  readonly answer: unknown;
}

/** A process that does not answer the primary within this time is busy or frozen. It is left out. */
const ANSWER_MS = 1500;
const START_MS = 60_000;
/** A process that ends within this time after its start counts as failed at its start. */
const SICKLY_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;
/** At a gradual restart there is no hurry, so clients get much time to notice that their connection ends. */
const RESTARTED: StopRequest = { idleMs: 10_000, graceMs: 15_000 };
/** After its grace time, a process has this long for what it does after the last connection is closed. */
const EPILOGUE_MS = 5000;

interface Member {
  readonly worker: Worker;
  readonly startedAt: number;
  readonly exited: Promise<string>;
  ready: boolean;
  /** True once it was told to end. */
  leaving: boolean;
  words: unknown;
}

export type Processes = ReturnType<typeof createProcesses>;

/**
 * Several processes on one port. The primary accepts connections and hands each one to the next free process, so a
 * process that hangs delays one connection and not a share of all.
 */
export function createProcesses({ exec, args, env, count, log, onGone }: ProcessesOptions) {
  const members = new Set<Member>();
  const questions = new Map<number, { answers: Answer[]; missing: number; done: () => void }>();
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  let failures = 0;
  let asked = 0;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  // V8 gives each process four helper threads, which collect garbage at full priority. With as many processes as cores,
  // they take time from the event loops (bench `pdf`: the p99 of look-ups is 8 ms with four, 5 ms with one).
  cluster.setupPrimary({ exec, args: [...args], execArgv: [...process.execArgv, '--v8-pool-size=1'] });

  function send({ worker }: Member, message: ToProcess): void {
    if (worker.isConnected()) worker.send(message, () => {});
  }

  function hear(member: Member, message: FromProcess): void {
    switch (message.kind) {
      case 'answer': {
        const question = questions.get(message.id);
        question?.answers.push({ id: member.worker.id, answer: message.answer });
        if (question !== undefined && question.answers.length === question.missing) question.done();
        break;
      }
      case 'farewell':
        member.words = message.words;
        send(member, { kind: 'heard' });
        break;
      case 'closed':
        send(member, { kind: 'heard' });
        break;
      case 'ready':
        member.ready = true;
        break;
      default:
    }
  }

  /** Starts a process; resolves once it answers requests, rejects when it ends before that. */
  async function launch(): Promise<Member> {
    const worker = cluster.fork(env);
    const exited = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal === null ? `código ${code}` : `sinal ${signal}`));
      // For a living process, `error` means a message that could not be sent. Its end is reported by `exit`.
      worker.on('error', (error) => {
        if (worker.process.pid === undefined) resolve(error.message);
      });
    });
    const member: Member = {
      worker,
      startedAt: performance.now(),
      exited,
      ready: false,
      leaving: false,
      words: undefined,
    };
    members.add(member);
    void mourn(member);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => worker.process.kill('SIGKILL'), START_MS);
      worker.on('message', (message: FromProcess) => {
        hear(member, message);
        if (message.kind !== 'ready') return;
        clearTimeout(timer);
        resolve(member);
      });
      const giveUp = async (): Promise<void> => {
        const how = await exited;
        clearTimeout(timer);
        reject(new Error(`Um processo não começou (${how}).`));
      };
      void giveUp();
    });
  }

  async function mourn(member: Member): Promise<void> {
    const how = await member.exited;
    members.delete(member);
    onGone(member.worker.id, member.words);
    if (member.ready && !member.leaving && !stopping.signal.aborted) await replace(member, how);
  }

  /** Replaces a process that died. It waits only when processes repeatedly die soon after their start. */
  async function replace({ worker, startedAt }: Member, how: string): Promise<void> {
    log(`O processo ${worker.process.pid ?? '?'} terminou sem ser pedido (${how}); outro toma o seu lugar.`);
    failures = performance.now() - startedAt < SICKLY_MS ? failures + 1 : 0;
    while (!stopping.signal.aborted) {
      const wait = failures < 2 ? 0 : Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failures - 2));
      if (wait > 0) {
        log(`Processos morrem ao começar; a próxima tentativa é em ${wait / 1000} s.`);
        await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {});
      }
      if (stopping.signal.aborted) return;
      try {
        await launch();
        return;
      } catch {
        failures += 1;
      }
    }
  }

  /** Ends a process in order, or by force when it does not end in time. */
  async function retire(member: Member, how: StopRequest): Promise<void> {
    member.leaving = true;
    send(member, { kind: 'stop', ...how });
    const force = setTimeout(() => member.worker.process.kill('SIGKILL'), how.graceMs + EPILOGUE_MS);
    await member.exited;
    clearTimeout(force);
  }

  async function replaceAll(): Promise<void> {
    const old = [...members];
    log(`Reinício gradual de ${old.length} processos…`);
    for (const member of old) {
      if (stopping.signal.aborted) return;
      if (!members.has(member)) continue;
      try {
        await launch();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log(`Reinício interrompido: ${reason} Os processos que restam são os de antes.`);
        return;
      }
      await retire(member, RESTARTED);
    }
    log('Reinício concluído.');
  }

  return {
    /** Starts the processes. Resolves once all of them answer requests; rejects when one cannot start. */
    async start(): Promise<void> {
      await Promise.all(Array.from({ length: count }, launch));
    },

    /** Replaces the processes one by one. Each new one accepts connections before an old one stops accepting them. */
    async restart(): Promise<void> {
      if (restarting !== undefined || stopping.signal.aborted) {
        log('Um reinício já está em andamento.');
        return;
      }
      restarting = replaceAll().finally(() => (restarting = undefined));
      await restarting;
    },

    /** Sends a question to every process that answers requests. Those that do not answer in time are left out. */
    async ask(question: string): Promise<Answer[]> {
      const listeners = [...members].filter(({ ready }) => ready);
      const id = (asked += 1);
      const answers: Answer[] = [];
      await new Promise<void>((resolve) => {
        if (listeners.length === 0) resolve();
        const timer = setTimeout(resolve, ANSWER_MS);
        const done = (): void => {
          clearTimeout(timer);
          resolve();
        };
        questions.set(id, { answers, missing: listeners.length, done });
        for (const member of listeners) send(member, { kind: 'ask', id, question });
      });
      questions.delete(id);
      const alive = new Set([...members].map(({ worker }) => worker.id));
      return answers.filter((answer) => alive.has(answer.id));
    },

    /** Ends all processes at the same time. */
    async stop(how: StopRequest): Promise<void> {
      stopping.abort();
      await Promise.all([...members].map((member) => retire(member, how)));
    },
  };
}
