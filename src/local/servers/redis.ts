import { rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import type { DataDirLayout } from '../data/data-dir.ts';
import { startSupervised, waitForEarlierInstance } from '../processes/supervised-process.ts';
import type { SupervisedProcess } from '../processes/supervised-process.ts';
import { waitUntilReady } from './wait-until-ready.ts';

const readyDeadlineMs = 60_000;

/**
 * Starts a Redis of our own on a Unix socket.
 *
 * `url` is `redis://localhost/0?path=<socket>`: ioredis prefers `path` to host and port and takes the logical database
 * from the URL's path, exactly as with a real server, so `/0` can be replaced by `/1` to `/63` through `URL`.
 */
export async function startRedis(
  binary: string,
  layout: DataDirLayout,
  options: { durable: boolean; onSpawn: (server: SupervisedProcess) => void },
): Promise<{ url: string }> {
  const name = 'Redis';
  const aliveFile = join(layout.runDir, 'redis.alive');
  const pidFile = join(layout.runDir, 'redis.pid');
  const socketPath = join(layout.socketDir, 'redis.sock');
  await waitForEarlierInstance(name, aliveFile, pidFile);
  // A killed Redis leaves its socket; bind() then fails.
  rmSync(socketPath, { force: true });
  const server = await startSupervised({
    name,
    command: binary,
    args: redisArgs({
      port: '0',
      unixsocket: socketPath,
      unixsocketperm: '700',
      dir: layout.redisDir,
      pidfile: pidFile,
      daemonize: 'no',
      databases: '64',
      'maxmemory-policy': 'noeviction',
      // The append-only file holds everything, so snapshots would only cost time.
      save: '',
      appendonly: options.durable ? 'yes' : 'no',
    }),
    logFile: join(layout.logDir, 'redis.log'),
    aliveFile,
  });
  options.onSpawn(server);
  await waitUntilReady(server, () => answersPing(socketPath), readyDeadlineMs);
  return { url: `redis://localhost/0?path=${encodeURIComponent(socketPath)}` };
}

function redisArgs(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** Whether Redis answers PING with PONG. While it still loads its data it answers `-LOADING`. */
function answersPing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    const finish = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2_000, () => finish(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
    socket.once('error', () => finish(false));
    socket.once('close', () => resolve(false));
  });
}
