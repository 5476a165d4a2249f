import { groupBy } from '../../../platform/group-by.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createDesistidasQueries } from './desistidas.queries.ts';
import type { ContagemDeDesistidas } from './desistidas.queries.ts';
import { exigirAmbiente } from '../ambiente.regras.ts';
import type { FiltroDeRejeitadas } from '../lista/rejeitadas.queries.ts';
import type { AmbienteNfcom } from '../nfcom.types.ts';
import { notasDe, vivaDe } from '../emissao/linhas.ts';
import type { NovaNota } from '../emissao/linhas.ts';

interface DesistidasDeps {
  readonly w: Write;
  readonly fuso: string;
  /** Nobody else asks for a note meanwhile. */
  readonly umPorVez: () => Promise<unknown>;
  readonly inserir: (notas: readonly NovaNota[]) => Promise<number>;
}

/** Notes that one write asks for anew at most. */
export const MAIOR_PARTE = 1000;

const SEM_JUNTO = "JSON_REMOVE(pedido, '$.junto')";

/** In place of what notes that were given up together others would be asked for, in the environment in which the provider issues now. */
export async function contarDesistidas(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeRejeitadas,
): Promise<ContagemDeDesistidas> {
  const { ambiente } = await lerConfiguracaoNfcom(tenant);
  return createDesistidasQueries(tenant, fuso).contar(filtro, ambiente);
}

/**
 * Ids of the notes that {@link contarDesistidas} counted before.
 *
 * @throws Recusa `transicao_invalida` where they are not those any more: some were given up since, or the invoice of one has a newer note
 */
export async function desistidasContadas(
  tenant: TenantDb,
  fuso: string,
  filtro: FiltroDeRejeitadas,
  contagem: ContagemDeDesistidas,
): Promise<readonly number[]> {
  const ids = await createDesistidasQueries(tenant, fuso).ids(filtro, contagem);
  const soma = String(ids.reduce((total, id) => total + BigInt(id), 0n));
  recusarSeNao(ids.length === contagem.notas && soma === contagem.soma, 'transicao_invalida', {
    dito: 'as notas destes filtros mudaram desde que foram contadas',
    sugestao: 'veja de novo quantas são',
  });
  return ids;
}

/** How notes that were given up together are asked for again. */
export function createDesistidas({ w, fuso, umPorVez, inserir }: DesistidasDeps) {
  return {
    /**
     * Asks for another note in place of each of some that were given up together (see `desistidas.queries.ts`), of those that still are such;
     * resolves to how many were asked for.
     *
     * @param ids at most {@link MAIOR_PARTE}
     * @param daContagem the environment that they were counted in
     * @throws Recusa `nfcom_sem_configuracao`, `transicao_invalida` where the provider issues in the other environment by now
     */
    async pedirDesistidas(ids: readonly number[], daContagem: AmbienteNfcom): Promise<number> {
      await umPorVez();
      const { ambiente } = await lerConfiguracaoNfcom(w.tenant);
      exigirAmbiente(daContagem, ambiente, 'transicao_invalida');
      const queries = createDesistidasQueries(w.tenant, fuso);
      const linhas = await queries.destas(ids, ambiente);
      const faturas = new Map(linhas.map((linha) => [linha.id, linha]));
      const antes = groupBy(await queries.dasFaturas([...faturas.keys()]), ({ fatura_id }) => fatura_id);
      const suas = groupBy(linhas, ({ id }) => id);
      const partes = groupBy(await notasDe(w.tenant, [...faturas.values()]), ({ fatura_id }) => fatura_id);
      const novas = [...partes].flatMap(([faturaId, todas]) => {
        const como = { ambiente, deVarios: todas.length > 1 };
        const contratos = new Set((suas.get(faturaId) ?? []).map((linha) => linha.nota_contrato_id));
        return todas.filter(
          (nova) =>
            (!como.deVarios || contratos.has(null) || contratos.has(nova.contrato_id)) &&
            vivaDe(nova, antes.get(faturaId) ?? [], como) === undefined,
        );
      });
      if (novas.length > 0) {
        await inserir(novas);
        // Nobody asks for them once more.
        const pedidas = new Set(novas.map(({ fatura_id: fatura }) => fatura));
        const emVez = linhas.filter(({ id }) => pedidas.has(id)).map(({ nota_id: nota }) => nota);
        await w.update('nfcom', (q) => void q.whereIn('id', emVez), { pedido: w.tenant.db.raw(SEM_JUNTO) });
        w.emit('nfcom.pedidas', null, { notas: novas.length, fatura: null });
      }
      return novas.length;
    },
  };
}
