import { ConfigError } from '../../platform/config.ts';
import type { Db } from '../../platform/mysql/database.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import type { Actor } from '../actor.ts';
import { lerCampos } from '../campos/campos.ts';
import type { DaVersao } from '../campos/versao.ts';
import type { WriteFor } from '../escrita.ts';
import { PROVEDOR_TAG } from '../tags.ts';
import type { Vapid } from './canais/vapid.ts';
import { gravarConta, lerContaDita } from './conta/conta.queries.ts';
import { CAMPOS_DA_CONTA } from './conta/conta.regras.ts';
import type { ContaDita } from './conta/conta.regras.ts';
import type { TipoDeCanal } from './push.types.ts';

export type PushService = ReturnType<typeof createPushService>;

export interface PushDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly write: WriteFor;
  readonly segredos: Secrets;
  readonly vapid: () => Promise<Vapid>;
}

/** What a provider's app has to know before it registers a device. */
export interface ConfiguracaoDePush {
  /** The `applicationServerKey` of browsers; null where the operator can keep none, for want of a master key. */
  readonly chavePublica: string | null;
  /** Whether the provider sends through FCM. */
  readonly fcm: boolean;
}

/** What a provider sends notices of its app by. */
export function createPushService({ db, relogio, write, segredos, vapid }: PushDeps) {
  async function chavePublica(): Promise<string | null> {
    try {
      return (await vapid()).publica;
    } catch (error) {
      if (error instanceof ConfigError) return null;
      throw error;
    }
  }

  async function configuracao(provedorId: number): Promise<ConfiguracaoDePush> {
    const [publica, conta] = await Promise.all([chavePublica(), lerContaDita(db, provedorId)]);
    return { chavePublica: publica, fcm: conta !== null };
  }

  return {
    configuracao,

    /** By what a provider can send. */
    canaisDe: async (provedorId: number): Promise<ReadonlySet<TipoDeCanal>> => {
      const { chavePublica: publica, fcm } = await configuracao(provedorId);
      return new Set([...(publica === null ? [] : (['webpush'] as const)), ...(fcm ? (['fcm'] as const) : [])]);
    },

    /** Of the account by which a provider sends through FCM: its project, and since when. Null where it has none. */
    contaFcm: async (provedorId: number): Promise<ContaDita | null> => lerContaDita(db, provedorId),

    /**
     * Sets the account by which a provider sends through FCM, or takes it away (null).
     *
     * @param conta the JSON file of a service account, as Google's console gives it
     * @returns whether that is a change
     * @throws CamposInvalidos of `conta`, or Recusa `versao_divergente` where another was set since it was read
     */
    async definirContaFcm(
      actor: Actor,
      provedorId: number,
      conta: string | null,
      { versao }: DaVersao = {},
    ): Promise<boolean> {
      const lida = lerCampos(CAMPOS_DA_CONTA, { conta }).conta;
      return write(actor, provedorId, async (w) => {
        if (!(await gravarConta(w, segredos, lida, relogio.agora(), versao))) return false;
        w.touch(PROVEDOR_TAG);
        w.emit('provedor.configurado', provedorId, { campos: ['fcm_conta'] });
        return true;
      });
    },
  };
}
