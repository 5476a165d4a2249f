import { setTimeout as sleep } from 'node:timers/promises';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { createTenantDb } from '../../../platform/mysql/tenant.ts';
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

const POR_LOTE = 1000;

const DO_CLIENTE = columns<{ id: number; nome: string; nomeFantasia: string | null; apagado: number }>('clientes', {
  id: true,
  nome: true,
  nomeFantasia: 'nome_fantasia',
  apagado: 'apagado_em IS NOT NULL',
});

/** Who was erased has no words. */
const comoSeAcha = ({ id, nome, nomeFantasia, apagado }: Nomeado & { readonly apagado: number }): Nomeado =>
  apagado === 1 ? { id, nome: '', nomeFantasia: null } : { id, nome, nomeFantasia };

/** Brings the words of names to what names say, also where somebody wrote a name past Malha. */
export function createReconstrucaoDePalavrasService({ db, write, descansoMs }: ReconstrucaoDePalavrasDeps) {
  return {
    /**
     * Goes through all clients of a provider in lots, and writes only where words are wrong; it may be run again at any time. Ends early,
     * with what it did, once aborted. Resolves to how many clients were looked at, and how many had wrong words.
     */
    async refazer(
      actor: Actor,
      provedorId: number,
      signal?: AbortSignal,
    ): Promise<{ vistos: number; mudados: number }> {
      const tenant = createTenantDb(db, provedorId);
      let [vistos, mudados] = [0, 0];
      for (let depois = 0; ;) {
        if (signal?.aborted === true) break;
        const lidos = await rowsOf(
          tenant.from('clientes').where('id', '>', depois).orderBy('id').limit(POR_LOTE),
          DO_CLIENTE,
        );
        const ultimo = lidos.at(-1);
        if (ultimo === undefined) break;
        depois = ultimo.id;
        vistos += lidos.length;
        const errados = await comPalavrasErradas(lidos.map(comoSeAcha));
        if (errados.length > 0) {
          mudados += await write(actor, provedorId, async (w) => {
            const travados = w.from('clientes').whereIn('id', errados).orderBy('id').forUpdate();
            const clientes = await rowsOf(travados, DO_CLIENTE);
            await trocarPalavras(w, clientes.map(comoSeAcha));
            return clientes.length;
          });
        }
        if (lidos.length < POR_LOTE) break;
        await sleep(descansoMs());
      }
      return { vistos, mudados };

      async function comPalavrasErradas(clientes: readonly Nomeado[]): Promise<number[]> {
        const ids = clientes.map(({ id }) => id);
        const tem = new Map<number, string[]>();
        for (const { cliente_id: id, palavra } of await rowsOf(
          tenant.from('clientes_palavras').whereBetween('cliente_id', [ids[0] ?? 0, ids.at(-1) ?? 0]),
          DA_PALAVRA,
        )) {
          tem.set(id, [...(tem.get(id) ?? []), palavra]);
        }
        return clientes
          .filter(({ id, nome, nomeFantasia }) => {
            const devidas = palavrasDe(nome, nomeFantasia);
            const suas = tem.get(id) ?? [];
            return devidas.length !== suas.length || !devidas.every((palavra) => suas.includes(palavra));
          })
          .map(({ id }) => id);
      }
    },
  };
}
