import { createECDH, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import type { ECDH, KeyObject } from 'node:crypto';
import { createRequire } from 'node:module';
import { createPushConsumer } from '../../../src/app/compose/deliveries.ts';
import type { Container } from '../../../src/app/compose/container.ts';
import { createConsuming } from '../../../src/platform/mysql/outbox-consumer.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The public half of the key in `contaDoGoogle`. */
export const CHAVE_DA_CONTA = publicKey;

/** The file of a service account, as Google's console gives it. */
export const contaDoGoogle = (outra: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'serra-azul',
    private_key_id: 'abcdef0123456789',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'push@serra-azul.iam.gserviceaccount.com',
    token_uri: 'https://outro.exemplo/token',
    ...outra,
  });

const require = createRequire(import.meta.url);
const ece = require('http_ece') as {
  decrypt(corpo: Buffer, com: { version: string; privateKey: ECDH; authSecret: string }): Buffer;
};

/** A browser that is subscribed at an address, and reads what is sent to it by an implementation that is not ours. */
export function criarNavegador(endpoint: string) {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const auth = randomBytes(16).toString('base64url');
  return {
    inscricao: { endpoint, keys: { p256dh: ecdh.getPublicKey('base64url'), auth } },
    /** As the domain takes it. */
    dispositivo: {
      tipo: 'webpush',
      plataforma: 'web',
      endpoint,
      chaves: { p256dh: ecdh.getPublicKey('base64url'), auth },
    },
    ler: (corpo: Buffer): Record<string, any> =>
      JSON.parse(ece.decrypt(corpo, { version: 'aes128gcm', privateKey: ecdh, authSecret: auth }).toString()),
  };
}

/** The two parts of a token (RFC 7519) that say something, of one whose signature a key made. */
export function lerJwt(texto: string, chave: KeyObject): [cabecalho: any, claims: any] {
  const [cabecalho = '', claims = '', assinatura = ''] = texto.split('.');
  const serve = verify(
    'sha256',
    Buffer.from(`${cabecalho}.${claims}`),
    { key: chave, dsaEncoding: 'ieee-p1363' },
    Buffer.from(assinatura, 'base64url'),
  );
  if (!serve) throw new Error('assinatura errada');
  return [cabecalho, claims].map((parte) => JSON.parse(Buffer.from(parte, 'base64url').toString())) as [any, any];
}

/** What the worker does: gives the consumer its events, and sends what is due. */
export function carteiro(container: Container) {
  const falhas: unknown[] = [];
  const { consume } = createConsuming({
    db: container.db,
    consumer: createPushConsumer(container.consumoDePush),
    onFailure: (_id, error) => falhas.push(error),
  });
  async function consumir(): Promise<void> {
    while ((await consume()) > 0);
    if (falhas.length > 0) throw falhas[0];
  }
  async function entregar(): Promise<void> {
    await container.entregasDePush.entregar();
    await container.entregasDePush.terminar();
  }
  return {
    consumir,
    entregar,
    async tudo(): Promise<void> {
      await consumir();
      await entregar();
    },
  };
}
