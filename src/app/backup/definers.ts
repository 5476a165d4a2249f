import { Transform } from 'node:stream';

const NEW_LINE = 0x0a;

/**
 * `CREATE DEFINER=… TRIGGER` of a dump, and of a binary log. All of a row stands in one line, which begins with `INSERT`, and in a log
 * its bytes are written in base64: no data looks like this.
 */
const TRIGGER =
  /^((?:\/\*!50003 )?CREATE(?:\*\/ \/\*!50017)? )DEFINER=`(?:[^`]|``)*`@`(?:[^`]|``)*`(?=(?:\*\/ \/\*!50003)? TRIGGER )/;
const LONGEST_HEAD = 400;

/** Passes SQL on without the definers of its triggers, so that who loads it becomes theirs: the old one may be unknown to this server. */
export function withoutDefiners(): Transform {
  /** The beginning of a line whose end has not come yet; null once it is passed on because it is long enough to be judged. */
  let head: Buffer | null = Buffer.alloc(0);
  const judged = (line: Buffer): Buffer => {
    if (line[0] !== 0x43 /* C */ && line[0] !== 0x2f /* / */) return line;
    const text = line.toString('latin1');
    const changed = text.replace(TRIGGER, '$1');
    return changed === text ? line : Buffer.from(changed, 'latin1');
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let at = 0;
      while (at < chunk.length) {
        const end = chunk.indexOf(NEW_LINE, at);
        const stop = end === -1 ? chunk.length : end + 1;
        const part = chunk.subarray(at, stop);
        if (head === null) {
          this.push(part);
        } else {
          head = Buffer.concat([head, part]);
          if (end !== -1 || head.length > LONGEST_HEAD) {
            this.push(judged(head));
            head = null;
          }
        }
        if (end !== -1) head = Buffer.alloc(0);
        at = stop;
      }
      done();
    },
    flush(done) {
      if (head !== null && head.length > 0) this.push(judged(head));
      done();
    },
  });
}
