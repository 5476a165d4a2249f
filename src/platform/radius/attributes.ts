/** Of RADIUS's types, those that a CoA-Request has use for here. */
type Kind = 'text' | 'integer';

interface Definition {
  /** IANA enterprise number; null for an attribute of the standards. */
  readonly vendor: number | null;
  readonly type: number;
  readonly kind: Kind;
}

const standard = (type: number, kind: Kind): Definition => ({ vendor: null, type, kind });
const of =
  (vendor: number) =>
  (type: number, kind: Kind): Definition => ({ vendor, type, kind });
const mikrotik = of(14988);
const wispr = of(14122);
const huawei = of(2011);
const cisco = of(9);

/**
 * Attributes that may be set in a session that is up, by FreeRADIUS's names. None of addresses, pools, prefixes and routes: a NAS gives
 * those when a session begins (RFC 5176, section 3, has them name a session). Numbers are those of FreeRADIUS's dictionaries.
 */
const CHANGEABLE: ReadonlyMap<string, Definition> = new Map([
  ['Filter-Id', standard(11, 'text')],
  ['Session-Timeout', standard(27, 'integer')],
  ['Idle-Timeout', standard(28, 'integer')],
  ['Acct-Interim-Interval', standard(85, 'integer')],
  ['Mikrotik-Recv-Limit', mikrotik(1, 'integer')],
  ['Mikrotik-Xmit-Limit', mikrotik(2, 'integer')],
  ['Mikrotik-Rate-Limit', mikrotik(8, 'text')],
  ['Mikrotik-Address-List', mikrotik(19, 'text')],
  ['WISPr-Bandwidth-Max-Up', wispr(7, 'integer')],
  ['WISPr-Bandwidth-Max-Down', wispr(8, 'integer')],
  ['Huawei-Input-Average-Rate', huawei(2, 'integer')],
  ['Huawei-Input-Peak-Rate', huawei(3, 'integer')],
  ['Huawei-Output-Average-Rate', huawei(5, 'integer')],
  ['Huawei-Output-Peak-Rate', huawei(6, 'integer')],
  ['Cisco-AVPair', cisco(1, 'text')],
]);

/** What a session is to be given. */
export interface Change {
  /** As FreeRADIUS names it. */
  readonly attribute: string;
  readonly value: string;
}

/** Vendor-Specific (RFC 2865, section 5.26). */
const VENDOR_SPECIFIC = 26;
const LONGEST_VALUE = 253;
const VENDOR_HEADER_BYTES = 6;
const LARGEST_INTEGER = 0xff_ff_ff_ff;

/** Whether a session that is up can be given this, and we can write it. */
export function isChangeable(attribute: string, value: string): boolean {
  return encodeChange({ attribute, value }) !== null;
}

/** Writes an attribute that changes a session; null when it is none, or its value does not fit. */
export function encodeChange({ attribute, value }: Change): Buffer | null {
  const definition = CHANGEABLE.get(attribute);
  if (definition === undefined) return null;
  const { vendor, type, kind } = definition;
  const octets = kind === 'text' ? Buffer.from(value) : integer(value);
  if (octets === null || octets.length === 0) return null;
  if (octets.length > LONGEST_VALUE - (vendor === null ? 0 : VENDOR_HEADER_BYTES)) return null;
  return vendor === null
    ? attributeOf(type, octets)
    : attributeOf(VENDOR_SPECIFIC, vendorSpecific(vendor, type, octets));
}

function integer(text: string): Buffer | null {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : LARGEST_INTEGER + 1;
  if (number > LARGEST_INTEGER) return null;
  const octets = Buffer.alloc(4);
  octets.writeUInt32BE(number);
  return octets;
}

function vendorSpecific(vendor: number, type: number, octets: Buffer): Buffer {
  const header = Buffer.alloc(VENDOR_HEADER_BYTES);
  header.writeUInt32BE(vendor, 0);
  header.writeUInt8(type, 4);
  header.writeUInt8(octets.length + 2, 5);
  return Buffer.concat([header, octets]);
}

/**
 * An attribute with its type and length.
 *
 * @throws RangeError when the value is empty or longer than an attribute holds.
 */
export function attributeOf(type: number, value: Buffer): Buffer {
  if (value.length === 0 || value.length > LONGEST_VALUE) {
    throw new RangeError(`RADIUS attribute ${type} of ${value.length} octets`);
  }
  return Buffer.concat([Buffer.from([type, value.length + 2]), value]);
}
