import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { isIpRule } from '../../platform/ip.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import type { WriteFor } from '../escrita.ts';
import { EntradaInvalida } from '../erros.ts';
import { gerarChave, inicioDaChave, lerChave, nomeDaChave } from './chave.ts';
import { buscarChavePorHash, createChavesQueries, gravarChave, gravarRevogacao } from './chaves.queries.ts';
import { LIMITE_MAXIMO, LIMITE_PADRAO, PERMISSOES } from './chaves.types.ts';
import type { Chave, ChaveComProvedor, NovaChave } from './chaves.types.ts';

export type ChavesService = ReturnType<typeof createChavesService>;

export interface ChavesDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
}

export function createChavesService({ db, relogio, write }: ChavesDeps) {
  return {
    /**
     * Creates a key. The text is in the answer and nowhere else.
     *
     * @throws EntradaInvalida naming the part that is not acceptable.
     */
    async criar(actor: Actor, provedorId: number, nova: NovaChave): Promise<{ id: number; texto: string }> {
      const nome = aparar(nova.nome);
      const { permissoes, ipsPermitidos = null, limitePorMinuto = LIMITE_PADRAO, expiraEm = null } = nova;
      exigir(nome.length >= 1 && nome.length <= 120, 'nome: de 1 a 120 caracteres');
      exigir(permissoes.length > 0, 'permissoes: ao menos uma');
      for (const permissao of permissoes) {
        exigir(PERMISSOES.includes(permissao), `permissoes: ${permissao} não existe; há ${PERMISSOES.join(', ')}`);
      }
      for (const ip of ipsPermitidos ?? []) exigir(isIpRule(ip), `ips: ${ip} não é endereço nem faixa CIDR`);
      exigir(
        Number.isInteger(limitePorMinuto) && limitePorMinuto >= 1 && limitePorMinuto <= LIMITE_MAXIMO,
        `limite: um inteiro de 1 a ${LIMITE_MAXIMO}`,
      );
      exigir(expiraEm === null || !Number.isNaN(expiraEm.getTime()), 'expira: uma data válida');

      const texto = gerarChave(provedorId);
      const lida = lerChave(texto);
      if (lida === null) throw new Error('a chave gerada não tem o formato esperado');
      const dados = {
        nome,
        inicio: inicioDaChave(texto),
        hash: lida.hash,
        permissoes: [...new Set(permissoes)],
        ipsPermitidos: ipsPermitidos === null || ipsPermitidos.length === 0 ? null : ipsPermitidos,
        limitePorMinuto,
        expiraEm,
        criadaEm: relogio.agora(),
      };
      const id = await write(actor, provedorId, async (w) => {
        const novo = await gravarChave(w, dados);
        w.emit('chave.criada', novo);
        return novo;
      });
      return { id, texto };
    },

    /** Keys of a provider, the revoked ones included, by id. */
    async listar(provedorId: number): Promise<Chave[]> {
      return createChavesQueries(db, provedorId).listar();
    },

    /**
     * Revokes a key; false when the provider has none of that id. Once this resolves, no process admits the key.
     *
     * Rejects when Redis cannot be reached, because a process may hold the record: first before anything is written
     * and, should Redis go away meanwhile, after it; then revoking again completes it.
     */
    async revogar(actor: Actor, provedorId: number, id: number): Promise<boolean> {
      const encontrada = await createChavesQueries(db, provedorId).buscarPorId(id);
      if (encontrada === undefined) return false;
      await write(
        actor,
        provedorId,
        async (w) => {
          await gravarRevogacao(w, id, relogio.agora());
          w.emit('chave.revogada', id);
        },
        { tags: [nomeDaChave(encontrada.hash)], failClosed: true },
      );
      return true;
    },

    /** The record behind a key's hash, or null. */
    async buscarPorHash(hash: string): Promise<ChaveComProvedor | null> {
      return buscarChavePorHash(db, hash);
    },
  };
}

function exigir(condicao: boolean, mensagem: string): asserts condicao {
  if (!condicao) throw new EntradaInvalida(mensagem);
}
