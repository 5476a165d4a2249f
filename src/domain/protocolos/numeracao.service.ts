import type { Data } from '../../brazil/calendario/datas.ts';
import type { Db } from '../../platform/mysql/database.ts';
import { isLockError } from '../../platform/mysql/conflicts.ts';

/** Gives the next number of a provider's day: 1, 2, 3 and so on; some may be missing. */
export type Numeracao = (provedorId: number, dia: Data) => Promise<number>;

interface Espera {
  readonly dar: (numero: number) => void;
  readonly falhar: (error: unknown) => void;
}

interface Fila {
  readonly provedorId: number;
  readonly dia: Data;
  readonly esperas: Espera[];
}

/** How often a statement is tried that met another process at the first row of a day. */
const TENTATIVAS = 5;

/**
 * Gives running numbers, each once, whatever becomes of who asked for it.
 *
 * A number is taken outside the write that needs it: the day's row is locked for one statement, not until that write ends, and a write
 * that is rolled back leaves a gap. `db` must be a pool of this service's own: a write that waits for its number holds a connection, and
 * in a pool of all writes it could be the last one. All who ask while a statement is under way share the next one.
 */
export function createNumeracao(db: Db): Numeracao {
  const filas = new Map<string, Fila>();
  let ocupada = false;

  async function servir(): Promise<void> {
    for (const [nome, { provedorId, dia, esperas }] of filas) {
      filas.delete(nome);
      try {
        const ultimo = await reservar(db, provedorId, dia, esperas.length);
        esperas.forEach(({ dar }, n) => dar(ultimo - esperas.length + 1 + n));
      } catch (error) {
        for (const { falhar } of esperas) falhar(error);
      }
    }
    ocupada = false;
  }

  return async (provedorId, dia) =>
    new Promise((dar, falhar) => {
      const nome = `${provedorId} ${dia}`;
      const fila = filas.get(nome) ?? { provedorId, dia, esperas: [] };
      fila.esperas.push({ dar, falhar });
      filas.set(nome, fila);
      if (ocupada) return;
      ocupada = true;
      void servir();
    });
}

/** Takes so many numbers of a day in one statement that is its own transaction; resolves to the last one. */
async function reservar(db: Db, provedorId: number, dia: Data, quantos: number): Promise<number> {
  for (let tentativa = 1; ; tentativa += 1) {
    try {
      const [feito] = await db.raw<{ readonly insertId: number }[]>(
        `INSERT INTO protocolos_dias (provedor_id, dia, ultimo) VALUES (?, ?, LAST_INSERT_ID(?))
           ON DUPLICATE KEY UPDATE ultimo = LAST_INSERT_ID(ultimo + ?)`,
        [provedorId, dia, quantos, quantos],
      );
      return Number(feito?.insertId);
    } catch (error) {
      if (tentativa === TENTATIVAS || !isLockError(error)) throw error;
    }
  }
}
