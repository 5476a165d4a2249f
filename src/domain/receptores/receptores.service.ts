import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { isIpRule } from '../../platform/ip.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { EntradaInvalida } from '../erros.ts';
import type { WriteFor } from '../escrita.ts';
import { gerarSegredo, pareceSegredo, resumoDoSegredo } from '../segredo.ts';
import { buscarReceptorPorHash, gravarReceptor, gravarRevogacao, listarReceptores } from './receptores.queries.ts';
import type { NovoReceptor, Receptor, ReceptorComProvedor } from './receptores.types.ts';

export type ReceptoresService = ReturnType<typeof createReceptoresService>;

export interface ReceptoresDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

/** Receivers of PIX payments: addresses that a provider gives to its PSP. */
export function createReceptoresService({ db, relogio, write }: ReceptoresDeps) {
  return {
    /**
     * Creates a receiver. The secret of its address is in the answer and nowhere else.
     *
     * @throws EntradaInvalida naming the part that is not acceptable.
     */
    async criar(actor: Actor, provedorId: number, novo: NovoReceptor): Promise<{ id: number; segredo: string }> {
      const nome = aparar(novo.nome);
      if (nome.length < 1 || nome.length > 100) throw new EntradaInvalida('nome: de 1 a 100 caracteres');
      const ips = novo.ipsPermitidos ?? [];
      const errado = ips.find((ip) => !isIpRule(ip));
      if (errado !== undefined) throw new EntradaInvalida(`ips: ${errado} não é endereço nem faixa CIDR`);
      const segredo = gerarSegredo();
      const id = await write(actor, provedorId, async (w) => {
        const gravado = await gravarReceptor(w, {
          nome,
          ipsPermitidos: ips.length === 0 ? null : ips,
          criadoEm: relogio.agora(),
          tokenHash: resumoDoSegredo(segredo),
        });
        w.emit('receptor.criado', gravado);
        return gravado;
      });
      return { id, segredo };
    },

    /** Receivers of a provider, the revoked ones included, by id. */
    listar: async (provedorId: number): Promise<Receptor[]> => listarReceptores(db, provedorId),

    /** Revokes a receiver; false when the provider has none of that id to revoke. No process remembers any. */
    async revogar(actor: Actor, provedorId: number, id: number): Promise<boolean> {
      return write(actor, provedorId, async (w) => {
        const revogados = await gravarRevogacao(w, id, relogio.agora());
        if (revogados > 0) w.emit('receptor.revogado', id);
        return revogados > 0;
      });
    },

    /** The receiver whose address holds a secret, with its provider; null for any other text. */
    async buscarPorSegredo(segredo: string): Promise<ReceptorComProvedor | null> {
      return pareceSegredo(segredo) ? buscarReceptorPorHash(db, resumoDoSegredo(segredo)) : null;
    },
  };
}
