import { columns, rowsOf } from '../../platform/mysql/columns.ts';
import type { SituacaoContrato } from '../contratos/contratos.types.ts';
import type { Write } from '../escrita.ts';
import { CLIENTES_TAG, clienteTag } from '../tags.ts';

const CLIENTE = columns<{ id: number; situacao: string }>('clientes', { id: true, situacao: true });
const CONTRATO = columns<{ cliente_id: number; situacao: SituacaoContrato }>('contratos', {
  cliente_id: true,
  situacao: true,
});

/** Lets clients follow the states of their contracts; the caller holds the locks of both. */
export async function acompanharContratos(w: Write, clienteIds: readonly number[], _agora: Date): Promise<void> {
  if (clienteIds.length === 0) return;
  const clientes = await rowsOf(w.from('clientes').whereIn('id', [...clienteIds]), CLIENTE);
  const contratos = await rowsOf(w.from('contratos').whereIn('cliente_id', [...clienteIds]), CONTRATO);
  const com = (situacao: SituacaoContrato): Set<number> =>
    new Set(contratos.filter((contrato) => contrato.situacao === situacao).map(({ cliente_id: id }) => id));
  const [ativos, bloqueados] = [com('ativo'), com('bloqueado')];
  const bloquear = clientes.filter(({ id, situacao }) => situacao === 'ativo' && bloqueados.has(id) && !ativos.has(id));
  const liberar = clientes.filter(({ id, situacao }) => situacao === 'bloqueado' && ativos.has(id));
  for (const [mudam, situacao] of [
    [bloquear, 'bloqueado'],
    [liberar, 'ativo'],
  ] as const) {
    const ids = mudam.map(({ id }) => id);
    if (ids.length === 0) continue;
    await w.update('clientes', (q) => void q.whereIn('id', ids), { situacao });
    w.touch(CLIENTES_TAG, ...ids.map(clienteTag));
  }
}
