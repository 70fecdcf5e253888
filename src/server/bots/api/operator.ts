import { and, asc, eq, inArray, isNotNull, or, type SQL } from 'drizzle-orm';
import type { Clock } from '#domain/clock.ts';
import type { Db, Tx } from '#server/db/open.ts';
import { botEvents, bots } from '#server/db/schema/bots.ts';
import { operatorSwitches } from '#server/db/schema/operations.ts';
import { users } from '#server/db/schema/users.ts';
import { noSuchUser } from '#server/http/errors.ts';
import type { Notify, NotifyAll } from '#server/modules/notifications/service.ts';
import { moneyOfBot } from '../messages/money.ts';
import { lockBots, NO_FAILURES } from '../store/bots.ts';
import { haltName } from '../store/halts.ts';
import { positionOf } from '../store/position.ts';

const HALTED = 'Halted by the operator';
/** Users notified in one transaction. */
const OWNERS_PER_TRANSACTION = 100;
/** Rows of one insert. */
const ROWS_PER_INSERT = 500;

interface Parts {
  db: Db;
  clock: Clock;
  notify: Notify;
  notifyAll: NotifyAll;
}

type Condition = SQL | undefined;

export type BotOperations = ReturnType<typeof createBotOperations>;

/** Creates the operator's commands for bots. Halts are rows of the database, so they survive every process. */
export const createBotOperations = (parts: Parts) => ({
  list: () => listBots(parts),
  /** Keeps all bots from opening positions until `resume`; open positions keep their stops. Returns how many bots run. */
  haltAll: () => haltAll(parts),
  /** Stops a user's bots, closes their positions and blocks a restart until `resume`. Returns how many. Throws 404 for an unknown user. */
  haltUser: (userId: string) => haltUser(parts, userId),
  /** Ends the halt of all bots, or of one user's; false if there was none. */
  resume: (userId?: string) => resume(parts, userId),
});

/** Lists all bots, oldest first, without their keys. */
async function listBots({ db }: Parts) {
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
}

async function haltAll(parts: Parts): Promise<number> {
  const { db } = parts;
  const running = eq(bots.status, 'RUNNING');
  const event = { kind: 'halted', text: `${HALTED}. No new trades; an open position keeps its stop.` };
  const halted = await db.transaction(async (tx) =>
    (await setSwitch(parts, tx, haltName())) ? addToJournals(parts, tx, running, event) : null,
  );
  if (halted === null) return db.$count(bots, running);
  const notice = 'The operator halted your trading bots. They open no new positions, and open positions keep their stops.';
  await notifyOwners(parts, running, notice);
  return halted;
}

async function haltUser(parts: Parts, userId: string): Promise<number> {
  const { db, notify } = parts;
  let show = (): void => undefined;
  const stopped = await db.transaction(async (tx) => {
    if ((await tx.$count(users, eq(users.id, userId))) === 0) throw noSuchUser();
    await setSwitch(parts, tx, haltName(userId));
    // Waits for a start that did not see the switch. Later ones see it.
    await lockBots(tx, userId);
    const isActive = or(inArray(bots.status, ['RUNNING', 'PROVISIONING', 'STOPPING', 'ERROR']), isNotNull(bots.position));
    const which = and(eq(bots.userId, userId), isActive);
    const event = { kind: 'halted', text: `${HALTED}. The bot stops and closes an open position at market price.` };
    const count = await addToJournals(parts, tx, which, event);
    await tx
      .update(bots)
      .set({ ...NO_FAILURES, status: 'STOPPING', stopMode: 'close', statusReason: null })
      .where(which);
    const text = 'The operator halted your trading bots. They stop and close open positions at market price.';
    if (count > 0) show = await notify(tx, userId, { kind: 'bot', text, link: '/trading-bot' });
    return count;
  });
  show();
  return stopped;
}

async function resume(parts: Parts, userId?: string): Promise<boolean> {
  const ofUser = userId === undefined ? undefined : eq(bots.userId, userId);
  const running = and(ofUser, eq(bots.status, 'RUNNING'));
  const name = eq(operatorSwitches.name, haltName(userId));
  const event = { kind: 'resumed', text: "The operator's halt is over. The bot can open new positions again." };
  const wasHalted = await parts.db.transaction(async (tx) => {
    if ((await tx.delete(operatorSwitches).where(name).returning()).length === 0) return false;
    await addToJournals(parts, tx, running, event);
    return true;
  });
  if (!wasHalted) return false;
  if (userId === undefined)
    await notifyOwners(parts, running, "The operator's halt is over. Your trading bots can open new positions again.");
  else await notifyOwners(parts, ofUser, "The operator's halt is over. You can start your trading bots again.");
  return true;
}

/** Adds an event to the journals of these bots, and returns how many there are. */
async function addToJournals({ clock }: Parts, tx: Tx, which: Condition, event: { kind: string; text: string }): Promise<number> {
  const rows = await tx.select({ id: bots.id }).from(bots).where(which);
  const createdAt = new Date(clock());
  for (let first = 0; first < rows.length; first += ROWS_PER_INSERT) {
    const batch = rows.slice(first, first + ROWS_PER_INSERT);
    await tx.insert(botEvents).values(batch.map(({ id: botId }) => ({ botId, actor: 'engine' as const, ...event, createdAt })));
  }
  return rows.length;
}

/** Notifies the users of these bots. Has its own transactions, so that the halt does not wait for thousands of notifications. */
async function notifyOwners({ db, notifyAll }: Parts, which: Condition, text: string): Promise<void> {
  const owners = await db.selectDistinct({ userId: bots.userId }).from(bots).where(which);
  for (let first = 0; first < owners.length; first += OWNERS_PER_TRANSACTION) {
    const notices = owners
      .slice(first, first + OWNERS_PER_TRANSACTION)
      .map(({ userId }) => ({ userId, kind: 'bot' as const, text, link: '/trading-bot' }));
    const show = await db.transaction((tx) => notifyAll(tx, notices));
    show();
  }
}

/** Sets a switch; false if it was set already. */
async function setSwitch({ clock }: Parts, tx: Tx, name: string): Promise<boolean> {
  const set = await tx
    .insert(operatorSwitches)
    .values({ name, reason: HALTED, createdAt: new Date(clock()) })
    .onConflictDoNothing()
    .returning();
  return set.length > 0;
}
