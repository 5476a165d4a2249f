import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Write } from '../../escrita.ts';
import { palavrasDe } from './palavras.regras.ts';

/** A client by whose names it is found. */
export interface Nomeado {
  readonly id: number;
  readonly nome: string;
  readonly nomeFantasia: string | null;
}

/** Rows of a statement. */
const LINHAS = 2000;

export const DA_PALAVRA = columns<{ palavra: string; cliente_id: number }>('clientes_palavras', {
  palavra: true,
  cliente_id: true,
});

/** Writes the words of clients that have none yet. */
export async function inserirPalavras(w: Write, clientes: readonly Nomeado[]): Promise<void> {
  await inserir(
    w,
    clientes.flatMap(({ id, nome, nomeFantasia }) =>
      palavrasDe(nome, nomeFantasia).map((palavra) => ({ palavra, cliente_id: id })),
    ),
  );
}

/** Makes the words of clients, who are locked, those of their names. Resolves to how many words came or went. */
export async function trocarPalavras(w: Write, clientes: readonly Nomeado[]): Promise<number> {
  if (clientes.length === 0) return 0;
  const ids = clientes.map(({ id }) => id);
  const tem = new Map<number, Set<string>>(ids.map((id) => [id, new Set()]));
  for (const { cliente_id: id, palavra } of await rowsOf(
    w.from('clientes_palavras').whereIn('cliente_id', ids),
    DA_PALAVRA,
  )) {
    tem.get(id)?.add(palavra);
  }
  const entram: { palavra: string; cliente_id: number }[] = [];
  const saem: [string, number][] = [];
  for (const { id, nome, nomeFantasia } of clientes) {
    const devidas = new Set(palavrasDe(nome, nomeFantasia));
    const suas = tem.get(id) ?? new Set();
    for (const palavra of devidas) if (!suas.has(palavra)) entram.push({ palavra, cliente_id: id });
    for (const palavra of suas) if (!devidas.has(palavra)) saem.push([palavra, id]);
  }
  for (let de = 0; de < saem.length; de += LINHAS) {
    const lote = saem.slice(de, de + LINHAS);
    await w.delete('clientes_palavras', (q) => void q.whereIn(['palavra', 'cliente_id'], lote));
  }
  await inserir(w, entram);
  return entram.length + saem.length;
}

/** Nobody finds the client by its names any more. */
export async function apagarPalavras(w: Write, clienteId: number): Promise<void> {
  await w.delete('clientes_palavras', (q) => void q.where('cliente_id', clienteId));
}

async function inserir(w: Write, linhas: readonly { palavra: string; cliente_id: number }[]): Promise<void> {
  for (let de = 0; de < linhas.length; de += LINHAS) {
    await w.insert('clientes_palavras', linhas.slice(de, de + LINHAS));
  }
}
