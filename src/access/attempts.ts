import { atorDoVisitante } from '../domain/actor.ts';
import type { Actor, Procedencia } from '../domain/actor.ts';
import { Recusa } from '../domain/erros.ts';
import type { MotivoDeRecusa } from '../domain/erros.ts';
import type { Fatura } from '../domain/faturas/faturas.types.ts';
import { janelaDoFator, janelaDosDocumentos, janelasDaEntrada } from '../domain/usuarios/sessoes/sessoes.regras.ts';
import type { Gate } from '../platform/gate/gate.ts';
import { networkSlot, tenantSlot } from '../platform/gate/keys.ts';
import type { Pace, Tried, Tries } from '../platform/gate/tries.ts';
import { countedNetwork } from '../platform/ip.ts';
import type { RefusalReason } from '../platform/metrics/metrics.ts';
import { Refusal } from '../platform/refusal.ts';

const MINUTE_MS = 60_000;

/** Five failures in a quarter of an hour, and then longer and longer waits; never for good. */
const OF_AN_ACCOUNT: Pace = {
  free: 5,
  windowMs: 15 * MINUTE_MS,
  waitsMs: [1, 2, 4, 8, 15].map((minutes) => minutes * MINUTE_MS),
};

/** Wide, because many people may stand behind one address. */
const OF_A_NETWORK: Pace = { free: 100, windowMs: 10 * MINUTE_MS, waitsMs: [] };

/** Tries of one network in a minute, whatever comes of them. */
const MOST_IN_A_MINUTE = 30;

/**
 * Tax ids that are no client's, looked for by who sees them masked: three digits of a CPF are hidden and follow from nothing, so the
 * thousand that it may be take weeks.
 */
const OF_HIDDEN_DOCUMENTS: Pace = { free: 20, windowMs: 24 * 60 * MINUTE_MS, waitsMs: [] };

/** Codes that one network may ask for by e-mail; and how often it may refresh in a minute, and a session. */
const CODES: Pace = { free: 20, windowMs: 60 * MINUTE_MS, waitsMs: [] };
const REFRESHES = { network: 300, session: 30 } as const;

/** Comparing what a caller says of himself with a client's data; every try counts. */
const OF_A_CLIENT: Pace = { free: 5, windowMs: 60 * MINUTE_MS, waitsMs: [] };

/** Second copies of one invoice, and of all invoices of one client, whoever has them sent and by whatever way: nobody's mailbox is filled. */
const OF_AN_INVOICE: Pace = { free: 5, windowMs: 60 * MINUTE_MS, waitsMs: [] };
const OF_A_MAILBOX: Pace = { free: 10, windowMs: 60 * MINUTE_MS, waitsMs: [] };

/** Failures at a provider's app in a minute, beyond which its administrators are told. */
const MANY_FAILURES = 300;

/** What a guess is answered with. Everything else says nothing of the guess, and is not counted. */
const FAILURES: readonly MotivoDeRecusa[] = ['credenciais_incorretas', 'codigo_incorreto', 'prova_incorreta'];

const isFailure = (error: unknown): boolean => error instanceof Recusa && FAILURES.includes(error.motivo);

/** What is tried too often: guesses at what proves who somebody is, or letters that somebody is to be sent. */
type Tiresome = 'senha' | 'envio';

/** Somebody tries too often. */
export class TooManyAttempts extends Refusal {
  readonly waitSeconds: number;
  readonly of: Tiresome;

  constructor(waitMs: number, of: Tiresome = 'senha') {
    super('tentativas demais');
    this.of = of;
    this.waitSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  }
}

export interface AttemptsDeps {
  readonly gate: Pick<Gate, 'admit'>;
  readonly tries: Tries;
  readonly onRefusal: (reason: RefusalReason) => void;
  /** Called once a minute in which a provider's app saw too many failures. */
  readonly onManyFailures: (actor: Actor, provedorId: number) => void;
}

/**
 * Slows down whoever guesses passwords and codes: by account, which need not exist, and by network. While an account waits, the right
 * password is refused like a wrong one.
 */
export function createAttempts({ gate, tries, onRefusal, onManyFailures }: AttemptsDeps) {
  function refuse(reason: RefusalReason, waitMs: number, of?: Tiresome): never {
    onRefusal(reason);
    throw new TooManyAttempts(waitMs, of);
  }

  async function ofNetwork(ip: string, name: string, most = MOST_IN_A_MINUTE): Promise<void> {
    const { count, resetMs } = await gate.admit(networkSlot(countedNetwork(ip)), name, []);
    if (count > most) refuse('rede', resetMs);
  }

  /** Many people who guess a little each are seen by the provider alone. */
  async function countFailure(provedorId: number, from: Procedencia): Promise<void> {
    const { count } = await gate.admit(tenantSlot(provedorId), 'app:falhas', []);
    if (count === MANY_FAILURES + 1) onManyFailures(atorDoVisitante(from), provedorId);
  }

  /** Counts a try at each of these while it runs. Where it succeeds `own` is forgotten; `shared` has one failure less. */
  async function guarded<T>(own: Tried | null, shared: Tried | null, work: () => Promise<T>): Promise<T> {
    const begun: Tried[] = [];
    const undo = async (...some: readonly (Tried | null)[]): Promise<void> => {
      await Promise.all(some.map(async (one) => (one === null ? null : tries.undo(one))));
    };
    for (const [tried, reason] of [
      [own, 'conta'],
      [shared, 'rede'],
    ] as const) {
      const waitMs = tried === null ? 0 : await tries.begin(tried);
      if (waitMs > 0) {
        await undo(...begun);
        refuse(reason, waitMs);
      }
      if (tried !== null) begun.push(tried);
    }
    try {
      const done = await work();
      await Promise.all([own === null ? null : tries.forget(own), undo(shared)]);
      return done;
    } catch (error) {
      if (!isFailure(error)) await undo(...begun);
      throw error;
    }
  }

  const network = (ip: string, name: string): Tried => ({
    ...OF_A_NETWORK,
    slot: networkSlot(countedNetwork(ip)),
    name: `${name}:falhas`,
  });

  return {
    /** Signing in by what belongs to an address. @throws TooManyAttempts */
    async signIn<T>(provedorId: number, email: string, ip: string, work: () => Promise<T>): Promise<T> {
      const { daConta, daRede } = janelasDaEntrada(email, countedNetwork(ip));
      await ofNetwork(ip, daRede);
      const account = { ...OF_AN_ACCOUNT, slot: tenantSlot(provedorId), name: daConta };
      return guarded(account, network(ip, daRede), work);
    },

    /** The same by what names nobody: a passkey, or the link of an invite. @throws TooManyAttempts */
    async unnamed<T>(ip: string, work: () => Promise<T>): Promise<T> {
      const { daRede } = janelasDaEntrada('', countedNetwork(ip));
      await ofNetwork(ip, daRede);
      return guarded(null, network(ip, daRede), work);
    },

    /** The second factor, or a proof of who is in a session. @throws TooManyAttempts */
    async prove<T>(provedorId: number, usuarioId: number, work: () => Promise<T>): Promise<T> {
      const account = { ...OF_AN_ACCOUNT, slot: tenantSlot(provedorId), name: janelaDoFator(usuarioId) };
      return guarded(account, null, work);
    },

    /** Looks for a document that who asks may not see whole; null where he has looked for too many that are nobody's. */
    async lookUp<T>(
      provedorId: number,
      usuarioId: number,
      work: () => Promise<T>,
      found: (result: T) => boolean,
    ): Promise<T | null> {
      const tried = { ...OF_HIDDEN_DOCUMENTS, slot: tenantSlot(provedorId), name: janelaDosDocumentos(usuarioId) };
      if ((await tries.begin(tried)) > 0) {
        onRefusal('conta');
        return null;
      }
      const result = await work();
      if (found(result)) await tries.undo(tried);
      return result;
    },

    /**
     * Signing in to the app, or setting its password by a code. `account` says by what it is counted: a tax id, or a device that was signed
     * in on before. @throws TooManyAttempts
     */
    async signInToApp<T>(provedorId: number, account: string, from: Procedencia, work: () => Promise<T>): Promise<T> {
      const { ip } = from;
      const { daConta, daRede } = janelasDaEntrada(`app ${account}`, countedNetwork(ip));
      await ofNetwork(ip, daRede);
      const own = { ...OF_AN_ACCOUNT, slot: tenantSlot(provedorId), name: daConta };
      try {
        return await guarded(own, network(ip, daRede), work);
      } catch (error) {
        if (isFailure(error)) await countFailure(provedorId, from);
        throw error;
      }
    },

    /**
     * Refreshing: of a network, and of one session, by its name at the gate. A session is counted by tokens that are its own alone, because
     * whoever makes up others knows its number. @throws TooManyAttempts
     */
    async refresh(provedorId: number, ip: string, session: string, isItsOwn: () => Promise<boolean>): Promise<void> {
      await ofNetwork(ip, 'app:renovar', REFRESHES.network);
      if (!(await isItsOwn())) return;
      const { count, resetMs } = await gate.admit(tenantSlot(provedorId), `${session}:renovar`, []);
      if (count > REFRESHES.session) refuse('conta', resetMs);
    },

    /** Asking for a code by e-mail, which is a try each time. @throws TooManyAttempts */
    async askForCode(ip: string): Promise<void> {
      const asked = { ...CODES, slot: networkSlot(countedNetwork(ip)), name: 'app:codigos' };
      const waitMs = await tries.begin(asked);
      if (waitMs > 0) refuse('rede', waitMs, 'envio');
    },

    /** Comparing data with a client's, which is a try each time, whoever asks. @throws TooManyAttempts */
    async confer(provedorId: number, clienteId: number): Promise<void> {
      const tried = { ...OF_A_CLIENT, slot: tenantSlot(provedorId), name: `cliente:${clienteId}:conferir` };
      const waitMs = await tries.begin(tried);
      if (waitMs > 0) refuse('conta', waitMs);
    },

    /**
     * Having a second copy sent, which is a try each time, whoever asks. Where `send` fails none was sent, and it is no try.
     *
     * @throws TooManyAttempts
     */
    async sendCopy(
      provedorId: number,
      fatura: Pick<Fatura, 'id' | 'clienteId'>,
      send: () => Promise<void> = async () => Promise.resolve(),
    ): Promise<void> {
      const slot = tenantSlot(provedorId);
      const ofInvoice = { ...OF_AN_INVOICE, slot, name: `fatura:${fatura.id}:enviar` };
      const ofMailbox = { ...OF_A_MAILBOX, slot, name: `cliente:${fatura.clienteId}:enviar` };
      const waitMs = await tries.begin(ofInvoice);
      if (waitMs > 0) refuse('conta', waitMs, 'envio');
      const longerMs = await tries.begin(ofMailbox);
      if (longerMs > 0) {
        await tries.undo(ofInvoice);
        refuse('conta', longerMs, 'envio');
      }
      try {
        await send();
      } catch (error) {
        await Promise.all([tries.undo(ofInvoice), tries.undo(ofMailbox)]);
        throw error;
      }
    },

    /** Asking for a link by e-mail, which is a try each time: nobody's mailbox is filled. @throws TooManyAttempts */
    async askForMail(provedorId: number, email: string, ip: string): Promise<void> {
      const { daConta, daRede } = janelasDaEntrada(email, countedNetwork(ip));
      await ofNetwork(ip, daRede);
      const waitMs = await tries.begin({ ...OF_AN_ACCOUNT, slot: tenantSlot(provedorId), name: `${daConta}:link` });
      if (waitMs > 0) refuse('conta', waitMs, 'envio');
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
