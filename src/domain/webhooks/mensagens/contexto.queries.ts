import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { chamadosDosEventos, faturasDosEventos, recursosDe } from '../../eventos/contexto.service.ts';
import type { Contexto } from '../../eventos/contexto.types.ts';
import type { EventoEscrito } from '../../eventos/traducao.regras.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { AlvoDeAviso } from '../../rede/avisos/avisos.types.ts';

/** How many contracts some targets cover. */
export interface Cobertura {
  buscar(id: number): Promise<{ readonly alvos: readonly AlvoDeAviso[] } | null>;
  cobertura(aviso: { readonly alvos: readonly AlvoDeAviso[] }): Promise<{ readonly contratos: number }>;
}

/** Reads, in a statement each, what events do not say of invoices and tickets. */
export async function lerContexto(
  tenant: TenantDb,
  provedor: Provedor,
  agora: Date,
  avisos: Cobertura,
  eventos: readonly EventoEscrito[],
): Promise<Contexto> {
  return {
    faturas: await faturasDosEventos(tenant, provedor, agora, eventos),
    chamados: await chamadosDosEventos(tenant, eventos),
    cobertos: await cobertosPor(avisos, recursosDe(eventos, 'rede.aviso_')),
  };
}

/** Notices are few: one after the other. */
async function cobertosPor(avisos: Cobertura, ids: readonly number[]): Promise<Map<number, number>> {
  const cobertos = new Map<number, number>();
  for (const id of ids) {
    const aviso = await avisos.buscar(id);
    if (aviso !== null) cobertos.set(id, (await avisos.cobertura(aviso)).contratos);
  }
  return cobertos;
}
