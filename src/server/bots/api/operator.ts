import { and, asc, eq, inArray, isNotNull, or } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { botEvents, bots } from '#server/db/schema/bots.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { users } from '#server/db/schema/users.ts';
import { notFound } from '#server/http/errors.ts';
import type { Notify } from '#server/modules/notifications/service.ts';
import { moneyOfBot } from '../messages/money.ts';
import { haltName } from '../store/bots.ts';
import { positionOf } from '../store/position.ts';

const HALTED = 'Halted by the operator';
/** Users that are notified in one transaction. */
const OWNERS_AT_ONCE = 100;

interface Parts {
  db: Db;
  clock: Clock;
  notify: Notify;
}

/** What the people who run the service do about bots. The switches lie in the database: they outlive every process. */
export function createBotOperating({ db, clock, notify }: Parts) {
  /** Tells it in the journal of all these bots. */
  async function tellAll(tx: Tx, which: ReturnType<typeof and>, kind: string, text: string): Promise<number> {
    const rows = await tx.select({ id: bots.id }).from(bots).where(which);
    const createdAt = new Date(clock());
    for (let first = 0; first < rows.length; first += 500) {
      const some = rows.slice(first, first + 500);
      await tx.insert(botEvents).values(some.map(({ id: botId }) => ({ botId, actor: 'engine' as const, kind, text, createdAt })));
    }
    return rows.length;
  }

  /** Notifies the users of these bots; apart from the switch, which must not wait until thousands are told. */
  async function tellOwners(which: ReturnType<typeof and>, text: string): Promise<void> {
    const owners = await db.selectDistinct({ userId: bots.userId }).from(bots).where(which);
    for (let first = 0; first < owners.length; first += OWNERS_AT_ONCE) {
      const shows = await db.transaction(async (tx) => {
        const shows: (() => void)[] = [];
        for (const { userId } of owners.slice(first, first + OWNERS_AT_ONCE))
          shows.push(await notify(tx, userId, { kind: 'bot', text, link: '/trading-bot' }));
        return shows;
      });
      for (const show of shows) show();
    }
  }

  /** False where it was set before. */
  async function setSwitch(tx: Tx, name: string, reason: string): Promise<boolean> {
    const set = await tx
      .insert(operatorSwitches)
      .values({ name, reason, createdAt: new Date(clock()) })
      .onConflictDoNothing()
      .returning();
    return set.length > 0;
  }

  return {
    /** Oldest first; nothing of their keys but the hint. */
    async list() {
      const rows = await db.select().from(bots).orderBy(asc(bots.createdAt));
      return rows.map((row) => ({
        id: row.id,
        user_id: row.userId,
        name: row.name,
        status: row.status,
        reason: row.statusReason ?? row.pausedReason,
        exchange: row.exchange,
        money: moneyOfBot(row),
        position_size: row.positionSize,
        equity: row.equity,
        position: positionOf(row)?.side ?? null,
        last_exchange_at: row.lastExchangeAt,
      }));
    },

    /** No bot opens anything until `resume`; positions keep their stops. How many run. */
    async haltAll(): Promise<number> {
      const running = eq(bots.status, 'RUNNING');
      const told = await db.transaction(async (tx) =>
        (await setSwitch(tx, haltName(), HALTED))
          ? tellAll(tx, running, 'halted', `${HALTED}: nothing new is opened, an open position keeps its stop.`)
          : null,
      );
      if (told === null) return db.$count(bots, running);
      await tellOwners(
        running,
        'Your trading bots were halted by the operator. Nothing new is opened, and open positions keep their stops.',
      );
      return told;
    },

    /** Stops all bots of a user and closes what they hold; none can be started until `resume`. How many. 404 for nobody. */
    async haltUser(userId: string): Promise<number> {
      let show = (): void => undefined;
      const stopped = await db.transaction(async (tx) => {
        if ((await tx.$count(users, eq(users.id, userId))) === 0) throw notFound('There is no such user.');
        await setSwitch(tx, haltName(userId), HALTED);
        const active = or(inArray(bots.status, ['RUNNING', 'PROVISIONING', 'STOPPING', 'ERROR']), isNotNull(bots.position));
        const which = and(eq(bots.userId, userId), active);
        const count = await tellAll(tx, which, 'halted', `${HALTED}: the bot is stopped and an open position is closed at market.`);
        await tx.update(bots).set({ status: 'STOPPING', stopMode: 'close', statusReason: null }).where(which);
        const text = 'Your trading bots were halted by the operator. Open positions are closed at market.';
        if (count > 0) show = await notify(tx, userId, { kind: 'bot', text, link: '/trading-bot' });
        return count;
      });
      show();
      return stopped;
    },

    /** Takes a halt back: that of all bots, or that of one user's. False where there was none. */
    async resume(userId?: string): Promise<boolean> {
      const whose = userId === undefined ? undefined : eq(bots.userId, userId);
      const running = and(whose, eq(bots.status, 'RUNNING'));
      const name = eq(operatorSwitches.name, haltName(userId));
      const wasHalted = await db.transaction(async (tx) => {
        if ((await tx.delete(operatorSwitches).where(name).returning()).length === 0) return false;
        await tellAll(tx, running, 'resumed', "The operator's halt is over: new positions may be opened again.");
        return true;
      });
      if (!wasHalted) return false;
      if (userId === undefined) await tellOwners(running, "The operator's halt is over: your trading bots may open positions again.");
      else await tellOwners(whose, "The operator's halt is over: your trading bots can be started again.");
      return true;
    },
  };
}

export type BotOperating = ReturnType<typeof createBotOperating>;
