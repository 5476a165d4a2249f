import calculateSlot from 'cluster-key-slot';

/** Slots of a Redis Cluster. */
const SLOTS = 16_384;
/** A name ends with this many letters, each of which holds four bits. */
const LETTERS = 4;
const NAMES = 16 ** LETTERS;

/** The letters `@` to `O` differ in their lowest four bits alone, which are the ones of a hexadecimal digit. */
function nameOf(number: number): string {
  const letters = Array.from({ length: LETTERS }, (_, place) =>
    String.fromCharCode(0x40 + ((number >> (4 * place)) & 0xf)),
  );
  return `malha:{pulso${letters.join('')}}`;
}

let numbers: Uint16Array | undefined;

/**
 * The name that the gate's heartbeat writes under in a slot.
 *
 * A slot is a CRC16, which is linear: what one bit of a name changes in its slot does not depend on the other bits. So the slots of all
 * names follow from those of the first and of the names with one bit, and nothing is searched for.
 */
export function pulseNameOf(slot: number): string {
  numbers ??= numberSlots();
  return nameOf(numbers[slot] ?? 0);
}

function numberSlots(): Uint16Array {
  const slots = new Uint16Array(NAMES);
  const found = new Uint16Array(SLOTS);
  const first = calculateSlot(nameOf(0));
  for (let number = 0; number < NAMES; number += 1) {
    const bit = number & -number;
    const slot =
      bit === number ? calculateSlot(nameOf(number)) : (slots[number - bit] ?? 0) ^ (slots[bit] ?? 0) ^ first;
    slots[number] = slot;
    found[slot] = number;
  }
  return found;
}
