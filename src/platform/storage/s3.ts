import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { ObjectMissing, checkName } from './object-store.ts';
import type { ObjectStore } from './object-store.ts';

export interface S3Options {
  readonly bucket: string;
  /** Empty, or ends in a slash. */
  readonly prefix: string;
  readonly region: string;
  /** The address of a store that is not Amazon's. The bucket is then part of the path. */
  readonly endpoint?: string;
  /** When absent, the credentials of the machine are used, such as a role or a profile. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * At least the 5 MiB that S3 requires for every part but the last. With at most 10,000 parts, an object has up to 80
 * GiB.
 */
const PART_BYTES = 8 * 2 ** 20;

/** The most objects that one request may remove. */
const REMOVED_AT_ONCE = 1000;

/** Objects in a bucket of any store with the S3 protocol. The client package is loaded at the first use. */
export function createS3Store({ bucket, prefix, region, endpoint, credentials }: S3Options): ObjectStore {
  const sdk = async () => import('@aws-sdk/client-s3');
  let opened: Promise<S3Client> | undefined;

  async function client(): Promise<S3Client> {
    opened ??= sdk().then(
      ({ S3Client: Client }) =>
        new Client({
          region,
          ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
          ...(credentials === undefined ? {} : { credentials }),
          // Stores other than Amazon's may not know its newer checksums.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
        }),
    );
    return opened;
  }

  const at = (name: string) => ({ Bucket: bucket, Key: `${prefix}${checkName(name)}` });

  return {
    async create(name) {
      const s3 = await client();
      const { CreateMultipartUploadCommand, UploadPartCommand, CompleteMultipartUploadCommand } = await sdk();
      const { AbortMultipartUploadCommand, PutObjectCommand } = await sdk();
      const where = at(name);
      const parts: { PartNumber: number; ETag: string | undefined }[] = [];
      let upload: string | undefined;
      let pieces: Uint8Array[] = [];
      let bytes = 0;

      async function sendPart(): Promise<void> {
        upload ??= (await s3.send(new CreateMultipartUploadCommand(where))).UploadId;
        const PartNumber = parts.length + 1;
        const Body = Buffer.concat(pieces);
        [pieces, bytes] = [[], 0];
        const { ETag } = await s3.send(new UploadPartCommand({ ...where, UploadId: upload, PartNumber, Body }));
        parts.push({ PartNumber, ETag });
      }

      return {
        async write(piece) {
          pieces.push(piece);
          bytes += piece.length;
          if (bytes >= PART_BYTES) await sendPart();
        },
        async close() {
          if (upload === undefined) {
            await s3.send(new PutObjectCommand({ ...where, Body: Buffer.concat(pieces) }));
            return;
          }
          if (bytes > 0) await sendPart();
          const MultipartUpload = { Parts: parts };
          await s3.send(new CompleteMultipartUploadCommand({ ...where, UploadId: upload, MultipartUpload }));
        },
        async abort() {
          pieces = [];
          if (upload !== undefined) await s3.send(new AbortMultipartUploadCommand({ ...where, UploadId: upload }));
        },
      };
    },

    async read(name, { start, end }) {
      const s3 = await client();
      const { GetObjectCommand, NoSuchKey } = await sdk();
      try {
        const { Body } = await s3.send(new GetObjectCommand({ ...at(name), Range: `bytes=${start}-${end}` }));
        // In Node the body is a `Readable`.
        return Body as Readable;
      } catch (error) {
        throw error instanceof NoSuchKey ? new ObjectMissing() : error;
      }
    },

    async list(folder) {
      const s3 = await client();
      const { paginateListObjectsV2 } = await sdk();
      const names: string[] = [];
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client: s3 },
        { Bucket: bucket, Prefix: `${prefix}${checkName(folder.replace(/\/$/, ''))}/` },
      )) {
        names.push(...Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(prefix.length)])));
      }
      return names;
    },

    async remove(names) {
      const s3 = await client();
      const { DeleteObjectsCommand } = await sdk();
      for (let from = 0; from < names.length; from += REMOVED_AT_ONCE) {
        const Objects = names.slice(from, from + REMOVED_AT_ONCE).map((name) => ({ Key: at(name).Key }));
        const { Errors = [] } = await s3.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        if (Errors.length > 0) throw new Error(`the store did not remove ${Errors.length} objects`);
      }
    },
  };
}
