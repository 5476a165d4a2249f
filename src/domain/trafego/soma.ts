import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { inQueueTransaction } from '../../platform/mysql/bulk/queue-transaction.ts';
import { inicioDaHora } from '../conexoes/horas/horas.regras.ts';
import { MAIOR_SOMA, createSomaQueries } from './soma.queries.ts';
import type { DaHora, DoDia } from './soma.queries.ts';

const POR_LOTE = 10_000;

/** `TO_SECONDS('1970-01-01')`. */
const SEGUNDOS_ATE_1970 = 62_167_219_200;

export type SomaDeTrafego = ReturnType<typeof createSomaDeTrafego>;

/**
 * Adds what updates of `radacct` told of bytes to the days of contracts and to the hours of servers; both are those of the update's arrival.
 * Crosses tenants, by name and on purpose. What was told is deleted in the transaction that adds it, so that it counts once.
 */
export function createSomaDeTrafego({ db }: { readonly db: Db }) {
  async function somarLote(): Promise<number> {
    return inQueueTransaction(db, async (trx) => {
      const queries = createSomaQueries(trx);
      const ids = await queries.tomar(POR_LOTE);
      if (ids.length === 0) return 0;
      const dias = createSomas<DoDia>(({ provedor_id, contrato_id, dia }) => [provedor_id, contrato_id, dia]);
      const horas = createSomas<DaHora>(({ provedor_id, hora, nas }) => [provedor_id, hora, nas]);
      for (const { contrato_id, quarto, nas, fuso_horario, ...dela } of await queries.ler(ids)) {
        const em = (quarto - SEGUNDOS_ATE_1970) * 1000;
        horas.somar({ ...dela, nas, hora: inicioDaHora(em) });
        if (contrato_id !== null) dias.somar({ ...dela, contrato_id, dia: hojeEm(fuso_horario, new Date(em)) });
      }
      await queries.somarDias(dias.emOrdem());
      await queries.somarHoras(horas.emOrdem());
      await queries.apagar(ids);
      return ids.length;
    });
  }

  return {
    /**
     * Adds all that was told by now.
     *
     * @param signal ends it early; what is left stays for the next run.
     * @returns how many updates were added
     */
    async somar(signal?: AbortSignal): Promise<number> {
      const parar = (): boolean => signal?.aborted === true;
      let total = 0;
      let lote = POR_LOTE;
      while (lote === POR_LOTE && !parar()) {
        lote = await somarLote();
        total += lote;
      }
      return total;
    },
  };
}

/** Sums of bytes by a key. */
function createSomas<Soma extends { readonly download_bytes: number; readonly upload_bytes: number }>(
  chaveDe: (soma: Soma) => readonly (number | string)[],
) {
  const somas = new Map<string, Soma>();
  return {
    somar(mais: Soma): void {
      const chave = chaveDe(mais).join(' ');
      const { download_bytes = 0, upload_bytes = 0 } = somas.get(chave) ?? {};
      somas.set(chave, {
        ...mais,
        download_bytes: Math.min(download_bytes + mais.download_bytes, MAIOR_SOMA),
        upload_bytes: Math.min(upload_bytes + mais.upload_bytes, MAIOR_SOMA),
      });
    },
    emOrdem: (): Soma[] => [...somas.values()].toSorted((a, b) => comparar(chaveDe(a), chaveDe(b))),
  };
}

function comparar(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [i, um] of a.entries()) {
    const outro = b[i];
    if (um !== outro) return outro !== undefined && um < outro ? -1 : 1;
  }
  return 0;
}
