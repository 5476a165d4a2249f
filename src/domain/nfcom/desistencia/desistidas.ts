import { groupBy } from '../../../platform/group-by.ts';
import { recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { lerConfiguracaoNfcom } from '../configuracao/leitura.service.ts';
import { createDesistidasQueries } from './desistidas.queries.ts';
import type { FiltroDeRejeitadas } from '../lista/rejeitadas.queries.ts';
import { notasDe, vivaDe } from '../emissao/linhas.ts';
import type { NovaNota } from '../emissao/linhas.ts';

interface DesistidasDeps {
  readonly w: Write;
  readonly fuso: string;
  /** Nobody else asks for a note meanwhile. */
  readonly umPorVez: () => Promise<unknown>;
  readonly inserir: (notas: readonly NovaNota[]) => Promise<number>;
}

/** Notes that one write asks for anew: more go in the next call. */
const MAIOR_PARTE = 1000;

const SEM_JUNTO = "JSON_REMOVE(pedido, '$.junto')";

/** How notes that were given up together are asked for again. */
export function createDesistidas({ w, fuso, umPorVez, inserir }: DesistidasDeps) {
  return {
    /**
     * Asks for another note in place of each that was given up together and that a filter finds (see `desistidas.queries.ts`), in parts.
     *
     * @param contada id of the last note that was counted, and how many were counted and not seen by a part yet: no more are asked for
     * @param depoisDe id of the note after which this part begins; 0 at first
     * @returns how many were asked for, in place of how many that were given up, and after which note the next part begins; null where there
     * is none
     * @throws Recusa `nfcom_sem_configuracao`, `transicao_invalida` where some were given up since that were not counted
     */
    async pedirDesistidas(
      filtro: FiltroDeRejeitadas,
      { ultima, contadas }: { readonly ultima: number; readonly contadas: number },
      depoisDe = 0,
    ): Promise<{ readonly notas: number; readonly vistas: number; readonly proxima: number | null }> {
      await umPorVez();
      const { ambiente } = await lerConfiguracaoNfcom(w.tenant);
      const queries = createDesistidasQueries(w.tenant, fuso);
      if (depoisDe === 0) {
        const { quantas } = await queries.quantas(filtro, ambiente, ultima);
        recusarSeNao(quantas <= contadas, 'transicao_invalida', {
          dito: 'desistiu-se de notas que não tinham sido contadas',
          sugestao: 'veja de novo quantas são',
        });
      }
      const limite = Math.min(MAIOR_PARTE, contadas);
      const linhas = await queries.parte(filtro, ambiente, { depoisDe, ultima }, limite);
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
        const ids = linhas.filter(({ id }) => pedidas.has(id)).map(({ nota_id: nota }) => nota);
        await w.update('nfcom', (q) => void q.whereIn('id', ids), { pedido: w.tenant.db.raw(SEM_JUNTO) });
        w.emit('nfcom.pedidas', null, { notas: novas.length, fatura: null });
      }
      const proxima = linhas.length < MAIOR_PARTE ? null : (linhas.at(-1)?.nota_id ?? null);
      return { notas: novas.length, vistas: linhas.length, proxima };
    },
  };
}
