import { SecretUnreadable } from '../secrets/secrets.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { Relogio } from '../timing/relogio.ts';
import type { Place } from './page-marks.ts';

/** A cursor is good for this long. */
const GOOD_MS = 3_600_000;

/** An answer that gives out a cursor is made anew after this time, so that the cursor is good for nearly as long as said. */
const RENEW_MS = 60_000;

/** The longest text that is looked into: a place is a few numbers and short texts. */
const LONGEST = 2048;

export interface CursorsDeps {
  readonly secrets: Secrets;
  readonly relogio: Relogio;
}

/** Names places in lists for callers: sealed, so that nobody reads a place or makes one, and good for an hour. */
export function createCursors({ secrets, relogio }: CursorsDeps) {
  const boundTo = (tenant: number, scope: string) => ({ tenant, table: 'cursor', column: 'place', row: scope });

  return {
    /** @param scope of which list it is, with its filters. */
    seal(tenant: number, scope: string, place: Place): { text: string; renewAt: Date } {
      const now = relogio.agora().getTime();
      const clear = Buffer.from(JSON.stringify([now + GOOD_MS, place]));
      return {
        text: secrets.seal(boundTo(tenant, scope), clear).toString('base64url'),
        renewAt: new Date(now + RENEW_MS),
      };
    },

    /** The place that a text names, and until when it is good; null when the text is no good cursor of this list. */
    open(tenant: number, scope: string, text: string): { place: Place; until: Date } | null {
      if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return null;
      let clear: Buffer;
      try {
        clear = secrets.open(boundTo(tenant, scope), Buffer.from(text, 'base64url'));
      } catch (error) {
        if (error instanceof SecretUnreadable) return null;
        throw error;
      }
      const [until, place] = JSON.parse(clear.toString()) as [number, Place];
      return until > relogio.agora().getTime() ? { place, until: new Date(until) } : null;
    },
  };
}

export type PlaceCursors = ReturnType<typeof createCursors>;
