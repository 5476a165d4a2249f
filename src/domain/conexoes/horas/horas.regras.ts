import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ContratoAfetadoRow, HoraDoNasRow } from '../agregacao.types.ts';

const HORA_MS = 3_600_000;

/** A drop that counts, the server at which the session was, and why it ended. */
export interface Queda {
  readonly em: number;
  readonly nas: string;
  readonly causa: string | null;
}

/** The last drop of a contract that was counted. */
type UltimaQueda = Pick<ContratoAfetadoRow, 'queda_em' | 'queda_nas' | 'queda_causa'>;

/** The beginning of the hour of an instant, as the database writes it. */
export function inicioDaHora(instante: number): string {
  return `${toDatabaseTime(new Date(instante - (instante % HORA_MS))).slice(0, 13)}:00:00`;
}

/**
 * Gathers the drops that are added to the hours of servers. Those up to the last that its record has were added before; a drop told of
 * later than one that came after it is not added.
 */
export function createHoras() {
  const horas = new Map<string, HoraDoNasRow>();

  function somar(provedor_id: number, instante: number, nas: string): void {
    const hora = inicioDaHora(instante);
    const chave = `${provedor_id} ${hora} ${nas}`;
    horas.set(chave, { provedor_id, hora, nas, quedas: (horas.get(chave)?.quedas ?? 0) + 1 });
  }

  return {
    linhas: (): HoraDoNasRow[] => [...horas.values()],

    /** Adds the drops that are new; resolves to the last one of all. */
    quedas(
      { provedor_id, queda_em, queda_nas, queda_causa }: ContratoAfetadoRow,
      quedas: readonly Queda[],
    ): UltimaQueda {
      const contada = queda_em === null ? -Infinity : fromDatabaseTime(queda_em).getTime();
      const novas = quedas.filter(({ em }) => em > contada);
      for (const { em, nas } of novas) somar(provedor_id, em, nas);
      const ultima = novas.at(-1);
      return ultima === undefined
        ? { queda_em, queda_nas, queda_causa }
        : { queda_em: toDatabaseTime(new Date(ultima.em)), queda_nas: ultima.nas, queda_causa: ultima.causa };
    },
  };
}
