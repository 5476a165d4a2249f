import type { Tipo } from '../importacoes.types.ts';
import { clientes } from '../lotes/clientes.lote.ts';
import { faturas } from '../lotes/faturas.lote.ts';
import type { Assunto } from '../lotes/lote.types.ts';
import { planos } from '../lotes/planos.lote.ts';

/** Does something with the kind of lines that a file has. */
export function comAssunto<R>(tipo: Tipo, fazer: <Valor, Nova>(assunto: Assunto<Valor, Nova>) => R): R {
  if (tipo === 'clientes') return fazer(clientes);
  return tipo === 'faturas' ? fazer(faturas) : fazer(planos);
}
