import type { Db } from '../../../platform/mysql/database.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import type { Actor } from '../../actor.ts';
import { EntradaInvalida } from '../../erros.ts';
import type { Write, WriteFor } from '../../escrita.ts';
import { PROVEDOR_TAG } from '../../tags.ts';
import { reabrirUltimoDia } from '../../tarefas/reabertura.service.ts';
import { createFeriadosQueries, listarFeriados } from './feriados.queries.ts';
import { diasSemBanco, eFeriadoDoEstado, lerDia, lerNome } from './feriados.regras.ts';
import type { DiaSemBanco, FeriadoProprio } from './feriados.types.ts';
import type { Provedor } from '../provedores.types.ts';

export type FeriadosService = ReturnType<typeof createFeriadosService>;

export interface FeriadosDeps {
  readonly db: Db;
  readonly write: WriteFor;
  readonly relogio: Relogio;
}

/** All are read with the provider, at each look-up. No place has as many. */
const MAXIMO_DE_FERIADOS = 100;

/**
 * The days of a provider's own in its calendar, by which late is judged. Once a change resolves, no process answers by what was before; a
 * change that changes nothing leaves no line of the audit log.
 */
export function createFeriadosService({ db, write, relogio }: FeriadosDeps) {
  return {
    /** Its own days, those of every year first. */
    listar: async (provedorId: number): Promise<FeriadoProprio[]> => listarFeriados(db, provedorId),

    /**
     * All holidays of a year there: the nation's, its state's and its own, and its last business day.
     *
     * @throws EntradaInvalida when the year is not one of 1900 to 2199.
     */
    async doAno({ id, regras }: Provedor, ano: number): Promise<DiaSemBanco[]> {
      if (ano < 1900 || ano > 2199) throw new EntradaInvalida('ano: de 1900 a 2199');
      return diasSemBanco(ano, regras.calendario.uf, await listarFeriados(db, id));
    },

    /**
     * Adds a day, or changes one that it has.
     *
     * @param novo its day and name as people write them.
     * @returns the day as it is kept.
     * @throws EntradaInvalida naming what is not acceptable: a day that there is not, one more than the most, a business day that its
     * state's list has open anyway, or when there is no such provider.
     */
    async adicionar(actor: Actor, provedorId: number, novo: FeriadoProprio): Promise<FeriadoProprio> {
      const feriado = { dia: lerDia(novo.dia), nome: lerNome(novo.nome), diaUtil: novo.diaUtil };
      await write(actor, provedorId, async (w) => {
        const queries = createFeriadosQueries(w);
        const { uf } = await travar(w);
        if (feriado.diaUtil && !eFeriadoDoEstado(uf, feriado.dia, relogio.agora().getUTCFullYear())) {
          const onde = uf === null ? 'o provedor não tem uf' : `a lista de ${uf} não tem ${feriado.dia}`;
          throw new EntradaInvalida(`dia-util: só desfaz um feriado da lista do estado, e ${onde}`);
        }
        const proprios = await queries.listar();
        const anterior = proprios.find(({ dia }) => dia === feriado.dia);
        if (anterior?.nome === feriado.nome && anterior.diaUtil === feriado.diaUtil) return;
        if (anterior === undefined && proprios.length >= MAXIMO_DE_FERIADOS) {
          throw new EntradaInvalida(`um provedor tem no máximo ${MAXIMO_DE_FERIADOS} dias próprios`);
        }
        await queries.gravar(feriado, anterior !== undefined);
        await avisar(w, anterior === undefined ? 'adicionado' : 'alterado', feriado.dia, feriado.diaUtil);
      });
      return feriado;
    },

    /**
     * Removes a day of its own.
     *
     * @returns the day as it was kept; null when there is none.
     * @throws EntradaInvalida when there is no such day or provider.
     */
    async remover(actor: Actor, provedorId: number, digitado: string): Promise<string | null> {
      const dia = lerDia(digitado);
      return write(actor, provedorId, async (w) => {
        await travar(w);
        if ((await createFeriadosQueries(w).remover(dia)) === 0) return null;
        await avisar(w, 'removido', dia);
        return dia;
      });
    },
  };
}

async function travar(w: Write): Promise<{ uf: string | null }> {
  const provedor = await createFeriadosQueries(w).travar();
  if (provedor === undefined) throw new EntradaInvalida(`provedor ${w.provedorId} não existe`);
  return provedor;
}

/** Says that the calendar is another: what invoices ask for may be, too. */
async function avisar(
  w: Write,
  feito: 'adicionado' | 'alterado' | 'removido',
  dia: string,
  diaUtil?: boolean,
): Promise<void> {
  w.touch(PROVEDOR_TAG);
  await reabrirUltimoDia(w, 'pix.recalcular');
  w.emit(`provedor.feriado_${feito}`, w.provedorId, { dia, ...(diaUtil === true ? { dia_util: true } : {}) });
}
