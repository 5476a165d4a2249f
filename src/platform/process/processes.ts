import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StopRequest } from './member.ts';
import type { FromProcess, ToProcess } from './messages.ts';

export interface ProcessesOptions {
  /** The program that each process runs, and what it is told. */
  readonly exec: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly count: number;
  /** Lines for the person at the terminal. */
  readonly log: (line: string) => void;
  /** A process is gone; with its last words, when it said any. */
  readonly onGone: (id: number, words: unknown) => void;
}

/** What a process answered. */
export interface Answer {
  /** Of the process; never given to another one. */
  readonly id: number;
  readonly answer: unknown;
}

/** A process that does not answer the primary within this long is busy or frozen; it is left out. */
const ANSWER_MS = 1500;
const START_MS = 60_000;
/** A process that ends sooner after its start was not well from the start. */
const SICKLY_MS = 10_000;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;
/** In a restart nobody waits, so clients get all the time they need to notice that a connection ends. */
const RESTARTED: StopRequest = { idleMs: 10_000, graceMs: 15_000 };
/** Beyond its grace, a process has this long for what comes after its last connection. */
const EPILOGUE_MS = 5000;

interface Member {
  readonly worker: Worker;
  readonly startedAt: number;
  readonly exited: Promise<string>;
  ready: boolean;
  /** Its end is wanted. */
  leaving: boolean;
  words: unknown;
}

export type Processes = ReturnType<typeof createProcesses>;

/**
 * Several processes on one port. The primary accepts connections and hands each to the next process that is free, so a process that
 * hangs holds up one connection and not a share of them.
 */
export function createProcesses({ exec, args, env, count, log, onGone }: ProcessesOptions) {
  const members = new Set<Member>();
  const questions = new Map<number, { answers: Answer[]; missing: number; done: () => void }>();
  const stopping = new AbortController();
  let restarting: Promise<void> | undefined;
  let failures = 0;
  let asked = 0;

  cluster.schedulingPolicy = cluster.SCHED_RR;
  // V8 gives each process four helper threads, which collect garbage at full priority: with as many processes as cores they would take
  // the processor from the event loops (the bench `pdf`: look-ups' p99 8 ms with four, 5 ms with one).
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

  /** Starts a process; resolves once it answers requests, rejects when it ends before. */
  async function launch(): Promise<Member> {
    const worker = cluster.fork(env);
    const exited = new Promise<string>((resolve) => {
      worker.once('exit', (code, signal) => resolve(signal === null ? `código ${code}` : `sinal ${signal}`));
      // Of one that lives, an error is a message that could not be sent; its end is told by its exit.
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

  /** Puts another process in the place of one that died; waits only when processes die soon after they start. */
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

  /** Ends a process that is not wanted any more, in order; by force when it does not end. */
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
        const motivo = error instanceof Error ? error.message : String(error);
        log(`Reinício interrompido: ${motivo} Os processos que restam são os de antes.`);
        return;
      }
      await retire(member, RESTARTED);
    }
    log('Reinício concluído.');
  }

  return {
    /** Resolves once all answer requests; rejects when one cannot start. */
    async start(): Promise<void> {
      await Promise.all(Array.from({ length: count }, launch));
    },

    /** Replaces the processes one by one: each new one takes connections before an old one stops taking them. */
    async restart(): Promise<void> {
      if (restarting !== undefined || stopping.signal.aborted) {
        log('Um reinício já está em andamento.');
        return;
      }
      restarting = replaceAll().finally(() => (restarting = undefined));
      await restarting;
    },

    /** Asks every process that answers requests; those that do not answer in time are left out. */
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
