import { createInterface } from 'node:readline';
import { startPiped } from '../../local/processes/piped-command.ts';

/** What stands before each event: `#261128 10:06:51 server id 1`, in this machine's time zone. */
const EVENT = /^#(\d\d)(\d\d)(\d\d) +(\d{1,2}):(\d\d):(\d\d) server id /;

/**
 * The time of the newest event of a server's binary log, by whole seconds; null where it has none.
 *
 * @param program mysqlbinlog or mariadb-binlog
 */
async function lastEventOf(program: string, file: string): Promise<Date | null> {
  // The headers alone: rows are left out.
  const reading = startPiped(program, ['--no-defaults', '--base64-output=decode-rows', file]);
  let last: Date | null = null;
  for await (const line of createInterface({ input: reading.output })) {
    const found = EVENT.exec(line);
    if (found === null) continue;
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
    const at = new Date(2000 + year, month - 1, day, hour, minute, second);
    if (last === null || at > last) last = at;
  }
  await reading.ended;
  return last;
}

/**
 * The time of the last event that a server's binary logs have.
 *
 * @throws Error with a line for the person at the terminal where that is before the instant to go to: what is missing would be missed by nobody
 */
export async function endOfLogs(program: string, files: readonly string[], until: Date | undefined): Promise<Date> {
  const file = files.at(-1) ?? '';
  const last = await lastEventOf(program, file);
  if (last === null) throw new Error(`${file} não tem registro nenhum.`);
  if (until !== undefined && last.getTime() < Math.floor(until.getTime() / 1000) * 1000) {
    throw new Error(
      `Os logs acabam em ${last.toISOString()}, antes de --ate: falta o que veio depois em ${file}, ou o log seguinte. ` +
        'Se nada mais se gravou, restaure sem --ate.',
    );
  }
  return last;
}
