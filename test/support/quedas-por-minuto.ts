/** A session of a line at one server, as `radacct` has it; times in seconds since 1970. */
export interface SessaoDaLinha {
  readonly inicio: number;
  readonly fim: number | null;
  /** The last moment at which it was heard of. */
  readonly sinal: number;
  /** Whether its end, if it has one, is a drop. */
  readonly caiu: boolean;
  /** Whether it was still open when the line was last reckoned, or came after. */
  readonly nova: boolean;
}

/** A moment at which a line dropped. */
interface Queda {
  readonly em: number;
  readonly nova: boolean;
  /** It only fell silent: that belongs to no minute. */
  readonly muda: boolean;
}

/** Drops this close to one another count once, in seconds. */
const PROXIMAS = 60;

/**
 * When a line dropped for those who detect outages, by the rules as they are written down and with nothing of the service's code: each drop
 * that counts and is new, and the end of the session that the record named, though it came within a minute of another. Nothing of a line that
 * was not known to be online.
 *
 * The record named the session that would be the last to go stale; here all that were open had been heard of at the same moment, with one
 * interval, and of such it is the first.
 *
 * @param sessoes in the order in which they began
 * @param validade seconds for which a session is open after its last sign
 * @returns seconds since 1970, in order
 */
export function quedasPorMinuto(sessoes: readonly SessaoDaLinha[], agora: number, validade: number): number[] {
  const terminou = sessoes.find(({ nova, fim }) => nova && fim !== null);
  if (terminou === undefined) return [];
  const quedas = new Map<number, Queda>();
  let aberta: number | null = null;
  for (const { inicio, fim, sinal, caiu, nova } of sessoes) {
    if (fim === null && agora - sinal <= validade) aberta = inicio;
    else if (fim === null || caiu) {
      const em = fim ?? sinal;
      // Of two that ended in the same second, the one that began later says how: silent is none but the last.
      quedas.set(em, { em, nova, muda: fim === null || quedas.get(em)?.muda === true });
    }
  }
  const emOrdem = [...quedas.values()].toSorted((a, b) => a.em - b.em);
  const contam: Queda[] = [];
  for (const queda of emOrdem) if (queda.em - (contam.at(-1)?.em ?? -Infinity) > PROXIMAS) contam.push(queda);
  const ultima = emOrdem.at(-1);
  // A drop that counts does so whatever came after it, be it a session that began in the very second in which the one before it had begun.
  const seguida =
    ultima !== undefined && ultima !== contam.at(-1) && aberta !== terminou.inicio && ultima.em >= terminou.inicio;
  return [...contam.filter(({ nova }) => nova), ...(seguida ? [ultima] : [])]
    .filter(({ muda }) => !muda)
    .map(({ em }) => em);
}
