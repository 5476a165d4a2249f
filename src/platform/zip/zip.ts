import { crc32, deflateRawSync } from 'node:zlib';

// Written by hand: a library with ZIP64 that writes 100,000 files in bounded memory was not found. yazl looks for the next
// file among all those before it, archiver brings 40 packages, fflate has no ZIP64, client-zip does not compress.

export interface ZipEntry {
  /** Its path within the archive, with slashes. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const MOST = 0xffff_ffff;
const MOST_ENTRIES = 0xffff;
/** A small buffer is a part of one of 8 KiB that Node shares among several, and holds all of it. So entries are joined. */
const ENTRIES_A_BUFFER = 500;
/** Deflated; names in UTF-8. */
const METHOD = 8;
const UTF8 = 0x0800;

/**
 * An archive (PKWARE APPNOTE 6.3.10) that is written while its files are read: of those that are written already, only the entry of
 * the directory is held, about 100 bytes each. There may be any number of files, of less than 4 GiB each.
 *
 * @param modified the time of all of them, in UTC; ZIP knows no time zone
 * @throws {RangeError} when a name is longer than 65,535 bytes
 */
export async function* writeZip(entries: AsyncIterable<ZipEntry>, modified: Date): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let latest: Buffer[] = [];
  const stamp = dosTime(modified);
  let offset = 0;
  let count = 0;
  for await (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    if (path.length > MOST_ENTRIES) throw new RangeError('the name of a file in an archive is too long');
    const packed = deflateRawSync(bytes);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(UTF8, 2);
    facts.writeUInt16LE(METHOD, 4);
    facts.writeUInt32LE(stamp, 6);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    facts.writeUInt16LE(20, 0);
    const local = Buffer.concat([signature(0x04034b50), facts, path, packed]);
    latest.push(directoryEntry(facts, path, offset));
    if (latest.length === ENTRIES_A_BUFFER) {
      directory.push(Buffer.concat(latest));
      latest = [];
    }
    offset += local.length;
    count += 1;
    yield local;
  }
  directory.push(Buffer.concat(latest));
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield* directory;
  yield end(count, size, offset);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** What the directory says of a file. Where it begins beyond 4 GiB, its place stands in an extra field (ZIP64). */
function directoryEntry(local: Buffer, path: Buffer, offset: number): Buffer {
  const far = offset > MOST;
  const extra = Buffer.alloc(far ? 12 : 0);
  if (far) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(offset), 4);
  }
  const head = Buffer.alloc(6);
  head.writeUInt32LE(0x02014b50);
  head.writeUInt16LE(45, 4);
  const facts = Buffer.from(local);
  facts.writeUInt16LE(far ? 45 : 20, 0);
  facts.writeUInt16LE(extra.length, 24);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(far ? MOST : offset, 10);
  return Buffer.concat([head, facts, tail, path, extra]);
}

/** The end of the archive; its ZIP64 form goes before it where a number does not fit. */
function end(count: number, size: number, offset: number): Buffer {
  const large = count >= MOST_ENTRIES || size > MOST || offset > MOST;
  const zip64 = Buffer.alloc(large ? 76 : 0);
  if (large) {
    zip64.writeUInt32LE(0x06064b50);
    zip64.writeBigUInt64LE(44n, 4);
    zip64.writeUInt16LE(45, 12);
    zip64.writeUInt16LE(45, 14);
    zip64.writeBigUInt64LE(BigInt(count), 24);
    zip64.writeBigUInt64LE(BigInt(count), 32);
    zip64.writeBigUInt64LE(BigInt(size), 40);
    zip64.writeBigUInt64LE(BigInt(offset), 48);
    zip64.writeUInt32LE(0x07064b50, 56);
    zip64.writeBigUInt64LE(BigInt(offset + size), 64);
    zip64.writeUInt32LE(1, 72);
  }
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50);
  last.writeUInt16LE(Math.min(count, MOST_ENTRIES), 8);
  last.writeUInt16LE(Math.min(count, MOST_ENTRIES), 10);
  last.writeUInt32LE(Math.min(size, MOST), 12);
  last.writeUInt32LE(Math.min(offset, MOST), 16);
  return Buffer.concat([zip64, last]);
}

function dosTime(date: Date): number {
  const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((Math.max(date.getUTCFullYear(), 1980) - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return ((day << 16) | time) >>> 0;
}
