import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm';
import type { FastifyBaseLogger } from 'fastify';
import { type Clock, SECOND } from '#domain/clock.ts';
import type { Db } from '#server/db/open.ts';
import { bots } from '#server/db/schema/bots.ts';
import type { AccountStream, Exchange } from '#server/ports/exchange/exchange.ts';
import type { KeySafe } from '../keys/key-safe.ts';

/** How often the leader compares its streams with the bots, ms. */
const UPDATE_INTERVAL = 30 * SECOND;
/** Bots that are watched at once. */
const MAX_WATCHED = 2000;
/** How long changes are collected before the bots get their cycles, ms. */
const COLLECTING = 200;
/** Time between two looks that an account's messages cause, ms. Its owner may trade by hand, fast, and all bots share the requests. */
const MIN_BETWEEN = 5 * SECOND;

interface Parts {
  db: Db;
  clock: Clock;
  exchange: Exchange;
  safe: KeySafe;
  /** Schedules a cycle of each bot at once. */
  look: (botIds: readonly string[]) => Promise<void>;
  log: Pick<FastifyBaseLogger, 'error' | 'warn'>;
}

interface Watched {
  sealedKeys: Buffer;
  stream: AccountStream;
  /** When the last look was scheduled, ms. */
  lookedAt: number;
}

/** Creates the leader's watch over the accounts of bots, so that a change gets a look when it happens, and a quiet account seldom. */
export function createAccountWatch({ db, clock, exchange, safe, look, log }: Parts) {
  const watched = new Map<string, Watched>();
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let updatedAt = Number.NEGATIVE_INFINITY;

  function note(botId: string): void {
    changed.add(botId);
    timer ??= setTimeout(flush, COLLECTING).unref();
  }

  function flush(): void {
    timer = undefined;
    const now = clock();
    const botIds = [...changed].filter((id) => Math.abs(now - (watched.get(id)?.lookedAt ?? 0)) >= MIN_BETWEEN);
    for (const id of botIds) {
      changed.delete(id);
      const one = watched.get(id);
      if (one) one.lookedAt = now;
    }
    if (changed.size > 0) timer = setTimeout(flush, COLLECTING).unref();
    if (botIds.length === 0) return;
    look(botIds).catch((err: unknown) => log.error({ err }, 'changed accounts not scheduled'));
  }

  const findBots = () =>
    db
      .select({ id: bots.id, sealedKeys: bots.sealedKeys })
      .from(bots)
      .where(
        and(
          eq(bots.exchange, exchange.kind),
          eq(bots.testnet, exchange.paper),
          or(eq(bots.status, 'RUNNING'), eq(bots.status, 'STOPPING'), isNotNull(bots.position)),
        ),
      )
      .orderBy(sql`${bots.position} is null`, asc(bots.id))
      .limit(MAX_WATCHED);

  function start(id: string, sealedKeys: Buffer): void {
    try {
      const stream = exchange.watch?.(safe.open(id, sealedKeys), () => note(id));
      if (stream) watched.set(id, { sealedKeys, stream, lookedAt: Number.NEGATIVE_INFINITY });
    } catch (err) {
      // The bot's own cycle tells its user.
      log.warn({ err, bot: id }, 'account not watched');
    }
  }

  function end(id: string): void {
    watched.get(id)?.stream.close();
    watched.delete(id);
    changed.delete(id);
  }

  return {
    /** Watches the accounts of the bots that run or hold a position, and no others. */
    async update(): Promise<void> {
      if (!exchange.watch || Math.abs(clock() - updatedAt) < UPDATE_INTERVAL) return;
      updatedAt = clock();
      const rows = new Map((await findBots()).map((row) => [row.id, row.sealedKeys]));
      for (const [id, { sealedKeys }] of watched) if (!rows.get(id)?.equals(sealedKeys)) end(id);
      for (const [id, sealedKeys] of rows) if (!watched.has(id)) start(id, sealedKeys);
    },

    /** Returns the bots whose stream works. */
    live: (): string[] => [...watched].flatMap(([id, { stream }]) => (stream.isLive ? [id] : [])),

    close(): void {
      clearTimeout(timer);
      timer = undefined;
      changed.clear();
      for (const id of [...watched.keys()]) end(id);
      updatedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
