import { createHash } from 'node:crypto';

/** Fields of the hash: the slot's era, and the number of its latest bump. */
const ERA = ':era';
const BUMPS = ':bumps';

/**
 * Serves the requests of one slot that came in the same turn of the event loop. It reads every tag that any of them
 * asks for, once, and counts each request in its window. The bumps of a slot are in one hash, which Redis has whole or
 * not at all. When the hash is missing, a new era begins under a name that no process has seen before. So a flushed
 * Redis causes misses and never a stale hit.
 *
 * KEYS: bumps, window… · ARGV: window ms, era to begin, its TTL ms, tag… · returns [[era, latest bump, of each tag its
 * bump or nil], of each window: count, ms left]; where no tags are asked for, the first is empty
 */
const SERVE_TEXT = `
local bumps = {}
if #ARGV > 3 then
  local asked = { '${ERA}', '${BUMPS}' }
  for i = 4, #ARGV do asked[i - 1] = ARGV[i] end
  bumps = redis.call('HMGET', KEYS[1], unpack(asked))
  if not bumps[1] then
    redis.call('HSET', KEYS[1], '${ERA}', ARGV[2], '${BUMPS}', 0)
    bumps[1], bumps[2] = ARGV[2], '0'
  end
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
end
local answer = { bumps }
for i = 2, #KEYS do
  local count = redis.call('INCR', KEYS[i])
  local left = redis.call('PTTL', KEYS[i])
  if left < 0 then
    redis.call('PEXPIRE', KEYS[i], ARGV[1])
    left = tonumber(ARGV[1])
  end
  answer[2 * i - 2], answer[2 * i - 1] = count, left
end
return answer`;

/** Numbers a bump and marks its tags with it. KEYS: bumps · ARGV: era to begin, its TTL ms, most fields, tag… */
const BUMP_TEXT = `
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then redis.call('UNLINK', KEYS[1]) end
redis.call('HSETNX', KEYS[1], '${ERA}', ARGV[1])
local bump = redis.call('HINCRBY', KEYS[1], '${BUMPS}', 1)
for i = 4, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], bump) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/** A Lua script, and the SHA-1 by which Redis knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}
const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });
export const SERVE = script(SERVE_TEXT);
export const BUMP = script(BUMP_TEXT);
