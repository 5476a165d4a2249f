import { generateKeyPairSync } from 'node:crypto';

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
