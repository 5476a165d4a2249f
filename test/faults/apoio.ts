import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { gerarChave, inicioDaChave, lerChave } from '../../src/domain/chaves/chave.ts';
import { PERMISSOES } from '../../src/domain/chaves/chaves.types.ts';
import { CLIENTES_TAG, clienteTag } from '../../src/domain/tags.ts';
import { createTenantWriter } from '../../src/platform/mysql/tenant.ts';
import type { Api, Resposta } from '../support/api.ts';
import { ate } from '../support/espera.ts';
import { criarFabrica } from '../support/fabrica.ts';
import { AUTOR } from '../support/autor.ts';

/** A client whose name shows a counter, and the key to read it. */
export async function cliente(api: Pick<Api, 'container'>) {
  const { db } = api.container;
  const fabrica = criarFabrica(db);
  const provedor = await fabrica.provedor();
  const id = await fabrica.cliente(provedor, { nome: 'C 0' });
  const chaves = Array.from({ length: 10 }, () => gerarChave(provedor));
  // Not through the service, which waits for Redis to confirm it.
  await createTenantWriter(db, provedor).insert(
    'chaves_api',
    chaves.map((chave) => ({
      nome: 'testes',
      inicio: inicioDaChave(chave),
      hash: Buffer.from(lerChave(chave)!.hash, 'hex'),
      permissoes: JSON.stringify(PERMISSOES),
      limite_por_minuto: 1200,
    })),
  );
  let vez = 0;
  let escrito = 0;
  return {
    provedor,
    id,
    chave: chaves[0]!,
    /** Many requests take turns, so that none is over a key's limit. */
    algumaChave: (): string => chaves[(vez += 1) % chaves.length]!,
    caminho: `/clientes/${id}`,
    /** What the last answered write left. */
    escrito: () => escrito,
    respondida(valor: number): void {
      escrito = Math.max(escrito, valor);
    },
    mostrado({ corpo }: Resposta): number {
      const dados = Array.isArray(corpo.dados) ? corpo.dados[0] : corpo.dados;
      return Number(String(dados.nome).slice(2));
    },
  };
}
export type Cliente = Awaited<ReturnType<typeof cliente>>;

/** Adds one to the client's counter through the helper; resolves once the write is answered. */
export async function escrever({ container }: Pick<Api, 'container'>, c: Cliente): Promise<void> {
  const novo = await container.write(AUTOR, c.provedor, async (w) => {
    w.touch(clienteTag(c.id), CLIENTES_TAG);
    const [linha] = await w.from('clientes').where('clientes.id', c.id).forUpdate().select<{ nome: string }[]>('nome');
    const proximo = Number(linha!.nome.slice(2)) + 1;
    await w.update('clientes', (q) => void q.where({ id: c.id }), { nome: `C ${proximo}` });
    return proximo;
  });
  c.respondida(novo);
}

/** The SQL that one process makes while something is done. */
export async function sqlDe({ containers }: Api, processo: number, fazer: () => Promise<unknown>): Promise<string[]> {
  const { db } = containers[processo]!;
  const feitas: string[] = [];
  const ouvir = ({ sql }: { sql: string }): void => void feitas.push(sql);
  db.on('query', ouvir);
  try {
    await fazer();
  } finally {
    db.off('query', ouvir);
  }
  return feitas;
}

/** Waits until a process answers from its cache again. */
export async function guarda(api: Api, processo: number, c: Cliente, caminho = c.caminho): Promise<void> {
  await ate(
    async () => (await sqlDe(api, processo, () => api.get(caminho, { chave: c.algumaChave(), processo }))).length === 0,
  );
}

/** Longer than anything here may take; a wait that ends here is a hang. */
const SEM_TRAVAR_MS = 10_000;

/** Reads a client in every process, again and again, while something is done: each answer is 200 and none is old. */
export async function lerDurante(t: ExecutionContext, api: Api, c: Cliente, fazer: () => Promise<void>) {
  const parar = new AbortController();
  let lidas = 0;
  const leitores = api.containers.map(async (_, processo) => {
    while (!parar.signal.aborted) {
      const minimo = c.escrito();
      const begun = performance.now();
      const resposta = await api.get(c.caminho, { chave: c.algumaChave(), processo });
      t.true(performance.now() - begun < SEM_TRAVAR_MS);
      t.is(resposta.status, 200);
      t.true(c.mostrado(resposta) >= minimo, `mostrou ${c.mostrado(resposta)} depois de ${minimo}`);
      lidas += 1;
      await sleep(5);
    }
  });
  try {
    await fazer();
  } finally {
    parar.abort();
    await Promise.all(leitores);
  }
  t.true(lidas > 0);
}
