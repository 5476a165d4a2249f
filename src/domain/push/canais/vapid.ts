import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import type { Secrets } from '../../../platform/secrets/secrets.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';

/** By which push services know the operator (RFC 8292). */
export interface Vapid {
  /** An uncompressed point of P-256, in base64url: the browser's `applicationServerKey`. */
  readonly publica: string;
  readonly privada: KeyObject;
}

interface VapidRow {
  publica: string;
  privada: Buffer;
}

const DA_CHAVE = columns<VapidRow>('push_vapid', { publica: true, privada: true });
/** There is one pair: subscriptions of browsers are made for it, and are of no use with another. */
const UNICA = 1;
/** No tenant's. */
const LUGAR = { tenant: 0, table: 'push_vapid', column: 'privada' };

export interface VapidDeps {
  readonly db: Db;
  readonly relogio: Relogio;
  readonly segredos: Secrets;
}

/** Gives the operator's keys, which are made when they are first asked for; of processes that make some together, one keeps its own. */
export function createVapid({ db, relogio, segredos }: VapidDeps): () => Promise<Vapid> {
  let sabidas: Promise<Vapid> | undefined;

  async function ler(): Promise<Vapid | null> {
    const [row] = await rowsOf(db('push_vapid').where('id', UNICA), DA_CHAVE);
    if (row === undefined) return null;
    const der = segredos.open(LUGAR, row.privada);
    return { publica: row.publica, privada: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
  }

  async function fazer(): Promise<Vapid> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const ponto = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
    const feita = {
      id: UNICA,
      publica: Buffer.concat(ponto).toString('base64url'),
      privada: segredos.seal(LUGAR, privateKey.export({ format: 'der', type: 'pkcs8' })),
      criada_em: toDatabaseTime(relogio.agora()),
    };
    await db('push_vapid').insert(feita).onConflict('id').ignore();
    const guardada = await ler();
    if (guardada === null) throw new Error('as chaves do Web Push não foram gravadas');
    return guardada;
  }

  return async () => {
    sabidas ??= ler().then(async (achada) => achada ?? fazer());
    try {
      return await sabidas;
    } catch (error) {
      sabidas = undefined;
      throw error;
    }
  };
}
