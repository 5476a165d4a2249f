import type { Procedencia } from '../domain/actor.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import type { Rights } from '../kit/rights/rights.ts';
import type { CredentialKind, Shape } from './door.ts';

/** A record of any kind of credential, with what its kind makes of it. */
interface Bound<Session, Code> {
  readonly provedor: Provedor;
  readonly endedBy: (now: Date) => Code | null;
  readonly barredFrom: (ip: string) => Code | null;
  readonly limit: number;
  readonly rights: Rights;
  readonly sessionOf: (from: Procedencia, shape: Shape) => Session;
  readonly onAdmitted: () => void;
}

/** A kind of credential among others: its records are known to itself alone. */
export interface AnyKind<Session, Code> {
  readonly shapeOf: (text: string) => Shape | null;
  readonly find: (hash: string) => Promise<Bound<Session, Code> | null>;
}

/** Makes a kind one among others. Its own text and refusals do not count then. */
export function asAnyKind<Record extends { readonly provedor: Provedor }, Session, Code>(
  kind: Pick<
    CredentialKind<Record, Session, Code>,
    'shapeOf' | 'find' | 'endedBy' | 'barredFrom' | 'limitOf' | 'sessionOf' | 'rightsOf' | 'onAdmitted'
  >,
): AnyKind<Session, Code> {
  return {
    shapeOf: kind.shapeOf,
    async find(hash) {
      const record = await kind.find(hash);
      if (record === null) return null;
      return {
        provedor: record.provedor,
        endedBy: (now) => kind.endedBy(record, now),
        barredFrom: (ip) => kind.barredFrom(record, ip),
        limit: kind.limitOf(record),
        rights: kind.rightsOf(record),
        sessionOf: (from, shape) => kind.sessionOf(record, from, shape),
        onAdmitted: () => kind.onAdmitted?.(record),
      };
    },
  };
}

/**
 * The credentials of a surface that takes several kinds. The form of a text says of which kind it is, so no text may be
 * well formed by two of them.
 */
export function anyOf<Session, Code>(
  kinds: readonly AnyKind<Session, Code>[],
  common: Pick<CredentialKind<Bound<Session, Code>, Session, Code>, 'textOf' | 'refusals'>,
): CredentialKind<Bound<Session, Code>, Session, Code> {
  return {
    ...common,
    shapeOf(text) {
      for (const [n, { shapeOf }] of kinds.entries()) {
        const shape = shapeOf(text);
        // The hash alone is looked up, so it has to lead to its kind.
        if (shape !== null) return { ...shape, hash: `${n}:${shape.hash}` };
      }
      return null;
    },
    async find(hash) {
      const [n = '', own = ''] = hash.split(':');
      return kinds[Number(n)]?.find(own) ?? null;
    },
    endedBy: (record, now) => record.endedBy(now),
    barredFrom: (record, ip) => record.barredFrom(ip),
    limitOf: ({ limit }) => limit,
    rightsOf: ({ rights }) => rights,
    sessionOf: (record, from, shape) => record.sessionOf(from, shape),
    onAdmitted: (record) => record.onAdmitted(),
  };
}
