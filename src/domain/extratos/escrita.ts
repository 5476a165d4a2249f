import { FORMATOS } from '../../../workers/threads/extrato/contract.ts';
import type {
  FormatoDoExtrato,
  OrdemDoExtrato,
  PedacosDoExtrato,
  RespostaDoExtrato,
  TabelaDoExtrato,
} from '../../../workers/threads/extrato/contract.ts';
import type { ObjectSink, ObjectStore } from '../../platform/storage/object-store.ts';
import type { Threads } from '../../platform/threads/threads.ts';
import type { ArquivoDoExtrato } from './extratos.types.ts';

const EXTENSOES: Readonly<Record<FormatoDoExtrato, string>> = { parquet: 'parquet', ndjson: 'ndjson.gz' };

/** Where a table's files go. */
export interface Destino {
  readonly armazem: ObjectStore;
  readonly threads: Pick<Threads, 'talk'>;
  /** The store's name of a file. */
  readonly nomear: (arquivo: string) => string;
}

export type Ordem = Extract<OrdemDoExtrato, { tipo: 'lote' }>;

/**
 * Writes a table in every format. A batch is read when the one before it is written: that bounds memory, and reading beside writing would
 * take two processors at once from who else is on the machine. Leaves nothing when it fails.
 */
export async function escreverTabela(
  { armazem, threads, nomear }: Destino,
  tabela: TabelaDoExtrato,
  lotes: AsyncIterable<Ordem>,
): Promise<ArquivoDoExtrato[]> {
  const conversa = threads.talk<TabelaDoExtrato, OrdemDoExtrato, RespostaDoExtrato>('extrato', tabela);
  const saidas = new Map<FormatoDoExtrato, ObjectSink>();

  async function gravar(pedacos: PedacosDoExtrato): Promise<void> {
    await Promise.all(
      FORMATOS.map(async (formato) => {
        const pedaco = pedacos[formato];
        if (pedaco !== null) await saidas.get(formato)?.write(pedaco);
      }),
    );
  }

  try {
    for (const formato of FORMATOS) saidas.set(formato, await armazem.create(nomear(arquivoDe(tabela, formato))));
    for await (const ordem of lotes) {
      const { pedacos } = await conversa.ask(ordem, [ordem.linhas.buffer as ArrayBuffer]);
      await gravar(pedacos);
    }
    const { pedacos, somas } = await conversa.ask({ tipo: 'fim' });
    await gravar(pedacos);
    if (somas === null) throw new Error('the thread did not add up');
    for (const saida of saidas.values()) await saida.close();
    return FORMATOS.map((formato) => ({ nome: arquivoDe(tabela, formato), formato, ...somas[formato] }));
  } catch (error) {
    await Promise.allSettled([...saidas.values()].map(async (saida) => saida.abort()));
    throw error;
  } finally {
    await conversa.end();
  }
}

const arquivoDe = ({ nome }: TabelaDoExtrato, formato: FormatoDoExtrato): string => `${nome}.${EXTENSOES[formato]}`;
