import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinary } from '../../src/local/binaries/find-binary.ts';
import { canInstallPackages, installPackages } from '../../src/local/binaries/debian-packages.ts';
import { run } from '../../src/local/processes/run-command.ts';
import type { BenchContext } from './bench.ts';

interface Saturation {
  readonly requests: number;
  readonly perSecond: number;
  readonly bytesAResponse: number;
}

export interface Wrk {
  /** Asks as fast as answers come for some seconds. @throws Error when any answer was not a 2xx, or none came. */
  saturate(target: { port: number; connections: number; seconds: number }): Promise<Saturation>;
}

interface Summary {
  readonly requests: number;
  readonly bytes: number;
  readonly duration: number;
  readonly errors: number;
}

/** The `wrk` load generator (Debian's package, installed where that is possible) asking the given requests in turn. */
export async function prepareWrk(context: BenchContext, name: string, requests: readonly string[]): Promise<Wrk> {
  if (findBinary(['wrk']) === undefined && canInstallPackages()) {
    context.log('Instalando wrk (apt-get, só desta vez)…');
    await installPackages([['wrk']], context.scratchDir);
  }
  const wrk = findBinary(['wrk']);
  if (wrk === undefined) throw new Error('Falta o wrk: instale com "apt-get install wrk".');

  const script = join(context.scratchDir, `${name}.lua`);
  // JSON's escapes are Lua's too, as far as a request of ASCII has any.
  const list = requests.map((request) => JSON.stringify(request)).join(',\n');
  writeFileSync(
    script,
    `local requests = {\n${list}\n}
local i = 0
function request()
  i = i % #requests + 1
  return requests[i]
end
function done(summary)
  local e = summary.errors
  local errors = e.connect + e.read + e.write + e.status + e.timeout
  io.write(string.format('\\nSUMMARY {"requests":%d,"bytes":%d,"duration":%d,"errors":%d}\\n',
    summary.requests, summary.bytes, summary.duration, errors))
end
`,
  );

  return {
    async saturate({ port, connections, seconds }) {
      const output = await run(wrk, [
        '--threads=1',
        `--connections=${connections}`,
        `--duration=${seconds}s`,
        `--script=${script}`,
        `http://127.0.0.1:${port}`,
      ]);
      const text = /^SUMMARY (.*)$/m.exec(output)?.[1];
      if (text === undefined) throw new Error(output);
      const summary = JSON.parse(text) as Summary;
      if (summary.errors > 0 || summary.requests === 0) throw new Error(`wrk found wrong answers:\n${output}`);
      return {
        requests: summary.requests,
        perSecond: (summary.requests / summary.duration) * 1_000_000,
        bytesAResponse: summary.bytes / summary.requests,
      };
    },
  };
}
