import { isIPv4 } from 'node:net';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { WriteFor } from '../escrita.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import { createFilaQueries } from './fila.queries.ts';
import { grupoBloqueadoEm } from './grupos.regras.ts';
import { createNasQueries, listarNas } from './nas.queries.ts';
import { createRadiusQueries } from './radius.queries.ts';
import type { Nas, NovoNas } from './rede.types.ts';

export type NasService = ReturnType<typeof createNasService>;

export interface NasDeps {
  readonly db: Db;
  readonly write: WriteFor;
  /** Recomputes the connections of a provider, whose sessions are told by its NASes. */
  readonly recalcular: (provedorId: number) => Promise<unknown>;
}

/** Widths of the columns of FreeRADIUS's table `nas`. */
const MAIOR_SEGREDO = 60;
const MAIOR_NOME = 32;

/** NASes of a provider: whose a session is, whom FreeRADIUS answers, and where a session is ended. */
export function createNasService({ db, write, recalcular }: NasDeps) {
  return {
    /** NASes of a provider, by address, without their secrets. */
    listar: async (provedorId: number): Promise<Nas[]> => listarNas(db, provedorId),

    /**
     * Adds a NAS, or changes one that the provider has. FreeRADIUS knows it, or its new secret, from its next start.
     *
     * @returns whether it is new.
     * @throws EntradaInvalida naming the part that is not acceptable, or when the address is another provider's.
     */
    async adicionar(actor: Actor, provedorId: number, { nome, ...resto }: NovoNas): Promise<boolean> {
      const novo = { ...resto, nome: nome === null ? null : aparar(nome) };
      conferir(novo);
      const { endereco, portaCoa } = novo;
      const criado = await write(actor, provedorId, async (w) => {
        const fila = createFilaQueries(w.tenant.db);
        const dono = await fila.donoDoNas(endereco);
        if (dono !== null && dono !== provedorId) throw new EntradaInvalida(`o NAS ${endereco} é do provedor ${dono}`);
        const queries = createNasQueries(w);
        await queries.gravar(novo, dono !== null);
        await queries.gravarCliente(novo);
        if (dono === null) {
          // Who is blocked on each NAS of the provider is blocked on this one, too.
          const nas = (await fila.nasDe([provedorId])).map(({ nasipaddress }) => nasipaddress);
          const bloqueados = await queries.bloqueadosEm(nas);
          if (bloqueados.length > 0) {
            const radius = createRadiusQueries(w);
            const groupname = grupoBloqueadoEm(endereco);
            await radius.definirBloqueioEm([endereco]);
            await radius.trocarGrupos(
              [],
              bloqueados.map((linha) => ({ ...linha, groupname })),
            );
          }
        }
        w.touch(PROVEDOR_TAG);
        w.emit(dono === null ? 'nas.adicionado' : 'nas.alterado', null, { nas: endereco, porta_coa: portaCoa });
        return dono === null;
      });
      if (criado) await recalcular(provedorId);
      return criado;
    },

    /** Removes a NAS, its secret included; false when the provider has none of that address. */
    async remover(actor: Actor, provedorId: number, endereco: string): Promise<boolean> {
      const removido = await write(actor, provedorId, async (w) => {
        if ((await createNasQueries(w).remover(endereco)) === 0) return false;
        w.touch(PROVEDOR_TAG);
        w.emit('nas.removido', null, { nas: endereco });
        return true;
      });
      if (removido) await recalcular(provedorId);
      return removido;
    },
  };
}

/** Says nothing of the secret itself. */
function conferir({ endereco, portaCoa, nome, segredo }: NovoNas): void {
  // radacct's nasipaddress holds IPv4 alone.
  if (!isIPv4(endereco)) throw new EntradaInvalida(`endereço: ${endereco} não é IPv4`);
  if (portaCoa < 1 || portaCoa > 65_535) throw new EntradaInvalida('porta-coa: de 1 a 65535');
  if (nome !== null && (nome === '' || nome.length > MAIOR_NOME)) {
    throw new EntradaInvalida(`nome: de 1 a ${MAIOR_NOME} caracteres`);
  }
  if (!/^[\x21-\x7e]+$/.test(segredo) || segredo.length > MAIOR_SEGREDO) {
    throw new EntradaInvalida(`segredo: de 1 a ${MAIOR_SEGREDO} letras, números e sinais, sem espaços nem acentos`);
  }
}
