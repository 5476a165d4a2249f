import type { Knex } from 'knex';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { CLIENTES_TAG, clienteTag } from '../tags.ts';
import type { SituacaoCliente } from './clientes.types.ts';
import { NAO_CANCELADOS, situacaoPelosContratos } from './situacao.regras.ts';
import type { ContagemDeContratos } from './situacao.regras.ts';

const DO_CLIENTE = columns<{ id: number; situacao: SituacaoCliente }>('clientes', { id: true, situacao: true });
const CONTAGEM = expressions<ContagemDeContratos>({
  vigentes: 'COUNT(contratos.id)',
  bloqueados: "COUNT(IF(contratos.situacao = 'bloqueado', 1, NULL))",
});

/** Clients who follow as a part of what makes, or takes back, themselves. */
export interface Calados {
  /** Of some clients, those. */
  readonly quais: (clienteIds: readonly number[]) => Promise<readonly number[]>;
  /** Whether webhooks hear of them all the same. */
  readonly avisar: boolean;
}

/**
 * Has clients follow their contracts, which have just moved; the caller holds the locks of both. At most three statements, however many
 * they are.
 *
 * @param calados Of these the rows stay of the time that they were, by which is told whether anybody has touched them.
 */
export async function acompanharContratos(
  w: Write,
  clienteIds: readonly number[],
  calados: Calados | null = null,
): Promise<void> {
  if (clienteIds.length === 0) return;
  const deles = w
    .from('clientes')
    .leftJoin('contratos', function on() {
      sameTenant('clientes', 'id', 'contratos', 'cliente_id').call(this);
      this.onIn('contratos.situacao', [...NAO_CANCELADOS]);
    })
    .whereIn('clientes.id', [...new Set(clienteIds)])
    .whereIn('clientes.situacao', ['ativo', 'bloqueado'])
    .groupBy('clientes.id', 'clientes.situacao')
    .orderBy('clientes.id');
  const clientes = await rowsOf(deles, DO_CLIENTE, CONTAGEM);
  for (const situacao of ['bloqueado', 'ativo'] as const) {
    const mudam = clientes.filter((cliente) => {
      return cliente.situacao !== situacao && situacaoPelosContratos(cliente.situacao, cliente) === situacao;
    });
    const ids = mudam.map(({ id }) => id);
    const quietos = new Set(ids.length === 0 ? [] : await calados?.quais(ids));
    const { db } = w.tenant;
    await gravar(
      w,
      ids.filter((id) => !quietos.has(id)),
      { situacao },
    );
    const doMesmoTempo = { situacao, atualizado_em: db.raw('atualizado_em') };
    await gravar(
      w,
      ids.filter((id) => quietos.has(id)),
      doMesmoTempo,
      calados?.avisar,
    );
  }
}

/**
 * Makes clients of those who had only registered: a contract of theirs has begun. The caller holds their locks, and has asked for the
 * confirmation that it may need (`exigirConfirmacaoAoEfetivar`).
 */
export async function efetivarPreCadastros(w: Write, clienteIds: readonly number[]): Promise<void> {
  const preCadastros = w.from('clientes').whereIn('id', clienteIds).where('situacao', 'pre_cadastro').orderBy('id');
  const rows = await rowsOf(preCadastros, DO_CLIENTE);
  await gravar(
    w,
    rows.map(({ id }) => id),
    { situacao: 'ativo' },
  );
}

async function gravar(
  w: Write,
  ids: readonly number[],
  mudanca: { readonly situacao: SituacaoCliente; readonly atualizado_em?: Knex.Raw },
  avisar = true,
): Promise<void> {
  if (ids.length === 0) return;
  await w.update('clientes', (q) => void q.whereIn('id', ids), mudanca);
  if (avisar) for (const id of ids) w.emit('cliente.atualizado', id, { cliente: id, campos: ['situacao'] });
  w.touch(CLIENTES_TAG, ...ids.map(clienteTag));
}
