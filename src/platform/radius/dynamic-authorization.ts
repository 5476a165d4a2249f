import { hash, timingSafeEqual } from 'node:crypto';
import { attributeOf, encodeChange } from './attributes.ts';
import type { Change } from './attributes.ts';

/** A session, identified as its NAS knows it. */
interface NasSession {
  readonly userName: string;
  readonly acctSessionId: string;
  /** Address of the NAS, as in its accounting. */
  readonly nasIpAddress: string;
  /** Address of the subscriber; null when the NAS reported none. */
  readonly framedIpAddress: string | null;
}

/** What is asked of a NAS about a session: to change it while it is up, or, with nothing to change, to end it. */
export interface NasRequest {
  readonly session: NasSession;
  readonly changes: readonly Change[];
}

/** What a NAS answers to a CoA-Request or a Disconnect-Request. */
export interface NasReply {
  readonly accepted: boolean;
  /** Error-Cause (RFC 5176, section 3.6) of a refusal; null when there is none. */
  readonly errorCause: number | null;
}

/** RFC 5176, sections 2.1 and 2.2. Of both, the ACK and the NAK are the two codes that follow. */
const DISCONNECT_REQUEST = 40;
const COA_REQUEST = 43;

/** RFC 2865 (User-Name, NAS-IP-Address, Framed-IP-Address), RFC 2866 (Acct-Session-Id), RFC 5176 (Error-Cause). */
const ATTRIBUTES = { userName: 1, nasIpAddress: 4, framedIpAddress: 8, acctSessionId: 44, errorCause: 101 } as const;

const HEADER_BYTES = 20;
/** RFC 2865, section 3. */
const LONGEST_PACKET = 4096;

/**
 * Writes a CoA-Request or a Disconnect-Request (RFC 5176, sections 2.1 and 2.2). Its authenticator is that of RFC 5176, section 2.3:
 * MD5(code + identifier + length + 16 zero octets + attributes + secret).
 *
 * @param identifier 0 to 255.
 * @throws RangeError when a text is empty or longer than an attribute holds, an attribute is none that can be changed, or all are too long.
 */
export function encodeRequest(identifier: number, { session, changes }: NasRequest, secret: string): Buffer {
  const { userName, nasIpAddress, framedIpAddress, acctSessionId } = session;
  const attributes = Buffer.concat([
    attributeOf(ATTRIBUTES.userName, Buffer.from(userName)),
    attributeOf(ATTRIBUTES.nasIpAddress, addressBytes(nasIpAddress)),
    ...(framedIpAddress === null ? [] : [attributeOf(ATTRIBUTES.framedIpAddress, addressBytes(framedIpAddress))]),
    attributeOf(ATTRIBUTES.acctSessionId, Buffer.from(acctSessionId)),
    ...changes.map(changeBytes),
  ]);
  if (HEADER_BYTES + attributes.length > LONGEST_PACKET) throw new RangeError('RADIUS packet too long');
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(changes.length > 0 ? COA_REQUEST : DISCONNECT_REQUEST, 0);
  header.writeUInt8(identifier, 1);
  header.writeUInt16BE(HEADER_BYTES + attributes.length, 2);
  const packet = Buffer.concat([header, attributes]);
  md5(packet, Buffer.from(secret)).copy(packet, 4);
  return packet;
}

function changeBytes(change: Change): Buffer {
  const octets = encodeChange(change);
  if (octets === null) throw new RangeError(`RADIUS attribute ${change.attribute} cannot be changed`);
  return octets;
}

/**
 * Reads the answer to a request. Null when it is not a valid answer: another identifier, the code of another request's, too short, or not
 * signed with the secret. The authenticator is MD5(code + identifier + length + request's authenticator + attributes +
 * secret).
 */
export function decodeReply(request: Buffer, reply: Buffer, secret: string): NasReply | null {
  if (reply.length < HEADER_BYTES) return null;
  const length = reply.readUInt16BE(2);
  if (length < HEADER_BYTES || length > reply.length || reply[1] !== request[1]) return null;
  const asked = request.readUInt8(0);
  const [ack, nak] = [asked + 1, asked + 2];
  const code = reply.readUInt8(0);
  if (code !== ack && code !== nak) return null;
  // Bytes after the length are padding (RFC 2865, section 3).
  const packet = reply.subarray(0, length);
  const signed = Buffer.concat([
    packet.subarray(0, 4),
    request.subarray(4, HEADER_BYTES),
    packet.subarray(HEADER_BYTES),
  ]);
  if (!timingSafeEqual(md5(signed, Buffer.from(secret)), packet.subarray(4, HEADER_BYTES))) return null;
  return { accepted: code === ack, errorCause: errorCauseOf(packet.subarray(HEADER_BYTES)) };
}

function addressBytes(ipv4: string): Buffer {
  return Buffer.from(ipv4.split('.').map(Number));
}

function errorCauseOf(attributes: Buffer): number | null {
  for (let at = 0; at + 2 <= attributes.length;) {
    const [type = 0, length = 0] = attributes.subarray(at, at + 2);
    if (length < 2 || at + length > attributes.length) return null;
    if (type === ATTRIBUTES.errorCause && length === 6) return attributes.readUInt32BE(at + 2);
    at += length;
  }
  return null;
}

// RADIUS has no other digest; the secret protects it.
const md5 = (...parts: Buffer[]): Buffer => hash('md5', Buffer.concat(parts), 'buffer');
