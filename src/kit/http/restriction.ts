import type { About } from '../../platform/gate/looks.ts';
import type { Looked } from '../../platform/gate/scripts.ts';
import { Failure } from '../reply/failure.ts';
import type { Faults } from '../reply/failure.ts';
import { createVeil } from '../reply/veil.ts';
import type { HiderOf } from '../reply/veil.ts';
import { tooCurious } from './door.ts';
import { isWhole } from './reading.ts';
import type { Restricted } from '../rights/rights.ts';
import type { Route, SurfaceTypes } from './route.ts';

/** The checked input of a request, and its route: what says of whom it is. */
export interface Of {
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  readonly body?: unknown;
}

/** What the kit has to be told of people, of surfaces whose callers may be restricted. */
export interface People<T extends SurfaceTypes> {
  /** The people whom a request names by what is theirs, of those that there are. */
  readonly ownersOf: (domain: T['domain'], request: Of) => Promise<readonly number[]>;
  /** What takes out of a text what is known of these. */
  readonly hiderOf: (domain: T['domain'], people: readonly number[]) => Promise<HiderOf>;
  /** Counts an answer of a restricted caller before he is given it. */
  readonly count: (session: T['session'], people: readonly number[]) => Promise<Looked>;
  /** Whom a refusal speaks of: nobody, where somebody was asked for who is not there. */
  readonly toldBy: (error: unknown) => About;
  /** Whether an error is a refusal, and not a fault of ours. */
  readonly refuses: (error: unknown) => boolean;
}

/** What is shown to a restricted caller of what a route answers. */
export interface Shown {
  readonly data: unknown;
  readonly about: About;
}

/** Whether a route answers no restricted caller at all: files, whole tables, and what is written by the services themselves. */
export const isClosedToRestricted = <T extends SurfaceTypes>(route: Route<T>): boolean =>
  route.kind === 'file' || (route.kind === 'write' && route.acts) || (route.kind === 'read' && route.bulk);

/** What a route is to callers who are kept from something. Everybody else does not come here. */
export function createRestriction<T extends SurfaceTypes>(
  route: Route<T>,
  people: People<T> | undefined,
  faults: Faults<T['code']>,
) {
  /** Refusals that come of counting. */
  const counted = new WeakSet<Error>();
  const veil = route.kind === 'file' ? null : createVeil(route.data);
  const known = (): People<T> => {
    if (people === undefined) throw new Error(`${route.path}: its surface knows no people`);
    return people;
  };

  return {
    /** @param query as it was sent. @throws Failure when the route is not for him */
    require({ searchOnly }: Restricted, query: string): void {
      if (isClosedToRestricted(route))
        throw new Failure(faults.forbidden, 'Esta rota não serve a uma chave com restrições.');
      if (!searchOnly || route.kind !== 'read' || !isWhole(route.reading, query)) return;
      const { narrowedBy } = route.reading;
      const which = narrowedBy.length > 0 ? `Diga de quem: ${narrowedBy.join(' ou ')}.` : '';
      throw new Failure(faults.searchOnly ?? faults.forbidden, which);
    },

    /** @param sent the query as it was sent */
    async show({ masked }: Restricted, data: unknown, domain: T['domain'], request: Of, sent: string): Promise<Shown> {
      if (veil === null) throw new Error(`${route.path}: nothing of a file can be hidden`);
      const named = veil.peopleIn(data);
      const found = named.length > 0 ? named : await known().ownersOf(domain, request);
      const about = found.length > 0 ? found : isSearch(sent) ? [] : null;
      if (!masked) return { data, about };
      const hiderOf = veil.hasText ? await known().hiderOf(domain, found) : plain;
      return { data: veil.cover(data, hiderOf, found), about };
    },

    /** @throws Failure when he found out too much */
    async count(session: T['session'], about: About): Promise<void> {
      if (about === null) return;
      const looked = await known().count(session, about);
      if (looked.allowed) return;
      const refusal = tooCurious(faults.tooCurious ?? faults.limited, looked);
      counted.add(refusal);
      throw refusal;
    },

    ownersOf: async (domain: T['domain'], request: Of): Promise<readonly number[]> => known().ownersOf(domain, request),

    /**
     * A refusal counts as an answer: it says that somebody is not there or, of whom the request names, that he is and why it is refused.
     *
     * @param owners whom it names @throws Failure or the error
     */
    async refuse(session: T['session'], error: unknown, owners: () => Promise<readonly number[]>): Promise<never> {
      if (error instanceof Failure && counted.has(error)) throw error;
      const told = known().toldBy(error);
      if (told !== null) await this.count(session, told);
      else if (known().refuses(error)) {
        const named = await owners();
        if (named.length > 0) await this.count(session, named);
      }
      throw error;
    },
  };

  /** Whether an answer that names nobody was looked for as somebody's: it says that nobody was found, or is a record of nobody's. */
  function isSearch(sent: string): boolean {
    return route.kind === 'read' && veil?.namesPeople === true && !isWhole(route.reading, sent);
  }
}

const plain: HiderOf = () => (text) => text;
