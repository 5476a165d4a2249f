import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Actor } from '../../actor.ts';
import type { WriteFor } from '../../escrita.ts';
import { palavrasDe } from './palavras.regras.ts';
import { DA_PALAVRA, trocarPalavras } from './palavras.service.ts';
import type { Nomeado } from './palavras.service.ts';

export type ReconstrucaoDePalavrasService = ReturnType<typeof createReconstrucaoDePalavrasService>;

export interface ReconstrucaoDePalavrasDeps {
  readonly db: Db;
  readonly write: WriteFor;
  /** Rest between two lots, in ms. */
  readonly descansoMs: () => number;
}

/** Clients that were looked at, and of them those whose words were wrong. */
interface Refeitas {
  readonly vistos: number;
  readonly mudados: number;
}

const POR_LOTE = 1000;

const DO_CLIENTE = columns<{ id: number; nome: string; nomeFantasia: string | null; apagado: number }>('clientes', {
  id: true,
  nome: true,
  nomeFantasia: 'nome_fantasia',
  apagado: 'apagado_em IS NOT NULL',
});

const DA_ALTERACAO = columns<{ id: number; alterado_em: string }>('clientes_alteracoes', {
  id: true,
  alterado_em: true,
});

/** Who was erased has no words. */
const comoSeAcha = ({ id, nome, nomeFantasia, apagado }: Nomeado & { readonly apagado: number }): Nomeado =>
  apagado === 1 ? { id, nome: '', nomeFantasia: null } : { id, nome, nomeFantasia };

/** Brings the words of names to what names say, also where somebody wrote a name past Malha. */
export function createReconstrucaoDePalavrasService({ db, write, descansoMs }: ReconstrucaoDePalavrasDeps) {
  /** Writes the words of those of a lot that have wrong ones. Resolves to how many had. */
  async function acertar(actor: Actor, tenant: TenantDb, ids: readonly number[]): Promise<number> {
    const lidos = await rowsOf(tenant.from('clientes').whereIn('id', ids), DO_CLIENTE);
    const errados = await comPalavrasErradas(tenant, lidos.map(comoSeAcha));
    if (errados.length === 0) return 0;
    return write(actor, tenant.provedorId, async (w) => {
      const travados = w.from('clientes').whereIn('id', errados).orderBy('id').forUpdate();
      const clientes = await rowsOf(travados, DO_CLIENTE);
      await trocarPalavras(w, clientes.map(comoSeAcha));
      return clientes.length;
    });
  }

  /** Goes through lots until one is not full, or it is aborted. */
  async function emLotes(
    actor: Actor,
    tenant: TenantDb,
    proximos: () => Promise<number[]>,
    signal?: AbortSignal,
  ): Promise<Refeitas> {
    let [vistos, mudados] = [0, 0];
    for (;;) {
      if (signal?.aborted === true) break;
      const ids = await proximos();
      vistos += ids.length;
      if (ids.length > 0) mudados += await acertar(actor, tenant, ids);
      if (ids.length < POR_LOTE) break;
      await sleep(descansoMs());
    }
    return { vistos, mudados };
  }

  return {
    /**
     * Goes through all clients of a provider in lots, and writes only where words are wrong; it may be run again at any time. Ends early,
     * with what it did, once aborted.
     */
    async refazer(actor: Actor, provedorId: number, signal?: AbortSignal): Promise<Refeitas> {
      const tenant = createTenantDb(db, provedorId);
      let depois = 0;
      const proximos = async (): Promise<number[]> => {
        const daqui = tenant.from('clientes').where('id', '>', depois).orderBy('id').limit(POR_LOTE);
        const ids = (await rowsOf(daqui, DO_CLIENTE)).map(({ id }) => id);
        depois = ids.at(-1) ?? depois;
        return ids;
      };
      return emLotes(actor, tenant, proximos, signal);
    },

    /**
     * As `refazer`, for the clients that changed since an instant of the database's clock, as the database writes it:
     * `clientes_alteracoes` names them, whoever wrote them.
     */
    async refazerDesde(actor: Actor, provedorId: number, desde: string, signal?: AbortSignal): Promise<Refeitas> {
      const tenant = createTenantDb(db, provedorId);
      let marca = { id: 0, alterado_em: desde };
      const proximos = async (): Promise<number[]> => {
        const { id, alterado_em } = marca;
        const alteradas = tenant
          .from('clientes_alteracoes')
          .where((q) => void q.where('alterado_em', '>', alterado_em).orWhere({ alterado_em }).where('id', '>', id))
          .where('alterado_em', '>=', alterado_em)
          .orderBy(['alterado_em', 'id'])
          .limit(POR_LOTE);
        const linhas = await rowsOf(alteradas, DA_ALTERACAO);
        marca = linhas.at(-1) ?? marca;
        return linhas.map((linha) => linha.id);
      };
      return emLotes(actor, tenant, proximos, signal);
    },
  };
}

async function comPalavrasErradas(tenant: TenantDb, clientes: readonly Nomeado[]): Promise<number[]> {
  const ids = clientes.map(({ id }) => id);
  const tem = new Map<number, string[]>();
  const suas = tenant.from('clientes_palavras').whereIn('cliente_id', ids);
  for (const { cliente_id: id, palavra } of await rowsOf(suas, DA_PALAVRA)) {
    tem.set(id, [...(tem.get(id) ?? []), palavra]);
  }
  return clientes
    .filter(({ id, nome, nomeFantasia }) => {
      const devidas = palavrasDe(nome, nomeFantasia);
      const dele = tem.get(id) ?? [];
      return devidas.length !== dele.length || !devidas.every((palavra) => dele.includes(palavra));
    })
    .map(({ id }) => id);
}
