import { fromDatabaseTime, toDatabaseTime } from '../../../platform/mysql/database.ts';
import { SEM_RESPOSTA } from '../sessoes.regras.ts';
import type { ContratoAfetadoRow, HoraDoNasRow, MinutoDoNasRow } from '../agregacao.types.ts';

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

/** The beginning of the minute of an instant, as the database writes it. */
const inicioDoMinuto = (instante: number): string => `${toDatabaseTime(new Date(instante)).slice(0, 17)}00`;

/**
 * Gathers the drops that are added to the hours of servers. Those up to the last that its record has were added before; a drop told of
 * later than one that came after it is not added.
 */
export function createHoras() {
  const horas = new Map<string, HoraDoNasRow>();
  const minutos = new Map<string, MinutoDoNasRow>();

  function somar(provedor_id: number, instante: number, nas: string): void {
    const hora = inicioDaHora(instante);
    const chave = `${provedor_id} ${hora} ${nas}`;
    horas.set(chave, { provedor_id, hora, nas, quedas: (horas.get(chave)?.quedas ?? 0) + 1 });
  }

  function somarAoMinuto(provedor_id: number, instante: number, nas: string): void {
    const minuto = inicioDoMinuto(instante);
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
      const novas = quedas.filter(({ em }) => em > contada);
      for (const { em, nas } of novas) somar(provedor_id, em, nas);
      if (ouvida_em !== null) {
        for (const { em, nas, causa } of seguida === null ? novas : [...novas, seguida])
          if (causa !== SEM_RESPOSTA) somarAoMinuto(provedor_id, em, nas);
      }
      const ultima = novas.at(-1);
      return ultima === undefined
        ? { queda_em, queda_nas, queda_causa }
        : { queda_em: toDatabaseTime(new Date(ultima.em)), queda_nas: ultima.nas, queda_causa: ultima.causa };
    },
  };
}
