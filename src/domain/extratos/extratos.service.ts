import { ObjectMissing } from '../../platform/storage/object-store.ts';
import type { ObjectStore } from '../../platform/storage/object-store.ts';
import type { Page, PageRequest } from '../../platform/paging/pages.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { recusarSeNao, Recusa } from '../erros.ts';
import { EXTRATOS_TAG } from '../tags.ts';
import { createExtratosQueries, paraExtrato } from './extratos.queries.ts';
import type { ArquivoAberto, Extrato } from './extratos.types.ts';
import { nomeNoArmazem } from './nomes.regras.ts';

export type ExtratosService = ReturnType<typeof createExtratosService>;

export interface ExtratosDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
  readonly armazem: ObjectStore;
}

export function createExtratosService({ tenant, trail, armazem }: ExtratosDeps) {
  const queries = createExtratosQueries(tenant);
  return {
    /** One page of extracts, newest day first. */
    async listar(pagina: PageRequest): Promise<Page<Extrato>> {
      trail.dependsOn(EXTRATOS_TAG);
      const { itens, total } = await queries.listar(pagina);
      return { itens: itens.map(paraExtrato), total };
    },

    /**
     * A file that an extract of this tenant has: by its name in the manifest, and no other.
     *
     * @throws Recusa `nao_encontrado`, from `abrir` too, where the file went since.
     */
    async buscarArquivo(id: number, nome: string): Promise<ArquivoAberto> {
      const row = await queries.buscarPorId(id);
      recusarSeNao(row, 'nao_encontrado');
      const arquivo = paraExtrato(row).arquivos.find((um) => um.nome === nome);
      recusarSeNao(arquivo, 'nao_encontrado');
      const objeto = nomeNoArmazem(tenant.provedorId, { id, tentativa: row.tentativa ?? 0 }, arquivo.nome);
      return {
        ...arquivo,
        async abrir(range) {
          try {
            return await armazem.read(objeto, range);
          } catch (error) {
            throw error instanceof ObjectMissing ? new Recusa('nao_encontrado') : error;
          }
        },
      };
    },
  };
}
