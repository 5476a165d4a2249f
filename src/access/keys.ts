import type { IncomingMessage } from 'node:http';
import type { Procedencia } from '../domain/actor.ts';
import { lerChave } from '../domain/chaves/chave.ts';
import type { ChavesService } from '../domain/chaves/chaves.service.ts';
import { satisfaz } from '../domain/chaves/chaves.types.ts';
import type { Chave, ChaveComProvedor, Exigencia } from '../domain/chaves/chaves.types.ts';
import { chavePode } from '../domain/chaves/poder.regras.ts';
import type { Provedor } from '../domain/provedores/provedores.types.ts';
import { createIpList } from '../platform/ip.ts';
import type { IpList } from '../platform/ip.ts';
import type { Rights } from '../kit/rights/rights.ts';
import type { CredentialKind } from './door.ts';
import { rightsOfKey } from './rights/rights.ts';

/** The caller: the admitted key, its provider, and the request. */
export interface KeySession extends Procedencia {
  readonly chave: Chave;
  readonly provedor: Provedor;
  /** A name that is unique among the provider's keys and reveals nothing of the key. */
  readonly reader: string;
  readonly rights: Rights;
}

/** The codes of refusals at a door that asks for API keys. */
export type KeyRefusal =
  'chave_ausente' | 'chave_invalida' | 'chave_revogada' | 'chave_expirada' | 'ip_nao_autorizado' | 'limite_excedido';

interface KeyRecord extends ChaveComProvedor {
  readonly ips: IpList | null;
  readonly rights: Rights;
}

export interface KeysDeps extends Pick<ChavesService, 'buscarPorHash'> {
  /** Counts a request of a key. */
  readonly onUse: (used: ChaveComProvedor) => void;
}

/** API keys, sent as `Authorization: Bearer` or as `X-API-Key`. */
export function createKeys({ buscarPorHash, onUse }: KeysDeps): CredentialKind<KeyRecord, KeySession, KeyRefusal> {
  return {
    textOf: textOfKey,

    shapeOf(text) {
      const read = lerChave(text);
      return read === null ? null : { tenantId: read.provedorId, name: read.nome, hash: read.hash };
    },

    async find(hash) {
      const found = await buscarPorHash(hash);
      if (found === null) return null;
      const { chave, provedor } = found;
      const ips = chave.ipsPermitidos === null ? null : createIpList(chave.ipsPermitidos);
      return { ...found, ips, rights: rightsOfKey(chave, provedor) };
    },

    endedBy({ chave: { revogadaEm, expiraEm } }, now) {
      if (revogadaEm !== null) return 'chave_revogada';
      return expiraEm !== null && expiraEm <= now ? 'chave_expirada' : null;
    },

    barredFrom: ({ ips }, ip) => (ips !== null && !ips.has(ip) ? 'ip_nao_autorizado' : null),
    limitOf: ({ chave }) => chave.limitePorMinuto,
    sessionOf: ({ chave, provedor, rights }, { ip, requestId }, { name }) => ({
      chave,
      provedor,
      ip,
      requestId,
      reader: name,
      rights,
    }),
    rightsOf: ({ rights }) => rights,
    onAdmitted: onUse,
    refusals: { absent: 'chave_ausente', unknown: () => 'chave_invalida', limited: 'limite_excedido' },
  };
}

/** Whether a key has what a route asks for. */
export const keyMay = ({ chave }: KeySession, permission: Exigencia): boolean =>
  satisfaz(permission, (uma) => chavePode(chave, uma));

/**
 * The key that a request carries, or null. With two different keys in the two headers, the result is an invalid key.
 */
export function textOfKey({ headers }: IncomingMessage): string | null {
  const { authorization, 'x-api-key': given } = headers;
  const bearer = authorization === undefined ? null : (/^bearer +(\S.*)$/i.exec(authorization.trim())?.[1] ?? null);
  const other = typeof given !== 'string' || given.trim() === '' ? null : given.trim();
  if (bearer !== null && other !== null && bearer !== other) return '';
  return bearer ?? other;
}
