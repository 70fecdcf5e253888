import { keepSender } from '../fan-out/keep-sender.ts';
import { connectRedis, destroyRedis } from '../fan-out/redis-connection.ts';
import { withDeadline } from '../with-deadline.ts';
import type { CountStore, Uses } from './limits.ts';

const PREFIX = 'tidemark:limit:';
/** Time limit of connecting and of one batch, ms. */
const LIMIT = 2_000;
/** Sent in an empty batch: a Redis that refuses to write would run a script without keys. */
const PROBE: Uses = { id: 'probe', amount: 0, span: 1_000 };

/** Redis runs a script as one step, deletes a key when its window ends, and answers uses and time left of each key in turn. */
const ADD = `
  local counts = {}
  for at, key in ipairs(KEYS) do
    local used = redis.call('INCRBY', key, ARGV[2 * at - 1])
    local left = redis.call('PTTL', key)
    if left < 0 then
      left = tonumber(ARGV[2 * at])
      redis.call('PEXPIRE', key, left)
    end
    counts[2 * at - 1] = used
    counts[2 * at] = left
  end
  return counts`;

/** Counts in keys of Redis. */
export function redisCounts(url: string, limit = LIMIT): CountStore {
  const sender = keepSender((lose) => connectRedis(url, { limit, lose }), destroyRedis);

  return {
    async add(uses, onSend) {
      let counts: number[] = [];
      await sender.use(async (client) => {
        onSend();
        const sent = uses.length > 0 ? uses : [PROBE];
        const keys = sent.map(({ id }) => PREFIX + id);
        const values = sent.flatMap(({ amount, span }) => [String(amount), String(span)]);
        const answer = await withDeadline(limit, undefined, () => client.eval(ADD, { keys, arguments: values }));
        counts = (answer as unknown[]).map(Number);
      });
      return uses.map((_, at) => ({ used: counts[2 * at] ?? 0, left: counts[2 * at + 1] ?? 0 }));
    },

    close: sender.close,
  };
}
