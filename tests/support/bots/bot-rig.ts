import { randomUUID } from 'node:crypto';
import { HOUR } from '#domain/clock.ts';
import type { Candle } from '#domain/market/candles.ts';
import { createBots } from '#server/bots/bots.ts';
import { createKeySafe } from '#server/bots/keys/key-safe.ts';
import type { AccessOf } from '#server/bots/store/access.ts';
import type { Db } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import { users } from '#server/db/schema/users.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import type { Exchange, Keys } from '#server/ports/exchange/exchange.ts';
import { createPaperExchange } from '#server/ports/exchange/paper/paper-exchange.ts';
import { createSteppedFeed, type SteppedFeed } from '#server/ports/exchange/paper/stepped-feed.ts';
import { inlineJobs } from '../server/inline-jobs.ts';

export const SECRETS_KEY = 'a key for tests that is long enough, and no secret';
const KEYS = { key: 'paper-demo-key', secret: 'paper-demo-secret' };

interface Options {
  db: Db;
  candles: readonly Candle[];
  /** Number of candles that are closed at the start. */
  start: number;
  jobs?: Jobs;
  /** Defaults to the time of the stepped feed. */
  clock?: () => number;
  /** Wraps the exchange before the engine gets it. */
  wrap?: (exchange: Exchange) => Exchange;
  accessOf?: AccessOf;
  /** Waits between attempts; by default not at all. */
  sleep?: (ms: number) => Promise<unknown>;
  secretsKey?: string;
  previousSecretsKey?: string | undefined;
  generateSecretsKey?: (() => string) | undefined;
}

/** Creates an engine on a stepped market of hourly candles, without a server. */
export function createRig({
  db,
  candles,
  start,
  jobs = inlineJobs(),
  clock,
  wrap = (exchange) => exchange,
  accessOf = async () => ({ allowed: true, reason: 'premium' }),
  sleep = async () => undefined,
  secretsKey = SECRETS_KEY,
  previousSecretsKey,
  generateSecretsKey,
}: Options) {
  const feed: SteppedFeed = createSteppedFeed(candles, { interval: HOUR, start });
  const now = clock ?? feed.now;
  const exchange = wrap(createPaperExchange({ db, feed }));
  const { notify, notifyAll } = createNotifications({ db, clock: now });
  const log = { warn: () => undefined, error: (...said: unknown[]) => console.error(...said) };
  const service = createBots({
    db,
    clock: now,
    exchange,
    testnet: false,
    jobs,
    notify,
    notifyAll,
    accessOf,
    demandProof: async () => undefined,
    sleep,
    secretsKey,
    previousSecretsKey,
    generateSecretsKey,
    trade: 'always',
    log,
  });
  return { ...service, feed, exchange };
}

interface Planted {
  now?: number;
  /** By default, an engine sets them up. */
  status?: (typeof bots.$inferInsert)['status'];
  positionSize?: number;
  exchange?: Exchange['kind'];
  /** The key of all bots, or of the bot at a place. */
  keys?: Keys | ((place: number) => Keys);
  secretsKey?: string;
}

/** Inserts running bots, each with its own user, and returns their ids. */
export async function plantBots(
  db: Db,
  count: number,
  { now = 0, status = 'PROVISIONING', positionSize = 1000, exchange = 'paper', keys = KEYS, secretsKey = SECRETS_KEY }: Planted = {},
): Promise<string[]> {
  const safe = createKeySafe(secretsKey);
  const keysOf = typeof keys === 'function' ? keys : () => keys;
  const ids: string[] = [];
  for (let first = 0; first < count; first += 500) {
    const rows = Array.from({ length: Math.min(500, count - first) }, () => ({ id: randomUUID(), userId: randomUUID() }));
    await db.insert(users).values(rows.map(({ userId }) => userOf(userId)));
    await db.insert(bots).values(
      rows.map(({ id, userId }, index) => ({
        id,
        userId,
        name: 'Tide',
        status,
        positionSize,
        leverage: 15,
        exchange,
        sealedKeys: safe.seal(id, keysOf(first + index)),
        keyHint: '-key',
        keyDigest: safe.digest(keysOf(first + index).key),
        equity: positionSize,
        fillsSeenTo: now,
        createdAt: new Date(now),
      })),
    );
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

const userOf = (id: string) => ({ id, email: `${id}@example.com`, firstName: 'Ada', lastName: 'Lovelace', passwordHash: '-' });
