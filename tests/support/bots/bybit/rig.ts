import { asc, eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { HOUR, SECOND } from '#domain/clock.ts';
import type { KeptPosition } from '#server/bots/store/position.ts';
import type { Db } from '#server/db/open.ts';
import { botEvents, botOrders, botSignals, bots, botTrades } from '#server/db/schema/bots.ts';
import { leases } from '#server/db/schema/operations.ts';
import { createBybit } from '#server/ports/exchange/bybit/bybit.ts';
import type { Exchange, ExchangeAccount, Keys } from '#server/ports/exchange/exchange.ts';
import { readBundledCandles } from '#server/ports/market-data/bundled.ts';
import { directJobs } from '#tests/support/server/direct-jobs.ts';
import { createRig, plantBots } from '../bot-rig.ts';
import { type BybitServer, startBybit } from './bybit-server.ts';
import { freeBudget } from './free-budget.ts';
import type { Venue, VenueOrder } from './venue.ts';

/** Number of closed candles at the start; after the next one the strategy buys. */
const START = 6253;
const CAPITAL = 10_000;
/** Time between two rounds of the engine, ms. */
export const ROUND = 12 * SECOND;

const candles = readBundledCandles().slice(0, START + 30);

/** What the rig needs of a fake exchange. */
interface AnyServer extends Pick<BybitServer, 'calls' | 'fail' | 'heal' | 'advance' | 'address'> {
  open(name: string, info: { balance: number; affiliateId: number }): Keys & { venue: Venue };
}

/** A fake exchange with its real adapter. */
export interface Stage<Server extends AnyServer = BybitServer> {
  scene: { now: () => number; drift: number; price: number };
  server: Server;
  exchange: Exchange;
  failures: unknown[];
  close(): Promise<void>;
}
type AnyStage = Stage<AnyServer>;

/** Opens the fake exchange with the real adapter. Tests share both, each with its own account, clock and price. */
/** @param streams whether the adapter watches accounts, so that looks also happen between the rounds */
export async function openStage({ streams = false } = {}) {
  const scene = { now: () => 0, drift: 0, price: 0 };
  const failures: unknown[] = [];
  const server = await startBybit({ now: () => scene.now() + scene.drift, price: () => scene.price });
  const bybit = createBybit({
    testnet: false,
    urls: [server.url],
    referral: { code: '77' },
    clock: () => scene.now(),
    budget: freeBudget,
    ...(streams && { streams: { dials: freeBudget, patience: { ping: 5000, firstRetry: 5, maxRetry: 20 } } }),
    interval: HOUR,
    report: (error) => void failures.push(error),
    patience: { answer: 6000, limit: 300 },
  });
  return {
    scene,
    server,
    exchange: bybit,
    failures,
    async close(): Promise<void> {
      await bybit.close();
      await server.close();
    },
  };
}

/**
 * Starts the real engine just before the strategy buys. The account also holds an order that its owner placed by hand.
 * @param before injects faults into the setup of the bot
 */
export async function createLiveRig<Server extends AnyServer>(
  db: Db,
  { scene, server, exchange, failures }: Stage<Server>,
  before: (server: Server) => void = () => undefined,
) {
  let life = 0;
  let steps = 0;
  const now = (): number => running.rig.feed.now() + life;
  Object.assign(scene, { now, drift: 0, price: candles[START]?.open ?? 0 });
  const key = server.open('bot', { balance: CAPITAL, affiliateId: 77 }) as ReturnType<Server['open']>;
  const firstCall = server.calls.length;
  failures.length = 0;

  const stored = createReaders(db, await plantBot(db, key, exchange.kind));
  const start = (): Process => startProcess(db, { scene, exchange, failures }, { now, closed: START + steps });
  let running = start();

  before(server);
  await running.rig.engine.start();
  const own = key.venue.byHand.order({ direction: 'buy', type: 'limit', quantity: 0.01, price: 20_000 });

  /** Advances the clock and runs the engine's rounds. */
  async function pass(rounds = 1): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      life += ROUND;
      await Promise.race([running.rig.engine.runRound(), running.died]);
    }
  }

  return {
    server,
    venue: key.venue,
    key,
    failures,
    pass,
    now,
    /** Advances the clock without running the engine. */
    wait(ms: number): void {
      life += ms;
    },
    ...stored,

    /** Closes the candle after which the strategy buys. */
    async signal(): Promise<void> {
      steps++;
      await Promise.race([running.rig.feed.step(), running.died]);
    },

    /** Moves the price at once, which triggers stops and other resting orders. */
    move: (to: number): void => movePrice({ scene, server }, now(), to),

    /** Shifts the exchange's clock against ours, ms. */
    drift(by: number): void {
      scene.drift = by;
    },

    /** Stops the engine as kill -9 does. */
    kill: () => running.pulse.kill(),
    /** Starts another engine, which takes over from the killed one. */
    async restart(): Promise<void> {
      life += 15 * SECOND;
      running = start();
      await running.rig.engine.start();
    },

    /** Checks the invariants that hold after every fault. */
    async inspect(): Promise<void> {
      expect(own).toMatchObject({ status: 'New', quantity: 0.01, price: 20_000 });
      expect(server.calls.slice(firstCall).filter(({ path }) => /cancel-all|mass-cancel|order\/amend|amend-order/.test(path))).toEqual([]);
      inspectOrders(key.venue, await stored.orders());
      inspectPosition(key.venue, await stored.position());
    },

    async close(): Promise<void> {
      if (running.pulse.alive) await running.rig.engine.stop();
      server.heal();
      await deleteBots(db);
    },
  };
}

export type LiveRig<Server extends AnyServer = AnyServer> = Awaited<ReturnType<typeof createLiveRig<Server>>>;
export type BybitRig = LiveRig<BybitServer>;

interface Process {
  rig: ReturnType<typeof createRig>;
  pulse: { alive: boolean; kill: () => void };
  /** Resolves when the engine is killed. */
  died: Promise<void>;
}

/** Creates a running bot that trades with a key. Returns its id. */
async function plantBot(db: Db, { key, secret, passphrase }: Keys, exchange: Exchange['kind']): Promise<string> {
  const [botId = ''] = await plantBots(db, 1, {
    now: candles[START]?.time ?? 0,
    positionSize: CAPITAL,
    exchange,
    keys: { key, secret, ...(passphrase !== undefined && { passphrase }) },
  });
  return botId;
}

async function deleteBots(db: Db): Promise<void> {
  await db.delete(bots);
  await db.delete(botSignals);
  await db.delete(leases);
}

type StoredOrder = typeof botOrders.$inferSelect;

/** Creates the reads of what the bot has stored. */
function createReaders(db: Db, botId: string) {
  return {
    bot: async () => (await db.select().from(bots).where(eq(bots.id, botId)))[0],
    position: async () => (await db.select().from(bots).where(eq(bots.id, botId)))[0]?.position as KeptPosition | null,
    orders: () => db.select().from(botOrders).where(eq(botOrders.botId, botId)).orderBy(asc(botOrders.createdAt)),
    trades: () => db.select().from(botTrades).where(eq(botTrades.botId, botId)).orderBy(asc(botTrades.openedAt)),
    kinds: async () =>
      (await db.select({ kind: botEvents.kind }).from(botEvents).where(eq(botEvents.botId, botId)).orderBy(asc(botEvents.createdAt))).map(
        ({ kind }) => kind,
      ),
    change: (set: Partial<typeof bots.$inferSelect>) => db.update(bots).set(set).where(eq(bots.id, botId)),
  };
}

/** Starts an engine. After a kill, its calls to the exchange never return. */
function startProcess(
  db: Db,
  { scene, exchange, failures }: Pick<AnyStage, 'scene' | 'exchange' | 'failures'>,
  { now, closed }: { now: () => number; closed: number },
): Process {
  const pulse = { alive: true, kill: (): void => undefined };
  const died = new Promise<void>((resolve) => {
    pulse.kill = () => {
      pulse.alive = false;
      resolve();
    };
  });
  const wrap = (paper: Exchange): Exchange => {
    const feed = { ...paper.feed, now, forming: async () => ({ ...(await paper.feed.forming()), close: scene.price }) };
    return { ...exchange, feed, account: (keys, owner) => mortal(exchange.account(keys, owner), pulse) };
  };
  const jobs = directJobs({ failed: (error) => void failures.push(error) });
  return { pulse, died, rig: createRig({ db, candles, start: closed, jobs, clock: now, wrap }) };
}

function movePrice({ scene, server }: Pick<AnyStage, 'scene' | 'server'>, time: number, to: number): void {
  const from = scene.price;
  scene.price = to;
  server.advance({ time, open: from, low: Math.min(from, to), high: Math.max(from, to), close: to, volume: 0 });
}

/** Checks that the journal and the exchange agree on every order. */
function inspectOrders(venue: Venue, rows: readonly StoredOrder[]): void {
  // An exchange may take our ids without their dashes.
  const plain = (id: string) => id.replaceAll('-', '');
  const journal = new Map(rows.map((row) => [plain(row.clientId), row]));
  const ours = venue.orders.filter(({ orderLinkId }) => orderLinkId !== '');
  for (const order of ours) expect(journal.get(plain(order.orderLinkId)), 'every order is in the journal').toBeDefined();
  expect(new Set(ours.map(({ orderLinkId }) => orderLinkId)).size, 'no order twice').toBe(ours.length);
  const entries = ours.filter(({ orderLinkId, filled }) => filled > 0 && journal.get(plain(orderLinkId))?.purpose === 'entry');
  expect(entries.length, 'one entry for one candle').toBeLessThanOrEqual(1);
  for (const { clientId, state, filled } of journal.values()) {
    const order: VenueOrder | undefined = ours.find(({ orderLinkId }) => plain(orderLinkId) === plain(clientId));
    expect(['intended', 'accepted'], 'the end of every order is known').not.toContain(state);
    expect({ state, filled }, 'journal and exchange agree').toMatchObject({ filled: order?.filled ?? 0 });
  }
}

/** Checks that the stored position has the exchange's side and stop. */
function inspectPosition(venue: Venue, kept: KeptPosition | null): void {
  const held = venue.position();
  if (kept) expect(held?.stop, 'no position without a stop').not.toBeNull();
  if (kept) expect(kept).toMatchObject({ side: held?.side, stop: held?.stop });
}

/** Wraps an account so that calls of a killed engine never return. */
function mortal(account: ExchangeAccount, pulse: { readonly alive: boolean }): ExchangeAccount {
  const until = <A extends unknown[], R>(call: (...given: A) => Promise<R>) => {
    return async (...given: A): Promise<R> => {
      if (!pulse.alive) return new Promise<never>(() => undefined);
      const settled = await call(...given).then(
        (value) => () => value,
        (error: unknown) => () => {
          throw error;
        },
      );
      return pulse.alive ? settled() : new Promise<never>(() => undefined);
    };
  };
  return {
    check: until(account.check),
    prepare: until(account.prepare),
    standing: until(account.standing),
    submit: until(account.submit),
    protect: until(account.protect),
    find: until(account.find),
    cancel: until(account.cancel),
    fills: until(account.fills),
    position: until(account.position),
    snapshot: until(account.snapshot),
  };
}
