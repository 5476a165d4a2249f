import { createHash } from 'node:crypto';
import type { RedisConnection } from '../redis/redis.ts';

export interface Looked {
  /** Whether he may be answered. */
  readonly allowed: boolean;
  /** Until he may be again; 0 where he may. */
  readonly waitMs: number;
}

/** The part of a script call that counts a look: keys of the caller's slot, and arguments. */
export interface LookCall {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

/** Fields of the hash: the slot's era, and the number of its latest bump. */
const ERA = ':era';
const BUMPS = ':bumps';

/**
 * Which life of a server answers: a replica that is promoted begins another. It may lack the latest bumps of the server that it takes the
 * place of, so nothing that was read before the promotion may be used. A server that allows no INFO is taken for one without replicas.
 */
const LIFE_FUNCTION = `
local function life()
  local info = redis.pcall('INFO', 'replication')
  if type(info) ~= 'string' then return '' end
  return ' ' .. (string.match(info, 'master_replid:(%x%x%x%x%x%x%x%x%x%x%x%x)') or '')
end`;

/**
 * Serves the requests of one slot that came in the same turn of the event loop. It reads every tag that any of them
 * asks for, once, and counts each request in its window. The bumps of a slot are in one hash, which Redis has whole or
 * not at all. When the hash is missing, a new era begins under a name that no process has seen before. So a flushed
 * Redis causes misses and never a stale hit.
 *
 * KEYS: bumps, window… · ARGV: window ms, era to begin, its TTL ms, tag… · returns [[era, latest bump, of each tag its
 * bump or nil], of each window: count, ms left]; where no tags are asked for, the first is empty
 */
const SERVE_TEXT = `${LIFE_FUNCTION}
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
  bumps[1] = bumps[1] .. life()
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

/**
 * Counts what a caller finds out. Whom he has found in the window he finds as often as he likes. Beyond the most people nobody new is
 * found, which is then counted as a look in vain; and beyond the most of those all new looks are answered alike, so that they say nothing.
 *
 * Of `keys[at]`: looks in vain, of `keys[at + 1]`: people found. Of `args[at]` on: window ms, most in vain, most people, how many
 * people, each · returns allowed, ms to wait
 */
const LOOK_FUNCTION = `
local function left(key, window)
  local ms = redis.call('PTTL', key)
  if ms < 0 then
    redis.call('PEXPIRE', key, window)
    ms = tonumber(window)
  end
  return ms
end
local function look(keys, key, args, arg)
  local vain, people, window = keys[key], keys[key + 1], args[arg]
  local asked, found = tonumber(args[arg + 3]), {}
  for i = arg + 4, arg + 3 + asked do
    if redis.call('SISMEMBER', people, args[i]) == 0 then found[#found + 1] = args[i] end
  end
  if asked > 0 and #found == 0 then return 1, 0 end
  local most = tonumber(args[arg + 1])
  local full = redis.call('SCARD', people) + #found > tonumber(args[arg + 2])
  if asked > 0 and not full and tonumber(redis.call('GET', vain) or 0) < most then
    for _, one in ipairs(found) do redis.call('SADD', people, one) end
    left(people, window)
    return 1, 0
  end
  local count = redis.call('INCR', vain)
  local wait = left(vain, window)
  if count > most then return 0, wait end
  if full then return 0, math.max(1, redis.call('PTTL', people)) end
  return 1, 0
end`;

/** KEYS: looks in vain, people found · ARGV: as `look` has them · returns allowed, ms to wait */
const LOOK_TEXT = `${LOOK_FUNCTION}
return { look(KEYS, 1, ARGV, 1) }`;

/**
 * The same as `SERVE`, of one request of a caller whose looks are counted; he is told what is kept for him.
 *
 * KEYS: bumps, window, looks in vain, people found · ARGV: window ms, era to begin, its TTL ms, what `look` has, tag… · returns [[era,
 * latest bump, of each tag its bump or nil], count, ms left, allowed, ms to wait]
 */
const SERVE_LOOKING_TEXT = `${LOOK_FUNCTION}${LIFE_FUNCTION}
local first = 8 + tonumber(ARGV[7])
local asked = { '${ERA}', '${BUMPS}' }
for i = first, #ARGV do asked[#asked + 1] = ARGV[i] end
local bumps = redis.call('HMGET', KEYS[1], unpack(asked))
if not bumps[1] then
  redis.call('HSET', KEYS[1], '${ERA}', ARGV[2], '${BUMPS}', 0)
  bumps[1], bumps[2] = ARGV[2], '0'
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
bumps[1] = bumps[1] .. life()
local count = redis.call('INCR', KEYS[2])
local ms = left(KEYS[2], ARGV[1])
local allowed, wait = look(KEYS, 3, ARGV, 4)
return { bumps, count, ms, allowed, wait }`;

/** Numbers a bump and marks its tags with it. KEYS: bumps · ARGV: era to begin, its TTL ms, most fields, tag… */
const BUMP_TEXT = `
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[3]) then redis.call('UNLINK', KEYS[1]) end
redis.call('HSETNX', KEYS[1], '${ERA}', ARGV[1])
local bump = redis.call('HINCRBY', KEYS[1], '${BUMPS}', 1)
for i = 4, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], bump) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])`;

/**
 * Counts a try at something that is guessed at, as if it failed; whoever succeeds says so afterwards. So tries at the same time are each
 * one of those that are allowed.
 *
 * KEYS: count, wait · ARGV: window ms, tries without a wait, wait ms of the last of these and of each after it… (none: until the window
 * ends) · returns admitted, count, ms left of the window, ms to wait
 */
const TRY_TEXT = `
local wait = redis.call('PTTL', KEYS[2])
if wait > 0 then
  return { 0, tonumber(redis.call('GET', KEYS[1]) or 0), redis.call('PTTL', KEYS[1]), wait }
end
local count = redis.call('INCR', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
local beyond = count - tonumber(ARGV[2])
if beyond < 0 then return { 1, count, left, 0 } end
wait = left
if #ARGV > 2 then
  wait = tonumber(ARGV[math.min(3 + beyond, #ARGV)])
  left = wait + tonumber(ARGV[1])
  redis.call('PEXPIRE', KEYS[1], left)
end
redis.call('SET', KEYS[2], 1, 'PX', wait)
return { 1, count, left, wait }`;

/** Takes a try back that was none. KEYS: count, wait · ARGV: tries without a wait */
const UNDO_TEXT = `
if redis.call('EXISTS', KEYS[1]) == 0 then return end
if redis.call('DECR', KEYS[1]) < tonumber(ARGV[1]) then redis.call('UNLINK', KEYS[2]) end`;

/** A Lua script, and the SHA-1 by which Redis knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}
const script = (text: string): Script => ({ text, sha: createHash('sha1').update(text).digest('hex') });
export const SERVE = script(SERVE_TEXT);
export const SERVE_LOOKING = script(SERVE_LOOKING_TEXT);
export const LOOK = script(LOOK_TEXT);
export const BUMP = script(BUMP_TEXT);
export const TRY = script(TRY_TEXT);
export const UNDO = script(UNDO_TEXT);

/** Runs a script, which Redis is told in full where it does not know it. */
export async function runScript(
  redis: RedisConnection,
  { text, sha }: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(text, keys.length, ...keys, ...args);
  }
}
