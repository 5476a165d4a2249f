import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DadosDaNota } from '../../src/brazil/nfcom/base/nota.types.ts';
import { createThreads } from '../../src/platform/threads/threads.ts';
import { DO_NORMAL, itemDeExemplo, notaDeExemplo, svaDeExemplo } from '../../test/support/nfcom/notas.ts';
import type { ChaveQueAssina, DocumentoAssinado, LoteDeNotas } from '../../workers/threads/nfcom/contract.ts';
import type { BareOrder } from './bare-signing.ts';
import { answerMessages } from '../support/helper.ts';

/**
 * Handing a batch over is work of the event loop, in whose time nobody else runs there: of twenty notes it is half a
 * millisecond. The next one waits while one is made, so that the thread need not.
 */
const BATCH = 20;
const AT_ONCE = 2;

/** Reads the certificate, and makes notes in a thread, so many or until it is told to stop. */
export type Order =
  | { readonly kind: 'key'; readonly chave: ChaveQueAssina }
  | { readonly kind: 'notes'; readonly count: number }
  | { readonly kind: 'bare'; readonly count: number }
  | { readonly kind: 'start' }
  | { readonly kind: 'stop' };

export interface Made {
  readonly count: number;
  readonly perSecond: number;
  /** Processor time that this process took, in milliseconds: what else the machine does counts less in it. */
  readonly cpuMs: number;
  /** Of all notes since the process began. */
  readonly total: number;
  readonly rssMb: number;
}

const threads = createThreads({ maxThreads: 1 });
const signing = new Worker(new URL('bare-signing.js', import.meta.url));
const { pis, cofins } = DO_NORMAL;
const itens = [itemDeExemplo({ tributos: DO_NORMAL }), svaDeExemplo({ pis, cofins })];
const emitente = { ...notaDeExemplo().emitente, crt: 3 } as const;

let chave: ChaveQueAssina | undefined;
let begunNotes = 0;
let made = 0;
/** The bytes that the last note signed: its infNFCom. */
let signed = Buffer.alloc(0);
let stopped = true;
let underWay: Promise<Made> | undefined;

/** By turns one of the Simples, and one of the normal regime with ICMS, funds, IBS and CBS. */
function note(numero: number): DadosDaNota {
  const { destinatario } = notaDeExemplo();
  const doCliente = { ...destinatario, nome: `Assinante ${numero}`, endereco: { ...destinatario.endereco } };
  const comum = { numero, codigoNumerico: String(numero % 10_000_000).padStart(7, '0'), destinatario: doCliente };
  return notaDeExemplo(numero % 2 === 0 ? comum : { ...comum, emitente, itens });
}

async function batch(): Promise<void> {
  if (chave === undefined) throw new Error('no key');
  const first = begunNotes + 1;
  begunNotes += BATCH;
  const documentos = Array.from({ length: BATCH }, (_, n) => ({ tipo: 'nota', dados: note(first + n) }) as const);
  const answers = await threads.run<LoteDeNotas, DocumentoAssinado[]>('nfcom', {
    chave,
    esquema: 'NT2025.001',
    documentos,
  });
  const last = answers.at(-1);
  if (answers.length !== BATCH || !answers.every(({ certo }) => certo) || last?.certo !== true) {
    throw new Error(`a note was refused: ${JSON.stringify(answers.find(({ certo }) => !certo))}`);
  }
  signed = Buffer.from(/<infNFCom.*<\/infNFCom>/s.exec(last.xml)?.[0] ?? '');
  made += BATCH;
}

interface Begun {
  readonly at: number;
  readonly cpu: NodeJS.CpuUsage;
}

const begin = (): Begun => ({ at: performance.now(), cpu: process.cpuUsage() });

async function makeWhile(more: (count: number) => boolean): Promise<Made> {
  const begun = begin();
  const before = made;
  const work = async (): Promise<void> => {
    while (more(made - before)) await batch();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return told(made - before, begun);
}

function told(count: number, { at, cpu }: Begun): Made {
  const { user, system } = process.cpuUsage(cpu);
  return {
    count,
    perSecond: (count * 1000) / (performance.now() - at),
    cpuMs: (user + system) / 1000,
    total: made,
    rssMb: Math.round(process.memoryUsage.rss() / 1_048_576),
  };
}

/** The signature alone, in a loop, of what a note signs. */
async function bare(count: number): Promise<Made> {
  if (chave === undefined) throw new Error('no key');
  const begun = begin();
  signing.postMessage({ chavePem: chave.chavePem, bytes: signed, count } satisfies BareOrder, []);
  await once(signing, 'message');
  return told(count, begun);
}

answerMessages(async (order: Order): Promise<object> => {
  switch (order.kind) {
    case 'key':
      chave = order.chave;
      return {};
    case 'notes':
      return makeWhile((count) => count < order.count);
    case 'bare':
      return bare(order.count);
    case 'start':
      stopped = false;
      underWay = makeWhile(() => !stopped);
      underWay.catch(() => undefined);
      return {};
    case 'stop':
      stopped = true;
  }
  return (await underWay) ?? {};
});
