import { groupBy } from '../../../platform/group-by.ts';
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

/** How notes that were given up together are asked for again. */
export function createDesistidas({ w, fuso, umPorVez, inserir }: DesistidasDeps) {
  return {
    /**
     * Asks for another note in place of each that was given up together and that a filter finds (see `desistidas.queries.ts`), in parts.
     *
     * @param depoisDe id of the note after which this part begins; 0 at first
     * @returns how many were asked for, and after which note the next part begins; null where there is none
     * @throws Recusa `nfcom_sem_configuracao`
     */
    async pedirDesistidas(
      filtro: FiltroDeRejeitadas,
      depoisDe = 0,
    ): Promise<{ readonly notas: number; readonly proxima: number | null }> {
      await umPorVez();
      const { ambiente } = await lerConfiguracaoNfcom(w.tenant);
      const queries = createDesistidasQueries(w.tenant, fuso);
      const linhas = await queries.parte(filtro, ambiente, depoisDe, MAIOR_PARTE);
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
        w.emit('nfcom.pedidas', null, { notas: novas.length, fatura: null });
      }
      return { notas: novas.length, proxima: linhas.length < MAIOR_PARTE ? null : (linhas.at(-1)?.nota_id ?? null) };
    },
  };
}
