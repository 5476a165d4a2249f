import type { Conferidos, Escrita, Lida, PedidoDeCnab } from '../../../workers/threads/cnab/contract.ts';
import type { Threads } from '../../platform/threads/threads.ts';

/** A file of the largest size is read in some seconds; what takes longer is not what it says. */
const PACIENCIA_MS = 120_000;

type Pedido<O extends PedidoDeCnab['o']> = Omit<Extract<PedidoDeCnab, { o: O }>, 'o'>;

/** Bank files, in a thread. */
export interface Cnab {
  readonly conferir: (pedido: Pedido<'conferir'>) => Promise<Conferidos>;
  readonly escrever: (pedido: Pedido<'escrever'>) => Promise<Escrita>;
  readonly ler: (pedido: Pedido<'ler'>) => Promise<Lida>;
}

/** @param leitura where files of banks are read: who writes one has invoices locked, and must not wait for a large one of somebody else's */
export function createCnab(escrita: Pick<Threads, 'run'>, leitura: Pick<Threads, 'run'>): Cnab {
  const pedir = async <Resposta>(pedido: PedidoDeCnab): Promise<Resposta> =>
    (pedido.o === 'ler' ? leitura : escrita).run<PedidoDeCnab, Resposta>(
      'cnab',
      pedido,
      AbortSignal.timeout(PACIENCIA_MS),
    );
  return {
    conferir: async (pedido) => pedir<Conferidos>({ o: 'conferir', ...pedido }),
    escrever: async (pedido) => pedir<Escrita>({ o: 'escrever', ...pedido }),
    ler: async (pedido) => pedir<Lida>({ o: 'ler', ...pedido }),
  };
}
