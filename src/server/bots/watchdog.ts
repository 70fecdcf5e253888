import { and, eq, isNotNull, lt, ne, or } from 'drizzle-orm';
import { SILENCE } from '#domain/bots/bot-alarms.ts';
import { type Clock, MINUTE } from '#domain/clock.ts';
import type { Db } from '../db/open.ts';
import { bots } from '../db/schema/bots.ts';
import type { Notify } from '../modules/notifications/service.ts';
import { noticeOf } from './messages/money.ts';
import { addEvent } from './store/bots.ts';

/** How often it is looked, ms. */
const EVERY = MINUTE;
const MOST_AT_ONCE = 200;

interface Parts {
  db: Db;
  clock: Clock;
  notify: Notify;
  report: (error: unknown) => void;
}

/**
 * Raises the alarm for bots that nobody has looked after for long, whatever the reason: no engine runs, or the exchange
 * is out of reach. It is no part of the engine, so that it speaks when that does not.
 */
export function createWatchdog({ db, clock, notify, report }: Parts) {
  let timer: ReturnType<typeof setInterval> | undefined;

  async function look(): Promise<void> {
    const silent = await db
      .select({
        id: bots.id,
        userId: bots.userId,
        name: bots.name,
        exchange: bots.exchange,
        testnet: bots.testnet,
        seen: bots.lastExchangeAt,
      })
      .from(bots)
      .where(
        and(
          or(eq(bots.status, 'RUNNING'), eq(bots.status, 'STOPPING'), and(ne(bots.status, 'ERROR'), isNotNull(bots.position))),
          lt(bots.lastExchangeAt, new Date(clock() - SILENCE)),
        ),
      )
      .limit(MOST_AT_ONCE);
    for (const { id, userId, seen, ...bot } of silent) {
      const text = 'The exchange has not been reached for more than 15 minutes. What rests there, such as a stop, still works.';
      const show = await db.transaction(async (tx) => {
        const event = { actor: 'engine', kind: 'silent', text, key: `silent:${seen?.getTime()}` } as const;
        if (!(await addEvent(tx, id, event, clock()))) return undefined;
        return notify(tx, userId, { kind: 'bot', text: noticeOf(bot, text), link: `/trading-bot/bots/${id}` });
      });
      show?.();
    }
  }

  return {
    look,
    start(): void {
      timer = setInterval(() => look().catch(report), EVERY).unref();
    },
    stop(): void {
      clearInterval(timer);
    },
  };
}
