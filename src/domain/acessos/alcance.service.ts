import { rowsOf, columns } from '../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { BUSCA_DE_CLIENTES_TAG, clienteTag } from '../tags.ts';
import { acessoDe, cadastrosDe, cadastrosDoDocumento, oCliente } from './acessos.queries.ts';
import type { Cadastro } from './acessos.types.ts';
import { createCodigosQueries } from './codigos/codigos.queries.ts';
import { encerrarSessoesDoApp, tocarSessoesDoApp } from './sessoes/encerramento.service.ts';

/** What a subscriber reaches: all registrations of his tax id but those that nobody vouches for. */
export interface Alcance {
  /** Oldest first; none where nothing is reached. */
  readonly clienteIds: readonly number[];
  /** The registration that is the client. */
  readonly clienteId: number | null;
}

const alcanceDos = (cadastros: readonly Cadastro[]): Alcance => ({
  clienteIds: cadastros.map(({ id }) => id),
  clienteId: oCliente(cadastros)?.id ?? null,
});

/** What a tax id reaches now, for writes. */
export const alcanceDe = async (de: Pick<TenantDb, 'from'>, cpfCnpj: string): Promise<Alcance> =>
  alcanceDos(await cadastrosDe(de, cpfCnpj));

/** What subscribers reach, for answers that are kept. */
export function createAlcanceService({ tenant, trail }: { readonly tenant: TenantDb; readonly trail: Trail }) {
  return {
    async doDocumento(cpfCnpj: string): Promise<Alcance> {
      const { todos, alcancados } = await cadastrosDoDocumento(tenant, cpfCnpj);
      // Those that are not reached now may be, once their state is another.
      trail.dependsOn(BUSCA_DE_CLIENTES_TAG, ...todos.map(clienteTag));
      return alcanceDos(alcancados);
    },
  };
}

export type AlcanceService = ReturnType<typeof createAlcanceService>;

/**
 * Ends the sessions of tax ids that reach no registration any more: it has another tax id now, or is one that nobody vouches for. Password and
 * codes hold no more either: who comes to have the tax id may be another person, of whom this one would see everything.
 */
export async function encerrarSemAlcance(w: Write, documentos: readonly string[], agora: Date): Promise<void> {
  for (const documento of new Set(documentos)) {
    if ((await cadastrosDe(w, documento)).length > 0) continue;
    const acesso = await acessoDe(w, documento, true);
    if (acesso === null) continue;
    await w.update('app_acessos', (q) => void q.where('id', acesso.id), { senha_hash: null, trocar_senha: 0 });
    await createCodigosQueries(w).anular(acesso.id, agora);
    const sessoes = await encerrarSessoesDoApp(w, { acessoIds: [acesso.id] }, 'sem_alcance', agora);
    if (sessoes > 0) w.emit('sessao.encerrada', null, { usuario_id: null, acesso: acesso.id, sessoes });
  }
}

/** Keeps for a day what address a registration had. */
export async function guardarEmailAnterior(w: Write, clienteId: number, email: string, agora: Date): Promise<void> {
  await w.insert('clientes_emails_anteriores', { cliente_id: clienteId, email, trocado_em: toDatabaseTime(agora) });
}

const SESSAO = columns<{ id: number }>('app_sessoes', { id: true });

/** Removes the access of a tax id, with its codes, sessions and devices; whether there was one. The caller holds the lock of the tax id. */
export async function apagarAcesso(w: Write, documento: string): Promise<boolean> {
  const acesso = await acessoDe(w, documento, true);
  if (acesso === null) return false;
  // No process goes on with what it keeps of them.
  await tocarSessoesDoApp(w, { acessoIds: [acesso.id] });
  const sessoes = (await rowsOf(w.from('app_sessoes').where('acesso_id', acesso.id), SESSAO)).map(({ id }) => id);
  await w.delete('push_dispositivos', (q) => void q.where('acesso_id', acesso.id));
  await w.delete('app_tokens', (q) => void q.whereIn('sessao_id', sessoes));
  await w.delete('app_sessoes', (q) => void q.where('acesso_id', acesso.id));
  await w.delete('app_codigos', (q) => void q.where('acesso_id', acesso.id));
  await w.delete('app_acessos', (q) => void q.where('id', acesso.id));
  return true;
}

/** The same, where it reaches no registration but this one. */
export async function apagarAcessoSemAlcance(w: Write, documento: string, menosCliente: number): Promise<boolean> {
  const outros = (await cadastrosDe(w, documento)).filter(({ id }) => id !== menosCliente);
  return outros.length === 0 && apagarAcesso(w, documento);
}
