import type { Relogio } from '../../platform/timing/relogio.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { acessoDe, cadastrosDe } from './acessos.queries.ts';
import type { Dono, Sessao } from './sessoes/sessoes.types.ts';
import { listarSessoes } from './sessoes/busca.queries.ts';

/** What staff see of a client's access to the app. */
export interface AcessoDoCliente {
  /** Null until the first code. */
  readonly id: number | null;
  /** Whether a code may be made for it. */
  readonly disponivel: boolean;
  readonly temSenha: boolean;
  /** Open ones. */
  readonly sessoes: number;
  /** When he last signed in. */
  readonly ultimoEm: Date | null;
}

export interface AcessosAoAppDeps {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
}

/** Subscribers' access to the app, for those who work for the provider. */
export function createAcessosAoAppService({ tenant, relogio }: AcessosAoAppDeps) {
  return {
    /** Open sessions of somebody, the newest first. */
    sessoesDe: async (dono: Dono): Promise<Sessao[]> => listarSessoes(tenant, dono, relogio.agora()),

    async doCliente({ id, cpfCnpj }: { readonly id: number; readonly cpfCnpj: string }): Promise<AcessoDoCliente> {
      const [acesso, cadastros] = await Promise.all([acessoDe(tenant, cpfCnpj), cadastrosDe(tenant, cpfCnpj)]);
      const disponivel = cadastros.some((um) => um.id === id) && (acesso === null || acesso.desativadoEm === null);
      if (acesso === null) return { id: null, disponivel, temSenha: false, sessoes: 0, ultimoEm: null };
      const sessoes = (await listarSessoes(tenant, { acessoId: acesso.id }, relogio.agora())).length;
      return { id: acesso.id, disponivel, temSenha: acesso.senhaHash !== null, sessoes, ultimoEm: acesso.ultimoEm };
    },
  };
}

export type AcessosAoAppService = ReturnType<typeof createAcessosAoAppService>;
