import { fusoValido } from '../../brazil/calendario/datas.ts';
import { aparar } from '../../brazil/pessoa/digitado.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { isDuplicate } from '../../platform/refusal.ts';
import { EntradaInvalida } from '../erros.ts';
import { hostValido } from './host.regras.ts';
import { createProvedoresQueries } from './provedores.queries.ts';
import type { MudancaDeCelula, NovoProvedor, Provedor } from './provedores.types.ts';

export type ProvedoresService = ReturnType<typeof createProvedoresService>;

export function createProvedoresService({ db }: { db: Db }) {
  const queries = createProvedoresQueries(db);
  return {
    /**
     * Registers a provider with the default billing rules.
     *
     * @throws EntradaInvalida when the name, the host or the zone is not acceptable, or the host is taken.
     */
    async criar(novo: NovoProvedor): Promise<Provedor> {
      const nome = aparar(novo.nome);
      const panelHost = novo.panelHost.toLowerCase();
      if (nome.length < 1 || nome.length > 120) throw new EntradaInvalida('nome: de 1 a 120 caracteres');
      if (!hostValido(panelHost)) {
        throw new EntradaInvalida('host: um nome de host, como painel.exemplo.com.br');
      }
      if (!fusoValido(novo.fusoHorario)) throw new EntradaInvalida('fuso: um fuso IANA, como America/Sao_Paulo');
      if (await queries.temHost(panelHost)) {
        throw new EntradaInvalida(`host: ${panelHost} já é de outro provedor`);
      }
      const id = await queries.criar({ nome, panelHost, fusoHorario: novo.fusoHorario }).catch((error: unknown) => {
        // Another came in between.
        throw isDuplicate(error) ? new EntradaInvalida(`host: ${panelHost} já é de outro provedor`) : error;
      });
      const provedor = await queries.buscarPorId(id);
      if (provedor === null) throw new Error(`provedor ${id} não foi gravado`);
      return provedor;
    },

    /** Every provider, by id. */
    listar: async (): Promise<Provedor[]> => queries.listar(),

    /** By their ids those that do not live here, or are on their way to another cell or from one; for operators alone. */
    mudancas: async (): Promise<ReadonlyMap<number, MudancaDeCelula>> => queries.mudancas(),

    buscarPorId: async (id: number): Promise<Provedor | null> => queries.buscarPorId(id),

    /** A provider by its id. @throws EntradaInvalida when there is none. */
    async exigirPorId(id: number): Promise<Provedor> {
      const provedor = await queries.buscarPorId(id);
      if (provedor === null) throw new EntradaInvalida(`provedor ${id} não existe`);
      return provedor;
    },

    /** Id of the provider whose panel lives on a host (lower case, no port). */
    idPorHost: async (host: string): Promise<number | null> => queries.idPorHost(host),
  };
}
