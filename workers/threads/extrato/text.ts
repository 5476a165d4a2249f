import { viewOf } from './rows.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_UNESCAPED = 0x20;

/** Writes JSON into one buffer, which is used again for each batch. */
export function createText() {
  let capacity = 2 ** 20;
  let memory = viewOf(new Uint8Array(capacity));
  let length = 0;

  function makeRoom(more: number): void {
    if (length + more <= capacity) return;
    capacity = Math.max(2 * capacity, length + more);
    const larger = new Uint8Array(capacity);
    larger.set(written());
    memory = viewOf(larger);
  }

  const written = (): Uint8Array => new Uint8Array(memory.buffer, 0, length);

  function ascii(text: string): void {
    makeRoom(text.length);
    const target = memory;
    const n = length;
    for (let from = 0; from < text.length; from += 1) target.setUint8(n + from, text.charCodeAt(from));
    length = n + text.length;
  }

  /** Copies four bytes at a time, without calls in the loop: there are millions of fields, of a few bytes each. */
  function copy(view: DataView, start = 0, end = view.byteLength): void {
    makeRoom(end - start);
    const target = memory;
    let n = length;
    let from = start;
    for (; from + 4 <= end; from += 4, n += 4) target.setInt32(n, view.getInt32(from));
    for (; from < end; from += 1, n += 1) target.setUint8(n, view.getUint8(from));
    length = n;
  }

  /** Writes the UTF-8 text between quotes, with the escapes that JSON requires (RFC 8259, section 7). */
  function quote(view: DataView, start: number, end: number): void {
    makeRoom(end - start + 2);
    const target = memory;
    let n = length;
    let from = start;
    let escapes = 0;
    target.setUint8(n, QUOTE);
    n += 1;
    for (; from + 4 <= end; from += 4, n += 4) {
      const word = view.getInt32(from);
      escapes |= anyBelow(word, FIRST_UNESCAPED) | anyEqual(word, QUOTE) | anyEqual(word, BACKSLASH);
      target.setInt32(n, word);
    }
    for (; from < end; from += 1, n += 1) {
      const byte = view.getUint8(from);
      if (byte < FIRST_UNESCAPED || byte === QUOTE || byte === BACKSLASH) escapes = 1;
      target.setUint8(n, byte);
    }
    if (escapes === 0) {
      target.setUint8(n, QUOTE);
      length = n + 1;
    } else {
      const text = Buffer.from(view.buffer, view.byteOffset + start, end - start).toString();
      copy(viewOf(Buffer.from(JSON.stringify(text))));
    }
  }

  return {
    ascii,
    copy,
    quote,
    written,
    begin(): void {
      length = 0;
    },
  };
}

/** Not zero when one of the four bytes of a word is less than `byte`, which must be less than 0x80. */
const anyBelow = (word: number, byte: number): number => (word - byte * 0x01010101) & ~word & 0x80808080;

const anyEqual = (word: number, byte: number): number => anyBelow(word ^ (byte * 0x01010101), 1);
