import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { SEM_RESPOSTA } from '../sessoes.regras.ts';
import type { ContratoAfetadoRow, HoraDoNasRow, MinutoDoNasRow } from '../agregacao.types.ts';

/** A drop that counts, the server at which the session was, and why it ended. */
export interface Queda {
  readonly em: number;
  readonly nas: string;
  readonly causa: string | null;
}

/** The last drop of a contract that was counted. */
type UltimaQueda = Pick<ContratoAfetadoRow, 'queda_em' | 'queda_nas' | 'queda_causa'>;

/** The beginning of the hour of an instant, as the database writes it. */
export const inicioDaHora = (instante: number): string => horaDe(toDatabaseTime(new Date(instante)));

/** The same of an instant that is written so already; and of its minute. */
const horaDe = (texto: string): string => `${texto.slice(0, 13)}:00:00`;
const minutoDe = (texto: string): string => `${texto.slice(0, 17)}00`;

/**
 * Gathers the drops that are added to the hours of servers. Those up to the last that its record has were added before; a drop told of
 * later than one that came after it is not added.
 */
export function createHoras() {
  const horas = new Map<string, HoraDoNasRow>();
  const minutos = new Map<string, MinutoDoNasRow>();

  function somar(provedor_id: number, hora: string, nas: string): void {
    const chave = `${provedor_id} ${hora} ${nas}`;
    horas.set(chave, { provedor_id, hora, nas, quedas: (horas.get(chave)?.quedas ?? 0) + 1 });
  }

  function somarAoMinuto(provedor_id: number, minuto: string, nas: string): void {
    const chave = `${provedor_id} ${minuto} ${nas}`;
    minutos.set(chave, { provedor_id, nas, minuto, quedas: (minutos.get(chave)?.quedas ?? 0) + 1 });
  }

  return {
    /**
     * Drops of lines that were online until then. What comes out of a backlog of sessions that nobody followed is no outage of now; what
     * only fell silent says nothing of when its line went down, if it did.
     */
    minutos: (): MinutoDoNasRow[] => [...minutos.values()],

    linhas: (): HoraDoNasRow[] => [...horas.values()],

    /**
     * Adds the drops that are new; resolves to the last one of all.
     *
     * @param seguida the end of the record's session where it came so soon after a drop that it counts as none of its own: nobody counts it,
     * but who detects outages looks at its minute again.
     */
    quedas(
      { provedor_id, ouvida_em, queda_em, queda_nas, queda_causa }: ContratoAfetadoRow,
      quedas: readonly Queda[],
      seguida: Queda | null,
    ): UltimaQueda {
      const contada = queda_em === null ? -Infinity : fromDatabaseTime(queda_em).getTime();
      let ultima: UltimaQueda = { queda_em, queda_nas, queda_causa };
      // A drop is written out once, for its hour, its minute and the record.
      const somarUma = ({ em, nas, causa }: Queda, conta: boolean): void => {
        const texto = toDatabaseTime(new Date(em));
        if (ouvida_em !== null && causa !== SEM_RESPOSTA) somarAoMinuto(provedor_id, minutoDe(texto), nas);
        if (!conta) return;
        somar(provedor_id, horaDe(texto), nas);
        ultima = { queda_em: texto, queda_nas: nas, queda_causa: causa };
      };
      for (const queda of quedas) if (queda.em > contada) somarUma(queda, true);
      if (seguida !== null) somarUma(seguida, false);
      return ultima;
    },
  };
}
