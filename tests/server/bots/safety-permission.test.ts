import { asc, eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import type { BotAccess } from '#domain/bots/bot-access.ts';
import { DAY, HOUR, MINUTE, SECOND } from '#domain/clock.ts';
import { createBotOperations } from '#server/bots/api/operator.ts';
import { LEADER } from '#server/bots/engine/engine.ts';
import { claimBots, LostLease } from '#server/bots/store/bot-lease.ts';
import { recordCycles } from '#server/bots/store/record-cycles.ts';
import { createWatchdog } from '#server/bots/watchdog.ts';
import { bots } from '#server/db/schema/bots.ts';
import { notifications } from '#server/db/schema/notifications.ts';
import { lead } from '#server/lifecycle/leadership.ts';
import { createNotifications } from '#server/modules/notifications/service.ts';
import { type Exchange, ExchangeError } from '#server/ports/exchange/exchange.ts';
import { NO_GUARDS } from '#server/strategy/guards.ts';
import { createRig, plantBots } from '#tests/support/bots/bot-rig.ts';
import { candles, createReadyBots, T0 } from '#tests/support/bots/ready-bots.ts';
import { openTestDb } from '#tests/support/server/test-db.ts';

const { ready, serviceOn } = createReadyBots();

describe('permission to trade', () => {
  test('a guard that another process tripped blocks entries in this one', async () => {
    const { db, rig, runCycle, candle, botId, bot, orders } = await ready();
    await runCycle();
    const pausedUntil = rig.feed.now() + DAY;
    const guards = { ...NO_GUARDS, streak: 8, pausedUntil, pausedFor: '8 losing trades in a row' };
    await db
      .update(bots)
      .set({ guards: { guards, markedTo: rig.feed.now() } })
      .where(eq(bots.id, botId));
    await runCycle(candle);
    expect(await orders()).toEqual([]);
    const paused = { status: 'RUNNING', pausedBy: 'guard', pausedReason: '8 losing trades in a row' };
    expect(await bot()).toMatchObject(paused);
    const service = serviceOn(rig, rig.feed.now);
    const { userId = '' } = (await bot()) ?? {};
    expect((await db.transaction((tx) => service.pause(tx, userId, botId))).paused_reason).toBe('Paused by you');
    expect((await db.transaction((tx) => service.resume(tx, userId, botId))).paused_reason).toBe('8 losing trades in a row');
    expect(await bot()).toMatchObject(paused);
  });

  test('a bot that has lost what its user allows closes its position and stops, and can start again', async () => {
    const { db, rig, runCycle, candle, botId, bot, now, kinds } = await ready();
    const service = serviceOn(rig, now);
    await runCycle(candle);
    const { equity = 0, userId = '' } = (await bot()) ?? {};
    const highest = equity / 0.69;
    const guards = { guards: { ...NO_GUARDS, peak: equity, highest }, markedTo: rig.feed.now() };
    await db.update(bots).set({ guards, maxDrawdown: 32 }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING', position: { stop: 98_000 } });
    await db.update(bots).set({ maxDrawdown: 31 }).where(eq(bots.id, botId));
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'STOPPED', position: null });
    expect((await kinds()).slice(-3)).toEqual(['loss-limit', 'stopped', 'closed']);
    const told = await db.select({ text: notifications.text }).from(notifications).where(eq(notifications.userId, userId));
    expect(told.map(({ text }) => text).join()).toContain('Your limit is 31%, so it closes its position and stops.');
    await db.transaction((tx) => service.start(tx, userId, botId));
    await runCycle();
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING' });
  });

  test('a lapsed plan pauses entries, keeps the position and notifies the user', async () => {
    let access: BotAccess = { allowed: true, reason: 'premium' };
    const { runCycle, candle, wait, bot, kinds } = await ready(undefined, () => access);
    await runCycle(candle);
    access = { allowed: false, message: 'No plan' };
    wait(2 * MINUTE);
    await runCycle();
    expect(await bot()).toMatchObject({ status: 'RUNNING', pausedBy: 'access', pausedReason: 'No plan', position: { stop: 98_000 } });
    expect(await kinds()).toEqual(['running', 'opened', 'paused']);
  });

  test('a global halt blocks entries until it ends; a halt of one user closes positions', async () => {
    const { db, runCycle, candle, wait, bot, now, kinds } = await ready();
    const operating = createBotOperations({ db, clock: now, ...createNotifications({ db, clock: now }) });
    const running = await operating.haltAll();
    expect(await operating.haltAll()).toBe(running);
    await runCycle(candle);
    expect((await bot())?.position).toBeNull();
    wait();
    expect(await operating.resume()).toBe(true);
    const told = await db
      .select({ text: notifications.text, link: notifications.link })
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''))
      .orderBy(asc(notifications.createdAt));
    expect(told).toEqual([
      {
        text: 'The operator halted your trading bots. They open no new positions, and open positions keep their stops.',
        link: '/trading-bot',
      },
      { text: "The operator's halt is over. Your trading bots can open new positions again.", link: '/trading-bot' },
    ]);
    expect((await kinds()).filter((kind) => kind === 'halted')).toHaveLength(1);

    const second = await ready();
    await second.runCycle(second.candle);
    const userId = (await second.bot())?.userId ?? '';
    expect(await operating.haltUser(userId)).toBe(1);
    await second.runCycle();
    expect(await second.bot()).toMatchObject({ status: 'STOPPED', position: null });
    expect(await operating.resume(userId)).toBe(true);
  });

  test('a bot created for another exchange is not traded, and its user is notified', async () => {
    let asked = 0;
    const { db, runCycle, candle, botId, bot, kinds } = await ready((account) => ({
      position: () => {
        asked++;
        return account.position();
      },
    }));
    await runCycle(candle);
    const before = asked;
    await db.update(bots).set({ exchange: 'bybit' }).where(eq(bots.id, botId));
    await runCycle(candle + HOUR);
    expect(asked).toBe(before);
    const statusReason = 'This bot was made for Bybit, with real money. Bots here trade on the paper exchange.';
    expect(await bot()).toMatchObject({ status: 'ERROR', statusReason, leaseOwner: null, position: { stop: 98_000 } });
    expect((await kinds()).at(-1)).toBe('error');
    const told = await db
      .select({ text: notifications.text })
      .from(notifications)
      .where(eq(notifications.userId, (await bot())?.userId ?? ''));
    expect(told[0]?.text).toBe(`Real money · Tide: ${statusReason} The open position stays at the exchange, with its stop.`);
  });

  test('a process that lost the lease cannot write', async () => {
    const { db, rig, botId, bot, now, wait } = await ready();
    const [first] = await claimBots(db, [botId, botId], 'first', now());
    expect(await claimBots(db, [botId], 'second', now())).toEqual([undefined]);
    wait();
    expect(await claimBots(db, [botId], 'second', now())).toEqual([expect.objectContaining({ id: botId })]);
    const { notifyAll } = createNotifications({ db, clock: now });
    if (!first) throw new Error('the bot could not be claimed');
    const result = { before: first, trades: [], events: [], changes: { equity: 1 } };
    expect(await recordCycles({ db, clock: now, notifyAll, feed: rig.feed }, [result])).toEqual([expect.any(LostLease)]);
    expect((await bot())?.equity).toBe(1000);
  });

  test('a cycle that waits for the exchange keeps its lease, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let answer: (position: null) => void = () => undefined;
      const answered = new Promise<null>((resolve) => {
        answer = resolve;
      });
      const state = { isSlow: false, isAsked: false };
      const { db, runCycle, botId, candle, now, wait, bot } = await ready((account) => ({
        position: () => {
          state.isAsked = state.isSlow;
          return state.isSlow ? answered : account.position();
        },
      }));
      state.isSlow = true;
      const cycle = runCycle(candle);
      await vi.waitUntil(() => state.isAsked);
      for (let waited = 0; waited < 20 * SECOND; waited += 5 * SECOND) {
        wait(5 * SECOND);
        const due = now() + 10 * SECOND;
        vi.advanceTimersByTime(5 * SECOND);
        await vi.waitUntil(async () => (await bot())?.leaseUntil?.getTime() === due);
        expect(await claimBots(db, [botId], 'another', now())).toEqual([undefined]);
      }
      answer(null);
      expect(await cycle).toBe(true);
      vi.advanceTimersByTime(MINUTE);
      expect(await bot()).toMatchObject({ leaseOwner: null, leaseUntil: null });
      expect(await claimBots(db, [botId], 'another', now())).toEqual([expect.objectContaining({ id: botId })]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('a clock that is set back does not block the bots', async () => {
    const own = await openTestDb();
    let ahead = HOUR;
    const rig = createRig({ db: own.db, candles, start: 24, clock: () => rig.feed.now() + ahead });
    const now = () => rig.feed.now() + ahead;
    const [botId = ''] = await plantBots(own.db, 1, { now: T0 });
    await rig.engine.runBotCycle(botId);
    await claimBots(own.db, [botId], 'dead', now());
    await lead(own.db, { name: LEADER, owner: 'dead', lease: 6000, now: sql`${new Date(now()).toISOString()}::timestamptz` });
    ahead = 0;
    await rig.engine.start();
    const [bot] = await own.db.select().from(bots).where(eq(bots.id, botId));
    expect(bot).toMatchObject({ status: 'RUNNING', leaseOwner: null, lastExchangeAt: new Date(now()) });
    await rig.engine.stop();
    await own.close();
  });

  test('bots that fail hide no other bot, and stopping bots come first', async () => {
    const own = await openTestDb();
    let life = 0;
    const failing = new Set<string>();
    const rounds: string[][] = [];
    const wrap = (exchange: Exchange): Exchange => ({
      ...exchange,
      account(keys, owner) {
        rounds.at(-1)?.push(owner.botId);
        if (failing.has(owner.botId)) throw new ExchangeError('unavailable', 'down');
        return exchange.account(keys, owner);
      },
    });
    const rig = createRig({ db: own.db, candles, start: 24, wrap, clock: () => rig.feed.now() + life });
    const ids = await plantBots(own.db, 252, { now: T0 });
    const [healthy = '', stopping = '', ...others] = ids;
    for (const id of others) failing.add(id);
    const seen = new Date(rig.feed.now() - 10 * MINUTE);
    await own.db.update(bots).set({ status: 'RUNNING' });
    await own.db.update(bots).set({ lastExchangeAt: seen }).where(eq(bots.id, healthy));
    await own.db.update(bots).set({ status: 'STOPPING', stopMode: 'close', lastExchangeAt: seen }).where(eq(bots.id, stopping));
    for (let round = 0; round < 3; round++) {
      rounds.push([]);
      if (round === 0) await rig.engine.start();
      else await rig.engine.runRound();
      life += 6 * SECOND;
    }
    expect(rounds[0]?.[0]).toBe(stopping);
    expect(rounds.flat()).toContain(healthy);
    rounds.length = 0;
    for (let minute = 0; minute < 10; minute++) {
      life += MINUTE;
      rounds.push([]);
      await rig.engine.runRound();
    }
    const tries = rounds.flat().filter((id) => id === others[0]).length;
    expect(tries).toBeGreaterThan(4);
    expect(tries).toBeLessThanOrEqual(10);
    await rig.engine.stop();
    await own.close();
  });

  test('a bot that fails is tried after 2 s, then after twice as long each time, up to a minute', async () => {
    const own = await openTestDb();
    let life = 0;
    const tries: number[] = [];
    const wrap = (exchange: Exchange): Exchange => ({
      ...exchange,
      account() {
        tries.push(life / SECOND);
        throw new ExchangeError('unavailable', 'down');
      },
    });
    const rig = createRig({ db: own.db, candles, start: 24, wrap, clock: () => rig.feed.now() + life });
    await plantBots(own.db, 1, { now: T0 });
    await own.db.update(bots).set({ status: 'RUNNING' });
    await rig.engine.start();
    while (life < 4 * MINUTE) {
      life += 5 * SECOND;
      await rig.engine.runRound();
    }
    // Rounds are 5 s apart here.
    expect(tries).toEqual([0, 5, 10, 20, 40, 75, 135, 195]);
    await rig.engine.stop();
    await own.close();
  });

  test('the watchdog reports once if a bot’s last cycle was long ago', async () => {
    const { db, botId, now, wait, kinds } = await ready();
    const { notify } = createNotifications({ db, clock: now });
    const watchdog = createWatchdog({ db, clock: now, notify, report: (error) => expect(error).toBeUndefined() });
    await watchdog.check();
    expect(await kinds()).toEqual(['running']);
    await db
      .update(bots)
      .set({ lastExchangeAt: new Date(now()) })
      .where(eq(bots.id, botId));
    wait(16 * MINUTE);
    await watchdog.check();
    await watchdog.check();
    expect(await kinds()).toEqual(['running', 'silent']);
  });
});
