import { hash, timingSafeEqual } from 'node:crypto';

/** A session, identified as its NAS knows it. */
export interface NasSession {
  readonly userName: string;
  readonly acctSessionId: string;
  /** Address of the NAS, as in its accounting. */
  readonly nasIpAddress: string;
  /** Address of the subscriber; null when the NAS reported none. */
  readonly framedIpAddress: string | null;
}

/** What a NAS answers to a Disconnect-Request. */
export interface DisconnectReply {
  readonly accepted: boolean;
  /** Error-Cause (RFC 5176, section 3.6) of a refusal; null when there is none. */
  readonly errorCause: number | null;
}

/** RFC 5176, section 2.1. */
const DISCONNECT_REQUEST = 40;
const DISCONNECT_ACK = 41;
const DISCONNECT_NAK = 42;

/** RFC 2865 (User-Name, NAS-IP-Address, Framed-IP-Address), RFC 2866 (Acct-Session-Id), RFC 5176 (Error-Cause). */
const ATTRIBUTES = { userName: 1, nasIpAddress: 4, framedIpAddress: 8, acctSessionId: 44, errorCause: 101 } as const;

const HEADER_BYTES = 20;
const LONGEST_VALUE = 253;

/**
 * Writes a Disconnect-Request (RFC 5176, section 2.1). Its authenticator is that of RFC 5176, section 2.3:
 * MD5(code + identifier + length + 16 zero octets + attributes + secret).
 *
 * @param identifier 0 to 255.
 * @throws RangeError when a text is empty or longer than an attribute holds.
 */
export function encodeDisconnectRequest(identifier: number, session: NasSession, secret: string): Buffer {
  const { userName, nasIpAddress, framedIpAddress, acctSessionId } = session;
  const attributes = Buffer.concat([
    attribute(ATTRIBUTES.userName, Buffer.from(userName)),
    attribute(ATTRIBUTES.nasIpAddress, addressBytes(nasIpAddress)),
    ...(framedIpAddress === null ? [] : [attribute(ATTRIBUTES.framedIpAddress, addressBytes(framedIpAddress))]),
    attribute(ATTRIBUTES.acctSessionId, Buffer.from(acctSessionId)),
  ]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(DISCONNECT_REQUEST, 0);
  header.writeUInt8(identifier, 1);
  header.writeUInt16BE(HEADER_BYTES + attributes.length, 2);
  const packet = Buffer.concat([header, attributes]);
  md5(packet, Buffer.from(secret)).copy(packet, 4);
  return packet;
}

/**
 * Reads the answer to a request. Null when it is not a valid answer: another identifier or code, too short, or not
 * signed with the secret. The authenticator is MD5(code + identifier + length + request's authenticator + attributes +
 * secret).
 */
export function decodeDisconnectReply(request: Buffer, reply: Buffer, secret: string): DisconnectReply | null {
  if (reply.length < HEADER_BYTES) return null;
  const length = reply.readUInt16BE(2);
  if (length < HEADER_BYTES || length > reply.length || reply[1] !== request[1]) return null;
  const code = reply[0];
  if (code !== DISCONNECT_ACK && code !== DISCONNECT_NAK) return null;
  // Bytes after the length are padding (RFC 2865, section 3).
  const packet = reply.subarray(0, length);
  const signed = Buffer.concat([
    packet.subarray(0, 4),
    request.subarray(4, HEADER_BYTES),
    packet.subarray(HEADER_BYTES),
  ]);
  if (!timingSafeEqual(md5(signed, Buffer.from(secret)), packet.subarray(4, HEADER_BYTES))) return null;
  return { accepted: code === DISCONNECT_ACK, errorCause: errorCauseOf(packet.subarray(HEADER_BYTES)) };
}

function attribute(type: number, value: Buffer): Buffer {
  if (value.length === 0 || value.length > LONGEST_VALUE) {
    throw new RangeError(`RADIUS attribute ${type} of ${value.length} octets`);
  }
  return Buffer.concat([Buffer.from([type, value.length + 2]), value]);
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
