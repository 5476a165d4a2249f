import path from 'node:path';
import type { Config } from '../config.ts';
import { createDirectoryStore } from './directory.ts';
import type { ObjectStore } from './object-store.ts';
import { createS3Store } from './s3.ts';

/** The store that the settings name. Nothing is opened before its first use. */
export function openExtractStore(config: Config): ObjectStore {
  const where = config.MALHA_EXTRATOS ?? path.join(config.MALHA_DATA_DIR, 'extratos');
  if (!where.startsWith('s3://')) return createDirectoryStore(path.resolve(where));
  const [bucket = '', ...folders] = where.slice('s3://'.length).split('/').filter(Boolean);
  const { MALHA_S3_ENDPOINT: endpoint, MALHA_S3_CHAVE: accessKeyId, MALHA_S3_SEGREDO: secretAccessKey } = config;
  return createS3Store({
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    region: config.MALHA_S3_REGIAO,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(accessKeyId === undefined || secretAccessKey === undefined
      ? {}
      : { credentials: { accessKeyId, secretAccessKey } }),
  });
}
